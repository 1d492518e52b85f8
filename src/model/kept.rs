use std::collections::HashSet;
use std::fmt;

use serde_json::value::RawValue;

/// Fields of a JSON object that the engine does not know, in their order and with the text of each value untouched
/// (DISK-7): `1e400`, `2.50` and integers past 64 bits come back as they were written.
#[derive(Clone, Default)]
pub struct Kept(Vec<(Box<str>, Box<RawValue>)>);

impl Kept {
    /// Adds a field with its value's text.
    pub(crate) fn push(&mut self, key: &str, value: &RawValue) {
        self.0.push((key.into(), value.to_owned()));
    }

    /// Adds the fields of `other`; one that both have gets the value of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        let keys: HashSet<&str> = other.iter().map(|(key, _)| key).collect();
        self.0.retain(|(key, _)| !keys.contains(&**key));
        self.0.extend(other.0.iter().cloned());
    }

    /// The fields: key and the JSON text of the value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (&**key, value.get()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Kept {}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
