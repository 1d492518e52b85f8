use crate::digest::Digest;
use crate::model::Body;

/// The session `.md` as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Markdown {
    /// There is none.
    Missing,
    /// There is one, and it cannot be used.
    Unusable(MarkdownProblem),
    /// Its text, and the digest of its bytes.
    Text {
        /// The text, byte for byte.
        body: Body,
        /// SHA-256 of the bytes: what an approval has to name.
        digest: Digest,
    },
}

/// Why a `.md` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkdownProblem {
    /// A byte sequence is no UTF-8.
    #[error("is not UTF-8 (byte {at}); save it as UTF-8")]
    NotUtf8 {
        /// The offset of the first bad byte.
        at: usize,
    },
    /// It is over 1 MiB.
    #[error("is larger than 1 MiB; shorten it")]
    TooLong,
    /// A link, a folder or a device stands in its place.
    #[error("is not a regular file; put a regular file in its place")]
    NotAFile,
    /// The system does not let it be read.
    #[error("cannot be read ({0})")]
    Unreadable(std::io::ErrorKind),
}

impl Markdown {
    /// The `.md` with these bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let digest = Digest::of(&bytes);
        match String::from_utf8(bytes) {
            Err(error) => Self::Unusable(MarkdownProblem::NotUtf8 { at: error.utf8_error().valid_up_to() }),
            Ok(text) => match Body::new(text) {
                Ok(body) => Self::Text { body, digest },
                Err(_) => Self::Unusable(MarkdownProblem::TooLong),
            },
        }
    }

    /// The text, if there is a usable one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text { body, .. } => Some(body.as_str()),
            Self::Missing | Self::Unusable(_) => None,
        }
    }

    /// The digest of the bytes, if there is a usable text.
    pub fn digest(&self) -> Option<Digest> {
        match self {
            Self::Text { digest, .. } => Some(*digest),
            Self::Missing | Self::Unusable(_) => None,
        }
    }
}
