use std::fmt;

use super::{Dependency, Task, TaskRef};

/// A task as texts name it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskName {
    /// Its number in the checklist.
    pub number: u64,
    /// Its title.
    pub title: Box<str>,
    /// Where it stands, in words.
    pub status: &'static str,
}

impl From<&Task> for TaskName {
    fn from(task: &Task) -> Self {
        // A title of ours fits; one of an older file may have any length.
        let mut rest = task.title.chars();
        let mut title: String = rest.by_ref().take(super::Title::MAX_LENGTH).collect();
        if rest.next().is_some() {
            title.push('…');
        }
        Self { number: task.number, title: title.into(), status: task.status.in_words() }
    }
}

impl fmt::Display for TaskName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task {} ({}, {})", self.number, self.title, self.status)
    }
}

/// Some tasks as texts name them: the first few and how many more, so that no text grows with the checklist.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TaskNames {
    /// The first of them, in order.
    pub shown: Vec<TaskName>,
    /// How many more there are.
    pub more: usize,
}

impl TaskNames {
    /// How many tasks a text names at most.
    pub const SHOWN: usize = 8;
}

impl<'a> FromIterator<&'a Task> for TaskNames {
    fn from_iter<I: IntoIterator<Item = &'a Task>>(tasks: I) -> Self {
        let mut names = Self::default();
        for task in tasks {
            if names.shown.len() < Self::SHOWN {
                names.shown.push(task.into());
            } else {
                names.more += 1;
            }
        }
        names
    }
}

impl fmt::Display for TaskNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, name) in self.shown.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            name.fmt(f)?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Why a checklist refuses an operation. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskRefusal {
    /// No task has that number or id (TASK-10).
    #[error("there is no task {task}: the checklist has tasks {first} to {last}. Name one of those.")]
    Unknown {
        /// What was asked for.
        task: TaskRef,
        /// The lowest number.
        first: u64,
        /// The highest number.
        last: u64,
    },
    /// The task is not in progress (TASK-9).
    #[error("{task} is not started. Start it first.")]
    NotStarted {
        /// The task.
        task: TaskName,
    },
    /// No task was named and none is in progress.
    #[error("no task is in progress. Start one, or name the task.")]
    NothingInProgress,
    /// The task is completed or skipped already (TASK-9).
    #[error("{task} has ended already. Go on with another task.")]
    AlreadyEnded {
        /// The task.
        task: TaskName,
    },
    /// Every task has ended, and the plan was not archived yet.
    #[error("every task has ended already. Call complete without a task to archive the plan.")]
    AllEnded,
    /// No task was named and more than one is in progress.
    #[error("several tasks are in progress: {tasks}. Name the one you mean.")]
    SeveralInProgress {
        /// Those tasks.
        tasks: TaskNames,
    },
    /// The task waits for others (TASK-6).
    #[error("{task} waits for {unmet}. Complete or skip those first.")]
    UnmetDependencies {
        /// The task.
        task: TaskName,
        /// What it waits for.
        unmet: TaskNames,
    },
    /// No task was named and none is ready.
    #[error(
        "no task is ready to start; open are {blocking}. Complete one in progress, or start or skip one by its number."
    )]
    NothingReady {
        /// The open tasks that nothing else holds up.
        blocking: TaskNames,
    },
    /// A dependency names no task (TASK-5).
    #[error(
        "task {task} ({title}) depends on {dependency}, which is no task here. Name tasks {first} to {last}, or an existing task's id."
    )]
    UnknownDependency {
        /// The number the new task would have.
        task: u64,
        /// Its title.
        title: Box<str>,
        /// What it names.
        dependency: Dependency,
        /// The lowest number that may be named.
        first: u64,
        /// The highest one.
        last: u64,
    },
    /// A task depends on itself (TASK-5).
    #[error("task {task} ({title}) depends on itself. Leave that dependency out.")]
    SelfDependency {
        /// The number the new task would have.
        task: u64,
        /// Its title.
        title: Box<str>,
    },
    /// The dependencies go in a circle (TASK-5).
    #[error("the dependencies go in a circle: {tasks}, and the last waits for the first. Leave one of them out.")]
    Cycle {
        /// The circle in its order: each waits for the one before it, the first for the last.
        tasks: TaskNames,
    },
    /// Two tasks of one call carry the same id.
    #[error("two tasks have the same id {id}. Give each its own, or none.")]
    DuplicateId {
        /// The id.
        id: super::TaskId,
    },
}

impl TaskRefusal {
    /// The stable code (`docs/lifecycle.md`).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown-task",
            Self::NotStarted { .. } | Self::NothingInProgress => "not-started",
            Self::AlreadyEnded { .. } | Self::AllEnded => "already-ended",
            Self::SeveralInProgress { .. } => "several-in-progress",
            Self::UnmetDependencies { .. } | Self::NothingReady { .. } => "unmet-dependencies",
            Self::UnknownDependency { .. } => "unknown-dependency",
            Self::SelfDependency { .. } => "self-dependency",
            Self::Cycle { .. } => "dependency-cycle",
            Self::DuplicateId { .. } => "duplicate-id",
        }
    }
}
