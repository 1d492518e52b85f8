//! The time and the fresh ids of the engine, behind one trait: pure code takes both as arguments.

use uuid::Uuid;

use crate::model::Timestamp;

/// Where the engine's times and new ids come from. Replace it in tests for answers that repeat.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// A new UUID as 16 bytes, never given out before.
    fn fresh_id(&self) -> [u8; 16];
}

/// The system's clock and random UUIDs.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn fresh_id(&self) -> [u8; 16] {
        Uuid::new_v4().into_bytes()
    }
}
