use super::TaskId;

/// What a task waits for.
///
/// In a draft it names a task of the checklist or of the same call. In a loaded checklist every dependency that
/// has a target is an id; a number stays where no task has it (kept, warned of, ignored for readiness).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dependency {
    /// The task with this number in the whole checklist, from 1.
    Number(u64),
    /// The task with this id.
    Id(TaskId),
}

impl From<u64> for Dependency {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<TaskId> for Dependency {
    fn from(id: TaskId) -> Self {
        Self::Id(id)
    }
}

impl std::fmt::Display for Dependency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}
