//! The gate, attacked: one test for each way round a gate that has been seen, one for each clause, and the whole table.

mod attacks;
mod bypasses;
mod clauses;
mod commands;
#[cfg(feature = "agents")]
mod hostile;
mod policy;
#[cfg(unix)]
mod race;
mod spellings;
mod strange_disk;
mod table;
mod world;
