//! One JSON object by its names, for those who do not know them beforehand. It is read as the records are
//! (`fields.rs`): strictly, and at any depth.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::RecordProblem;
use super::fields::{Field, Slots, Source, Unknown};

/// The fields of one object. No name stands twice, and `null` is the same as absent.
#[derive(Debug, Default)]
pub(crate) struct Object<'a>(Unknown<'a>);

/// Why a text is no [`Object`].
#[derive(Debug)]
pub(crate) enum NoObject {
    /// There is nothing.
    Empty,
    /// It is no UTF-8.
    NotUtf8,
    /// It is no JSON. The text is a fixed one and quotes nothing.
    Syntax(Box<str>),
    /// It is another JSON value; what, in words.
    Other(&'static str),
    /// This name stands twice.
    Twice(Box<str>),
}

impl<'a> Object<'a> {
    /// Reads an object, its values untouched.
    ///
    /// # Errors
    /// [`NoObject`].
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, NoObject> {
        let source = Source::new(bytes).map_err(|_| NoObject::NotUtf8)?;
        source.root().map_err(|fault| match fault.locate(source.text()).problem {
            RecordProblem::Empty => NoObject::Empty,
            RecordProblem::Truncated => NoObject::Syntax("it is cut off".into()),
            RecordProblem::NotAnObject { found } => NoObject::Other(found),
            RecordProblem::DuplicateKey { key } => NoObject::Twice(key),
            RecordProblem::NotJson(what) => NoObject::Syntax(what),
            // A record's own rules: an object without known fields has none.
            _ => NoObject::Syntax("it cannot be read".into()),
        })
    }

    /// The value of that name, unless it is absent or `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Every name with a value, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (Cow::as_ref(name), *value)).filter(|(_, value)| value.get() != "null")
    }
}

impl<'a> Slots<'a> for Object<'a> {
    fn slot(&mut self, _: &str) -> Option<(&'static str, &mut Option<Field<'a>>)> {
        None
    }

    fn unknown(&mut self) -> &mut Unknown<'a> {
        &mut self.0
    }

    fn given(&self) -> Vec<Field<'a>> {
        Vec::new()
    }
}
