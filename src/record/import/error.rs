use super::super::error::Place;
use super::super::task::A_DEPENDENCY;
use super::super::{RecordError, RecordProblem};
use crate::model::{Body, TextProblem};

/// Why a file cannot be imported, and where. Nothing has changed then.
///
/// It names the field and what is expected, and quotes nothing of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", Place { line: *line, column: *column, field })]
#[non_exhaustive]
pub struct ImportError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The field, such as `tasks[3].title` with positions from 0; empty for the file as a whole and in Markdown.
    pub field: Box<str>,
    /// What is wrong there.
    pub problem: ImportProblem,
}

/// What is wrong with a file to import. Each text says what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportProblem {
    /// There is nothing but white space.
    #[error("the file is empty; a plan to import is a JSON plan, a tasks.json, a Markdown checklist or an outline")]
    Empty,
    /// A byte sequence is no UTF-8.
    #[error("the file is not UTF-8 from here on; save it as UTF-8")]
    NotUtf8,
    /// The file ends in the middle of the object.
    #[error("the file is cut off here; a plan to import is one whole JSON object")]
    Truncated,
    /// The text is no JSON. What is said of it is a fixed text.
    #[error("this is not JSON: {0}")]
    NotJson(Box<str>),
    /// The file holds another JSON value.
    #[error("a plan to import is one JSON object with title, description and tasks")]
    NotAnObject,
    /// An object has one key twice, however it is escaped.
    #[error("a key stands twice in one object; leave one out")]
    DuplicateKey,
    /// A value is none that is allowed.
    #[error("this must be {0}")]
    Expected(&'static str),
    /// There is no task.
    #[error("there are no tasks; a plan to import has at least one, each with a title and a description")]
    NoTasks,
    /// A Markdown file has neither an item with a checkbox nor a numbered step.
    #[error(
        "there are no tasks; a Markdown file to import has `- [ ]` items, or numbered steps under `## Implementation steps`"
    )]
    NothingInMarkdown,
    /// Every task of the file is done or cancelled.
    #[error("every task of the file is done or cancelled already; a plan to import has at least one open task")]
    NothingOpen,
    /// A title or description is not allowed.
    #[error("this text {0}")]
    Text(TextProblem),
    /// The description of the plan, or a Markdown file, is too long.
    #[error("this text is longer than {} bytes; shorten it", Body::MAX_BYTES)]
    DescriptionTooLong,
    /// Two tasks have one id.
    #[error("another task has this id too; give each its own, or none")]
    DuplicateId,
    /// A dependency names no task of the file.
    #[error("this names no task of the file; name tasks by their order, by their position from 1, or by their id")]
    UnknownDependency,
}

impl ImportError {
    /// The stable code (`docs/lifecycle.md`).
    pub const fn code(&self) -> &'static str {
        match self.problem {
            ImportProblem::Empty
            | ImportProblem::NotUtf8
            | ImportProblem::Truncated
            | ImportProblem::NotJson(_)
            | ImportProblem::NotAnObject
            | ImportProblem::DuplicateKey
            | ImportProblem::Expected(_) => "import-malformed",
            ImportProblem::NoTasks | ImportProblem::NothingInMarkdown | ImportProblem::NothingOpen => "import-empty",
            ImportProblem::Text(_)
            | ImportProblem::DescriptionTooLong
            | ImportProblem::DuplicateId
            | ImportProblem::UnknownDependency => "import-invalid",
        }
    }

    /// A problem of a line of a Markdown file.
    pub(super) fn in_line(line: usize, problem: ImportProblem) -> Self {
        Self { line, column: 1, field: "".into(), problem }
    }

    /// The error of the common reading functions, without what it quotes.
    pub(super) fn without_content(RecordError { line, column, field, problem }: RecordError) -> Self {
        let problem = match problem {
            RecordProblem::Empty => ImportProblem::Empty,
            RecordProblem::NotUtf8 => ImportProblem::NotUtf8,
            RecordProblem::Truncated => ImportProblem::Truncated,
            RecordProblem::NotJson(what) => ImportProblem::NotJson(what),
            RecordProblem::NotAnObject { .. } => ImportProblem::NotAnObject,
            RecordProblem::DuplicateKey { .. } => ImportProblem::DuplicateKey,
            RecordProblem::DuplicateId { .. } => ImportProblem::DuplicateId,
            RecordProblem::Missing { expected }
            | RecordProblem::WrongType { expected, .. }
            | RecordProblem::WrongText { expected, .. }
            | RecordProblem::OutOfRange { expected, .. } => ImportProblem::Expected(expected),
            RecordProblem::BadDependency { .. } => ImportProblem::Expected(A_DEPENDENCY),
            // A record's own rules; an import reads none of these fields.
            RecordProblem::UnknownStatus { .. }
            | RecordProblem::StatusMissing
            | RecordProblem::FlagNotBoolean { .. }
            | RecordProblem::FlagWithTasks
            | RecordProblem::FlagWithStatus { .. }
            | RecordProblem::OtherSession { .. }
            | RecordProblem::UnknownTaskStatus { .. } => ImportProblem::Expected("a plan to import"),
        };
        Self { line, column, field, problem }
    }
}
