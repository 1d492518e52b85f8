//! The store: plan files on disk, written so that a reader sees the old bytes or the new ones.
//!
//! The lowest layer stands in five files. `disk` makes one system call a method and is the seam where tests inject faults;
//! `folder` works relative to an open folder; `durable` writes, moves and removes for good; `lock` serialises processes;
//! `error` says what was refused and what to do next.

#![cfg_attr(not(test), expect(dead_code, reason = "the layers above come next and use every item of this one"))]
#![expect(unused_imports, reason = "the layers above name these types")]

pub(crate) mod disk;
pub(crate) mod durable;
#[expect(unreachable_pub, reason = "part of the public error, whose root re-exports it")]
mod error;
pub(crate) mod folder;
pub(crate) mod lock;

pub(crate) use error::{Action, Found, LockError, MoveError, StoreError, WriteError};
