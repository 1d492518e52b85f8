//! The four states of a plan as data, their pure steps, and the table of what each state allows.
//!
//! A step borrows the old state and gives the new one or a [`Refusal`]; it does no I/O. What a step is called from, and
//! how its result reaches the disk, is the business of [`session`](crate::session).

mod active;
mod any_state;
mod approval;
mod brief;
mod editing;
mod ending;
#[cfg(test)]
mod exhaustive;
mod goal_change;
mod header;
mod markdown;
mod no_plan;
mod operations;
mod pre_init;
mod refusal;
mod site;
mod state;
mod step;
mod warning;

pub use active::Active;
pub use any_state::{AnyState, StateRef};
pub use approval::{Approval, ApprovalRecord};
pub use brief::{Background, Brief};
pub use editing::Editing;
pub use ending::{Ending, EndingHow};
pub use goal_change::Goal;
pub use header::{Header, PlanId};
pub use markdown::{Markdown, MarkdownProblem};
pub use no_plan::NoPlan;
pub use operations::{Cell, Operation, StateName, StateRefusal};
pub use pre_init::PreInit;
pub use refusal::Refusal;
pub use site::Site;
pub use state::State;
pub use warning::Warning;

pub(crate) use active::{Advanced, Progressed};
pub(crate) use brief::Import;
pub(crate) use goal_change::GoalChange;
pub(crate) use header::Extras;
pub(crate) use refusal::SeedInstruction;
pub(crate) use step::Step;
