use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};

use super::policy_file::POLICY_FILE;
use crate::plan::{Cell, Operation, Refusal, StateName};

/// How a session stands, as the gate sees it: one of the four states, or that the state cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// No live plan.
    NoPlan,
    /// Plan mode was entered, and no `init` has succeeded yet.
    PreInit,
    /// The design is being written.
    Editing,
    /// The checklist is live.
    Active {
        /// Whether the checklist is still empty.
        lacks_tasks: bool,
    },
    /// The record is there and is no plan (GATE-10).
    Damaged,
    /// The record cannot be read (GATE-10).
    Unknown,
}

impl Standing {
    /// The state; `None` where it cannot be told.
    pub const fn state(self) -> Option<StateName> {
        match self {
            Self::NoPlan => Some(StateName::NoPlan),
            Self::PreInit => Some(StateName::PreInit),
            Self::Editing => Some(StateName::Editing),
            Self::Active { .. } => Some(StateName::Active),
            Self::Damaged | Self::Unknown => None,
        }
    }

    /// The name in texts and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoPlan => "NoPlan",
            Self::PreInit => "PreInit",
            Self::Editing => "Editing",
            Self::Active { .. } => "Active",
            Self::Damaged => "damaged",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where the files are that the gate guards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// The root folder.
    pub(crate) root: Utf8PathBuf,
    /// The session `.md`; the record, the lock and the archive are beside it.
    pub(crate) md: Utf8PathBuf,
    /// The pointer to the folder of a project's plan.
    pub(crate) pin: Utf8PathBuf,
}

/// A session's state and its places: everything that the gate has to know of a session.
///
/// It comes from [`Session::situation`](crate::Session::situation) or
/// [`PlanView::situation`](crate::session::PlanView::situation), and an error while reading is a situation too. A
/// subagent's call is judged in the situation of its parent's session (GATE-15).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation(Known);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    Told { state: StateName, lacks_tasks: bool, places: Places },
    Damaged(Box<str>),
    Unknown(Box<str>),
}

impl Situation {
    /// The state could be told.
    pub(crate) fn told(state: StateName, lacks_tasks: bool, places: Places) -> Self {
        Self(Known::Told { state, lacks_tasks, places })
    }

    /// The record is damaged.
    pub(crate) fn damaged(fault: &impl fmt::Display) -> Self {
        Self(Known::Damaged(fault.to_string().into()))
    }

    /// The record cannot be read.
    pub(crate) fn unknown(fault: &impl fmt::Display) -> Self {
        Self(Known::Unknown(fault.to_string().into()))
    }

    /// How the session stands.
    pub fn standing(&self) -> Standing {
        match self.0 {
            Known::Told { state: StateName::NoPlan, .. } => Standing::NoPlan,
            Known::Told { state: StateName::PreInit, .. } => Standing::PreInit,
            Known::Told { state: StateName::Editing, .. } => Standing::Editing,
            Known::Told { state: StateName::Active, lacks_tasks, .. } => Standing::Active { lacks_tasks },
            Known::Damaged(_) => Standing::Damaged,
            Known::Unknown(_) => Standing::Unknown,
        }
    }

    /// The session `.md`, where the state can be told: it need not exist.
    pub fn md(&self) -> Option<&Utf8Path> {
        self.places().map(|places| places.md.as_path())
    }

    /// Why the state cannot be told, in the words of the load error; `None` where it can.
    pub fn fault(&self) -> Option<&str> {
        match &self.0 {
            Known::Told { .. } => None,
            Known::Damaged(fault) | Known::Unknown(fault) => Some(fault),
        }
    }

    /// The policy file (`docs/gate.md`).
    pub(super) fn policy_file(&self) -> Utf8PathBuf {
        self.places().map_or(POLICY_FILE.into(), |places| places.root.join(POLICY_FILE))
    }

    pub(super) fn places(&self) -> Option<&Places> {
        match &self.0 {
            Known::Told { places, .. } => Some(places),
            Known::Damaged(_) | Known::Unknown(_) => None,
        }
    }

    /// How the state answers a plan operation that it does not allow, in the tool's own words (GATE-17); `None` if the
    /// table allows it, and where the state cannot be told.
    pub fn refuse(&self, operation: Operation) -> Option<Refusal> {
        let Known::Told { state, lacks_tasks, places } = &self.0 else { return None };
        match operation.in_state(*state) {
            Cell::Refused(refusal) => {
                Some(Refusal::State { refusal, operation, md: places.md.clone(), lacks_tasks: *lacks_tasks })
            }
            Cell::Leads(_) | Cell::Stays | Cell::Idle => None,
        }
    }
}
