//! The plan lifecycle engine for coding agents: plan mode that holds.

pub mod outline;
