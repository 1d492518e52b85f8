use camino::Utf8PathBuf;

use super::Session;
use super::judge::{guarded, situation};
use crate::digest::Digest;
use crate::gate::{Places, Situation};
use crate::plan::{AnyState, StateName, StateRef, Warning};
use crate::reminder::reminder;
use crate::store::{ARCHIVE_FOLDER, Revision, Snapshot, Source};

/// A session's plan as a reader found it: no lock was taken and nothing was changed (rule N).
#[derive(Debug)]
pub struct PlanView {
    state: AnyState,
    revision: Option<Digest>,
    pending: bool,
    paths: PlanPaths,
    guarded: Places,
}

impl PlanView {
    pub(super) fn new(session: &Session, snapshot: Snapshot) -> Self {
        Self {
            paths: PlanPaths::of(session, &snapshot.revision),
            guarded: guarded(session, snapshot.state.as_ref()),
            revision: snapshot.revision.digest,
            pending: snapshot.pending.is_some(),
            state: snapshot.state,
        }
    }

    /// The state, borrowed.
    pub fn state(&self) -> StateRef<'_> {
        self.state.as_ref()
    }

    /// The state's name.
    pub fn state_name(&self) -> StateName {
        self.state().name()
    }

    /// The digest of the record; `None` where there is none.
    pub fn revision(&self) -> Option<Digest> {
        self.revision
    }

    /// Whether a later [`load`](Session::load) has something to tidy up before the disk says what this view says (LEG-7).
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Where the files are.
    pub fn paths(&self) -> &PlanPaths {
        &self.paths
    }

    /// What a person should know about the plan.
    pub fn warnings(&self) -> Vec<Warning> {
        self.state().warnings()
    }

    /// What the gate has to know of it.
    pub fn situation(&self) -> Situation {
        situation(self.state(), self.guarded.clone())
    }

    /// What the model is told of the plan after a compaction or a restart; empty without a plan.
    pub fn reminder(&self) -> String {
        reminder(self.state())
    }
}

/// Where a session's files are, or will be (DISK-14).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanPaths {
    /// The record.
    pub json: Utf8PathBuf,
    /// The session `.md`.
    pub md: Utf8PathBuf,
    /// The archive folder.
    pub archive: Utf8PathBuf,
    /// The record that the plan was read from, if there is one: not `json` where an older program's folder has it.
    pub read_from: Option<Utf8PathBuf>,
}

impl PlanPaths {
    pub(super) fn of(session: &Session, revision: &Revision) -> Self {
        let name = |ending: &str| format!(".opencrabs_plan_{}.{ending}", session.id());
        let json = revision.folder.join(name("json"));
        let read_from = revision.digest.map(|_| match revision.source {
            Source::Resolved => json.clone(),
            Source::Fallback => session.shared().context.layout.fallback().join(name("json")),
        });
        Self { md: revision.folder.join(name("md")), archive: revision.folder.join(ARCHIVE_FOLDER), json, read_from }
    }
}
