//! The gate: given a session's state and one tool call of an agent, allow it, or deny it with a reason that helps.

mod call;
mod catalog;
mod patch;

pub use call::{Act, Target, ToolCall};
pub use catalog::Catalog;
pub use patch::{PatchError, PatchTargets, patch_targets};
