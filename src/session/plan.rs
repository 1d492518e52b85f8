use std::fmt;
use std::ops::Deref;

use super::held::{Held, Notice};
use super::{PlanPaths, Session, Work};
use crate::digest::Digest;
use crate::plan::{State, Warning};
use crate::reminder::reminder;
use crate::store::Revision;

/// A session's plan in the state `S`. It has the methods of that state alone (API-1), and what the state knows through
/// [`Deref`].
///
/// A transition takes the plan and gives the next one, so that the old cannot be used afterwards (API-2); one that is refused
/// gives the plan back (API-4). A handle remembers the record that it was read from: where another process was faster, a
/// transition answers [`Stale`](super::Reason::Stale) and changes nothing. A handle from
/// [`Session::exclusive`] carries the session's lock and never meets that.
///
/// What the types cannot prevent: two handles of one session may be loaded at once; the slower one becomes stale.
pub struct Plan<S: State> {
    pub(super) state: Box<S>,
    pub(super) session: Session,
    pub(super) revision: Revision,
    /// Whether the disk does not say yet what `state` says (rule N).
    pub(super) pending: bool,
    pub(super) held: Option<Box<Held>>,
    pub(super) notices: Vec<Notice>,
}

impl<S: State> Plan<S> {
    /// The session that it belongs to.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The digest of the record that it was read from; `None` where there is none.
    pub fn revision(&self) -> Option<Digest> {
        self.revision.digest
    }

    /// What went wrong beside the transition that led here.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// What a person should know about it, though nothing is refused for it.
    pub fn warnings(&self) -> Vec<Warning> {
        self.state.as_any().warnings()
    }

    /// What the model is told of it after a compaction or a restart; empty without a plan (REM-1).
    pub fn reminder(&self) -> String {
        reminder(self.state.as_any())
    }

    /// Where its files are (DISK-14).
    pub fn paths(&self) -> PlanPaths {
        PlanPaths::of(&self.session, &self.revision)
    }

    /// Releases the lock of a handle from [`Session::exclusive`], and then makes the goal calls that waited for it; their
    /// failures are [`notices`](Self::notices). Does nothing for another handle.
    pub fn release(mut self) -> Work<Self> {
        Work::new(move || {
            if let Some(mut held) = self.held.take() {
                self.notices.extend(held.release());
            }
            self
        })
    }
}

impl<S: State> Deref for Plan<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.state
    }
}

impl<S: State> fmt::Debug for Plan<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("state", &S::NAME)
            .field("session", self.session.id())
            .field("revision", &self.revision.digest)
            .field("exclusive", &self.held.is_some())
            .finish_non_exhaustive()
    }
}
