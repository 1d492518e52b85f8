//! Reads the arguments of a call strictly: an error names the argument, what came and what is allowed (TOOL-4).

use serde_json::value::RawValue;

use super::arguments::{TASK, ToolOperation, nearest};
use super::request::Request;
use super::request_error::RequestError;
use crate::json::{elements, kind, unescape};
use crate::model::{
    Criterion, Dependency, Description, InvalidText, Kept, LongText, TaskDraft, TaskDrafts, TaskId, TaskRef, TaskType,
    Title,
};
use crate::plan::{Background, Brief};
use crate::record::fault::{Fault, clip};
use crate::record::fields::{Field, Slots, Source, Unknown, slots};
use crate::record::values::{natural, present, string, string_as, uuid};
use crate::record::{RecordError, RecordProblem};

slots! {
    /// All arguments that any operation takes.
    Arguments {
        operation, title, description, mode, tasks, file_path, acceptance_criteria, dependencies, task_type, complexity,
        artifacts, context, risks, test_strategy, technical_stack, task, task_order, output, reason, action, page,
    }
}

slots! {
    /// The fields of one of `tasks`.
    TaskArguments {
        title, description, acceptance_criteria, dependencies, task_type, complexity, artifacts, context, risks,
        test_strategy, technical_stack,
    }
}

/// An error on its way out: the argument's, or a rule's of its own.
enum Refused {
    Fault(Box<Fault>),
    Error(RequestError),
}

impl From<Box<Fault>> for Refused {
    fn from(fault: Box<Fault>) -> Self {
        Self::Fault(fault)
    }
}

impl From<RequestError> for Refused {
    fn from(error: RequestError) -> Self {
        Self::Error(error)
    }
}

type Parsed<T> = Result<T, Refused>;

impl Request {
    /// Reads the arguments of a call: one JSON object.
    ///
    /// # Errors
    /// [`RequestError`] names the argument, what came and what is allowed.
    pub fn parse(json: &[u8]) -> Result<Self, RequestError> {
        let source = Source::new(json).map_err(located)?;
        Reader(source).request().map_err(|refused| match refused {
            Refused::Fault(fault) => located(fault.locate(source.text())),
            Refused::Error(error) => error,
        })
    }
}

/// A fault as the tool's own error.
fn located(error: RecordError) -> RequestError {
    let problem = error.problem.to_string();
    match error.problem {
        RecordProblem::Missing { expected } => {
            RequestError::Missing { argument: error.field.into(), expected: expected.to_owned() }
        }
        _ if error.field.is_empty() => {
            // The record's own texts speak of a file.
            let problem = match error.problem {
                RecordProblem::Empty => "there are none".to_owned(),
                RecordProblem::NotAnObject { found } => format!("this is {found}"),
                RecordProblem::NotUtf8 => "they are not UTF-8 from here on".to_owned(),
                RecordProblem::Truncated => "they are cut off here".to_owned(),
                _ => problem,
            };
            RequestError::NotAnObject { problem, line: error.line, column: error.column }
        }
        _ => RequestError::Invalid { argument: format!("{}:", error.field), problem },
    }
}

fn invalid(argument: &str, error: &InvalidText) -> RequestError {
    RequestError::Invalid { argument: argument.to_owned(), problem: error.problem.to_string() }
}

/// The texts of a task, or of a plan, that are kept and never asked for.
#[derive(Clone, Copy)]
struct Further<'a> {
    context: Option<Field<'a>>,
    risks: Option<Field<'a>>,
    test_strategy: Option<Field<'a>>,
    technical_stack: Option<Field<'a>>,
}

#[derive(Clone, Copy)]
struct Reader<'a>(Source<'a>);

impl<'a> Reader<'a> {
    fn request(self) -> Parsed<Request> {
        let arguments: Arguments<'a> = self.0.root()?;
        let whole = self.0.text();
        let operations = "the name of an operation";
        let operation = self.0.required(arguments.operation, ("operation", whole), operations, string)?;
        let operation = ToolOperation::from_name(&operation).ok_or_else(|| RequestError::UnknownOperation {
            nearest: nearest(&operation, ToolOperation::ALL.map(ToolOperation::as_str)),
            found: clip(&operation).into(),
        })?;
        refuse_unknown(operation, "", &arguments.unknown, operation.arguments())?;
        for Field { name, .. } in arguments.given().into_iter().filter_map(|field| present(Some(field))) {
            if name != "operation" && !operation.arguments().contains(&name) {
                return Err(unknown(operation, name, operation.arguments()).into());
            }
        }
        match operation {
            ToolOperation::Init => self.init(&arguments),
            ToolOperation::AddTasks => Ok(Request::AddTasks(self.tasks(operation, arguments.tasks)?)),
            ToolOperation::AddTask => Ok(Request::AddTasks(TaskDrafts::new(self.task("", arguments.into())?))),
            ToolOperation::Start => Ok(Request::Start(self.task_ref(&arguments)?)),
            ToolOperation::Complete => self.complete(&arguments),
            ToolOperation::Skip => {
                Ok(Request::Skip(self.task_ref(&arguments)?, self.long("reason", arguments.reason)?))
            }
            ToolOperation::Fail => {
                Ok(Request::Fail(self.task_ref(&arguments)?, self.long("output", arguments.output)?))
            }
            ToolOperation::Status => Ok(Request::Status(self.page(&arguments)?)),
        }
    }

    fn init(self, arguments: &Arguments<'a>) -> Parsed<Request> {
        let mode = self.0.optional(arguments.mode, |value| {
            string_as(value, "design or checklist", |mode| match mode {
                "design" => Some(Mode::Design),
                "checklist" => Some(Mode::Checklist),
                _ => None,
            })
        })?;
        if let Some(path) = self.0.optional(arguments.file_path, string)? {
            // An import says all of this itself; the mode is ignored (INIT-4).
            for field in [arguments.title, arguments.description, arguments.tasks] {
                if let Some(Field { name, .. }) = present(field) {
                    return Err(RequestError::ImportWith { argument: name }.into());
                }
            }
            if path.trim().is_empty() {
                let problem = "is blank: it must be the path of a file".to_owned();
                return Err(RequestError::Invalid { argument: "file_path".into(), problem }.into());
            }
            return Ok(Request::Import(path.into_string().into()));
        }
        // An empty list is no tasks (INIT-1).
        let tasks = present(arguments.tasks).filter(|field| !is_empty_list(field.value));
        let mode = mode.unwrap_or(if tasks.is_some() { Mode::Checklist } else { Mode::Design });
        match (mode, tasks) {
            (Mode::Design, Some(_)) => Err(RequestError::DesignWithTasks.into()),
            (Mode::Checklist, None) => Err(RequestError::NoTasks.into()),
            (Mode::Design, None) => Ok(Request::InitDesign(self.brief(arguments)?)),
            (Mode::Checklist, tasks) => {
                let brief = self.brief(arguments)?;
                Ok(Request::InitChecklist(brief, self.tasks(ToolOperation::Init, tasks)?))
            }
        }
    }

    fn brief(self, arguments: &Arguments<'a>) -> Parsed<Brief> {
        let title = self.0.required(arguments.title, ("title", self.0.text()), "the plan's title", string)?;
        let title = Title::new(&title).map_err(|error| invalid("title", &error))?;
        let description = self.long("description", arguments.description)?;
        let mut brief = Brief {
            title,
            description: description.map(|text| text.as_str().into()).unwrap_or_default(),
            background: Background {
                context: self.0.text_or_empty(arguments.context)?,
                risks: self.0.texts(arguments.risks)?,
                test_strategy: self.0.text_or_empty(arguments.test_strategy)?,
                technical_stack: self.0.texts(arguments.technical_stack)?,
            },
            kept: Kept::default(),
        };
        // A plan has no such fields of its own; they are kept as they came (TOOL-5).
        self.0.optional(arguments.task_type, string)?;
        self.0.optional(arguments.complexity, natural)?;
        self.0.texts(arguments.artifacts)?;
        for Field { name, value } in
            [arguments.task_type, arguments.complexity, arguments.artifacts].into_iter().filter_map(present)
        {
            brief.kept.push(name, value);
        }
        Ok(brief)
    }

    fn tasks(self, operation: ToolOperation, tasks: Option<Field<'a>>) -> Parsed<TaskDrafts> {
        let Some(Field { value, .. }) = present(tasks) else {
            return Err(RequestError::NoTasks.into());
        };
        let wrong = || RequestError::Invalid {
            argument: "tasks:".into(),
            problem: format!("this is {}; it must be an array of tasks", kind(value.get())),
        };
        let mut drafts = Vec::new();
        for (position, element) in elements(value).ok_or_else(wrong)?.into_iter().enumerate() {
            let at = format!("tasks[{position}].");
            let fields: TaskArguments<'a> = self
                .0
                .nested(element, "an object with title and description")
                .map_err(|fault| fault.within(at.trim_end_matches('.')))?;
            refuse_unknown(operation, &at, &fields.unknown, TASK)?;
            drafts.push(self.task(&at, fields)?);
        }
        TaskDrafts::try_from(drafts).map_err(|_| RequestError::NoTasks.into())
    }

    /// One task; `at` is what stands before the names of its arguments.
    fn task(self, at: &str, fields: TaskArguments<'a>) -> Parsed<TaskDraft> {
        let within = |fault: Box<Fault>| if at.is_empty() { fault } else { fault.within(at.trim_end_matches('.')) };
        let source = self.0;
        let text = |field: Option<Field<'a>>, name: &str, expected| {
            source.required(field, (name, source.text()), expected, string).map_err(within)
        };
        let title = text(fields.title, "title", "the task's title")?;
        let title = Title::new(&title).map_err(|error| invalid(&format!("{at}title"), &error))?;
        let description = text(fields.description, "description", "what is to be done")?;
        let description =
            Description::new(&description).map_err(|error| invalid(&format!("{at}description"), &error))?;
        let mut draft = TaskDraft::from_parts(title, description);
        for (position, criterion) in source.texts(fields.acceptance_criteria).map_err(within)?.iter().enumerate() {
            Criterion::new(criterion)
                .map_err(|error| invalid(&format!("{at}acceptance_criteria[{position}]"), &error))?;
            draft.acceptance_criteria.push(criterion.clone());
        }
        draft.dependencies = source
            .list(fields.dependencies, "an array of task numbers or ids", |element| {
                dependency(element).map_err(|problem| source.fault(element.get(), problem))
            })
            .map_err(within)?;
        if let Some(word) = source.optional(fields.task_type, string).map_err(within)? {
            draft = draft.task_type(TaskType::from_word(&word));
        }
        if let Some(complexity) = source.optional(fields.complexity, natural).map_err(within)? {
            draft = draft.complexity(complexity);
        }
        draft.artifacts = source.texts(fields.artifacts).map_err(within)?;
        let further = Further {
            context: fields.context,
            risks: fields.risks,
            test_strategy: fields.test_strategy,
            technical_stack: fields.technical_stack,
        };
        draft.kept = self.further(further).map_err(within)?;
        Ok(draft)
    }

    /// A task has no such fields of its own; they are kept as they came (TOOL-5).
    fn further(self, further: Further<'a>) -> Result<Kept, Box<Fault>> {
        let Further { context, risks, test_strategy, technical_stack } = further;
        self.0.text_or_empty(context)?;
        self.0.texts(risks)?;
        self.0.text_or_empty(test_strategy)?;
        self.0.texts(technical_stack)?;
        let mut kept = Kept::default();
        for Field { name, value } in [context, risks, test_strategy, technical_stack].into_iter().filter_map(present) {
            kept.push(name, value);
        }
        Ok(kept)
    }

    fn complete(self, arguments: &Arguments<'a>) -> Parsed<Request> {
        let action = self.0.optional(arguments.action, |value| {
            string_as(value, "success, fail or skip", |action| match action {
                "success" => Some(ToolOperation::Complete),
                "fail" => Some(ToolOperation::Fail),
                "skip" => Some(ToolOperation::Skip),
                _ => None,
            })
        })?;
        let task = self.task_ref(arguments)?;
        let output = self.long("output", arguments.output)?;
        Ok(match action {
            Some(ToolOperation::Fail) => Request::Fail(task, output),
            Some(ToolOperation::Skip) => Request::Skip(task, output),
            _ => Request::Complete(task, output),
        })
    }

    fn task_ref(self, arguments: &Arguments<'a>) -> Parsed<TaskRef> {
        let field = match (present(arguments.task), present(arguments.task_order)) {
            (Some(_), Some(_)) => return Err(RequestError::TaskTwice.into()),
            (task, task_order) => task.or(task_order),
        };
        let task = self.0.optional(field, dependency)?;
        Ok(match task {
            None => TaskRef::Implied,
            Some(Dependency::Number(number)) => TaskRef::Number(number),
            Some(Dependency::Id(id)) => TaskRef::Id(id),
        })
    }

    fn page(self, arguments: &Arguments<'a>) -> Parsed<usize> {
        let page = self.0.optional(arguments.page, natural)?.unwrap_or(1);
        match usize::try_from(page) {
            Ok(page) if page >= 1 => Ok(page),
            _ => Err(RequestError::Invalid {
                argument: "page".into(),
                problem: format!("is {page}: pages count from 1"),
            }
            .into()),
        }
    }

    fn long(self, name: &'static str, field: Option<Field<'a>>) -> Parsed<Option<LongText>> {
        let Some(text) = self.0.optional(field, string)? else {
            return Ok(None);
        };
        LongText::for_field(name, &text).map(Some).map_err(|error| invalid(name, &error).into())
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Design,
    Checklist,
}

/// A task by its number, from 1, or by its id.
fn dependency(value: &RawValue) -> Result<Dependency, RecordProblem> {
    if unescape(value).is_some() {
        return uuid(value).map(|id| Dependency::Id(TaskId::from_uuid(id)));
    }
    match natural(value) {
        Ok(number) if number >= 1 => Ok(Dependency::Number(number)),
        _ if value.get().starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) => {
            Err(RecordProblem::OutOfRange { expected: "a task's number, from 1", found: clip(value.get()) })
        }
        _ => Err(RecordProblem::WrongType { expected: "a task's number or its id", found: kind(value.get()) }),
    }
}

fn is_empty_list(value: &RawValue) -> bool {
    let inner = value.get().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.is_some_and(|inner| inner.trim().is_empty())
}

fn unknown(operation: ToolOperation, argument: &str, allowed: &'static [&'static str]) -> RequestError {
    let name = argument.rsplit('.').next().unwrap_or(argument);
    RequestError::UnknownArgument {
        operation,
        argument: clip(argument).into(),
        nearest: nearest(name, allowed.iter().copied()),
        allowed,
    }
}

fn refuse_unknown(
    operation: ToolOperation,
    at: &str,
    fields: &Unknown<'_>,
    allowed: &'static [&'static str],
) -> Result<(), RequestError> {
    match fields.first() {
        None => Ok(()),
        Some((name, _)) => Err(unknown(operation, &format!("{at}{name}"), allowed)),
    }
}

impl<'a> From<Arguments<'a>> for TaskArguments<'a> {
    fn from(arguments: Arguments<'a>) -> Self {
        Self {
            title: arguments.title,
            description: arguments.description,
            acceptance_criteria: arguments.acceptance_criteria,
            dependencies: arguments.dependencies,
            task_type: arguments.task_type,
            complexity: arguments.complexity,
            artifacts: arguments.artifacts,
            context: arguments.context,
            risks: arguments.risks,
            test_strategy: arguments.test_strategy,
            technical_stack: arguments.technical_stack,
            unknown: Vec::new(),
        }
    }
}
