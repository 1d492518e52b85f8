use crate::model::{Task, TaskId};

/// What a started task has to reach, for the host's goal manager (GOAL-1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    task: TaskId,
    title: Box<str>,
    criteria: Vec<Box<str>>,
}

impl Goal {
    /// The goal of a task, if any of its criteria has text.
    pub(crate) fn of(task: &Task) -> Option<Self> {
        task.has_criteria().then(|| Self {
            task: task.id(),
            title: task.title().into(),
            criteria: task.acceptance_criteria().filter(|text| !text.trim().is_empty()).map(Into::into).collect(),
        })
    }

    /// The task.
    pub fn task(&self) -> TaskId {
        self.task
    }

    /// The task's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its acceptance criteria that have text.
    pub fn criteria(&self) -> impl Iterator<Item = &str> {
        self.criteria.iter().map(AsRef::as_ref)
    }
}

/// What a step asks of the goal manager once it is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GoalChange {
    Set(Goal),
    Clear(TaskId),
}
