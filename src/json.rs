//! A JSON object as its fields in order, with the text of each value untouched.
//!
//! A value is taken as [`RawValue`]: serde_json passes over it without recursion, so no depth of nesting is a danger. Whoever
//! reads an object sees each field, also one that stands twice, however its key is escaped.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A field as the text has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    key: &'a RawValue,
    value: &'a RawValue,
}

impl<'a> Field<'a> {
    /// The JSON text of the value.
    pub(crate) fn value(self) -> &'a RawValue {
        self.value
    }

    /// The decoded key; `None` if its escapes are no text.
    pub(crate) fn name(self) -> Option<Cow<'a, str>> {
        unescape(self.key)
    }
}

/// Why the fields of an object could not all be seen.
#[derive(Debug)]
pub(crate) enum Stopped<E> {
    /// The text is no JSON object.
    Syntax(serde_json::Error),
    /// The caller refused a field.
    Refused(E),
}

/// Gives each field of the object that `text` is to `see`, in order.
///
/// # Errors
/// [`Stopped`]: the text is no object, or `see` gave an error.
pub(crate) fn each_field<'a, E>(text: &'a str, see: impl FnMut(Field<'a>) -> Result<(), E>) -> Result<(), Stopped<E>> {
    let mut walk = Walk { see, refused: None };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = (&mut walk).deserialize(&mut deserializer).and_then(|()| deserializer.end());
    match (walk.refused, parsed) {
        (Some(refused), _) => Err(Stopped::Refused(refused)),
        (None, Err(error)) => Err(Stopped::Syntax(error)),
        (None, Ok(())) => Ok(()),
    }
}

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

/// Walks over one object.
struct Walk<F, E> {
    see: F,
    /// What serde_json has no error for.
    refused: Option<E>,
}

impl<'a, E, F: FnMut(Field<'a>) -> Result<(), E>> DeserializeSeed<'a> for &mut Walk<F, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a, E, F: FnMut(Field<'a>) -> Result<(), E>> Visitor<'a> for &mut Walk<F, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            let value = map.next_value()?;
            if let Err(refused) = (self.see)(Field { key, value }) {
                self.refused = Some(refused);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

/// The fields of one object by name. No name stands twice, and `null` is the same as absent.
#[derive(Debug)]
pub(crate) struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// Why a text is no [`Object`].
#[derive(Debug)]
pub(crate) enum NoObject {
    /// It is no JSON. The text is one of serde_json's fixed ones and quotes nothing.
    Syntax(Box<str>),
    /// It is another JSON value; what, in words.
    Other(&'static str),
    /// The escapes of a key are no text.
    Key,
    /// This name stands twice.
    Twice(Box<str>),
}

impl<'a> Object<'a> {
    /// Reads an object, its values untouched.
    ///
    /// # Errors
    /// [`NoObject`].
    pub(crate) fn read(text: &'a str) -> Result<Self, NoObject> {
        let begin = text.trim_start_matches([' ', '\t', '\r', '\n']);
        if !begin.starts_with('{') && serde_json::from_str::<&RawValue>(text).is_ok() {
            return Err(NoObject::Other(kind(begin)));
        }
        let mut fields = Vec::new();
        let walked = each_field(text, |field| match field.name() {
            Some(name) => {
                fields.push((name, field.value()));
                Ok(())
            }
            None => Err(()),
        });
        match walked {
            Err(Stopped::Syntax(error)) => return Err(NoObject::Syntax(error.to_string().into())),
            Err(Stopped::Refused(())) => return Err(NoObject::Key),
            Ok(()) => {}
        }
        let mut seen = HashSet::with_capacity(fields.len());
        match fields.iter().find(|(name, _)| !seen.insert(name.as_ref())) {
            Some((name, _)) => Err(NoObject::Twice(name.as_ref().into())),
            None => Ok(Self(fields)),
        }
    }

    /// The value of that name, unless it is absent or `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Every name with a value, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value)).filter(|(_, value)| value.get() != "null")
    }
}
