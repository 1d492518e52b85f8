use std::io;

use camino::Utf8PathBuf;
use thiserror::Error;

use super::error::StoreError;

/// Why a session cannot be watched. Its plan is none the worse for it: looking at it still works.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The system gives this process or this user no further watcher.
    #[error(
        "the system gives no further watcher ({source}). Drop watches that are not needed, or raise its limit \
         (on Linux fs.inotify.max_user_instances, or the number of open files)."
    )]
    TooManyWatchers {
        /// What the system said.
        source: io::Error,
    },
    /// The system watches no further folder.
    #[error(
        "{folder} cannot be watched: the limit of watched folders is reached. Drop watches that are not needed, or raise it \
         (on Linux fs.inotify.max_user_watches)."
    )]
    TooManyFolders {
        /// The folder.
        folder: Utf8PathBuf,
    },
    /// A folder cannot be watched.
    #[error(
        "{folder} cannot be watched: {source}. Let this user list it, or look at the plan from time to time instead."
    )]
    Folder {
        /// The folder.
        folder: Utf8PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The thread that waits for changes cannot be started.
    #[error("a session cannot be watched without a thread: {source}. Raise the limit of threads.")]
    Thread {
        /// What the system said.
        source: io::Error,
    },
    /// The session's files have no valid names.
    #[error(transparent)]
    Name(#[from] StoreError),
}

impl WatchError {
    /// The stable code: `watch-limit` where the system has no more to give, else `watch`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyWatchers { .. } | Self::TooManyFolders { .. } | Self::Thread { .. } => "watch-limit",
            Self::Folder { .. } | Self::Name(_) => "watch",
        }
    }
}
