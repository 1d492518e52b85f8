use super::{Active, Cell, Editing, NoPlan, Operation, PreInit, Refusal, Site, State, StateName, Warning};

/// One of the four states, by value.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(Clone))]
pub enum AnyState {
    /// No live plan.
    NoPlan(NoPlan),
    /// Plan mode was entered.
    PreInit(PreInit),
    /// A design is being written.
    Editing(Editing),
    /// A checklist is live.
    Active(Active),
}

impl AnyState {
    /// The same, borrowed.
    pub fn as_ref(&self) -> StateRef<'_> {
        match self {
            Self::NoPlan(state) => state.as_any(),
            Self::PreInit(state) => state.as_any(),
            Self::Editing(state) => state.as_any(),
            Self::Active(state) => state.as_any(),
        }
    }
}

/// One of the four states, borrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateRef<'a> {
    /// No live plan.
    NoPlan(&'a NoPlan),
    /// Plan mode was entered.
    PreInit(&'a PreInit),
    /// A design is being written.
    Editing(&'a Editing),
    /// A checklist is live.
    Active(&'a Active),
}

impl<'a> StateRef<'a> {
    /// The state's name.
    pub fn name(self) -> StateName {
        match self {
            Self::NoPlan(_) => NoPlan::NAME,
            Self::PreInit(_) => PreInit::NAME,
            Self::Editing(_) => Editing::NAME,
            Self::Active(_) => Active::NAME,
        }
    }

    /// Whose plan it is.
    pub fn site(self) -> &'a Site {
        match self {
            Self::NoPlan(state) => state.site(),
            Self::PreInit(state) => state.site(),
            Self::Editing(state) => state.site(),
            Self::Active(state) => state.site(),
        }
    }

    /// How this state answers an operation that it does not allow; `None` if the table allows it.
    pub fn refuse(self, operation: Operation) -> Option<Refusal> {
        let Cell::Refused(refusal) = operation.in_state(self.name()) else {
            return None;
        };
        let lacks_tasks = matches!(self, Self::Active(active) if active.checklist().is_empty());
        Some(Refusal::State { refusal, operation, md: self.site().md().to_owned(), lacks_tasks })
    }

    /// What a person should know about the plan, though nothing is refused for it.
    pub fn warnings(self) -> Vec<Warning> {
        match self {
            Self::NoPlan(_) | Self::PreInit(_) => Vec::new(),
            Self::Editing(state) => state.warnings(),
            Self::Active(state) => state.warnings(),
        }
    }
}
