//! The plan lifecycle engine for coding agents: plan mode that holds.

pub mod clock;
pub mod model;
pub mod outline;

pub use model::SessionId;
