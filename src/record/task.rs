//! One task of a file, in the shapes of every generation.

use serde_json::value::RawValue;

use super::RecordProblem;
use super::derived;
use super::fault::{Fault, Read, clip};
use super::fields::{Field, Source, keep, slots};
use super::values::{Integer, integer, natural, present, string, string_as, time, uuid, wrong_type};
use crate::json::{elements, unescape};
use crate::model::{
    Checklist, Dependency, LoadedTask, SessionId, Task, TaskId, TaskStatus, TaskType, clamp_complexity,
};

slots! {
    /// The known fields of a task.
    TaskFields {
        id, order, title, description, task_type, dependencies, complexity, acceptance_criteria, artifacts, status,
        notes, completed_at, reflection, execution_history, retry_count, max_retries,
    }
}

slots! {
    /// `{"Other": "word"}`.
    OtherType { Other }
}

slots! {
    /// `{"Blocked": "why"}`.
    BlockedStatus { Blocked }
}

/// What the tasks are read for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// The record of a session.
    Record(&'a SessionId),
    /// An import: where the tasks stood is dropped unread.
    Import,
}

pub(super) const TASKS: &str = "an array of tasks";

pub(super) const A_DEPENDENCY: &str = "a UUID or a task number from 1";

impl<'a> Source<'a> {
    /// The checklist of a record.
    pub(super) fn checklist(self, tasks: Option<Field<'a>>, session: &SessionId) -> Read<Checklist> {
        let mut loaded = Vec::new();
        let mut places = Vec::new();
        self.tasks(tasks, |position, fields| {
            let task = self.task(&fields, position, Purpose::Record(session))?;
            places.push((task.task.id, fields.id));
            loaded.push(task);
            Ok(())
        })?;
        self.numbered(tasks, loaded, places)
    }

    /// Reads the tasks one by one, with their positions from 1.
    pub(super) fn tasks(
        self,
        tasks: Option<Field<'a>>,
        mut read: impl FnMut(u64, TaskFields<'a>) -> Read<()>,
    ) -> Read<()> {
        let Some(Field { name, value }) = present(tasks) else {
            return Ok(());
        };
        if !value.get().starts_with('[') {
            return Err(self.fault(value.get(), wrong_type(value, TASKS)).within(name));
        }
        let mut position = 0;
        let each = |fields| {
            position += 1;
            read(position, fields)
        };
        self.objects(value, "a task: an object", each).map_err(|fault| fault.within(name))
    }

    /// Gives the tasks their numbers and resolves their dependencies. `ids` has what each id was read from.
    pub(super) fn numbered(
        self,
        tasks: Option<Field<'a>>,
        loaded: Vec<LoadedTask>,
        ids: Vec<(TaskId, Option<Field<'a>>)>,
    ) -> Read<Checklist> {
        Checklist::from_loaded(loaded).map_err(|id| {
            let mut sharing = ids.into_iter().enumerate().filter(|(_, (other, _))| *other == id);
            let (position, field) = sharing.nth(1).map_or((0, None), |(position, (_, field))| (position, field));
            let fault = self.fault(self.part_of_task(tasks, position, field), RecordProblem::DuplicateId { id });
            fault.within("id").within(&format!("[{position}]")).within("tasks")
        })
    }

    /// The text of a task's field; that of the task where it has no such field. For errors alone: it reads the array again.
    pub(super) fn part_of_task(self, tasks: Option<Field<'a>>, position: usize, field: Option<Field<'a>>) -> &'a str {
        let element = || elements(tasks?.value)?.get(position).copied();
        field.map(|field| field.value).or_else(element).map_or(self.text(), RawValue::get)
    }

    /// One task. `position` counts from 1.
    pub(super) fn task(self, fields: &TaskFields<'a>, position: u64, purpose: Purpose<'_>) -> Read<LoadedTask> {
        let session = match purpose {
            Purpose::Record(session) => Some(session),
            Purpose::Import => None,
        };
        let id = self.optional(fields.id, uuid)?.map(TaskId::from_uuid);
        let order = self.optional(fields.order, integer)?.map(|order| match order {
            // No number at all: the tasks are numbered by position then.
            Integer::Negative => 0,
            Integer::Natural(order) => order,
            Integer::Huge => u64::MAX,
        });
        let complexity = self.optional(fields.complexity, integer)?.map(|complexity| match complexity {
            Integer::Negative => 1,
            Integer::Natural(complexity) => clamp_complexity(complexity),
            Integer::Huge => clamp_complexity(u64::MAX),
        });
        let title = self.text_or_empty(fields.title)?;
        let mut task = Task {
            id: id.unwrap_or_else(|| derived::task_id(session, position)),
            number: position,
            description: self.text_or_empty(fields.description)?,
            task_type: self.task_type(fields.task_type)?,
            dependencies: self.list(fields.dependencies, "an array of UUIDs and task numbers", |value| {
                dependency(value).map_err(|problem| self.fault(value.get(), problem))
            })?,
            complexity: complexity.unwrap_or(Task::COMPLEXITY),
            acceptance_criteria: self.texts(fields.acceptance_criteria)?,
            status: TaskStatus::Pending,
            notes: None,
            completed_at: None,
            execution_history: None,
            retry_count: 0,
            max_retries: Task::MAX_RETRIES,
            artifacts: self.texts(fields.artifacts)?,
            reflection: None,
            kept: keep(&fields.unknown),
            title,
        };
        if let Purpose::Record(_) = purpose {
            task.status = self.task_status(fields.status, position, &task.title)?;
            task.notes = self.optional(fields.notes, string)?;
            task.completed_at = self.optional(fields.completed_at, time)?;
            task.reflection = self.optional(fields.reflection, string)?;
            task.execution_history = self.optional(fields.execution_history, history)?.flatten();
            task.retry_count = self.optional(fields.retry_count, natural)?.unwrap_or(0);
            task.max_retries = self.optional(fields.max_retries, natural)?.unwrap_or(Task::MAX_RETRIES);
        }
        Ok(LoadedTask { task, order })
    }

    fn task_type(self, field: Option<Field<'a>>) -> Read<TaskType> {
        const EXPECTED: &str = "a string or {\"Other\": \"word\"} with nothing else in it";
        let Some(Field { name, value }) = present(field) else {
            return Ok(TaskType::default());
        };
        let read = || -> Read<TaskType> {
            let word = if value.get().starts_with('{') {
                let object: OtherType<'a> = self.object(value.get())?;
                object.Other.filter(|_| object.unknown.is_empty()).map(|word| word.value)
            } else {
                Some(value)
            };
            let word = word.ok_or_else(|| wrong_type(value, EXPECTED));
            word.and_then(|word| string_as(word, EXPECTED, |word| Some(TaskType::from_word(word))))
                .map_err(|problem| self.fault(value.get(), problem))
        };
        read().map_err(|fault| fault.within(name))
    }

    fn task_status(self, field: Option<Field<'a>>, position: u64, title: &str) -> Read<TaskStatus> {
        let Some(Field { name, value }) = present(field) else {
            return Ok(TaskStatus::Pending);
        };
        let read = || -> Read<Option<TaskStatus>> {
            if value.get().starts_with('{') {
                let object: BlockedStatus<'a> = self.object(value.get())?;
                let why = object.Blocked.filter(|_| object.unknown.is_empty());
                return Ok(why.and_then(|why| unescape(why.value)).map(|why| TaskStatus::Blocked(why.into())));
            }
            Ok(unescape(value).and_then(|name| plain_status(&name)))
        };
        let unknown = || -> Box<Fault> {
            let found = clip(value.get());
            self.fault(value.get(), RecordProblem::UnknownTaskStatus { task: position, title: clip(title), found })
        };
        read().and_then(|status| status.ok_or_else(unknown)).map_err(|fault| fault.within(name))
    }
}

/// The statuses that are a plain string. A blocked task always has its reason with it.
fn plain_status(name: &str) -> Option<TaskStatus> {
    [TaskStatus::Pending, TaskStatus::InProgress, TaskStatus::Completed, TaskStatus::Skipped, TaskStatus::Failed]
        .into_iter()
        .find(|status| status.as_str() == name)
}

fn dependency(value: &RawValue) -> Result<Dependency, RecordProblem> {
    let text = value.get();
    let found = match (text.as_bytes().first(), Integer::parse(text)) {
        (_, Some(Integer::Natural(number @ 1..))) => Some(Dependency::Number(number)),
        (Some(b'"'), _) => unescape(value).and_then(|id| id.parse().ok()).map(Dependency::Id),
        (Some(b'-' | b'0'..=b'9'), _) => None,
        _ => return Err(wrong_type(value, A_DEPENDENCY)),
    };
    found.ok_or_else(|| RecordProblem::BadDependency { found: clip(text) })
}

/// The text of an array that holds something.
fn history(value: &RawValue) -> Result<Option<Box<RawValue>>, RecordProblem> {
    let inner = value.get().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let inner = inner.ok_or_else(|| wrong_type(value, "an array"))?;
    Ok((!inner.trim().is_empty()).then(|| value.to_owned()))
}
