//! The seam between the store and the file system: one method, one system call.
//!
//! Every call that the store makes goes through [`Disk`], so that a test can fail or stop the n-th one and look at what is
//! left. Names are looked up relative to an open folder and a symlink in the last place is never followed: a path would be
//! resolved anew at each call, and somebody who swaps a folder in between would send the write elsewhere.

use std::fmt;
use std::fs::{File, Metadata, TryLockError};
use std::io;

use camino::Utf8Path;

use super::folder::Name;

#[cfg(all(test, unix))]
mod faulty;
#[cfg(all(test, unix))]
mod lacking;
#[cfg(all(test, unix))]
mod losing;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(all(test, unix))]
pub(crate) use faulty::{Fault, FaultyDisk, Quirk};
#[cfg(all(test, unix))]
pub(crate) use lacking::{Lack, LackingDisk};
#[cfg(all(test, unix))]
pub(crate) use losing::{LosingDisk, Omit};
#[cfg(unix)]
pub(crate) use unix::{Dir, RealDisk};
#[cfg(windows)]
pub(crate) use windows::{Dir, RealDisk};

/// What a file is opened for. None of them follows a symlink, waits for a FIFO's other end or is inherited by a program
/// that is started later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Read what is there.
    Read,
    /// Make a new file and write it; a name that is taken, by a dangling symlink too, is an error.
    Create,
    /// Open the lock file, made if it is missing.
    Lock,
}

/// The system calls of the store. Errors are the system's own; the callers give them a file and an action.
pub(crate) trait Disk: Send + Sync + fmt::Debug {
    /// Opens the folder at a path, symlinks in it followed: a person's home may be one.
    fn open_path(&self, path: &Utf8Path) -> io::Result<Dir>;
    /// Opens a folder in a folder; a symlink is an error.
    fn open_folder(&self, at: &Dir, name: &Name) -> io::Result<Dir>;
    /// Makes a folder that only its owner can enter (0700).
    fn make_folder(&self, at: &Dir, name: &Name) -> io::Result<()>;
    /// Opens a file; one that this makes is its owner's alone (0600).
    fn open(&self, at: &Dir, name: &Name, purpose: Purpose) -> io::Result<File>;
    /// What the open file is, and how long.
    fn stat(&self, file: &File) -> io::Result<Metadata>;
    /// Reads some bytes; 0 is the end.
    fn read(&self, file: &File, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes some of the bytes and says how many.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize>;
    /// Makes the file's bytes last through a power cut.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Renames a file over whatever has the new name.
    fn rename(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()>;
    /// Renames a file to a name that nothing has; `Unsupported` where the system has no such call.
    fn rename_new(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()>;
    /// Gives a file a second name that nothing has.
    fn link(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()>;
    /// Removes a name; a symlink is removed, not followed.
    fn unlink(&self, at: &Dir, name: &Name) -> io::Result<()>;
    /// Makes the names in the folder last through a power cut.
    fn sync_folder(&self, at: &Dir) -> io::Result<()>;
    /// The names in a folder, in no order; those that are no [`Name`] are left out, for the store has made none of them.
    fn list(&self, at: &Dir) -> io::Result<Vec<Name>>;
    /// Locks the file against every other descriptor, or says at once that another has the lock.
    fn try_lock(&self, file: &File) -> Result<(), TryLockError>;
}
