//! A JSON object as its fields in order, with the text of each value untouched.
//!
//! A value is taken as [`RawValue`]: serde_json passes over it without recursion, so no depth of nesting is a danger,
//! and its text is a part of the input, so its place is known and unknown fields come back as they were (DISK-7).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::RecordProblem;
use super::fault::{Fault, Read, clip};
use crate::json::{elements, kind};
use crate::model::Kept;

/// A field with a known name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'static str,
    /// The JSON text of the value.
    pub(crate) value: &'a RawValue,
}

/// The fields without a known name, in the order of the file: decoded key and value.
pub(crate) type Unknown<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// The fields of an object: one slot for each known name, and a list of all others.
pub(crate) trait Slots<'a>: Default {
    /// The slot of a known name, with that name.
    fn slot(&mut self, name: &str) -> Option<(&'static str, &mut Option<Field<'a>>)>;

    /// The fields without a slot.
    fn unknown(&mut self) -> &mut Unknown<'a>;

    /// The fields that fill a slot.
    fn given(&self) -> Vec<Field<'a>>;
}

/// Declares the slots of one kind of object; a slot has the name of its field.
macro_rules! slots {
    ($(#[$doc:meta])* $object:ident { $($field:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        #[allow(non_snake_case, reason = "a slot has the name of its field")]
        pub(crate) struct $object<'a> {
            $(pub(crate) $field: Option<$crate::record::fields::Field<'a>>,)+
            pub(crate) unknown: $crate::record::fields::Unknown<'a>,
        }

        impl<'a> $crate::record::fields::Slots<'a> for $object<'a> {
            fn slot(&mut self, name: &str) -> Option<(&'static str, &mut Option<$crate::record::fields::Field<'a>>)> {
                match name {
                    $(stringify!($field) => Some((stringify!($field), &mut self.$field)),)+
                    _ => None,
                }
            }

            fn unknown(&mut self) -> &mut $crate::record::fields::Unknown<'a> {
                &mut self.unknown
            }

            fn given(&self) -> Vec<$crate::record::fields::Field<'a>> {
                [$(self.$field),+].into_iter().flatten().collect()
            }
        }
    };
}
pub(crate) use slots;

/// The text that is being read. Every part of it that the reading functions are given is a slice of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    text: &'a str,
}

impl<'a> Source<'a> {
    /// The text of a file without its byte order mark.
    ///
    /// # Errors
    /// Not UTF-8, with the place.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, super::RecordError> {
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

    pub(crate) fn text(self) -> &'a str {
        self.text
    }

    /// The byte where a part of the text begins.
    pub(crate) fn offset(self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    /// A problem with a part of the text.
    pub(crate) fn fault(self, part: &str, problem: RecordProblem) -> Box<Fault> {
        Fault::new(self.offset(part), problem)
    }

    /// The whole text as one object. Once it is read, all of the text is known to be JSON.
    pub(crate) fn root<S: Slots<'a>>(self) -> Read<S> {
        let start = self.text.trim_start_matches([' ', '\t', '\r', '\n']);
        if start.is_empty() {
            return Err(Fault::new(0, RecordProblem::Empty));
        }
        if !start.starts_with('{') {
            serde_json::from_str::<IgnoredAny>(self.text).map_err(|error| self.syntax(self.text, &error))?;
            return Err(self.fault(start, RecordProblem::NotAnObject { found: kind(start) }));
        }
        self.object(self.text)
    }

    /// The fields of an object.
    pub(crate) fn object<S: Slots<'a>>(self, text: &'a str) -> Read<S> {
        let mut filling = Filling::new(self);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let parsed = (&mut filling).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        match (filling.fault.take(), parsed) {
            (Some(fault), _) => Err(fault),
            (None, Err(error)) => Err(self.syntax(text, &error)),
            (None, Ok(())) => filling.finish(),
        }
    }

    /// A value that has to be an object.
    pub(crate) fn nested<S: Slots<'a>>(self, value: &'a RawValue, expected: &'static str) -> Read<S> {
        if !value.get().starts_with('{') {
            return Err(self.fault(value.get(), RecordProblem::WrongType { expected, found: kind(value.get()) }));
        }
        self.object(value.get())
    }

    /// Reads an array of objects one by one, in a single pass: this is where the size of a record is.
    pub(crate) fn objects<S: Slots<'a>>(
        self,
        array: &'a RawValue,
        expected: &'static str,
        read: impl FnMut(S) -> Read<()>,
    ) -> Read<()> {
        let mut each = Each { source: self, read, position: 0, fault: None, slots: PhantomData };
        let parsed = (&mut each).deserialize(&mut serde_json::Deserializer::from_str(array.get()));
        match (each.fault, parsed) {
            (Some(fault), _) => Err(fault.within(&format!("[{}]", each.position))),
            (None, Ok(())) => Ok(()),
            // An element is no object, or has a key that is no text. Its place is worth a second look.
            (None, Err(_)) => {
                let element = elements(array).and_then(|elements| elements.get(each.position).copied());
                let element = element.unwrap_or(array);
                match self.nested::<S>(element, expected) {
                    Err(fault) => Err(fault.within(&format!("[{}]", each.position))),
                    Ok(_) => Ok(()),
                }
            }
        }
    }

    /// What serde_json says of a text that is no JSON. Its texts are fixed ones and quote nothing.
    fn syntax(self, part: &str, error: &serde_json::Error) -> Box<Fault> {
        if error.is_eof() {
            return Fault::new(self.text.len(), RecordProblem::Truncated);
        }
        let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
        let before = self.offset(part) + lines.map(str::len).sum::<usize>();
        let text = error.to_string();
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        Fault::new(before + error.column().saturating_sub(1), RecordProblem::NotJson(what.into()))
    }
}

/// Copies fields that the engine does not know.
pub(crate) fn keep(unknown: &Unknown<'_>) -> Kept {
    let mut kept = Kept::default();
    for (key, value) in unknown {
        kept.push(key, value);
    }
    kept
}

/// Fills the slots of one object.
struct Filling<'a, S> {
    source: Source<'a>,
    slots: S,
    /// What serde_json has no error for.
    fault: Option<Box<Fault>>,
}

impl<'a, S: Slots<'a>> Filling<'a, S> {
    fn new(source: Source<'a>) -> Self {
        Self { source, slots: S::default(), fault: None }
    }

    fn fill(&mut self, key: Cow<'a, str>, value: &'a RawValue) -> Result<(), Box<Fault>> {
        match self.slots.slot(&key) {
            Some((name, slot @ None)) => *slot = Some(Field { name, value }),
            Some((_, Some(_))) => return Err(self.duplicate(&key, value)),
            None => self.slots.unknown().push((key, value)),
        }
        Ok(())
    }

    /// The slots, once no unknown key is found twice.
    fn finish(mut self) -> Read<S> {
        let unknown = std::mem::take(self.slots.unknown());
        if unknown.len() > 1 {
            let mut seen = HashSet::with_capacity(unknown.len());
            for (key, value) in &unknown {
                if !seen.insert(key) {
                    return Err(self.duplicate(key, value));
                }
            }
        }
        *self.slots.unknown() = unknown;
        Ok(self.slots)
    }

    fn duplicate(&self, key: &str, value: &RawValue) -> Box<Fault> {
        Fault::new(self.key_of(value), RecordProblem::DuplicateKey { key: clip(key) })
    }

    /// The byte where the key of a value begins. An escaped key is decoded elsewhere, so it is looked for.
    fn key_of(&self, value: &RawValue) -> usize {
        let at = self.source.offset(value.get());
        let before = self.source.text.get(..at).unwrap_or_default();
        let key = before.trim_end().trim_end_matches(':').trim_end().strip_suffix('"').unwrap_or_default();
        let escaped = |quote: usize| {
            let before = key.get(..quote).unwrap_or_default();
            (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
        };
        key.rmatch_indices('"').map(|(quote, _)| quote).find(|quote| !escaped(*quote)).unwrap_or(at)
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
        while let Some(key) = map.next_key_seed(Key)? {
            let value = map.next_value()?;
            if let Err(fault) = self.fill(key, value) {
                self.fault = Some(fault);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

/// A decoded key, borrowed where nothing in it is escaped.
struct Key;

impl<'a> DeserializeSeed<'a> for Key {
    type Value = Cow<'a, str>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Cow<'a, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for Key {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'a str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

/// Reads the objects of an array.
struct Each<'a, S, R> {
    source: Source<'a>,
    read: R,
    position: usize,
    fault: Option<Box<Fault>>,
    slots: PhantomData<S>,
}

impl<'a, S: Slots<'a>, R: FnMut(S) -> Read<()>> DeserializeSeed<'a> for &mut Each<'a, S, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'a, S: Slots<'a>, R: FnMut(S) -> Read<()>> Visitor<'a> for &mut Each<'a, S, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut array: A) -> Result<(), A::Error> {
        loop {
            let mut filling = Filling::new(self.source);
            let next = array.next_element_seed(&mut filling);
            self.fault = filling.fault.take();
            if next?.is_none() {
                return Ok(());
            }
            if let Err(fault) = filling.finish().and_then(&mut self.read) {
                self.fault = Some(fault);
                return Err(A::Error::custom("refused"));
            }
            self.position += 1;
        }
    }
}
