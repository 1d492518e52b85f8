//! A JSON object as its fields in order, with the text of each value untouched.
//!
//! A value is taken as [`RawValue`]: serde_json passes over it without recursion, so no depth of nesting is a danger,
//! and its text is a part of the input, so its place is known and unknown fields come back as they were (DISK-7).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::RecordProblem;
use super::fault::{Fault, Read, clip};
use crate::model::Kept;

/// A field as the file has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    key: &'a RawValue,
    value: &'a RawValue,
}

impl<'a> Field<'a> {
    /// The JSON text of the value.
    pub(super) fn value(self) -> &'a RawValue {
        self.value
    }

    /// The decoded key. Keys were decoded once when the object was read, so it is never lost here.
    pub(super) fn name(self) -> Cow<'a, str> {
        unescape(self.key).unwrap_or_default()
    }
}

/// The fields of an object: one slot for each known name, and all others in the order of the file.
pub(super) trait Slots<'a>: Default {
    /// The slot of a known name.
    fn slot(&mut self, name: &str) -> Option<&mut Option<Field<'a>>>;

    /// The fields without a slot.
    fn unknown(&mut self) -> &mut Vec<Field<'a>>;
}

/// Declares the slots of one kind of object; a slot has the name of its field.
macro_rules! slots {
    ($(#[$doc:meta])* $object:ident { $($field:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(super) struct $object<'a> {
            $(pub(super) $field: Option<$crate::record::fields::Field<'a>>,)+
            /// The fields that have no slot, in the order of the file.
            pub(super) unknown: Vec<$crate::record::fields::Field<'a>>,
        }

        impl<'a> $crate::record::fields::Slots<'a> for $object<'a> {
            fn slot(&mut self, name: &str) -> Option<&mut Option<$crate::record::fields::Field<'a>>> {
                match name {
                    $(stringify!($field) => Some(&mut self.$field),)+
                    _ => None,
                }
            }

            fn unknown(&mut self) -> &mut Vec<$crate::record::fields::Field<'a>> {
                &mut self.unknown
            }
        }
    };
}
pub(super) use slots;

/// The text that is being read. Every part of it that the reading functions are given is a slice of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    text: &'a str,
}

impl<'a> Source<'a> {
    /// The text of a file without its byte order mark.
    ///
    /// # Errors
    /// Not UTF-8, with the place.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, super::RecordError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text }),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let valid = String::from_utf8_lossy(valid);
                Err(Fault::new(valid.len(), RecordProblem::NotUtf8).locate(&valid))
            }
        }
    }

    pub(super) fn text(self) -> &'a str {
        self.text
    }

    /// The byte where a part of the text begins.
    pub(super) fn offset(self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    /// A problem with a part of the text.
    pub(super) fn fault(self, part: &str, problem: RecordProblem) -> Box<Fault> {
        Fault::new(self.offset(part), problem)
    }

    /// The whole text as one object. Once it is read, all of the text is known to be JSON.
    pub(super) fn root<S: Slots<'a>>(self) -> Read<S> {
        let start = self.text.trim_start_matches([' ', '\t', '\r', '\n']);
        if start.is_empty() {
            return Err(Fault::new(0, RecordProblem::Empty));
        }
        if !start.starts_with('{') {
            serde_json::from_str::<IgnoredAny>(self.text).map_err(|error| self.syntax(&error))?;
            return Err(self.fault(start, RecordProblem::NotAnObject { found: kind(start) }));
        }
        self.object(self.text)
    }

    /// The fields of an object.
    pub(super) fn object<S: Slots<'a>>(self, text: &'a str) -> Read<S> {
        let mut filling = Filling { source: self, slots: S::default(), fault: None };
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let parsed = (&mut filling).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        let Filling { mut slots, fault, .. } = filling;
        match (fault, parsed) {
            (Some(fault), _) => return Err(fault),
            (None, Err(error)) => return Err(self.syntax(&error)),
            (None, Ok(())) => {}
        }
        let unknown = slots.unknown();
        if unknown.len() > 1 {
            let mut seen = HashSet::with_capacity(unknown.len());
            for field in unknown {
                if let Some(key) = seen.replace(field.name()) {
                    return Err(self.fault(field.key.get(), RecordProblem::DuplicateKey { key: clip(&key) }));
                }
            }
        }
        Ok(slots)
    }

    /// The elements of an array, unless it is another value.
    pub(super) fn elements(self, value: &'a RawValue) -> Option<Vec<&'a RawValue>> {
        if !value.get().starts_with('[') {
            return None;
        }
        serde_json::from_str(value.get()).ok()
    }

    /// What serde_json says of a text that is no JSON. Its texts are fixed ones and quote nothing.
    fn syntax(self, error: &serde_json::Error) -> Box<Fault> {
        if error.is_eof() {
            return Fault::new(self.text.len(), RecordProblem::Truncated);
        }
        let before: usize = self.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let text = error.to_string();
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        Fault::new(before + error.column().saturating_sub(1), RecordProblem::NotJson(what.into()))
    }
}

/// Copies fields that the engine does not know.
pub(super) fn keep(unknown: &[Field<'_>]) -> Kept {
    let mut kept = Kept::default();
    for field in unknown {
        kept.push(&field.name(), field.value);
    }
    kept
}

/// The text of a JSON string, borrowed where nothing in it is escaped; `None` for any other value and for a string
/// whose escapes are no text (half of a surrogate pair).
pub(super) fn unescape(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(value.get()).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

/// What kind of JSON value a text begins.
pub(super) fn kind(value: &str) -> &'static str {
    match value.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// Fills the slots of one object.
struct Filling<'a, S> {
    source: Source<'a>,
    slots: S,
    /// What serde_json has no error for.
    fault: Option<Box<Fault>>,
}

impl<'a, S: Slots<'a>> Filling<'a, S> {
    fn fill(&mut self, field: Field<'a>) -> Result<(), Box<Fault>> {
        let Some(name) = unescape(field.key) else {
            let what = "a key has half of a surrogate pair";
            return Err(self.source.fault(field.key.get(), RecordProblem::NotJson(what.into())));
        };
        match self.slots.slot(&name) {
            Some(slot @ None) => *slot = Some(field),
            Some(Some(_)) => {
                return Err(self.source.fault(field.key.get(), RecordProblem::DuplicateKey { key: clip(&name) }));
            }
            None => self.slots.unknown().push(field),
        }
        Ok(())
    }
}

impl<'a, S: Slots<'a>> DeserializeSeed<'a> for &mut Filling<'a, S> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a, S: Slots<'a>> Visitor<'a> for &mut Filling<'a, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            let value = map.next_value()?;
            if let Err(fault) = self.fill(Field { key, value }) {
                self.fault = Some(fault);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}
