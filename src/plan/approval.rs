use crate::digest::Digest;
use crate::model::{Kept, Timestamp};

/// A person's approval of a design: who, through which channel, and the digest of the `.md` that they saw.
///
/// The engine compares the digest under the lock; a `.md` that has changed since is refused (`digest-changed`).
///
/// ```
/// use plangate::digest::Digest;
/// use plangate::plan::Approval;
///
/// let seen = Digest::of(b"# Swap the cache\n");
/// let approval = Approval::new("ada", "terminal", seen);
/// # let _ = approval;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "an approval does nothing until it is given to a plan"]
pub struct Approval {
    pub(crate) by: Box<str>,
    pub(crate) via: Box<str>,
    pub(crate) seen: Digest,
    pub(crate) guarded: bool,
}

impl Approval {
    /// An approval by the person `by` through the channel `via` (such as `terminal`) of the text with that digest.
    pub fn new(by: impl Into<Box<str>>, via: impl Into<Box<str>>, seen: Digest) -> Self {
        Self { by: by.into(), via: via.into(), seen, guarded: true }
    }

    /// Says that no gate was in force while the design was written; the record keeps it.
    pub fn unguarded(mut self) -> Self {
        self.guarded = false;
        self
    }
}

/// What the record keeps of an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRecord {
    pub(crate) by: Box<str>,
    pub(crate) via: Box<str>,
    pub(crate) at: Timestamp,
    pub(crate) digest: Digest,
    pub(crate) guarded: bool,
    pub(crate) kept: Kept,
}

impl ApprovalRecord {
    /// Who approved.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Through which channel.
    pub fn via(&self) -> &str {
        &self.via
    }

    /// When.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The SHA-256 of the `.md` that the person saw.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Whether a gate was in force.
    pub fn guarded(&self) -> bool {
        self.guarded
    }
}
