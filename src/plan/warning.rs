use camino::Utf8PathBuf;

use super::MarkdownProblem;
use crate::model::{Dependency, TaskName, TaskNames};
use crate::outline::Gap;

/// Something a person should know about a plan, though nothing is refused for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The `.md` of a design is missing.
    #[error("the .md is missing: write {md}")]
    MarkdownMissing {
        /// Where it should be.
        md: Utf8PathBuf,
    },
    /// The `.md` cannot be used; the record keeps the last text that could.
    #[error("{md} {problem}; the last text that was synced is kept")]
    MarkdownUnusable {
        /// The file.
        md: Utf8PathBuf,
        /// What is wrong.
        problem: MarkdownProblem,
    },
    /// The outline lacks something that approval needs.
    #[error("{0}")]
    Outline(Gap),
    /// The `.md` of an approved plan is not the text that was approved.
    #[error("{md} has changed since it was approved; the change counts for nothing")]
    FrozenChanged {
        /// The file.
        md: Utf8PathBuf,
    },
    /// A dependency names no task; it is kept and holds nothing up.
    #[error("{task} depends on {dependency}, which is no task here; the dependency is ignored")]
    Dangling {
        /// The task.
        task: TaskName,
        /// What it names.
        dependency: Dependency,
    },
    /// The dependencies go in a circle.
    #[error("the dependencies go in a circle: {tasks}; skip one of them")]
    Cycle {
        /// The circle in its order.
        tasks: TaskNames,
    },
    /// An older plan in Editing carries tasks; the next write moves them to the archive.
    #[error(
        "this older plan carries {count} tasks while Editing; they go to the archive and stand as steps in the .md"
    )]
    LegacyTasks {
        /// How many.
        count: usize,
    },
}
