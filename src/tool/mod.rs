//! The `plan` tool: what an agent's model calls, and what it is answered.

mod facts;

pub use facts::{ApprovalFact, Facts, MissingFact, PageFact, ProgressFact, TaskFact};
