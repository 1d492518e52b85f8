use std::fmt;

/// The name of a state (LIFE-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateName {
    /// No live plan.
    NoPlan,
    /// Plan mode was entered, and no `init` has succeeded yet.
    PreInit,
    /// The design is being written in the session `.md`.
    Editing,
    /// The checklist is live.
    Active,
}

impl StateName {
    /// Every state, in the order of the lifecycle.
    pub const ALL: [Self; 4] = [Self::NoPlan, Self::PreInit, Self::Editing, Self::Active];

    /// The name in texts and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoPlan => "NoPlan",
            Self::PreInit => "PreInit",
            Self::Editing => "Editing",
            Self::Active => "Active",
        }
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What can be done with a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Enter plan mode. A person's act, or the host's soft nudge.
    Enter,
    /// `init` of a design.
    InitDesign,
    /// `init` of a checklist.
    InitChecklist,
    /// `init` from a file.
    Import,
    /// Write the session `.md` through the engine.
    WriteMarkdown,
    /// Take what is in the session `.md` into the record.
    Sync,
    /// Approve the design. A person's act.
    Approve,
    /// Append tasks.
    AddTasks,
    /// Start a task.
    Start,
    /// Complete a task.
    Complete,
    /// Mark a task as failed.
    Fail,
    /// Skip a task.
    Skip,
    /// Discard the plan. A person's act.
    Discard,
    /// Bring a discarded plan back from the archive. A person's act.
    Restore,
    /// Look at the plan.
    View,
}

/// What the table says of an operation in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Allowed, and ends in one of these states.
    Leads(&'static [StateName]),
    /// Allowed, and the state stays.
    Stays,
    /// Succeeds without a write and without an event. Only the dynamic form has it; the typed one has no method.
    Idle,
    /// Refused.
    Refused(StateRefusal),
}

/// Why a state refuses an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateRefusal {
    /// There is no plan yet.
    NoPlan,
    /// Plan mode was entered, and there is no plan yet.
    InitFirst,
    /// The design is not approved yet.
    ApproveFirst,
    /// There is a live plan already; it would have to be discarded first.
    DiscardFirst,
    /// The design is being written already.
    AlreadyPlanning,
    /// A checklist is live.
    PlanIsLive,
    /// The `.md` of an approved plan does not change any more.
    Frozen,
    /// The plan is active already.
    AlreadyActive,
}

impl StateRefusal {
    /// The stable code (`docs/lifecycle.md`).
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoPlan => "no-plan",
            Self::InitFirst => "init-first",
            Self::ApproveFirst => "approve-first",
            Self::DiscardFirst => "discard-first",
            Self::AlreadyPlanning => "already-planning",
            Self::PlanIsLive => "plan-is-live",
            Self::Frozen => "frozen",
            Self::AlreadyActive => "already-active",
        }
    }
}

use Cell::{Idle, Leads, Refused, Stays};
use StateName::{Active, Editing, NoPlan, PreInit};
use StateRefusal as R;

/// The table: which operation each state allows, and what the others answer. `docs/lifecycle.md`, the compile-fail
/// cases and the refusals at run time are held against it by tests.
const TABLE: [(Operation, [Cell; 4]); 15] = {
    const INIT: [Cell; 2] = [Refused(R::DiscardFirst), Refused(R::DiscardFirst)];
    const TASKS: [Cell; 3] = [Refused(R::NoPlan), Refused(R::InitFirst), Refused(R::ApproveFirst)];
    const fn init(leads: Cell) -> [Cell; 4] {
        [leads, leads, INIT[0], INIT[1]]
    }
    const fn task(active: Cell) -> [Cell; 4] {
        [TASKS[0], TASKS[1], TASKS[2], active]
    }
    const fn markdown(editing: Cell, active: StateRefusal) -> [Cell; 4] {
        [TASKS[0], TASKS[1], editing, Refused(active)]
    }
    [
        (Operation::Enter, [Leads(&[PreInit]), Idle, Refused(R::AlreadyPlanning), Refused(R::PlanIsLive)]),
        (Operation::InitDesign, init(Leads(&[Editing]))),
        (Operation::InitChecklist, init(Leads(&[Active]))),
        (Operation::Import, init(Leads(&[Active]))),
        (Operation::WriteMarkdown, markdown(Stays, R::Frozen)),
        (Operation::Sync, markdown(Stays, R::Frozen)),
        (Operation::Approve, markdown(Leads(&[Active]), R::AlreadyActive)),
        (Operation::AddTasks, task(Stays)),
        (Operation::Start, task(Stays)),
        (Operation::Complete, task(Leads(&[Active, NoPlan]))),
        (Operation::Fail, task(Stays)),
        (Operation::Skip, task(Leads(&[Active, NoPlan]))),
        (Operation::Discard, [Idle, Leads(&[NoPlan]), Leads(&[NoPlan]), Leads(&[NoPlan])]),
        (
            Operation::Restore,
            [Leads(&[Editing, Active]), Refused(R::DiscardFirst), Refused(R::DiscardFirst), Refused(R::DiscardFirst)],
        ),
        (Operation::View, [Stays, Stays, Stays, Stays]),
    ]
};

impl Operation {
    /// Every operation, in the order of the table.
    pub const ALL: [Self; 15] = [
        Self::Enter,
        Self::InitDesign,
        Self::InitChecklist,
        Self::Import,
        Self::WriteMarkdown,
        Self::Sync,
        Self::Approve,
        Self::AddTasks,
        Self::Start,
        Self::Complete,
        Self::Fail,
        Self::Skip,
        Self::Discard,
        Self::Restore,
        Self::View,
    ];

    /// What the table says of this operation in `state`.
    ///
    /// ```
    /// use plangate::plan::{Cell, Operation, StateName, StateRefusal};
    ///
    /// let cell = Operation::Start.in_state(StateName::Editing);
    /// assert_eq!(cell, Cell::Refused(StateRefusal::ApproveFirst));
    /// ```
    pub fn in_state(self, state: StateName) -> Cell {
        let row = TABLE.iter().find(|(operation, _)| *operation == self);
        let column = StateName::ALL.iter().position(|name| *name == state);
        // Both searches succeed: a test walks the whole table. View is what would be safe to answer.
        row.zip(column).and_then(|((_, cells), column)| cells.get(column)).copied().unwrap_or(Cell::Stays)
    }

    /// The name in the table, in texts and on command lines.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::InitDesign => "init design",
            Self::InitChecklist => "init checklist",
            Self::Import => "import",
            Self::WriteMarkdown => "write markdown",
            Self::Sync => "sync",
            Self::Approve => "approve",
            Self::AddTasks => "add_tasks",
            Self::Start => "start",
            Self::Complete => "complete",
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Discard => "discard",
            Self::Restore => "restore",
            Self::View => "view",
        }
    }

    /// Whether only a person may do it: the `plan` tool has no such operation.
    pub const fn is_a_persons(self) -> bool {
        matches!(self, Self::Enter | Self::Approve | Self::Discard | Self::Restore)
    }

    /// Whether the host has to ask for its tool approval first: every form of `init` (INIT-10).
    pub const fn needs_approval(self) -> bool {
        matches!(self, Self::InitDesign | Self::InitChecklist | Self::Import)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: LIFE-6
    #[test]
    fn every_operation_has_one_row() {
        for (row, operation) in Operation::ALL.iter().enumerate() {
            assert_eq!(TABLE[row].0, *operation);
            assert_eq!(Operation::ALL.iter().position(|other| other == operation), Some(row));
            for (column, state) in StateName::ALL.iter().enumerate() {
                assert_eq!(operation.in_state(*state), TABLE[row].1[column]);
            }
        }
    }

    // spec: INIT-10
    #[test]
    fn every_form_of_init_needs_the_hosts_approval_and_nothing_else_does() {
        for operation in Operation::ALL {
            let is_init = operation.as_str().starts_with("init") || operation == Operation::Import;
            assert_eq!(operation.needs_approval(), is_init, "{operation}");
        }
    }
}
