//! The plan lifecycle engine for coding agents: plan mode that holds.

pub mod clock;
pub mod digest;
pub mod event;
pub mod gate;
pub mod goal;
pub mod model;
pub mod outline;
pub mod plan;
pub mod record;
mod reminder;
pub mod session;
pub mod store;

pub use model::SessionId;
pub use session::{AnyPlan, Engine, Error, Plan, Session, Work};
