use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use uuid::Uuid;

use super::{ApprovalRecord, Background, Site, Step};
use crate::model::{Asked, Caller, Kept, Origin, TaskId, Timestamp};

/// The id of a plan: a UUID, new for every plan; the upgrade of a PreInit keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlanId(Uuid);

impl PlanId {
    pub(crate) const fn from_uuid(id: Uuid) -> Self {
        Self(id)
    }
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlanId({self})")
    }
}

/// What every live plan has beside its state: who it belongs to, its texts and its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub(crate) site: Site,
    pub(crate) id: PlanId,
    pub(crate) title: Box<str>,
    pub(crate) description: Box<str>,
    pub(crate) background: Background,
    pub(crate) created_at: Option<Timestamp>,
    pub(crate) updated_at: Option<Timestamp>,
    pub(crate) approved_at: Option<Timestamp>,
    pub(crate) extras: Extras,
    pub(crate) kept: Kept,
}

/// The optional root fields of a record that this engine adds to those of older ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    pub(crate) approval: Option<ApprovalRecord>,
    pub(crate) origin: Option<Origin>,
    pub(crate) asked: Option<Asked>,
    pub(crate) goal_task: Option<TaskId>,
    pub(crate) project_dir: Option<Utf8PathBuf>,
}

impl Header {
    /// The header of a plan that begins now.
    pub(super) fn begin(site: Site, step: &mut Step<'_>) -> Self {
        let extras = Extras {
            origin: Some(step.caller.origin),
            asked: Some(step.caller.asked),
            project_dir: step.project_dir.map(Utf8Path::to_owned),
            ..Extras::default()
        };
        Self {
            site,
            id: step.plan_id(),
            title: Box::default(),
            description: Box::default(),
            background: Background::default(),
            created_at: Some(step.now),
            updated_at: Some(step.now),
            approved_at: None,
            extras,
            kept: Kept::default(),
        }
    }

    /// The same header, changed now.
    pub(super) fn touched(&self, now: Timestamp) -> Self {
        Self { created_at: self.created_at.or(Some(now)), updated_at: Some(now), ..self.clone() }
    }

    /// Whose plan it is, and where its `.md` is.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// The plan's id.
    pub fn id(&self) -> PlanId {
        self.id
    }

    /// The title; empty before `init`.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The description. While Editing it is the whole `.md` as last synced (MIRROR-1).
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What older plans carry beside it.
    pub fn background(&self) -> &Background {
        &self.background
    }

    /// When the plan was begun, if its file says so.
    pub fn created_at(&self) -> Option<Timestamp> {
        self.created_at
    }

    /// When the record was last saved, if it says so.
    pub fn updated_at(&self) -> Option<Timestamp> {
        self.updated_at
    }

    /// When the design was approved (DISK-8).
    pub fn approved_at(&self) -> Option<Timestamp> {
        self.approved_at
    }

    /// Who approved it and what they saw.
    pub fn approval(&self) -> Option<&ApprovalRecord> {
        self.extras.approval.as_ref()
    }

    /// How the plan came to be: who entered or initialised it.
    pub fn origin(&self) -> Option<Origin> {
        self.extras.origin
    }

    /// Whether the host asked a person (INIT-10).
    pub fn asked(&self) -> Option<Asked> {
        self.extras.asked
    }

    /// The task whose goal is set.
    pub fn goal_task(&self) -> Option<TaskId> {
        self.extras.goal_task
    }

    /// The project's real path.
    pub fn project_dir(&self) -> Option<&Utf8Path> {
        self.extras.project_dir.as_deref()
    }

    /// Root fields that the engine does not know.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Who called when the plan began. Where a file does not say, a person did: that answer keeps the gate shut.
    pub(crate) fn began_by(&self) -> Caller {
        Caller { origin: self.origin().unwrap_or(Origin::Interactive), asked: self.asked().unwrap_or(Asked::Person) }
    }
}
