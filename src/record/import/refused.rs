use super::{ImportError, ImportProblem};
use crate::record::fault::{Fault, line_and_column};
use crate::record::fields::Source;

/// An error of a JSON file on its way out.
pub(super) enum Refused<'a> {
    Fault(Box<Fault>),
    Import {
        /// The part of the text that it is about.
        place: &'a str,
        field: Box<str>,
        problem: ImportProblem,
    },
}

impl From<Box<Fault>> for Refused<'_> {
    fn from(fault: Box<Fault>) -> Self {
        Self::Fault(fault)
    }
}

impl<'a> Refused<'a> {
    pub(super) fn new(place: &'a str, field: impl Into<Box<str>>, problem: ImportProblem) -> Self {
        Self::Import { place, field: field.into(), problem }
    }

    /// The error, with its line and column.
    pub(super) fn located(self, source: Source<'_>) -> ImportError {
        match self {
            Self::Fault(fault) => ImportError::without_content(fault.locate(source.text())),
            Self::Import { place, field, problem } => {
                let (line, column) = line_and_column(source.text(), source.offset(place));
                ImportError { line, column, field, problem }
            }
        }
    }
}
