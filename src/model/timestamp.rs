use std::fmt;
use std::str::FromStr;

/// A moment in UTC, to the nanosecond, written as RFC 3339.
///
/// ```
/// use plangate::model::Timestamp;
///
/// let at: Timestamp = "2026-07-20T09:01:00Z".parse()?;
/// assert_eq!(at.to_string(), "2026-07-20T09:01:00Z");
/// assert_eq!(at.compact(), "20260720T090100Z");
/// # Ok::<(), plangate::model::InvalidTimestamp>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// The system clock's present moment. Only [`SystemClock`](crate::clock::SystemClock) calls it.
    pub(crate) fn now() -> Self {
        Self(jiff::Timestamp::now())
    }

    /// The moment as a file name takes it: `YYYYMMDDThhmmssZ`.
    pub fn compact(self) -> String {
        let text = self.to_string();
        let whole = text.split(['.', 'Z']).next().unwrap_or_default();
        let mut compact: String = whole.chars().filter(|c| !matches!(c, '-' | ':')).collect();
        compact.push('Z');
        compact
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| InvalidTimestamp { text: text.chars().take(64).collect() })
    }
}

/// A text that is no RFC 3339 moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an RFC 3339 time such as 2026-07-20T09:01:00Z")]
#[non_exhaustive]
pub struct InvalidTimestamp {
    /// The text, at most 64 characters of it.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_nanoseconds_and_drops_them_in_file_names() {
        let at: Timestamp = "2026-04-20T09:00:00.123456789Z".parse().unwrap();
        assert_eq!(at.to_string(), "2026-04-20T09:00:00.123456789Z");
        assert_eq!(at.compact(), "20260420T090000Z");
        assert_eq!("2026-04-20T11:00:00+02:00".parse::<Timestamp>().unwrap().compact(), "20260420T090000Z");
        assert!("yesterday".parse::<Timestamp>().is_err());
    }
}
