use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Policy, ShellRule, UnknownTools};

/// The policy file's name in the root folder.
pub(crate) const POLICY_FILE: &str = "policy.json";

/// Why a policy file cannot be used. The strictest policy holds then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// It is no JSON.
    #[error("it is no JSON (line {line}, column {column})")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A key that no policy has.
    #[error("it has an unknown key {key:?}; did you mean {nearest:?}?")]
    UnknownKey {
        /// The key.
        key: String,
        /// The known key that is written most like it.
        nearest: &'static str,
    },
    /// A key that stands twice.
    #[error("its key {key:?} stands twice")]
    Twice {
        /// The key.
        key: String,
    },
    /// A value of a wrong kind.
    #[error("its {key} must be {allowed}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it may be.
        allowed: &'static str,
    },
}

impl Policy {
    /// Reads a policy file, strictly: what is misspelt must not silently mean the default.
    ///
    /// ```
    /// use plangate::gate::{Policy, ShellRule};
    ///
    /// let policy = Policy::parse(br#"{"shell": {"pre_init": "deny"}, "read_only_tools": ["mcp__docs__search"]}"#)?;
    /// let same = Policy::default().with_shell_in_pre_init(ShellRule::Deny).with_read_only_tool("mcp__docs__search");
    /// assert_eq!(policy, same);
    /// assert!(Policy::parse(br#"{"shel": {}}"#).is_err());
    /// # Ok::<(), plangate::gate::PolicyError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolicyError`] names what is wrong; [`Policy::strictest`] is what to go on with.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let root: Entries = serde_json::from_slice(bytes)
            .map_err(|error| PolicyError::Syntax { line: error.line(), column: error.column() })?;
        let root = root.of("content", "an object", ["shell", "unknown_tools", "read_only_tools"])?;
        let mut policy = Self::default();
        for (key, value) in root {
            match key {
                "shell" => {
                    for (key, value) in value.of("shell", "an object", ["pre_init", "editing"])? {
                        match key {
                            "pre_init" => policy.pre_init = shell_rule("shell.pre_init", &value)?,
                            _ => policy.editing = shell_rule("shell.editing", &value)?,
                        }
                    }
                }
                "unknown_tools" => policy.unknown_tools = unknown_tools(&value)?,
                _ => policy.read_only_tools = read_only_tools(&value)?,
            }
        }
        Ok(policy)
    }
}

fn shell_rule(key: &'static str, value: &Entries) -> Result<ShellRule, PolicyError> {
    let rule = value.text().and_then(|text| ShellRule::ALL.into_iter().find(|rule| rule.as_str() == text));
    rule.ok_or(PolicyError::Value { key, allowed: "\"allow\", \"sandbox\", \"read-only\" or \"deny\"" })
}

fn unknown_tools(value: &Entries) -> Result<UnknownTools, PolicyError> {
    let rule = value.text().and_then(|text| UnknownTools::ALL.into_iter().find(|rule| rule.as_str() == text));
    rule.ok_or(PolicyError::Value { key: "unknown_tools", allowed: "\"allow\" or \"deny\"" })
}

fn read_only_tools(value: &Entries) -> Result<Vec<Box<str>>, PolicyError> {
    let wrong = || PolicyError::Value { key: "read_only_tools", allowed: "a list of tool names" };
    let Entries::List(names) = value else { return Err(wrong()) };
    names.iter().map(|name| name.text().filter(|name| !name.is_empty()).map(Into::into).ok_or_else(wrong)).collect()
}

/// A JSON value whose objects keep every entry: a map would drop the first of two equal keys.
enum Entries {
    Object(Vec<(String, Entries)>),
    List(Vec<Entries>),
    Text(String),
    /// A number, true, false or null: no key of a policy has one.
    Other,
}

impl Entries {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Object(_) | Self::List(_) | Self::Other => None,
        }
    }

    /// The entries of an object that has these keys and no others, each once.
    fn of<const N: usize>(
        self,
        name: &'static str,
        allowed: &'static str,
        known: [&'static str; N],
    ) -> Result<Vec<(&'static str, Self)>, PolicyError> {
        let Self::Object(entries) = self else { return Err(PolicyError::Value { key: name, allowed }) };
        let mut taken: Vec<(&'static str, Self)> = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let Some(name) = known.into_iter().find(|name| **name == *key) else {
                let nearest = known.into_iter().min_by_key(|name| distance(name, &key)).unwrap_or_default();
                return Err(PolicyError::UnknownKey { key: key.chars().take(64).collect(), nearest });
            };
            if taken.iter().any(|(other, _)| *other == name) {
                return Err(PolicyError::Twice { key });
            }
            taken.push((name, value));
        }
        Ok(taken)
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries::Object(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = list.next_element()? {
                    entries.push(entry);
                }
                Ok(Entries::List(entries))
            }

            fn visit_str<E>(self, text: &str) -> Result<Entries, E> {
                Ok(Entries::Text(text.to_owned()))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Entries, E> {
                Ok(Entries::Other)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Entries, E> {
                Ok(Entries::Other)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Entries, E> {
                Ok(Entries::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Entries, E> {
                Ok(Entries::Other)
            }

            fn visit_unit<E>(self) -> Result<Entries, E> {
                Ok(Entries::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// How many characters have to be put in, taken out or replaced.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, to) in row.iter_mut().zip(std::iter::once(None).chain(b.chars().map(Some))) {
            let above = *cell;
            if let Some(to) = to {
                left = (diagonal + usize::from(from != to)).min(above + 1).min(left + 1);
            }
            diagonal = above;
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_edits() {
        for (a, b, edits) in [("", "", 0), ("a", "", 1), ("", "ab", 2), ("shell", "shel", 1), ("editing", "edting", 1)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (edits, edits), "{a} {b}");
        }
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn what_is_misspelt_is_refused_and_the_nearest_key_is_named() {
        let wrong = |text: &str| Policy::parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(wrong(r#"{"shel": {}}"#), r#"it has an unknown key "shel"; did you mean "shell"?"#);
        assert_eq!(
            wrong(r#"{"shell": {"preinit": "deny"}}"#),
            r#"it has an unknown key "preinit"; did you mean "pre_init"?"#
        );
        assert_eq!(wrong(r#"{"shell": {}, "shell": {}}"#), r#"its key "shell" stands twice"#);
        assert_eq!(
            wrong(r#"{"shell": {"editing": "Allow"}}"#),
            r#"its shell.editing must be "allow", "sandbox", "read-only" or "deny""#
        );
        assert_eq!(wrong(r#"{"unknown_tools": true}"#), r#"its unknown_tools must be "allow" or "deny""#);
        assert_eq!(wrong(r#"{"read_only_tools": [""]}"#), "its read_only_tools must be a list of tool names");
        assert_eq!(wrong(""), "it is no JSON (line 1, column 0)");
        assert_eq!(wrong("[]"), "its content must be an object");
        assert_eq!(wrong("{} {}"), "it is no JSON (line 1, column 4)");
    }

    #[test]
    fn an_empty_object_is_the_default() {
        assert_eq!(Policy::parse(b"\xef\xbb\xbf{ }").unwrap(), Policy::default());
        assert_eq!(Policy::parse(br#"{"shell": {}}"#).unwrap(), Policy::default());
    }
}
