//! The store: plan files on disk, written so that a reader sees the old bytes or the new ones.
//!
//! The lowest layer stands in five files. `disk` makes one system call a method and is the seam where tests inject faults;
//! `folder` works relative to an open folder; `durable` writes, moves and removes for good; `lock` serialises processes;
//! `error` says what was refused and what to do next. Above it, `find` and `snapshot` read without a lock, and `locked`
//! holds everything that changes a session's files.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;

mod archive;
mod commit_error;
mod disk;
mod durable;
mod error;
mod files;
mod find;
mod folder;
mod layout;
mod load_error;
mod lock;
mod locked;
mod outside;
mod pin;
mod presence;
mod sessions;
mod snapshot;
mod tombstone;
#[cfg(feature = "watch")]
mod watch;
#[cfg(feature = "watch")]
mod watch_error;

pub use archive::{ArchiveName, Archived, Mark};
pub use error::{Action, Found, LockError, StoreError};
pub use find::Source;
pub use layout::{InvalidSlug, LookupError, NoProjects, ProjectLookup, Slug};
pub use load_error::LoadError;
pub use presence::Presence;
#[cfg(feature = "watch")]
pub use watch_error::WatchError;

pub(crate) use archive::{FOLDER as ARCHIVE_FOLDER, list as list_archive};
pub(crate) use commit_error::CommitError;
pub(crate) use disk::{Disk, RealDisk};
#[cfg(all(test, unix))]
pub(crate) use disk::{Fault, FaultyDisk, Lack, LackingDisk, LosingDisk, Omit, Quirk};
pub(crate) use files::Files;
pub(crate) use find::{RECORD_LIMIT, Revision, find};
pub(crate) use folder::{Folder, Name};
pub(crate) use layout::Layout;
pub(crate) use locked::{Closed, Locked};
pub(crate) use outside::read as read_outside;
pub(crate) use presence::{forget as forget_presence, mark as mark_presence, present_in};
pub(crate) use sessions::with_a_record;
pub(crate) use snapshot::{Snapshot, read};
#[cfg(feature = "watch")]
pub(crate) use watch::{FolderWatch, Signal, folders_of};

/// What every access to the disk needs.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) layout: Layout,
    pub(crate) projects: Arc<dyn ProjectLookup>,
    pub(crate) clock: Arc<dyn Clock>,
    /// How long a lock is waited for.
    pub(crate) patience: Duration,
}

impl Context {
    /// The folder of sessions without a project, made if it is missing: notes about a session that is bound to one are
    /// there.
    fn make_home(&self) -> Result<Folder, StoreError> {
        let home = Folder::create(&self.disk, &self.layout.home())?;
        home.settle(self.layout.root())?;
        Ok(home)
    }
}
