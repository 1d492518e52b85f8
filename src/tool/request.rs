use std::path::PathBuf;

use crate::model::{LongText, TaskDrafts, TaskRef};
use crate::plan::{Brief, Operation};

/// One call of the `plan` tool, its arguments read and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// `init` of a design.
    InitDesign(Brief),
    /// `init` of a checklist.
    InitChecklist(Brief, TaskDrafts),
    /// `init` from a file; a relative path is looked up from the process's current folder.
    Import(PathBuf),
    /// `add_tasks`, and `add_task` with its one task (TASK-2).
    AddTasks(TaskDrafts),
    /// `start`.
    Start(TaskRef),
    /// `complete`, with the task's output.
    Complete(TaskRef, Option<LongText>),
    /// `skip`, with the reason.
    Skip(TaskRef, Option<LongText>),
    /// `fail`, with the task's output.
    Fail(TaskRef, Option<LongText>),
    /// `status`, with the page of tasks, from 1.
    Status(usize),
}

impl Request {
    /// The operation of the lifecycle that it asks for.
    pub const fn operation(&self) -> Operation {
        match self {
            Self::InitDesign(_) => Operation::InitDesign,
            Self::InitChecklist(..) => Operation::InitChecklist,
            Self::Import(_) => Operation::Import,
            Self::AddTasks(_) => Operation::AddTasks,
            Self::Start(_) => Operation::Start,
            Self::Complete(..) => Operation::Complete,
            Self::Skip(..) => Operation::Skip,
            Self::Fail(..) => Operation::Fail,
            Self::Status(_) => Operation::View,
        }
    }
}
