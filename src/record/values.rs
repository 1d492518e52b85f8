//! The values of known fields. Each reader takes a slot, gives a default where the field is absent or null, and names the
//! field and its place where the value is none that is allowed.

use std::str::FromStr;

use serde_json::value::RawValue;
use uuid::Uuid;

use super::RecordProblem;
use super::fault::{Read, clip};
use super::fields::{Field, Source};
use crate::json::{elements, kind, unescape};
use crate::model::Timestamp;

/// An integer as a file may have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer {
    Negative,
    Natural(u64),
    /// Past 64 bits.
    Huge,
}

impl Integer {
    /// `None` if the text is no integer: a fraction or an exponent is none, even where its value is.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(match (negative, digits.parse()) {
            (_, Ok(0)) => Self::Natural(0),
            (true, _) => Self::Negative,
            (false, Ok(natural)) => Self::Natural(natural),
            (false, Err(_)) => Self::Huge,
        })
    }
}

impl<'a> Source<'a> {
    /// Reads a field unless it is absent or null. `read` gives the problem of a value that is not allowed.
    pub(crate) fn optional<T>(
        self,
        field: Option<Field<'a>>,
        read: impl FnOnce(&'a RawValue) -> Result<T, RecordProblem>,
    ) -> Read<Option<T>> {
        match present(field) {
            None => Ok(None),
            Some(Field { name, value }) => {
                read(value).map(Some).map_err(|problem| self.fault(value.get(), problem).within(name))
            }
        }
    }

    /// Reads a field that an object must have; `name` and `object` say where it is missed.
    pub(crate) fn required<T>(
        self,
        field: Option<Field<'a>>,
        (name, object): (&str, &str),
        expected: &'static str,
        read: impl FnOnce(&'a RawValue) -> Result<T, RecordProblem>,
    ) -> Read<T> {
        let found = self.optional(field, read)?;
        found.ok_or_else(|| self.fault(object, RecordProblem::Missing { expected }).within(name))
    }

    pub(crate) fn text_or_empty(self, field: Option<Field<'a>>) -> Read<Box<str>> {
        Ok(self.optional(field, string)?.unwrap_or_default())
    }

    /// An array of strings.
    pub(crate) fn texts(self, field: Option<Field<'a>>) -> Read<Vec<Box<str>>> {
        self.list(field, "an array of strings", |element| {
            string(element).map_err(|problem| self.fault(element.get(), problem))
        })
    }

    /// An array, element by element; empty if the field is absent or null.
    pub(crate) fn list<T>(
        self,
        field: Option<Field<'a>>,
        expected: &'static str,
        mut read: impl FnMut(&'a RawValue) -> Read<T>,
    ) -> Read<Vec<T>> {
        let Some(Field { name, value }) = present(field) else {
            return Ok(Vec::new());
        };
        if value.get() == "[]" {
            return Ok(Vec::new());
        }
        let Some(elements) = elements(value) else {
            return Err(self.fault(value.get(), wrong_type(value, expected)).within(name));
        };
        elements
            .into_iter()
            .enumerate()
            .map(|(position, element)| {
                read(element).map_err(|fault| fault.within(&format!("[{position}]")).within(name))
            })
            .collect()
    }
}

/// The field, unless it is absent or null.
pub(crate) fn present(field: Option<Field<'_>>) -> Option<Field<'_>> {
    field.filter(|field| field.value.get() != "null")
}

pub(crate) fn wrong_type(value: &RawValue, expected: &'static str) -> RecordProblem {
    RecordProblem::WrongType { expected, found: kind(value.get()) }
}

/// A string. Half of a surrogate pair, which is JSON and no text, is none.
pub(crate) fn string(value: &RawValue) -> Result<Box<str>, RecordProblem> {
    string_as(value, "a string", |text| Some(text.into()))
}

/// A string that `parse` understands.
pub(crate) fn string_as<T>(
    value: &RawValue,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, RecordProblem> {
    let Some(text) = unescape(value) else {
        return Err(match value.get().starts_with('"') {
            true => RecordProblem::WrongText { expected: "whole Unicode text", found: clip(value.get()) },
            false => wrong_type(value, expected),
        });
    };
    parse(&text).ok_or_else(|| RecordProblem::WrongText { expected, found: clip(&text) })
}

pub(crate) fn time(value: &RawValue) -> Result<Timestamp, RecordProblem> {
    string_as(value, "an RFC 3339 time such as 2026-07-20T09:01:00Z", |text| Timestamp::from_str(text).ok())
}

pub(crate) fn uuid(value: &RawValue) -> Result<Uuid, RecordProblem> {
    string_as(value, "a UUID such as a0000001-1111-4111-8111-111111111111", |text| Uuid::try_parse(text).ok())
}

pub(crate) fn boolean(value: &RawValue) -> Result<bool, RecordProblem> {
    match value.get() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(wrong_type(value, "true or false")),
    }
}

pub(crate) fn integer(value: &RawValue) -> Result<Integer, RecordProblem> {
    Integer::parse(value.get()).ok_or_else(|| wrong_number(value, "an integer"))
}

pub(crate) fn natural(value: &RawValue) -> Result<u64, RecordProblem> {
    const EXPECTED: &str = "an integer from 0 to 18446744073709551615";
    match Integer::parse(value.get()) {
        Some(Integer::Natural(natural)) => Ok(natural),
        _ => Err(wrong_number(value, EXPECTED)),
    }
}

/// The problem of a value that is no number of the wanted kind.
fn wrong_number(value: &RawValue, expected: &'static str) -> RecordProblem {
    match value.get().as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => RecordProblem::OutOfRange { expected, found: clip(value.get()) },
        _ => wrong_type(value, expected),
    }
}
