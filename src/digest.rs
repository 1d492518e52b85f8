//! [`Digest`]: what identifies a version of a file.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// How many characters the text form has: two for each of the 32 bytes.
const TEXT_LENGTH: usize = 64;

/// How many characters [`Digest::prefix`] has.
const PREFIX_LENGTH: usize = 8;

/// The SHA-256 digest of some bytes.
///
/// A plan's revision is the digest of its file, and an approval holds the digest of the text that the person saw. Inode
/// numbers and times cannot stand in for it: a file system gives the same inode to every second replacement.
///
/// The text form, also in JSON, is 64 lower-case hexadecimal characters.
///
/// ```
/// use plangate::digest::Digest;
///
/// let digest = Digest::of(b"abc");
/// assert_eq!(digest.prefix(), "ba7816bf");
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The first eight characters of the text form: enough for a person to type and compare, not enough to identify.
    #[must_use]
    pub fn prefix(&self) -> String {
        let mut text = self.to_string();
        text.truncate(PREFIX_LENGTH);
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Why a text is no [`Digest`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseDigestError {
    /// The text does not have 64 characters.
    #[error("a digest has {TEXT_LENGTH} characters, this text has {found}; copy the whole digest")]
    Length {
        /// How many characters the text has.
        found: usize,
    },
    /// A character is no lower-case hexadecimal digit.
    #[error(
        "a digest has the characters 0-9 and a-f alone, this text has {found:?} at {position}; copy the digest as it was shown"
    )]
    Character {
        /// The character.
        found: char,
        /// Where it stands, counted in characters from 0.
        position: usize,
    },
}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = text.chars().count();
        if found != TEXT_LENGTH {
            return Err(ParseDigestError::Length { found });
        }
        let mut bytes = [0_u8; 32];
        for (position, found) in text.chars().enumerate() {
            let digit = match found {
                '0'..='9' => u32::from(found) - u32::from('0'),
                'a'..='f' => u32::from(found) - u32::from('a') + 10,
                _ => return Err(ParseDigestError::Character { found, position }),
            };
            if let (Some(byte), Ok(digit)) = (bytes.get_mut(position / 2), u8::try_from(digit)) {
                *byte = *byte << 4 | digit;
            }
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Hex;

        impl Visitor<'_> for Hex {
            type Value = Digest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a SHA-256 digest in lower-case hexadecimal")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Digest, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Hex)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::string_slice)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_digest_is_sha_256() {
        assert_eq!(Digest::of(b"abc").to_string(), ABC);
        assert_eq!(Digest::of(b"").to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn the_text_form_comes_back() {
        let digest: Digest = ABC.parse().unwrap();
        assert_eq!(digest, Digest::of(b"abc"));
        assert_eq!(digest.prefix(), "ba7816bf");
        assert_eq!(format!("{digest:?}"), format!("Digest({ABC})"));
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        let parse = str::parse::<Digest>;
        assert_eq!(parse(""), Err(ParseDigestError::Length { found: 0 }));
        assert_eq!(parse(&ABC[1..]), Err(ParseDigestError::Length { found: 63 }));
        assert_eq!(parse(&ABC.to_uppercase()), Err(ParseDigestError::Character { found: 'B', position: 0 }));
        // 64 bytes that are no 64 characters, and 64 characters that are more bytes.
        assert_eq!(parse(&"é".repeat(32)), Err(ParseDigestError::Length { found: 32 }));
        assert_eq!(parse(&"é".repeat(64)), Err(ParseDigestError::Character { found: 'é', position: 0 }));
        assert_eq!(parse(&format!("{}g", &ABC[..63])), Err(ParseDigestError::Character { found: 'g', position: 63 }));
    }

    #[test]
    fn json_holds_the_text_form() {
        let digest = Digest::of(b"abc");
        assert_eq!(serde_json::to_string(&digest).unwrap(), format!("\"{ABC}\""));
        assert_eq!(serde_json::from_str::<Digest>(&format!("\"{ABC}\"")).unwrap(), digest);
        let error = serde_json::from_str::<Digest>("\"abc\"").unwrap_err();
        assert!(error.to_string().starts_with("a digest has 64 characters, this text has 3"));
        assert!(serde_json::from_str::<Digest>("7").is_err());
    }
}
