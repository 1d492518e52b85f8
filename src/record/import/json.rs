//! Our own JSON and its older shapes.

use super::left_out::LeftOut;
use super::refused::Refused;
use super::{ImportProblem, task_master};
use crate::model::{Body, Dependency, Description, InvalidText, TaskDraft, TaskDrafts, TextProblem, Title};
use crate::plan::{Background, Brief, Import};
use crate::record::fields::{Field, Source, keep, slots};
use crate::record::task::{Purpose, TaskFields};
use crate::record::values::{present, string};

slots! {
    /// The known fields of a file. Those that an import drops are here so that they are not kept as unknown ones.
    ImportFields {
        title, description, tasks, context, test_strategy, risks, technical_stack, status,
        id, session_id, pre_init_editing, created_at, updated_at, approved_at, approval, origin, asked, goal_task,
        project_dir, ending,
    }
}

/// Reads a JSON file of either kind; a `tasks.json` may be `untitled`.
pub(super) fn import(source: Source<'_>, untitled: Title) -> Result<Import, Refused<'_>> {
    let root: ImportFields<'_> = source.root()?;
    match task_master::lists(source, &root) {
        Some(lists) => task_master::import(source, &lists, untitled),
        None => source.own(&root),
    }
}

/// The fields of a task that an error may point to.
struct Parts<'a> {
    title: Option<Field<'a>>,
    description: Option<Field<'a>>,
    dependencies: Option<Field<'a>>,
}

impl<'a> Source<'a> {
    fn own(self, root: &ImportFields<'a>) -> Result<Import, Refused<'a>> {
        let whole = self.text().trim_start();
        let place = |field: Option<Field<'a>>| field.map_or(whole, |field| field.value.get());
        // Any status will do, as every import becomes Active; another type is no plan.
        self.optional(root.status, string)?;
        let text =
            |field: &'static str, place: &'a str, problem| Refused::new(place, field, ImportProblem::Text(problem));
        let title = Title::new(self.text_or_empty(root.title)?)
            .map_err(|error| text("title", place(root.title), error.problem))?;
        let description = self.text_or_empty(root.description)?;
        if description.trim().is_empty() {
            return Err(text("description", place(root.description), TextProblem::Blank));
        }
        if description.len() > Body::MAX_BYTES {
            let place = place(root.description);
            return Err(Refused::new(place, "description", ImportProblem::DescriptionTooLong));
        }
        let background = Background {
            context: self.text_or_empty(root.context)?,
            risks: self.texts(root.risks)?,
            test_strategy: self.text_or_empty(root.test_strategy)?,
            technical_stack: self.texts(root.technical_stack)?,
        };
        let mut left_out = LeftOut::default();
        list_dropped(root, &mut left_out);
        Ok(Import {
            brief: Brief { title, description, background, kept: keep(&root.unknown) },
            tasks: self.drafts(root.tasks, place(root.tasks), &mut left_out)?,
            left_out: left_out.into_list(),
        })
    }

    fn drafts(
        self,
        tasks: Option<Field<'a>>,
        place: &'a str,
        left_out: &mut LeftOut,
    ) -> Result<TaskDrafts, Refused<'a>> {
        let (mut loaded, mut ids, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        let mut progress = TaskProgress::default();
        self.tasks(tasks, |position, fields| {
            let task = self.task(&fields, position, Purpose::Import)?;
            progress.count(&fields);
            let TaskFields { id, title, description, dependencies, .. } = fields;
            ids.push((task.task.id, id));
            parts.push(Parts { title, description, dependencies });
            loaded.push(task);
            Ok(())
        })?;
        progress.list(left_out);
        // The same rule as for a record: what has a target is an id afterwards.
        let checklist = self.numbered(tasks, loaded, ids)?;
        let drafts = checklist.in_file_order().zip(parts).enumerate().map(|(position, (task, parts))| {
            let refused = |part, field: &str, problem| {
                let field = format!("tasks[{position}].{field}");
                Refused::new(self.part_of_task(tasks, position, part), field, problem)
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
        TaskDrafts::try_from(drafts).map_err(|_| Refused::new(place, "tasks", ImportProblem::NoTasks))
    }
}

/// Lists the root fields that say how far the plan of the file was, and those that could forge an approval.
fn list_dropped(root: &ImportFields<'_>, left_out: &mut LeftOut) {
    for field in [root.pre_init_editing, root.approved_at, root.approval, root.goal_task, root.ending] {
        if let Some(Field { name, .. }) = present(field).filter(|field| field.value.get() != "false") {
            left_out.add(|| format!("the field {name}"));
        }
    }
}

/// In how many tasks each field says how far the task was.
#[derive(Default)]
struct TaskProgress {
    status: usize,
    notes: usize,
    completed_at: usize,
    reflection: usize,
    execution_history: usize,
    retry_count: usize,
}

impl TaskProgress {
    fn count(&mut self, fields: &TaskFields<'_>) {
        for (field, nothing, count) in [
            (fields.status, "\"Pending\"", &mut self.status),
            (fields.notes, "\"\"", &mut self.notes),
            (fields.completed_at, "\"\"", &mut self.completed_at),
            (fields.reflection, "\"\"", &mut self.reflection),
            (fields.execution_history, "[]", &mut self.execution_history),
            (fields.retry_count, "0", &mut self.retry_count),
        ] {
            if present(field).is_some_and(|field| field.value.get() != nothing) {
                *count += 1;
            }
        }
    }

    fn list(&self, left_out: &mut LeftOut) {
        for (name, count) in [
            ("status", self.status),
            ("notes", self.notes),
            ("completed_at", self.completed_at),
            ("reflection", self.reflection),
            ("execution_history", self.execution_history),
            ("retry_count", self.retry_count),
        ] {
            match count {
                0 => {}
                1 => left_out.add(|| format!("the {name} of 1 task")),
                _ => left_out.add(|| format!("the {name} of {count} tasks")),
            }
        }
    }
}
