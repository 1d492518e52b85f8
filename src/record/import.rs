//! A plan that a caller names by `file_path` (INIT-4): our own shape and the older ones, as a brief and drafts.
//!
//! The file may be any that can be read, also one with secrets in it, so no error quotes anything of it.

use super::error::Place;
use super::fault::{Fault, line_and_column};
use super::fields::{Field, Source, keep, slots};
use super::task::{A_DEPENDENCY, Purpose, TaskFields};
use super::values::string;
use super::{RecordError, RecordProblem};
use crate::model::{Body, Dependency, Description, InvalidText, TaskDraft, TaskDrafts, TextProblem, Title};
use crate::plan::{Background, Brief, Import};

slots! {
    /// The known fields of a file. Those that an import drops are here so that they are not kept as unknown ones.
    ImportFields {
        title, description, tasks, context, test_strategy, risks, technical_stack, status,
        id, session_id, pre_init_editing, created_at, updated_at, approved_at, approval, origin, asked, goal_task,
        project_dir, ending,
    }
}

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
    /// The field, such as `tasks[3].title` with positions from 0; empty for the file as a whole.
    pub field: Box<str>,
    /// What is wrong there.
    pub problem: ImportProblem,
}

/// What is wrong with a file to import. Each text says what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportProblem {
    /// There is nothing but white space.
    #[error("the file is empty; a plan to import is one JSON object")]
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
    /// A title or description is not allowed.
    #[error("this text {0}")]
    Text(TextProblem),
    /// The description of the plan is too long.
    #[error("this text is longer than {} bytes; shorten it", Body::MAX_BYTES)]
    DescriptionTooLong,
    /// Two tasks have one id.
    #[error("another task has this id too; give each its own, or none")]
    DuplicateId,
    /// A dependency is a number that no task of the file has.
    #[error("one of these numbers is no task of this file; name tasks by their order, or by their position from 1")]
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
            ImportProblem::NoTasks => "import-empty",
            ImportProblem::Text(_)
            | ImportProblem::DescriptionTooLong
            | ImportProblem::DuplicateId
            | ImportProblem::UnknownDependency => "import-invalid",
        }
    }

    /// The error of the common reading functions, without what it quotes.
    fn without_content(RecordError { line, column, field, problem }: RecordError) -> Self {
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

/// Reads a plan to import. Its tasks are new: they keep what they are and lose where they stood.
///
/// # Errors
/// [`ImportError`]. Circles, and dependencies on what is no task, are found when the drafts become a checklist.
pub(crate) fn import(bytes: &[u8]) -> Result<Import, ImportError> {
    let source = Source::new(bytes).map_err(ImportError::without_content)?;
    source.import().map_err(|refused| match refused {
        Refused::Fault(fault) => ImportError::without_content(fault.locate(source.text())),
        Refused::Import { place, field, problem } => {
            let (line, column) = line_and_column(source.text(), source.offset(place));
            ImportError { line, column, field, problem }
        }
    })
}

/// An error on its way out.
enum Refused<'a> {
    Fault(Box<Fault>),
    Import { place: &'a str, field: Box<str>, problem: ImportProblem },
}

impl From<Box<Fault>> for Refused<'_> {
    fn from(fault: Box<Fault>) -> Self {
        Self::Fault(fault)
    }
}

/// The fields of a task that an error may point to.
struct Parts<'a> {
    title: Option<Field<'a>>,
    description: Option<Field<'a>>,
    dependencies: Option<Field<'a>>,
}

impl<'a> Source<'a> {
    fn import(self) -> Result<Import, Refused<'a>> {
        let root: ImportFields<'a> = self.root()?;
        let whole = self.text().trim_start();
        let place = |field: Option<Field<'a>>| field.map_or(whole, |field| field.value.get());
        // Any status will do, as every import becomes Active; another type is no plan.
        self.optional(root.status, string)?;
        let text = |field: &'static str, place: &'a str, problem| {
            let problem = ImportProblem::Text(problem);
            Refused::Import { place, field: field.into(), problem }
        };
        let title = Title::new(self.text_or_empty(root.title)?)
            .map_err(|error| text("title", place(root.title), error.problem))?;
        let description = self.text_or_empty(root.description)?;
        if description.trim().is_empty() {
            return Err(text("description", place(root.description), TextProblem::Blank));
        }
        if description.len() > Body::MAX_BYTES {
            let problem = ImportProblem::DescriptionTooLong;
            return Err(Refused::Import { place: place(root.description), field: "description".into(), problem });
        }
        let background = Background {
            context: self.text_or_empty(root.context)?,
            risks: self.texts(root.risks)?,
            test_strategy: self.text_or_empty(root.test_strategy)?,
            technical_stack: self.texts(root.technical_stack)?,
        };
        Ok(Import {
            brief: Brief { title, description, background, kept: keep(&root.unknown) },
            tasks: self.drafts(root.tasks, place(root.tasks))?,
        })
    }

    fn drafts(self, tasks: Option<Field<'a>>, place: &'a str) -> Result<TaskDrafts, Refused<'a>> {
        let (mut loaded, mut ids, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        self.tasks(tasks, |position, fields| {
            let task = self.task(&fields, position, Purpose::Import)?;
            let TaskFields { id, title, description, dependencies, .. } = fields;
            ids.push((task.task.id, id));
            parts.push(Parts { title, description, dependencies });
            loaded.push(task);
            Ok(())
        })?;
        // The same rule as for a record: what has a target is an id afterwards.
        let checklist = self.numbered(tasks, loaded, ids)?;
        let drafts = checklist.in_file_order().zip(parts).enumerate().map(|(position, (task, parts))| {
            let refused = |part, field: &str, problem| {
                let field = format!("tasks[{position}].{field}").into();
                Refused::Import { place: self.part_of_task(tasks, position, part), field, problem }
            };
            let text = |part, error: InvalidText| refused(part, error.field, ImportProblem::Text(error.problem));
            let title = Title::new(task.title()).map_err(|error| text(parts.title, error))?;
            let description = Description::new(task.description()).map_err(|error| text(parts.description, error))?;
            // In the new checklist the tasks are numbered by position. A number that no task of the file has must not
            // come to mean one there.
            let numbers = 1..=checklist.len() as u64;
            let strays = |dependency: &Dependency| match dependency {
                Dependency::Number(number) => numbers.contains(number),
                Dependency::Id(_) => false,
            };
            if task.dependencies().iter().any(strays) {
                return Err(refused(parts.dependencies, "dependencies", ImportProblem::UnknownDependency));
            }
            let mut draft = TaskDraft::from_parts(title, description).known_as(task.id());
            draft.dependencies = task.dependencies.clone();
            draft.acceptance_criteria = task.acceptance_criteria.clone();
            draft.task_type = task.task_type.clone();
            draft.complexity = task.complexity;
            draft.artifacts = task.artifacts.clone();
            draft.kept = task.kept.clone();
            Ok(draft)
        });
        let drafts: Vec<TaskDraft> = drafts.collect::<Result<_, Refused<'a>>>()?;
        let problem = ImportProblem::NoTasks;
        TaskDrafts::try_from(drafts).map_err(|_| Refused::Import { place, field: "tasks".into(), problem })
    }
}
