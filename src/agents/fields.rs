//! The fields of a payload, read strictly.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::value::RawValue;

use super::{MAX_PAYLOAD, PayloadError};
use crate::json;
use crate::model::SessionId;
use crate::record::{NoObject, Object};

/// One object of a payload.
#[derive(Debug)]
pub(super) struct Fields<'a>(Object<'a>);

/// Two names of one field, in the two ways of an agent.
pub(super) type Names = [&'static str; 2];

impl<'a> Fields<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, PayloadError> {
        if bytes.len() > MAX_PAYLOAD {
            return Err(PayloadError::TooLong);
        }
        Self::of(bytes)
    }

    fn of(bytes: &'a [u8]) -> Result<Self, PayloadError> {
        Object::read(bytes).map(Self).map_err(|error| match error {
            NoObject::Empty => PayloadError::Empty,
            NoObject::NotUtf8 => PayloadError::NotUtf8,
            NoObject::Syntax(what) => PayloadError::NotJson(what),
            NoObject::Other(found) => PayloadError::NotAnObject(found),
            NoObject::Twice(name) => PayloadError::Twice(name.chars().filter(|c| !c.is_control()).collect()),
        })
    }

    /// An object in this one.
    pub(super) fn object(&self, name: &'static str) -> Result<Option<Fields<'a>>, PayloadError> {
        let Some(value) = self.0.get(name) else {
            return Ok(None);
        };
        match value.get().starts_with('{') {
            true => Self::of(value.get().as_bytes()).map(Some),
            false => Err(PayloadError::WrongType { field: name, expected: "an object" }),
        }
    }

    pub(super) fn text(&self, name: &'static str) -> Result<Option<Box<str>>, PayloadError> {
        let Some(value) = self.0.get(name) else {
            return Ok(None);
        };
        let text = json::unescape(value).ok_or(PayloadError::WrongType { field: name, expected: "a text" })?;
        Ok(Some(text.into()))
    }

    pub(super) fn required(&self, name: &'static str) -> Result<Box<str>, PayloadError> {
        self.text(name)?.ok_or(PayloadError::Missing(name))
    }

    /// The texts of an array.
    pub(super) fn texts(&self, name: &'static str) -> Result<Vec<Box<str>>, PayloadError> {
        let wrong = PayloadError::WrongType { field: name, expected: "an array of texts" };
        let Some(value) = self.0.get(name) else {
            return Ok(Vec::new());
        };
        let elements = json::elements(value).ok_or(wrong.clone())?;
        elements.into_iter().map(|value| json::unescape(value).map(Into::into).ok_or(wrong.clone())).collect()
    }

    /// The objects of an array.
    pub(super) fn objects(&self, name: &'static str) -> Result<Vec<Fields<'a>>, PayloadError> {
        let Some(value) = self.0.get(name) else {
            return Ok(Vec::new());
        };
        let elements =
            json::elements(value).ok_or(PayloadError::WrongType { field: name, expected: "an array of objects" })?;
        elements.into_iter().map(|value| Self::of(value.get().as_bytes())).collect()
    }

    /// The arguments of a call as they stand; none are an empty object.
    pub(super) fn arguments(&self, name: &str) -> &'a str {
        self.0.get(name).map_or("{}", RawValue::get)
    }

    pub(super) fn session(&self, name: &'static str) -> Result<Option<SessionId>, PayloadError> {
        let Some(id) = self.text(name)? else {
            return Ok(None);
        };
        SessionId::new(id).map(Some).map_err(|error| PayloadError::Session { field: name, error })
    }

    pub(super) fn required_session(&self, name: &'static str) -> Result<SessionId, PayloadError> {
        self.session(name)?.ok_or(PayloadError::Missing(name))
    }

    /// The one of two names that is there. Both are as bad as one that stands twice.
    pub(super) fn one_of(&self, [one, other]: Names) -> Result<&'static str, PayloadError> {
        match (self.0.get(one), self.0.get(other)) {
            (Some(_), Some(_)) => Err(PayloadError::Twice(one.into())),
            (None, Some(_)) => Ok(other),
            _ => Ok(one),
        }
    }

    /// A folder; `base` where none is named, and what a relative one is under.
    pub(super) fn folder(&self, name: &'static str, base: &Utf8Path) -> Result<Utf8PathBuf, PayloadError> {
        let named = self.text(name)?.filter(|folder| !folder.is_empty());
        Ok(named.map_or_else(|| base.to_owned(), |folder| base.join(&*folder)))
    }
}
