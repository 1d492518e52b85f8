use std::fmt;

use super::status::KnownStatuses;
use crate::model::TaskId;

/// Why a plan file is damaged, and where.
///
/// The bytes stay on disk untouched, and the plan never reads as if there were none (DISK-12).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", Place { line: *line, column: *column, field })]
#[non_exhaustive]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The field, such as `tasks[3].status` with positions from 0; empty for the record as a whole.
    pub field: Box<str>,
    /// What is wrong there.
    pub problem: RecordProblem,
}

impl RecordError {
    /// Whether the record is whole and another session's.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.problem, RecordProblem::OtherSession { .. })
    }
}

/// The place of an error as texts name it.
pub(super) struct Place<'a> {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) field: &'a str,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, field } = self;
        write!(f, "line {line}, column {column}")?;
        if field.is_empty() { Ok(()) } else { write!(f, ", {field}") }
    }
}

/// What is wrong with a plan file. Each text says what is allowed instead.
///
/// Texts taken from the file are cut to 64 characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// There is nothing but white space.
    #[error("the file is empty; a plan is one JSON object")]
    Empty,
    /// A byte sequence is no UTF-8.
    #[error("the file is not UTF-8 from here on; JSON is UTF-8")]
    NotUtf8,
    /// The file ends in the middle of the object.
    #[error("the file is cut off here; a plan is one whole JSON object")]
    Truncated,
    /// The text is no JSON.
    #[error("this is not JSON: {0}")]
    NotJson(Box<str>),
    /// The file holds another JSON value.
    #[error("the file holds {found}; a plan is one JSON object")]
    NotAnObject {
        /// What it holds.
        found: &'static str,
    },
    /// An object has one key twice, however it is escaped: readers could disagree about which one counts.
    #[error("the key {key:?} stands twice in one object; each key may stand once")]
    DuplicateKey {
        /// The key.
        key: Box<str>,
    },
    /// A field that has to be there is not.
    #[error("this field is missing; it must be {expected}")]
    Missing {
        /// What is expected.
        expected: &'static str,
    },
    /// A value of another type.
    #[error("this is {found}; it must be {expected}")]
    WrongType {
        /// What is expected.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A text that is none of those allowed.
    #[error("{found:?} is not allowed; it must be {expected}")]
    WrongText {
        /// What is expected.
        expected: &'static str,
        /// The text.
        found: Box<str>,
    },
    /// A number that is none of those allowed.
    #[error("the number {found} is out of range; it must be {expected}")]
    OutOfRange {
        /// What is expected.
        expected: &'static str,
        /// The number.
        found: Box<str>,
    },
    /// The status is not known (LEG-6).
    #[error("the status {found:?} is not known; known are {KnownStatuses}")]
    UnknownStatus {
        /// The status.
        found: Box<str>,
    },
    /// There is neither a status nor the flag.
    #[error("there is no status; it must be one of {KnownStatuses}, or pre_init_editing must be true")]
    StatusMissing,
    /// The flag is no boolean.
    #[error("the flag is {found}; it must be true or false")]
    FlagNotBoolean {
        /// What it is.
        found: &'static str,
    },
    /// The flag stands beside tasks (LIFE-3).
    #[error("the flag is true although there are tasks; plan mode without a plan has none")]
    FlagWithTasks,
    /// The flag stands beside another status (LIFE-3).
    #[error("the flag is true although the status is {found:?}; with the flag it must be Editing or absent")]
    FlagWithStatus {
        /// The status.
        found: Box<str>,
    },
    /// The record is another session's.
    #[error("this is the plan of session {found:?}; the file belongs to another session")]
    OtherSession {
        /// The id in the record.
        found: Box<str>,
    },
    /// A task's status is not known.
    #[error(
        "task {task} ({title:?}) has the status {found}; known are Pending, InProgress, Completed, Skipped, Failed and {{\"Blocked\": \"why\"}}"
    )]
    UnknownTaskStatus {
        /// The task's position, from 1.
        task: u64,
        /// Its title.
        title: Box<str>,
        /// The status as the file writes it.
        found: Box<str>,
    },
    /// A dependency names nothing that could be a task.
    #[error("{found} names no task; a dependency is a UUID or a task number from 1")]
    BadDependency {
        /// The dependency as the file writes it.
        found: Box<str>,
    },
    /// Two tasks have one id.
    #[error("another task has the id {id} too; each task has its own")]
    DuplicateId {
        /// The id.
        id: TaskId,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: LEG-6, DISK-12
    #[test]
    fn the_text_names_the_place_and_what_is_allowed() {
        let error = RecordError {
            line: 3,
            column: 13,
            field: "status".into(),
            problem: RecordProblem::UnknownStatus { found: "Paused".into() },
        };
        assert_eq!(
            error.to_string(),
            "line 3, column 13, status: the status \"Paused\" is not known; known are Editing, Active, Draft, \
             PendingApproval, Rejected, Approved, InProgress, Completed, Cancelled"
        );
        let error = RecordError { line: 1, column: 1, field: "".into(), problem: RecordProblem::Empty };
        assert_eq!(error.to_string(), "line 1, column 1: the file is empty; a plan is one JSON object");
    }
}
