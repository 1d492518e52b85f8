use super::error::{StoreError, WriteError};
use super::load_error::LoadError;
use crate::digest::Digest;

/// Why a commit did not do what it should.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommitError {
    /// The old state is in place.
    #[error(transparent)]
    NotWritten(StoreError),
    /// The new state is visible and may not last.
    #[error("{source}")]
    Unsettled { revision: Option<Digest>, source: StoreError },
    /// The record would be over the limit; the old state is in place.
    #[error("too large")]
    TooLarge { bytes: usize },
    /// The disk no longer holds what the commit began from.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl From<StoreError> for CommitError {
    fn from(error: StoreError) -> Self {
        Self::NotWritten(error)
    }
}

impl CommitError {
    /// For a write that comes before the commit point: whether it lasts does not matter, the state is the old one.
    pub(super) fn before(error: WriteError) -> Self {
        Self::NotWritten(error.into_store_error())
    }

    /// For the write that is the commit point.
    pub(super) fn at(error: WriteError, revision: Option<Digest>) -> Self {
        match error {
            WriteError::NotWritten(source) => Self::NotWritten(source),
            WriteError::Unsettled(source) => Self::Unsettled { revision, source },
        }
    }
}
