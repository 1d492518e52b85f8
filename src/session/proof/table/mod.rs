//! Every transition, as data, and what may be on disk when it is interrupted: the table that the proofs inside the crate and
//! those with real processes run through. It knows the public interface alone, so that both can include it.

#![allow(dead_code, unused_imports, reason = "each proof uses its part")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod ground;
mod outcome;
mod scenario;

pub(crate) use ground::{Ground, SESSION, Ticks, Tree, scratch, tree};
pub(crate) use outcome::{Answer, Found, Proof, Seen};
pub(crate) use scenario::{Act, Entry, Failure, SCENARIOS, named};
