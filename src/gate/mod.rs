//! The gate: given a session's state and one tool call of an agent, allow it, or deny it with a reason that helps.

mod call;

pub use call::{Act, Target, ToolCall};
