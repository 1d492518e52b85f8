use std::path::PathBuf;

use plangate::plan::{Cell, Operation, StateName};

/// A state and an operation that the typed API does not have there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pair {
    pub(crate) state: StateName,
    pub(crate) operation: Operation,
}

impl Pair {
    /// Every illegal pair, from the table. A cell that only the dynamic form has is one: there is no typed method for it.
    pub(crate) fn illegal() -> impl Iterator<Item = Self> {
        let pairs = |state| Operation::ALL.into_iter().map(move |operation| Self { state, operation });
        StateName::ALL.into_iter().flat_map(pairs).filter(|pair| matches!(pair.cell(), Cell::Refused(_) | Cell::Idle))
    }

    /// What the table says.
    pub(crate) fn cell(self) -> Cell {
        self.operation.in_state(self.state)
    }

    /// The name of the typed method.
    pub(crate) fn method(self) -> String {
        self.operation.as_str().replace(' ', "_")
    }

    /// The file that shows that it does not compile, from the package's root.
    pub(crate) fn path(self) -> PathBuf {
        ["ui-tests", folder(self.state), &format!("cannot_{}.rs", self.method())].iter().collect()
    }
}

/// The folder of a state's cases.
pub(crate) const fn folder(state: StateName) -> &'static str {
    match state {
        StateName::NoPlan => "no_plan",
        StateName::PreInit => "pre_init",
        StateName::Editing => "editing",
        StateName::Active => "active",
    }
}
