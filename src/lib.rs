//! The plan lifecycle engine for coding agents: plan mode that holds.

pub mod clock;
pub mod digest;
pub mod model;
pub mod outline;
pub mod plan;
pub mod record;

pub use model::SessionId;
