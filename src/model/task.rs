use std::fmt;
use std::str::FromStr;

use serde_json::value::RawValue;
use uuid::Uuid;

use super::{Dependency, Kept, TaskType, Timestamp};

/// The id of a task: a UUID.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(Uuid);

impl TaskId {
    pub(crate) const fn from_uuid(id: Uuid) -> Self {
        Self(id)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaskId({self})")
    }
}

impl FromStr for TaskId {
    type Err = InvalidTaskId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::try_parse(text).map(Self).map_err(|_| InvalidTaskId)
    }
}

/// A text that is no task id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a task id is a UUID such as a0000001-1111-4111-8111-111111111111")]
#[non_exhaustive]
pub struct InvalidTaskId;

/// Which task an operation is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskRef {
    /// The one that the operation implies: the single task in progress; for `start` with none in progress, the
    /// first ready one.
    Implied,
    /// By its number in the checklist, from 1.
    Number(u64),
    /// By its id.
    Id(TaskId),
}

impl From<u64> for TaskRef {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<TaskId> for TaskRef {
    fn from(id: TaskId) -> Self {
        Self::Id(id)
    }
}

impl fmt::Display for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Implied => f.write_str("the current task"),
            Self::Number(number) => number.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}

/// Where a task stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskStatus {
    /// Not started.
    Pending,
    /// Started.
    InProgress,
    /// Done; ended.
    Completed,
    /// Left out on purpose; ended.
    Skipped,
    /// Tried and failed; open, and holds the plan until it is started again or skipped.
    Failed,
    /// Blocked by something outside the checklist, with the reason; open.
    Blocked(Box<str>),
}

impl TaskStatus {
    /// Completed or skipped (TASK-8).
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Completed | Self::Skipped)
    }

    /// The name in files.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::InProgress => "InProgress",
            Self::Completed => "Completed",
            Self::Skipped => "Skipped",
            Self::Failed => "Failed",
            Self::Blocked(_) => "Blocked",
        }
    }

    /// The name in texts, which is none of the names that a plan's status once had (REM-4).
    pub const fn in_words(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in progress",
            Self::Completed => "completed",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Blocked(_) => "blocked",
        }
    }
}

/// One task of a checklist. It changes only through the operations of its plan.
#[derive(Debug, Clone)]
pub struct Task {
    pub(crate) id: TaskId,
    pub(crate) number: u64,
    pub(crate) title: Box<str>,
    pub(crate) description: Box<str>,
    pub(crate) task_type: TaskType,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) complexity: u8,
    pub(crate) acceptance_criteria: Vec<Box<str>>,
    pub(crate) status: TaskStatus,
    pub(crate) notes: Option<Box<str>>,
    pub(crate) completed_at: Option<Timestamp>,
    pub(crate) execution_history: Option<Box<RawValue>>,
    pub(crate) retry_count: u64,
    pub(crate) max_retries: u64,
    pub(crate) artifacts: Vec<Box<str>>,
    pub(crate) reflection: Option<Box<str>>,
    pub(crate) kept: Kept,
}

impl Task {
    /// Retries that a task may have, where its file does not say.
    pub(crate) const MAX_RETRIES: u64 = 3;
    /// The complexity, where nothing else is said.
    pub(crate) const COMPLEXITY: u8 = 3;

    /// The id.
    pub fn id(&self) -> TaskId {
        self.id
    }

    /// The number in the checklist, from 1; unique.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The title. From an older file it may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The description. From an older file it may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What kind of work it is.
    pub fn task_type(&self) -> &TaskType {
        &self.task_type
    }

    /// What it waits for.
    pub fn dependencies(&self) -> &[Dependency] {
        &self.dependencies
    }

    /// 1 (easy) to 5 (hard).
    pub fn complexity(&self) -> u8 {
        self.complexity
    }

    /// What has to hold for it to be done.
    pub fn acceptance_criteria(&self) -> impl Iterator<Item = &str> {
        self.acceptance_criteria.iter().map(AsRef::as_ref)
    }

    /// Whether a criterion has text, so that starting the task sets a goal (GOAL-1).
    pub fn has_criteria(&self) -> bool {
        self.acceptance_criteria().any(|text| !text.trim().is_empty())
    }

    /// Where it stands.
    pub fn status(&self) -> &TaskStatus {
        &self.status
    }

    /// The output of a completion or failure, or the reason of a skip.
    pub fn notes(&self) -> Option<&str> {
        self.notes.as_deref()
    }

    /// When it was completed.
    pub fn completed_at(&self) -> Option<Timestamp> {
        self.completed_at
    }

    /// Files that belong to it.
    pub fn artifacts(&self) -> impl Iterator<Item = &str> {
        self.artifacts.iter().map(AsRef::as_ref)
    }

    /// Fields of its record that the engine does not know.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        // Every field is named, so that a new one cannot be forgotten here.
        let Self {
            id,
            number,
            title,
            description,
            task_type,
            dependencies,
            complexity,
            acceptance_criteria,
            status,
            notes,
            completed_at,
            execution_history,
            retry_count,
            max_retries,
            artifacts,
            reflection,
            kept,
        } = self;
        let history = |history: &Option<Box<RawValue>>| history.as_ref().map(|raw| raw.get().to_owned());
        *id == other.id
            && *number == other.number
            && *title == other.title
            && *description == other.description
            && *task_type == other.task_type
            && *dependencies == other.dependencies
            && *complexity == other.complexity
            && *acceptance_criteria == other.acceptance_criteria
            && *status == other.status
            && *notes == other.notes
            && *completed_at == other.completed_at
            && history(execution_history) == history(&other.execution_history)
            && *retry_count == other.retry_count
            && *max_retries == other.max_retries
            && *artifacts == other.artifacts
            && *reflection == other.reflection
            && *kept == other.kept
    }
}

impl Eq for Task {}

/// A task as a file has it: its number is only a claim until the whole checklist is seen.
#[derive(Debug)]
pub(crate) struct LoadedTask {
    /// The task; its `number` is not yet valid and its numeric dependencies not yet resolved.
    pub(crate) task: Task,
    /// The file's `order`, if it has one.
    pub(crate) order: Option<u64>,
}
