use crate::model::{Kept, Timestamp};

/// How a plan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndingHow {
    /// Its last task ended.
    Completed,
    /// A person discarded it.
    Discarded,
}

impl EndingHow {
    /// The name in records and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Discarded => "discarded",
        }
    }

    /// The value of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Completed, Self::Discarded].into_iter().find(|how| how.as_str() == name)
    }
}

/// The mark of an ended plan: once a record carries it, the session is NoPlan and the rest is clean-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub(crate) how: EndingHow,
    pub(crate) at: Timestamp,
    /// The name in the archive, without `.json` or `.md`.
    pub(crate) archive: Box<str>,
    pub(crate) kept: Kept,
}

impl Ending {
    /// How it ended.
    pub fn how(&self) -> EndingHow {
        self.how
    }

    /// When it ended.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The name in the archive, without `.json` or `.md`.
    pub fn archive(&self) -> &str {
        &self.archive
    }
}
