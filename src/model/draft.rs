use super::{Criterion, Dependency, Description, InvalidText, Kept, TaskId, TaskType, Title};

/// A task that a caller asks for, not yet part of a checklist.
///
/// ```
/// use plangate::model::TaskDraft;
///
/// let draft = TaskDraft::new("Handler", "POST login")?.depends_on(1).criterion("login passes")?;
/// # let _ = draft;
/// # Ok::<(), plangate::model::InvalidText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a draft does nothing until it is added to a checklist"]
pub struct TaskDraft {
    pub(crate) title: Title,
    pub(crate) description: Description,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) acceptance_criteria: Vec<Box<str>>,
    pub(crate) task_type: TaskType,
    pub(crate) complexity: u8,
    pub(crate) artifacts: Vec<Box<str>>,
    /// The id that other drafts of the same call know it by (an imported file's own ids).
    pub(crate) known_as: Option<TaskId>,
    /// Fields of an imported task that the engine does not know.
    pub(crate) kept: Kept,
}

impl TaskDraft {
    /// A draft with the two things that every task needs (TASK-3).
    ///
    /// # Errors
    /// [`InvalidText`] if one is blank, too long, or the title is not one line.
    pub fn new(title: impl AsRef<str>, description: impl AsRef<str>) -> Result<Self, InvalidText> {
        Ok(Self::from_parts(Title::new(title)?, Description::new(description)?))
    }

    /// A draft of texts that were checked already.
    pub fn from_parts(title: Title, description: Description) -> Self {
        Self {
            title,
            description,
            dependencies: Vec::new(),
            acceptance_criteria: Vec::new(),
            task_type: TaskType::default(),
            complexity: super::Task::COMPLEXITY,
            artifacts: Vec::new(),
            known_as: None,
            kept: Kept::default(),
        }
    }

    /// Adds a dependency: a number in the whole checklist (forward references inside the call are allowed) or an id.
    pub fn depends_on(mut self, dependency: impl Into<Dependency>) -> Self {
        self.dependencies.push(dependency.into());
        self
    }

    /// Adds an acceptance criterion.
    ///
    /// # Errors
    /// [`InvalidText`] if it is too long.
    pub fn criterion(mut self, text: impl AsRef<str>) -> Result<Self, InvalidText> {
        self.acceptance_criteria.push(Criterion::new(text)?.as_str().into());
        Ok(self)
    }

    /// Sets the kind of work.
    pub fn task_type(mut self, task_type: TaskType) -> Self {
        self.task_type = task_type;
        self
    }

    /// Sets the complexity; 0 means 3, and it is clamped to 1..5.
    pub fn complexity(mut self, complexity: u64) -> Self {
        self.complexity = clamp_complexity(complexity);
        self
    }

    /// Adds a file that belongs to the task.
    pub fn artifact(mut self, artifact: impl Into<Box<str>>) -> Self {
        self.artifacts.push(artifact.into());
        self
    }

    /// Lets other drafts of the same call name this one by `id`.
    pub(crate) fn known_as(mut self, id: TaskId) -> Self {
        self.known_as = Some(id);
        self
    }
}

/// The rule of `complexity`, for drafts and for loaded files: 0 becomes 3, the rest is clamped to 1..5.
pub(crate) fn clamp_complexity(complexity: u64) -> u8 {
    match complexity {
        0 => super::Task::COMPLEXITY,
        1 => 1,
        2 => 2,
        3 => 3,
        4 => 4,
        _ => 5,
    }
}

/// One or more drafts: a list without any cannot be expressed (API-8).
///
/// ```
/// use plangate::model::{TaskDraft, TaskDrafts};
///
/// let tasks = TaskDrafts::new(TaskDraft::new("Look", "read the callers")?)
///     .and(TaskDraft::new("Swap", "LRU to ARC")?.depends_on(1));
/// assert_eq!(tasks.len().get(), 2);
/// # Ok::<(), plangate::model::InvalidText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "drafts do nothing until they are added to a checklist"]
pub struct TaskDrafts {
    first: TaskDraft,
    rest: Vec<TaskDraft>,
}

impl TaskDrafts {
    /// A list of one.
    pub fn new(first: TaskDraft) -> Self {
        Self { first, rest: Vec::new() }
    }

    /// The list with one more at its end.
    pub fn and(mut self, next: TaskDraft) -> Self {
        self.rest.push(next);
        self
    }

    /// How many there are.
    pub fn len(&self) -> std::num::NonZeroUsize {
        std::num::NonZeroUsize::MIN.saturating_add(self.rest.len())
    }

    /// The drafts in order.
    pub fn iter(&self) -> impl Iterator<Item = &TaskDraft> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}

impl TryFrom<Vec<TaskDraft>> for TaskDrafts {
    type Error = EmptyTaskList;

    fn try_from(mut drafts: Vec<TaskDraft>) -> Result<Self, Self::Error> {
        if drafts.is_empty() {
            return Err(EmptyTaskList);
        }
        let rest = drafts.split_off(1);
        let first = drafts.pop().ok_or(EmptyTaskList)?;
        Ok(Self { first, rest })
    }
}

/// There was no task where at least one is needed (INIT-3, TASK-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("tasks must hold at least one task, each with a title and a description")]
#[non_exhaustive]
pub struct EmptyTaskList;

#[cfg(test)]
mod tests {
    use super::*;

    // spec: API-8, TASK-1
    #[test]
    fn an_empty_list_is_no_drafts() {
        assert_eq!(TaskDrafts::try_from(Vec::new()), Err(EmptyTaskList));
        let one = TaskDraft::new("a", "b").unwrap();
        let drafts = TaskDrafts::try_from(vec![one.clone(), one.clone()]).unwrap();
        assert_eq!(drafts, TaskDrafts::new(one.clone()).and(one));
    }

    #[test]
    fn complexity_is_clamped_and_0_means_3() {
        assert_eq!([0, 1, 5, 9, u64::MAX].map(clamp_complexity), [3, 1, 5, 5, 5]);
    }
}
