//! The fields of a record's objects: the known ones in slots, the others in the order of the file.
//!
//! The text of each value is a part of the input, so its place is known and unknown fields come back as they were (DISK-7).

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::RecordProblem;
use super::fault::{Fault, Read, clip};
use crate::json::{self, Stopped};
use crate::model::Kept;

pub(super) use crate::json::{kind, unescape};

/// A field as the file has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a>(json::Field<'a>);

impl<'a> Field<'a> {
    /// The JSON text of the value.
    pub(super) fn value(self) -> &'a RawValue {
        self.0.value()
    }

    /// The decoded key. Keys were decoded once when the object was read, so it is never lost here.
    pub(super) fn name(self) -> Cow<'a, str> {
        self.0.name().unwrap_or_default()
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
        let mut slots = S::default();
        match json::each_field(text, |field| self.fill(&mut slots, field)) {
            Ok(()) => {}
            Err(Stopped::Refused(fault)) => return Err(fault),
            Err(Stopped::Syntax(error)) => return Err(self.syntax(&error)),
        }
        let unknown: Vec<json::Field<'a>> = slots.unknown().iter().map(|field| field.0).collect();
        match json::repeated(&unknown) {
            Some(field) => Err(self.twice(field)),
            None => Ok(slots),
        }
    }

    fn fill<S: Slots<'a>>(self, slots: &mut S, field: json::Field<'a>) -> Result<(), Box<Fault>> {
        let Some(name) = field.name() else {
            let what = "a key has half of a surrogate pair";
            return Err(self.fault(field.key().get(), RecordProblem::NotJson(what.into())));
        };
        match slots.slot(&name) {
            Some(slot @ None) => *slot = Some(Field(field)),
            Some(Some(_)) => return Err(self.twice(field)),
            None => slots.unknown().push(Field(field)),
        }
        Ok(())
    }

    fn twice(self, field: json::Field<'a>) -> Box<Fault> {
        let key = clip(&field.name().unwrap_or_default());
        self.fault(field.key().get(), RecordProblem::DuplicateKey { key })
    }

    /// The elements of an array, unless it is another value.
    pub(super) fn elements(self, value: &'a RawValue) -> Option<Vec<&'a RawValue>> {
        json::elements(value)
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
        kept.push(&field.name(), field.value());
    }
    kept
}
