//! The JSON shape of a plan file, both ways: reading and writing the records of sessions, and reading
//! the files that a caller imports.
//!
//! Bytes in, bytes out: nothing here touches a file. `docs/json-spec.md` is the reference for the fields.

mod derived;
mod error;
pub(crate) mod fault;
pub(crate) mod fields;
mod import;
mod object;
mod read;
mod status;
mod task;
pub(crate) mod values;
mod write;

pub use error::{RecordError, RecordProblem};
pub use import::{ImportError, ImportProblem};

pub(crate) use import::import;
pub(crate) use object::{NoObject, Object};
pub(crate) use read::{Archived, EndedHow, EndedRecord, Live, Loaded, read, read_archived};
pub(crate) use write::{StateToWrite, write};

#[cfg(test)]
mod tests;
