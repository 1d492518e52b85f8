//! JSON values as their text.
//!
//! A value is taken as [`RawValue`]: serde_json passes over it without recursion, so no depth of nesting is a danger.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// The elements of an array, unless it is another value.
pub(crate) fn elements(value: &RawValue) -> Option<Vec<&RawValue>> {
    if !value.get().starts_with('[') {
        return None;
    }
    serde_json::from_str(value.get()).ok()
}

/// The text of a JSON string, borrowed where nothing in it is escaped; `None` for any other value and for a string
/// whose escapes are no text (half of a surrogate pair).
pub(crate) fn unescape(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(value.get()).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

/// What kind of JSON value a text begins.
pub(crate) fn kind(value: &str) -> &'static str {
    match value.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}
