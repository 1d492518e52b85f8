use camino::{Utf8Path, Utf8PathBuf};

use super::error::StoreError;
use super::layout::LookupError;
use crate::record::RecordError;

/// Why a session's state cannot be told. It never means NoPlan: the gate stays shut (DISK-12).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file is there and is no plan. It stays on disk, untouched.
    #[error(
        "{file} is damaged: {problem}. It was left as it is. Ask a person to discard it, which moves it to the archive."
    )]
    Damaged {
        /// The file.
        file: Utf8PathBuf,
        /// What is wrong, and where.
        #[source]
        problem: RecordError,
    },
    /// The note about ended plans of the fallback folder is unreadable.
    #[error(
        "{file} is damaged: it does not hold digests. It was left as it is. Remove it once you know which plan counts."
    )]
    Tombstone {
        /// The file.
        file: Utf8PathBuf,
    },
    /// The pointer to the plan's folder is unreadable.
    #[error(
        "{file} is damaged: it does not name a project. It was left as it is. Remove it once you know where the plan is."
    )]
    Pin {
        /// The file.
        file: Utf8PathBuf,
    },
    /// The file or folder cannot be read.
    #[error("The state of this session is unknown: {0}.")]
    Unknown(#[from] StoreError),
    /// The session's folder cannot be resolved.
    #[error("The state of this session is unknown: {0}. Try again once it can be.")]
    Unresolved(#[from] LookupError),
}

impl LoadError {
    /// The stable code: `damaged` or `unknown`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Damaged { .. } | Self::Tombstone { .. } | Self::Pin { .. } => "damaged",
            Self::Unknown(_) | Self::Unresolved(_) => "unknown",
        }
    }

    /// The file that it is about, if it is about one.
    pub fn file(&self) -> Option<&Utf8Path> {
        match self {
            Self::Damaged { file, .. } | Self::Tombstone { file } | Self::Pin { file } => Some(file),
            Self::Unknown(error) => Some(error.file()),
            Self::Unresolved(_) => None,
        }
    }
}
