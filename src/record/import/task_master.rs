//! A `tasks.json` of task-master, in both of its forms: `{"tasks": [...]}`, and one such list for each tag,
//! `{"master": {"tasks": [...]}}`.
//!
//! - Of several tags the first one with an open task is imported, `master` before all others; the other tags are listed.
//! - The title is the project's name from the list's `metadata`, else the tag, else the file's name; the description is that
//!   of the `metadata`, else the title.
//! - A task's description is its `description` with its `details` behind it. Its `testStrategy` says how to see that it is
//!   done, so it becomes an acceptance criterion, as `acceptanceCriteria` do. What is too long for that stays in the task's
//!   record under its own name, and so does every field that the record has no other meaning for, such as `priority`.
//! - A subtask becomes a task behind its parent, which waits for it. A subtask that waits for no other one of its parent
//!   waits for what the parent waits for. Its dependencies name its parent's subtasks first, then tasks.
//! - Tasks that are done or cancelled are left out. Nobody has to wait for them any more, so dependencies on them are left
//!   out too. Any other status is left out, since every task begins as pending. All of that is listed.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::json::ImportFields;
use super::left_out::{LeftOut, quoted};
use super::refused::Refused;
use super::{ImportProblem, texts};
use crate::json::{elements, unescape};
use crate::model::{Body, Criterion, Dependency, Description, Kept, TaskDraft, TaskDrafts, TextProblem, Title};
use crate::plan::{Background, Brief, Import};
use crate::record::fault::{Fault, Read, clip};
use crate::record::fields::{Field, Slots, Source, Unknown, slots};
use crate::record::task::{TASKS, TaskFields};
use crate::record::values::{Integer, present, string, wrong_type};

slots! {
    /// One list of tasks.
    ListFields { tasks, meta, metadata }
}

slots! {
    /// What a list says of itself.
    MetaFields { projectName, description }
}

slots! {
    /// A task or a subtask.
    ItemFields {
        id, title, description, details, status, dependencies, testStrategy, acceptanceCriteria, subtasks,
    }
}

/// A list of tasks, with its tag.
pub(super) struct List<'a> {
    tag: Option<Cow<'a, str>>,
    fields: ListFields<'a>,
}

/// The lists of a file; `None` if it is no `tasks.json` but a plan of our own.
///
/// A plan of ours has a title and gives its tasks UUIDs, if ids at all. Here tasks are numbered, and the file has no title.
pub(super) fn lists<'a>(source: Source<'a>, root: &ImportFields<'a>) -> Option<Vec<List<'a>>> {
    let has_title = root.title.is_some_and(|title| title.value.get().starts_with('"'));
    if let Some(tasks) = present(root.tasks).filter(|tasks| tasks.value.get().starts_with('[')) {
        let first = elements(tasks.value)?.first().copied()?;
        let first: ItemFields<'a> = source.nested(first, "").ok()?;
        let numbered = |id: Field<'a>| match unescape(id.value) {
            Some(id) => uuid::Uuid::try_parse(&id).is_err(),
            None => Integer::parse(id.value.get()).is_some(),
        };
        let has_own_fields = first.details.is_some() || first.testStrategy.is_some() || first.subtasks.is_some();
        if !(first.id.is_some_and(numbered) || !has_title && has_own_fields) {
            return None;
        }
        return Some(vec![List { tag: None, fields: source.root().ok()? }]);
    }
    if has_title {
        return None;
    }
    let given = root.given();
    let fields = given.iter().map(|field| (Cow::Borrowed(field.name), field.value)).chain(root.unknown.iter().cloned());
    let mut lists: Vec<List<'a>> = fields
        .filter_map(|(tag, value)| {
            let fields: ListFields<'a> = source.nested(value, "").ok()?;
            let is_list = fields.tasks.is_some_and(|tasks| tasks.value.get().starts_with('['));
            is_list.then_some(List { tag: Some(tag), fields })
        })
        .collect();
    lists.sort_by_key(|list| source.offset(list.fields.tasks.map_or("", |tasks| tasks.value.get())));
    lists.sort_by_key(|list| list.tag.as_deref() != Some("master"));
    Some(lists).filter(|lists| !lists.is_empty())
}

/// Imports the first list with an open task.
pub(super) fn import<'a>(source: Source<'a>, lists: &[List<'a>], untitled: Title) -> Result<Import, Refused<'a>> {
    let whole = source.text().trim_start();
    let mut left_out = LeftOut::default();
    let mut chosen = None;
    let mut is_empty = true;
    for list in lists {
        let items = items(source, list.fields.tasks)?;
        is_empty &= items.is_empty();
        if chosen.is_none() && items.iter().any(|item| !item.has_ended()) {
            chosen = Some((list, items));
        } else {
            let tag = quoted(list.tag.as_deref().unwrap_or_default());
            let tasks = if items.len() == 1 { "task" } else { "tasks" };
            left_out.add(|| format!("the tag {tag} with {} {tasks}", items.len()));
        }
    }
    let Some((list, items)) = chosen else {
        let problem = if is_empty { ImportProblem::NoTasks } else { ImportProblem::NothingOpen };
        return Err(Refused::new(whole, "tasks", problem));
    };
    let meta: MetaFields<'a> = match present(list.fields.metadata.or(list.fields.meta)) {
        Some(field) if field.value.get().starts_with('{') => source.object(field.value.get())?,
        _ => MetaFields::default(),
    };
    let text = |field: Option<Field<'a>>| present(field).and_then(|field| unescape(field.value));
    let named = [text(meta.projectName), list.tag.clone()].into_iter().flatten().find_map(|name| texts::short(&name));
    let title = named.map_or(untitled, |short| short.title);
    let description = text(meta.description).filter(|text| !text.trim().is_empty());
    let description: Box<str> = description.map_or_else(|| title.as_str().into(), Into::into);
    if description.len() > Body::MAX_BYTES {
        return Err(Refused::new(whole, "metadata.description", ImportProblem::DescriptionTooLong));
    }
    let mut kept = keep_foreign::<ImportFields<'a>>(&list.fields.unknown, "the plan", &mut left_out);
    for Field { name, value } in [list.fields.meta, list.fields.metadata].into_iter().filter_map(present) {
        kept.push(name, value);
    }
    let brief = Brief { title, description, background: Background::default(), kept };
    let drafts = Drafting::new(source, &items).drafts(&mut left_out)?;
    let tasks = TaskDrafts::try_from(drafts).map_err(|_| Refused::new(whole, "tasks", ImportProblem::NoTasks))?;
    Ok(Import { brief, tasks, left_out: left_out.into_list() })
}

/// Keeps the fields that the record has no meaning for; the others would come to mean something, so they are listed.
fn keep_foreign<'a, S: Slots<'a>>(unknown: &Unknown<'a>, of: &str, left_out: &mut LeftOut) -> Kept {
    let mut kept = Kept::default();
    for (key, value) in unknown {
        if S::default().slot(key).is_some() {
            left_out.add(|| format!("the field {} of {of}", quoted(key)));
        } else {
            kept.push(key, value);
        }
    }
    kept
}

/// A task or a subtask as the file has it.
struct Item<'a> {
    /// How dependencies name it: `3`, or `3.2` for a subtask.
    key: String,
    /// Its parent, if it is a subtask.
    parent: Option<usize>,
    fields: ItemFields<'a>,
    status: Box<str>,
    /// Where it stands, as errors name it.
    path: String,
}

impl Item<'_> {
    fn has_ended(&self) -> bool {
        self.is_any_of(&["done", "completed", "cancelled", "canceled"])
    }

    /// The key, bounded, for what is left out.
    fn name(&self) -> String {
        clip(&self.key).replace(char::is_control, " ")
    }

    fn is_any_of(&self, statuses: &[&str]) -> bool {
        statuses.iter().any(|status| self.status.eq_ignore_ascii_case(status))
    }
}

fn items<'a>(source: Source<'a>, tasks: Option<Field<'a>>) -> Result<Vec<Item<'a>>, Refused<'a>> {
    let mut items = Vec::new();
    read(source, tasks, None, &mut items)?;
    let mut keys = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if keys.insert(item.key.as_str(), index).is_some() {
            let place = item.fields.id.map_or(source.text().trim_start(), |id| id.value.get());
            return Err(Refused::new(place, format!("{}.id", item.path), ImportProblem::DuplicateId));
        }
    }
    Ok(items)
}

/// Reads an array of tasks, each with its subtasks behind it.
fn read<'a>(
    source: Source<'a>,
    tasks: Option<Field<'a>>,
    parent: Option<usize>,
    items: &mut Vec<Item<'a>>,
) -> Read<()> {
    let Some(Field { name, value }) = present(tasks) else { return Ok(()) };
    if !value.get().starts_with('[') {
        return Err(source.fault(value.get(), wrong_type(value, TASKS)).within(name));
    }
    let mut position = 0_u64;
    let each = |fields: ItemFields<'a>| {
        let id = source.optional(fields.id, id)?.unwrap_or_else(|| (position + 1).to_string());
        let outer = parent.and_then(|parent| items.get(parent));
        let key = outer.map_or_else(|| id.clone(), |outer| format!("{}.{id}", outer.key));
        let at = outer.map_or_else(String::new, |outer| format!("{}.", outer.path));
        let path = format!("{at}{name}[{position}]");
        let status = source.optional(fields.status, string)?.unwrap_or_else(|| "pending".into());
        let subtasks = fields.subtasks;
        position += 1;
        let index = items.len();
        items.push(Item { key, parent, fields, status, path });
        // Subtasks have no subtasks of their own.
        if parent.is_none() { read(source, subtasks, Some(index), items) } else { Ok(()) }
    };
    source.objects(value, "a task: an object", each).map_err(|fault| fault.within(name))
}

const AN_ID: &str = "a number or a string";

/// An id or a dependency as text: `3`, `"3"` or `"3.2"`.
fn id(value: &RawValue) -> Result<String, crate::record::RecordProblem> {
    match value.get().as_bytes().first() {
        Some(b'"') => string(value).map(|id| id.trim().to_owned()),
        Some(b'-' | b'0'..=b'9') => Ok(value.get().to_owned()),
        _ => Err(wrong_type(value, AN_ID)),
    }
}

/// The open tasks of a list on their way to drafts.
struct Drafting<'a, 'i> {
    source: Source<'a>,
    items: &'i [Item<'a>],
    by_key: HashMap<&'i str, usize>,
    /// For each item its number in the plan, if it is open.
    numbers: Vec<Option<u64>>,
}

impl<'a, 'i> Drafting<'a, 'i> {
    fn new(source: Source<'a>, items: &'i [Item<'a>]) -> Self {
        let by_key = items.iter().enumerate().map(|(index, item)| (item.key.as_str(), index)).collect();
        let mut open = 0;
        let numbers = items.iter().map(|item| {
            (!item.has_ended()).then(|| {
                open += 1;
                open
            })
        });
        Self { source, items, by_key, numbers: numbers.collect() }
    }

    fn drafts(&self, left_out: &mut LeftOut) -> Result<Vec<TaskDraft>, Refused<'a>> {
        let mut drafts = Vec::new();
        // What the top-level task before the subtasks waits for.
        let mut outer: Vec<usize> = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            let waits_for = self.dependencies(item, left_out)?;
            if item.parent.is_none() {
                outer.clone_from(&waits_for);
            }
            if item.has_ended() {
                let title = item.fields.title.and_then(|title| unescape(title.value)).unwrap_or_default();
                left_out.add(|| format!("task {} {} ({})", item.name(), quoted(&title), item.status));
                continue;
            }
            let mut draft = self.draft(item, left_out)?;
            let inner =
                self.items.iter().enumerate().skip(index + 1).take_while(|(_, inner)| inner.parent == Some(index));
            let is_sibling = |other: &usize| {
                item.parent.is_some() && self.items.get(*other).is_some_and(|other| other.parent == item.parent)
            };
            let inherited =
                if item.parent.is_some() && !waits_for.iter().any(is_sibling) { outer.as_slice() } else { &[] };
            let inherited = inherited.iter().copied().filter(|other| !is_sibling(other));
            let all = waits_for.iter().copied().chain(inherited).chain(inner.map(|(inner, _)| inner));
            let numbers = all.filter_map(|other| self.numbers.get(other).copied().flatten());
            draft.dependencies.extend(numbers.map(Dependency::Number));
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// The open items that `item` names.
    fn dependencies(&self, item: &Item<'a>, left_out: &mut LeftOut) -> Result<Vec<usize>, Refused<'a>> {
        let within = |fault: Box<Fault>| fault.within(&item.path);
        let named = self.source.list(item.fields.dependencies, "an array of ids", |value| {
            let key = id(value).map_err(|problem| self.source.fault(value.get(), problem))?;
            Ok((key, value))
        });
        let mut open = Vec::new();
        for (position, (name, value)) in named.map_err(within)?.into_iter().enumerate() {
            let parent = item.parent.and_then(|parent| self.items.get(parent));
            let sibling = parent.and_then(|parent| self.by_key.get(format!("{}.{name}", parent.key).as_str()));
            let Some((other, found)) = sibling
                .or_else(|| self.by_key.get(name.as_str()))
                .and_then(|index| Some((*index, self.items.get(*index)?)))
            else {
                let field = format!("{}.dependencies[{position}]", item.path);
                return Err(Refused::new(value.get(), field, ImportProblem::UnknownDependency));
            };
            if !found.has_ended() {
                open.push(other);
            } else if !item.has_ended() {
                left_out.add(|| {
                    format!("the dependency of task {} on task {} ({})", item.name(), found.name(), found.status)
                });
            }
        }
        Ok(open)
    }

    fn draft(&self, item: &Item<'a>, left_out: &mut LeftOut) -> Result<TaskDraft, Refused<'a>> {
        let fields = &item.fields;
        let text = |field| self.source.text_or_empty(field).map_err(|fault| fault.within(&item.path));
        let refused = |field: Option<Field<'a>>, name: &str, problem| {
            let place = field.map_or(self.source.text().trim_start(), |field| field.value.get());
            Refused::new(place, format!("{}.{name}", item.path), ImportProblem::Text(problem))
        };
        let title = text(fields.title)?;
        let short = texts::short(&title).ok_or_else(|| refused(fields.title, "title", TextProblem::Blank))?;
        let (description, details) = (text(fields.description)?, text(fields.details)?);
        let untitled = if short.is_whole { "" } else { &*title };
        let parts = |parts: &[&str]| {
            let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
            if parts.is_empty() { title.to_string() } else { parts.join("\n\n") }
        };
        let mut kept = keep_foreign::<TaskFields<'a>>(&fields.unknown, &format!("task {}", item.name()), left_out);
        let mut keep = |field: Option<Field<'a>>| {
            if let Some(Field { name, value }) = field {
                kept.push(name, value);
                left_out.add(|| format!("the {name} of task {}, too long; its record keeps them", item.name()));
            }
        };
        let checked = match Description::new(parts(&[untitled, &description, &details])) {
            Ok(whole) => whole,
            Err(_) if !details.trim().is_empty() => {
                keep(fields.details);
                Description::new(parts(&[untitled, &description]))
                    .map_err(|error| refused(fields.description, "description", error.problem))?
            }
            Err(error) => return Err(refused(fields.description, "description", error.problem)),
        };
        let mut draft = TaskDraft::from_parts(short.title, checked);
        let criteria = [
            (fields.acceptanceCriteria, self.criteria(item)?),
            (fields.testStrategy, vec![text(fields.testStrategy)?]),
        ];
        for (field, texts) in criteria {
            if texts.iter().any(|text| Criterion::new(text).is_err()) {
                keep(field);
            } else {
                draft.acceptance_criteria.extend(texts.into_iter().filter(|text| !text.trim().is_empty()));
            }
        }
        if !item.is_any_of(&["pending", "todo"]) {
            left_out.add(|| format!("the status {} of task {}", quoted(&item.status), item.name()));
        }
        if item.parent.is_some()
            && let Some(Field { name, value }) = present(fields.subtasks).filter(|field| field.value.get() != "[]")
        {
            kept.push(name, value);
            left_out.add(|| format!("the subtasks of task {}; its record keeps them", item.name()));
        }
        draft.kept = kept;
        Ok(draft)
    }

    /// One text, or an array of them.
    fn criteria(&self, item: &Item<'a>) -> Read<Vec<Box<str>>> {
        let field = item.fields.acceptanceCriteria;
        let criteria = match present(field) {
            Some(found) if found.value.get().starts_with('"') => {
                self.source.optional(field, string).map(Vec::from_iter)
            }
            _ => self.source.texts(field),
        };
        criteria.map_err(|fault| fault.within(&item.path))
    }
}
