//! The arguments of a call, read strictly: a wrong type is never taken for an absent value.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::json;
use crate::record::{NoObject, Object};

/// Why arguments cannot be read, in words for the denial.
pub(super) type Unreadable = Box<str>;

/// Gives the arguments of a call to `look`. They are an object, or a string that holds one.
pub(super) fn with<T>(text: &str, look: impl FnOnce(&Object<'_>) -> Result<T, Unreadable>) -> Result<T, Unreadable> {
    let whole: &RawValue = serde_json::from_str(text).map_err(|_| "the arguments are no JSON")?;
    if whole.get() == "null" {
        return look(&object("{}")?);
    }
    match json::unescape(whole) {
        Some(inner) => look(&object(&inner)?),
        None => look(&object(whole.get())?),
    }
}

/// The arguments where they are a string that is no object: some tools take a text and nothing else.
pub(super) fn text(text: &str) -> Option<String> {
    let whole: &RawValue = serde_json::from_str(text).ok()?;
    let inner = json::unescape(whole)?;
    Object::read(inner.as_bytes()).is_err().then(|| inner.into_owned())
}

pub(super) fn object(text: &str) -> Result<Object<'_>, Unreadable> {
    Object::read(text.as_bytes()).map_err(|error| match error {
        NoObject::Syntax(what) => format!("the arguments are no JSON: {what}").into(),
        NoObject::Other(found) => format!("the arguments are {found}, not an object").into(),
        NoObject::Empty | NoObject::NotUtf8 => "the arguments are no JSON".into(),
        NoObject::Twice(name) => format!("`{}` stands twice", clip(&name)).into(),
    })
}

/// The text of a value that has to be one.
pub(super) fn string<'a>(name: &str, value: &'a RawValue) -> Result<Cow<'a, str>, Unreadable> {
    json::unescape(value).ok_or_else(|| format!("`{}` is no text", clip(name)).into())
}

/// A text, or each text of an array. Nothing else, and no empty array.
pub(super) fn strings<'a>(name: &str, value: &'a RawValue) -> Result<Vec<Cow<'a, str>>, Unreadable> {
    match json::elements(value) {
        None => Ok(vec![string(name, value)?]),
        Some(values) if values.is_empty() => Err(format!("`{}` is empty", clip(name)).into()),
        Some(values) => values.into_iter().map(|value| string(name, value)).collect(),
    }
}

/// A name short enough for a denial.
fn clip(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(48).collect()
}
