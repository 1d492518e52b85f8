use camino::{Utf8Path, Utf8PathBuf};

use crate::digest::Digest;
use crate::plan::Refusal;
use crate::record::ImportError;
use crate::store::{CommitError, LoadError, LockError, RECORD_LIMIT, StoreError};

/// Why a transition did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The lifecycle refuses it. Nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file to import is no plan. Nothing has changed.
    #[error("{file}: {problem}")]
    Import {
        /// The file that was named.
        file: Utf8PathBuf,
        /// What is wrong with it.
        #[source]
        problem: ImportError,
    },
    /// The file to import cannot be read. Nothing has changed.
    #[error("{file} cannot be read ({kind}). Name a regular file of at most 64 MiB.")]
    ImportUnreadable {
        /// The file that was named.
        file: Utf8PathBuf,
        /// The kind of error.
        kind: std::io::ErrorKind,
    },
    /// The archive has no plan of that name. Nothing has changed.
    #[error("The archive of this session has no plan {name}. List the archive and name one of its plans.")]
    NotArchived {
        /// The name that was asked for.
        name: String,
    },
    /// Another process was faster: the plan on disk is not the one of this handle. Nothing has changed; load again.
    #[error("{file} has changed since this plan was loaded. Load it again and repeat.")]
    Stale {
        /// The record.
        file: Utf8PathBuf,
    },
    /// The session's lock was not taken. Nothing has changed.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The state on disk cannot be told. Nothing has changed.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The disk refused. The old state is in place.
    #[error(transparent)]
    Store(StoreError),
    /// The record would be too large. Nothing has changed.
    #[error(
        "the record would have {bytes} bytes: at most {RECORD_LIMIT} (64 MiB) are allowed. Shorten it, or end some tasks' output."
    )]
    TooLarge {
        /// Bytes that it would have.
        bytes: usize,
    },
    /// The new state is visible, and whether it lasts through a power cut is not known. Load again.
    #[error("{source}. The new state is visible but may not last: load the plan again.")]
    Unsettled {
        /// The digest of the new record; `None` if the record was removed.
        revision: Option<Digest>,
        /// What the disk said.
        source: StoreError,
    },
}

impl Reason {
    /// The stable code (`docs/lifecycle.md`).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::Import { problem, .. } => problem.code(),
            Self::ImportUnreadable { .. } => "import-unreadable",
            Self::NotArchived { .. } => "not-archived",
            Self::Stale { .. } => "stale",
            Self::Lock(LockError::Busy { .. }) => "busy",
            Self::Lock(_) => "lock",
            Self::Load(error) => error.code(),
            Self::Store(_) => "disk",
            Self::TooLarge { .. } => "too-large",
            Self::Unsettled { .. } => "unsettled",
        }
    }

    /// The lifecycle's own refusal, if it is one.
    pub const fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

impl From<CommitError> for Reason {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::NotWritten(error) => Self::Store(error),
            CommitError::Unsettled { revision, source } => Self::Unsettled { revision, source },
            CommitError::TooLarge { bytes } => Self::TooLarge { bytes },
            CommitError::Load(error) => Self::Load(error),
        }
    }
}

/// The top-level error: what a program that does not care about the details handles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The state on disk cannot be told.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The session's lock was not taken.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The disk refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A transition did not happen.
    #[error(transparent)]
    Transition(#[from] Reason),
    /// The session's files cannot be watched.
    #[cfg(feature = "watch")]
    #[error(transparent)]
    Watch(#[from] crate::store::WatchError),
    /// A damaged plan was to be discarded, and the plan is not damaged.
    #[error("the plan of this session is not damaged. Load it and discard it as a plan.")]
    NotDamaged,
}

impl Error {
    /// The stable code (`docs/lifecycle.md`).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Load(error) => error.code(),
            Self::Lock(LockError::Busy { .. }) => "busy",
            Self::Lock(_) => "lock",
            Self::Store(_) => "disk",
            Self::Transition(reason) => reason.code(),
            #[cfg(feature = "watch")]
            Self::Watch(error) => error.code(),
            Self::NotDamaged => "not-damaged",
        }
    }

    /// The file that it is about, if it is about one.
    pub fn file(&self) -> Option<&Utf8Path> {
        match self {
            Self::Load(error) => error.file(),
            Self::Store(error) => Some(error.file()),
            #[cfg(feature = "watch")]
            Self::Watch(_) => None,
            Self::Lock(_) | Self::Transition(_) | Self::NotDamaged => None,
        }
    }
}

impl From<CommitError> for Error {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Load(error) => Self::Load(error),
            CommitError::NotWritten(error) => Self::Store(error),
            error => Self::Transition(error.into()),
        }
    }
}
