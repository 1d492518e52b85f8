use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The id of an agent's session, safe to become part of a file name.
///
/// 1 to 128 characters of `A-Z a-z 0-9 _ -`, so UUIDs and other agents' ids fit, and no id can name another
/// folder (DISK-9).
///
/// ```
/// use plangate::SessionId;
///
/// let id = SessionId::new("0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b")?;
/// assert_eq!(id.as_str().len(), 36);
/// assert!(SessionId::new("../etc").is_err());
/// # Ok::<(), plangate::model::InvalidSessionId>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The longest id, in characters.
    pub const MAX_LENGTH: usize = 128;

    /// Checks `id` and takes it.
    ///
    /// # Errors
    /// [`InvalidSessionId`] tells what is wrong; no file has been touched.
    pub fn new(id: impl AsRef<str>) -> Result<Self, InvalidSessionId> {
        let id = id.as_ref();
        if id.is_empty() {
            return Err(InvalidSessionId::Empty);
        }
        if let Some(character) = id.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))) {
            return Err(InvalidSessionId::Character(character));
        }
        if id.len() > Self::MAX_LENGTH {
            return Err(InvalidSessionId::TooLong(id.len()));
        }
        Ok(Self(id.into()))
    }

    /// A UUID is always a session id.
    pub(crate) fn from_uuid(id: uuid::Uuid) -> Self {
        Self(id.hyphenated().to_string().into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionId({})", self.0)
    }
}

impl FromStr for SessionId {
    type Err = InvalidSessionId;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        Self::new(id)
    }
}

/// Why a text is no session id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSessionId {
    /// There was nothing.
    #[error("a session id must not be empty: give 1 to 128 characters of A-Z a-z 0-9 _ -")]
    Empty,
    /// One character is not allowed.
    #[error("a session id must not contain {0:?}: give 1 to 128 characters of A-Z a-z 0-9 _ -")]
    Character(char),
    /// The length is over the limit.
    #[error("a session id of {0} characters is too long: give 1 to 128 characters of A-Z a-z 0-9 _ -")]
    TooLong(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: DISK-9
    #[test]
    fn accepts_the_ids_agents_use_and_no_other_text() {
        for id in ["a", "A_b-9", "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b", &"x".repeat(128)] {
            assert_eq!(SessionId::new(id).unwrap().as_str(), id);
        }
        assert_eq!(SessionId::new(""), Err(InvalidSessionId::Empty));
        assert_eq!(SessionId::new("x".repeat(129)), Err(InvalidSessionId::TooLong(129)));
        for (id, bad) in [
            ("..", '.'),
            ("a/b", '/'),
            ("a\\b", '\\'),
            ("a\0", '\0'),
            ("a b", ' '),
            ("a\n", '\n'),
            ("ä", 'ä'),
            ("a:b", ':'),
        ] {
            assert_eq!(SessionId::new(id), Err(InvalidSessionId::Character(bad)), "{id:?}");
        }
    }
}
