//! Pure values of a plan: ids, texts, tasks and the checklist that owns their order and dependencies.
//!
//! Nothing here does I/O, reads a clock or draws a random number; times and ids come in as arguments.

mod caller;
mod checklist;
mod dependency;
mod draft;
mod graph;
mod kept;
mod progress;
mod session_id;
mod task;
mod task_refusal;
mod task_type;
mod text;
mod timestamp;

pub use caller::{Asked, Caller, Origin};
pub use checklist::Checklist;
pub use dependency::Dependency;
pub use draft::{EmptyTaskList, TaskDraft, TaskDrafts};
pub use kept::Kept;
pub use progress::Progress;
pub use session_id::{InvalidSessionId, SessionId};
pub use task::{Task, TaskId, TaskRef, TaskStatus};
pub use task_refusal::{TaskName, TaskNames, TaskRefusal};
pub use task_type::TaskType;
pub use text::{Body, BodyTooLong, Criterion, Description, InvalidText, LongText, TextProblem, Title};
pub use timestamp::{InvalidTimestamp, Timestamp};

pub(crate) use checklist::Ended;
pub(crate) use draft::clamp_complexity;
pub(crate) use task::LoadedTask;
