//! What the store refuses, about which file, and what to do next.

use std::fs::FileType;
use std::time::Duration;
use std::{fmt, io};

use camino::{Utf8Path, Utf8PathBuf};
use thiserror::Error;

/// What the store was doing when the system refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Opening a folder.
    OpenFolder,
    /// Making a folder.
    MakeFolder,
    /// Flushing the names in a folder to the disk.
    SyncFolder,
    /// Reading the names in a folder.
    List,
    /// Opening a file to read it.
    Open,
    /// Reading a file.
    Read,
    /// Making the temporary file that becomes the new version.
    Create,
    /// Writing the new version.
    Write,
    /// Flushing the new version to the disk.
    Sync,
    /// Putting the new version in the place of the old one.
    Replace,
    /// Moving a file, or its copy, to a new name.
    Move,
    /// Removing a file.
    Remove,
    /// Opening or taking a lock.
    Lock,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenFolder => "open the folder",
            Self::MakeFolder => "make the folder",
            Self::SyncFolder => "flush the folder",
            Self::List => "list the folder",
            Self::Open => "open",
            Self::Read => "read",
            Self::Create => "make a temporary file for",
            Self::Write => "write",
            Self::Sync => "flush",
            Self::Replace => "replace",
            Self::Move => "move",
            Self::Remove => "remove",
            Self::Lock => "lock",
        })
    }
}

/// What stands where a regular file was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Found {
    /// A symbolic link, which is not followed.
    Symlink,
    /// A folder.
    Folder,
    /// A FIFO, a socket or a device.
    Special,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Symlink => "a symbolic link",
            Self::Folder => "a folder",
            Self::Special => "a FIFO, a socket or a device",
        })
    }
}

impl Found {
    /// What an open file is, if it is not regular.
    pub(super) fn by_type(file_type: FileType) -> Option<Self> {
        if file_type.is_file() {
            None
        } else if file_type.is_symlink() {
            Some(Self::Symlink)
        } else if file_type.is_dir() {
            Some(Self::Folder)
        } else {
            Some(Self::Special)
        }
    }

    /// What a file must be, if this is the error that opening it gave.
    pub(super) fn by_error(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::IsADirectory => Some(Self::Folder),
            _ if system::refuses_a_symlink(error) => Some(Self::Symlink),
            _ if system::refuses_a_socket(error) => Some(Self::Special),
            _ => None,
        }
    }
}

/// Why the store did not do something.
///
/// Each variant names a file; [`file`](Self::file) and [`kind`](Self::kind) serve a caller that does not care which.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The system refused.
    #[error("could not {action} `{file}`: {}", Advice(.source))]
    System {
        /// What the store was doing.
        action: Action,
        /// The file or folder.
        file: Utf8PathBuf,
        /// The system's own error.
        source: io::Error,
    },
    /// Something else stands where a regular file was expected; it was neither followed nor changed.
    #[error("`{file}` is {found}, not a regular file; look at who put it there and move it away")]
    NotRegular {
        /// The file.
        file: Utf8PathBuf,
        /// What it is.
        found: Found,
    },
    /// Something else, a symlink perhaps, stands where a folder was expected; it was neither followed nor changed.
    #[error("`{file}` is not a folder of its own; look at who put it there and move it away")]
    NotAFolder {
        /// The folder.
        file: Utf8PathBuf,
    },
    /// The file is larger than what is read.
    #[error("`{file}` is larger than {limit} bytes; it was not read and is unchanged: move it away or make it smaller")]
    TooLarge {
        /// The file.
        file: Utf8PathBuf,
        /// How many bytes would have been read at most.
        limit: u64,
    },
    /// The text cannot be the name of a file in a folder.
    #[error("`{file}` cannot be a file's name: {problem}; nothing was touched")]
    Name {
        /// The text.
        file: Utf8PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl StoreError {
    /// The file or folder that the error is about.
    #[must_use]
    pub fn file(&self) -> &Utf8Path {
        match self {
            Self::System { file, .. }
            | Self::NotRegular { file, .. }
            | Self::NotAFolder { file }
            | Self::TooLarge { file, .. }
            | Self::Name { file, .. } => file,
        }
    }

    /// The kind of error, in the standard library's terms.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::System { source, .. } => source.kind(),
            Self::NotRegular { .. } => io::ErrorKind::InvalidData,
            Self::NotAFolder { .. } => io::ErrorKind::NotADirectory,
            Self::TooLarge { .. } => io::ErrorKind::FileTooLarge,
            Self::Name { .. } => io::ErrorKind::InvalidFilename,
        }
    }

    /// Whether the place may be read but not written: a read-only file system, or rights that this user lacks.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
    }
}

/// How far a write came.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    /// The old bytes are in place.
    #[error("{0} (nothing was changed)")]
    NotWritten(#[source] StoreError),
    /// The change can be seen, but a power cut may still undo it, or a name that it should have removed is left.
    #[error("{0} (the change is made, but not yet for good: load again)")]
    Unsettled(#[source] StoreError),
}

impl WriteError {
    /// What went wrong, by value.
    #[must_use]
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::NotWritten(error) | Self::Unsettled(error) => error,
        }
    }
}

/// Why a file did not move, or was not copied.
#[derive(Debug, Error)]
pub(crate) enum MoveError {
    /// The new name belongs to a file with other bytes. Both files are unchanged; another name will do.
    #[error("`{file}` exists already and is another file; nothing was overwritten: choose another name")]
    Exists {
        /// The file that has the name.
        file: Utf8PathBuf,
    },
    /// The system refused. `NotWritten`: the new name is as it was. `Unsettled`: the new name has the bytes, and the rest
    /// is finished by making the same move again.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Why a lock was not taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another holder did not release the lock in time.
    #[error("`{file}` is locked by another process (waited {waited:?}); try again")]
    Busy {
        /// The lock file.
        file: Utf8PathBuf,
        /// How long this call waited.
        waited: Duration,
    },
    /// The file system cannot lock, so that writing is refused: unlocked writes would lose updates.
    #[error(
        "locks are not supported at `{file}`: writing is refused; choose a root folder on a file system with locks"
    )]
    Unsupported {
        /// The lock file.
        file: Utf8PathBuf,
        /// The system's own error.
        source: io::Error,
    },
    /// The lock file could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LockError {
    /// Whether the place may be read but not written, so that a reader can go on without the lock.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_read_only())
    }
}

/// Says what a system error means and what to do next.
struct Advice<'a>(&'a io::Error);

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        f.write_str(match error.kind() {
            io::ErrorKind::NotFound => "it is not there; check the path",
            io::ErrorKind::PermissionDenied => "permission is denied; give this user the right to read and write it",
            io::ErrorKind::StorageFull => "the disk is full; free some space and try again",
            io::ErrorKind::QuotaExceeded => "the disk quota is used up; free some space and try again",
            io::ErrorKind::ReadOnlyFilesystem => {
                "the file system is read-only; make it writable or choose another root folder"
            }
            io::ErrorKind::AlreadyExists => "the name is taken; look at who put it there and move it away",
            io::ErrorKind::NotADirectory => "a part of the path is no folder; check the path",
            _ if system::is_out_of_descriptors(error) => {
                "too many files are open; close some or raise the limit, and try again"
            }
            _ if system::is_a_device_error(error) => {
                "the disk reports an error; check it and keep a copy of what is on it"
            }
            _ => return write!(f, "{error}; try again, and check the disk if it stays"),
        })
    }
}

/// Errors that the standard library has no kind for.
#[cfg(unix)]
mod system {
    use std::io;

    use rustix::io::Errno;

    fn is(error: &io::Error, of: &[Errno]) -> bool {
        Errno::from_io_error(error).is_some_and(|errno| of.contains(&errno))
    }

    pub(super) fn is_out_of_descriptors(error: &io::Error) -> bool {
        is(error, &[Errno::MFILE, Errno::NFILE])
    }

    pub(super) fn is_a_device_error(error: &io::Error) -> bool {
        is(error, &[Errno::IO])
    }

    // POSIX says "loop" for a symlink that was not to be followed, FreeBSD "too many links".
    pub(super) fn refuses_a_symlink(error: &io::Error) -> bool {
        is(error, &[Errno::LOOP, Errno::MLINK])
    }

    pub(super) fn refuses_a_socket(error: &io::Error) -> bool {
        is(error, &[Errno::NXIO, Errno::OPNOTSUPP])
    }

    // A network file system whose lock service is away has no locks left to give.
    pub(in crate::store) fn has_no_locks(error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::Unsupported || is(error, &[Errno::NOLCK])
    }
}

/// Errors that the standard library has no kind for, by their Windows numbers.
#[cfg(windows)]
mod system {
    use std::io;

    fn is(error: &io::Error, of: &[i32]) -> bool {
        error.raw_os_error().is_some_and(|number| of.contains(&number))
    }

    pub(super) fn is_out_of_descriptors(error: &io::Error) -> bool {
        const ERROR_TOO_MANY_OPEN_FILES: i32 = 4;
        is(error, &[ERROR_TOO_MANY_OPEN_FILES])
    }

    pub(super) fn is_a_device_error(error: &io::Error) -> bool {
        const ERROR_CRC: i32 = 23;
        const ERROR_IO_DEVICE: i32 = 1117;
        is(error, &[ERROR_CRC, ERROR_IO_DEVICE])
    }

    // A link is opened here and then found not to be a regular file.
    pub(super) fn refuses_a_symlink(_: &io::Error) -> bool {
        false
    }

    pub(super) fn refuses_a_socket(_: &io::Error) -> bool {
        false
    }

    pub(in crate::store) fn has_no_locks(error: &io::Error) -> bool {
        const ERROR_INVALID_FUNCTION: i32 = 1;
        const ERROR_NOT_SUPPORTED: i32 = 50;
        error.kind() == io::ErrorKind::Unsupported || is(error, &[ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED])
    }
}

pub(super) use system::has_no_locks;

#[cfg(all(test, unix))]
mod tests;
