//! The record as bytes: fixed order of fields, two spaces a level, a line break at the end, unknown values as they were.
//!
//! Straight into one buffer: the cost of a save is to be its fsync. A `String` takes every text without a way to fail, and
//! so does this module.

use serde_json::value::RawValue;

use crate::model::{Checklist, Dependency, Kept, Task, TaskStatus};
use crate::plan::{Active, ApprovalRecord, Editing, Ending, Header, PreInit};

/// A state that has a record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StateToWrite<'a> {
    PreInit(&'a PreInit),
    Editing(&'a Editing),
    Active(&'a Active),
}

impl<'a> From<&'a PreInit> for StateToWrite<'a> {
    fn from(state: &'a PreInit) -> Self {
        Self::PreInit(state)
    }
}

impl<'a> From<&'a Editing> for StateToWrite<'a> {
    fn from(state: &'a Editing) -> Self {
        Self::Editing(state)
    }
}

impl<'a> From<&'a Active> for StateToWrite<'a> {
    fn from(state: &'a Active) -> Self {
        Self::Active(state)
    }
}

/// The bytes of the record of a state; `ending` marks it as ended.
pub(crate) fn write(state: StateToWrite<'_>, ending: Option<&Ending>) -> Vec<u8> {
    let empty = Checklist::default();
    let (header, status, flag, tasks) = match state {
        StateToWrite::PreInit(state) => (&state.header, "Editing", true, &empty),
        // Tasks of an older plan are in the archive by now (MIRROR-2).
        StateToWrite::Editing(state) => (&state.header, "Editing", false, &empty),
        StateToWrite::Active(state) => (&state.header, "Active", false, &state.checklist),
    };
    // About what a record and a task have beside their texts.
    let mut out = Out(String::with_capacity(2048 + header.description.len() + 768 * tasks.len()));
    out.root(header, (status, flag), tasks, ending);
    out.0.push('\n');
    out.0.into_bytes()
}

/// The text so far.
struct Out(String);

/// An object or array that is being written: where its members stand, and whether there is one yet.
struct Level {
    /// A line break and the spaces before a member.
    indent: &'static str,
    /// The same before the closing bracket.
    close: &'static str,
    empty: bool,
}

impl Level {
    const fn new(close: &'static str, indent: &'static str) -> Self {
        Self { indent, close, empty: true }
    }

    const fn root() -> Self {
        Self::new("\n", "\n  ")
    }

    /// Inside a field of the root.
    const fn first() -> Self {
        Self::new("\n  ", "\n    ")
    }

    /// Inside a task.
    const fn task() -> Self {
        Self::new("\n    ", "\n      ")
    }

    /// Inside a field of a task.
    const fn task_field() -> Self {
        Self::new("\n      ", "\n        ")
    }
}

impl Out {
    fn root(&mut self, header: &Header, (status, flag): (&str, bool), tasks: &Checklist, ending: Option<&Ending>) {
        // The sidecar is minimal (LIFE-3); every other record has the texts that older readers ask for.
        let full = !flag;
        let Header { site, id, title, description, background, created_at, updated_at, approved_at, extras, kept } =
            header;
        let mut root = Level::root();
        self.0.push('{');
        self.text(&mut root, "id", &id.to_string());
        self.text(&mut root, "session_id", site.session().as_str());
        for (name, text) in [("title", title), ("description", description)] {
            if full || !text.is_empty() {
                self.text(&mut root, name, text);
            }
        }
        self.text(&mut root, "status", status);
        if flag {
            self.plain(&mut root, "pre_init_editing", "true");
        }
        self.key(&mut root, "tasks");
        self.tasks(tasks);
        for (name, text) in [("context", &background.context), ("test_strategy", &background.test_strategy)] {
            if full || !text.is_empty() {
                self.text(&mut root, name, text);
            }
        }
        for (name, texts) in [("risks", &background.risks), ("technical_stack", &background.technical_stack)] {
            if full || !texts.is_empty() {
                self.texts(&mut root, name, texts, Level::first());
            }
        }
        for (name, time) in [("created_at", created_at), ("updated_at", updated_at)] {
            self.optional(&mut root, name, time.map(|time| time.to_string()).as_deref());
        }
        match approved_at {
            Some(time) => self.text(&mut root, "approved_at", &time.to_string()),
            None if full => self.plain(&mut root, "approved_at", "null"),
            None => {}
        }
        if let Some(approval) = &extras.approval {
            self.key(&mut root, "approval");
            self.approval(approval);
        }
        self.optional(&mut root, "origin", extras.origin.map(crate::model::Origin::as_str));
        self.optional(&mut root, "asked", extras.asked.map(crate::model::Asked::as_str));
        self.optional(&mut root, "goal_task", extras.goal_task.map(|id| id.to_string()).as_deref());
        self.optional(&mut root, "project_dir", extras.project_dir.as_ref().map(|path| path.as_str()));
        if let Some(ending) = ending {
            self.key(&mut root, "ending");
            self.ending(ending);
        }
        self.kept(&mut root, kept);
        self.end(&root, '}');
    }

    fn approval(&mut self, approval: &ApprovalRecord) {
        let ApprovalRecord { by, via, at, digest, guarded, kept } = approval;
        let mut object = Level::first();
        self.0.push('{');
        self.text(&mut object, "by", by);
        self.text(&mut object, "via", via);
        self.text(&mut object, "at", &at.to_string());
        self.text(&mut object, "digest", &digest.to_string());
        self.plain(&mut object, "guarded", if *guarded { "true" } else { "false" });
        self.kept(&mut object, kept);
        self.end(&object, '}');
    }

    fn ending(&mut self, ending: &Ending) {
        let Ending { how, at, archive, kept } = ending;
        let mut object = Level::first();
        self.0.push('{');
        self.text(&mut object, "how", how.as_str());
        self.text(&mut object, "at", &at.to_string());
        self.text(&mut object, "archive", archive);
        self.kept(&mut object, kept);
        self.end(&object, '}');
    }

    fn tasks(&mut self, tasks: &Checklist) {
        let mut array = Level::first();
        self.0.push('[');
        for task in tasks.in_file_order() {
            self.next(&mut array);
            self.task(task);
        }
        self.end(&array, ']');
    }

    fn task(&mut self, task: &Task) {
        // Every field is named, so that a new one cannot be forgotten here.
        let Task {
            id,
            number,
            title,
            description,
            task_type,
            dependencies,
            complexity,
            acceptance_criteria,
            status,
            notes,
            completed_at,
            execution_history,
            retry_count,
            max_retries,
            artifacts,
            reflection,
            kept,
        } = task;
        let mut object = Level::task();
        self.0.push('{');
        self.text(&mut object, "id", &id.to_string());
        self.plain(&mut object, "order", &number.to_string());
        self.text(&mut object, "title", title);
        self.text(&mut object, "description", description);
        // A plain string in every case: readers of the present generation take no other.
        self.text(&mut object, "task_type", task_type.as_str());
        self.dependencies(&mut object, dependencies);
        self.plain(&mut object, "complexity", &complexity.to_string());
        self.texts(&mut object, "acceptance_criteria", acceptance_criteria, Level::task_field());
        self.texts(&mut object, "artifacts", artifacts, Level::task_field());
        self.status(&mut object, status);
        self.text_or_null(&mut object, "notes", notes.as_deref());
        self.text_or_null(&mut object, "completed_at", completed_at.map(|time| time.to_string()).as_deref());
        self.text_or_null(&mut object, "reflection", reflection.as_deref());
        self.plain(&mut object, "execution_history", execution_history.as_deref().map_or("[]", RawValue::get));
        self.plain(&mut object, "retry_count", &retry_count.to_string());
        self.plain(&mut object, "max_retries", &max_retries.to_string());
        self.kept(&mut object, kept);
        self.end(&object, '}');
    }

    fn dependencies(&mut self, object: &mut Level, dependencies: &[Dependency]) {
        self.key(object, "dependencies");
        self.0.push('[');
        let mut array = Level::task_field();
        for dependency in dependencies {
            self.next(&mut array);
            match dependency {
                Dependency::Id(id) => self.string(&id.to_string()),
                Dependency::Number(number) => self.0.push_str(&number.to_string()),
            }
        }
        self.end(&array, ']');
    }

    fn status(&mut self, object: &mut Level, status: &TaskStatus) {
        match status {
            TaskStatus::Blocked(why) => {
                self.key(object, "status");
                let mut inner = Level::task_field();
                self.0.push('{');
                self.text(&mut inner, status.as_str(), why);
                self.end(&inner, '}');
            }
            TaskStatus::Pending
            | TaskStatus::InProgress
            | TaskStatus::Completed
            | TaskStatus::Skipped
            | TaskStatus::Failed => self.text(object, "status", status.as_str()),
        }
    }

    /// Before a member.
    fn next(&mut self, level: &mut Level) {
        if !std::mem::take(&mut level.empty) {
            self.0.push(',');
        }
        self.0.push_str(level.indent);
    }

    fn end(&mut self, level: &Level, bracket: char) {
        if !level.empty {
            self.0.push_str(level.close);
        }
        self.0.push(bracket);
    }

    /// A key of our own, which has nothing to escape.
    fn key(&mut self, object: &mut Level, key: &'static str) {
        self.next(object);
        self.0.push('"');
        self.0.push_str(key);
        self.0.push_str("\": ");
    }

    /// A member that is JSON already.
    fn plain(&mut self, object: &mut Level, key: &'static str, json: &str) {
        self.key(object, key);
        self.0.push_str(json);
    }

    fn text(&mut self, object: &mut Level, key: &'static str, text: &str) {
        self.key(object, key);
        self.string(text);
    }

    fn text_or_null(&mut self, object: &mut Level, key: &'static str, text: Option<&str>) {
        match text {
            Some(text) => self.text(object, key, text),
            None => self.plain(object, key, "null"),
        }
    }

    fn optional(&mut self, object: &mut Level, key: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(object, key, text);
        }
    }

    fn texts(&mut self, object: &mut Level, key: &'static str, texts: &[Box<str>], mut array: Level) {
        self.key(object, key);
        self.0.push('[');
        for text in texts {
            self.next(&mut array);
            self.string(text);
        }
        self.end(&array, ']');
    }

    fn kept(&mut self, object: &mut Level, kept: &Kept) {
        for (key, value) in kept.iter() {
            self.next(object);
            self.string(key);
            self.0.push_str(": ");
            self.0.push_str(value);
        }
    }

    /// A JSON string. serde_json's own writer answers with a `Result`, and there is nothing to do with its error here.
    fn string(&mut self, text: &str) {
        self.0.push('"');
        let mut rest = text;
        while let Some(at) = first_to_escape(rest.as_bytes()) {
            let (clean, from) = rest.split_at(at);
            self.0.push_str(clean);
            let mut characters = from.chars();
            match characters.next() {
                Some('\n') => self.0.push_str("\\n"),
                Some('\r') => self.0.push_str("\\r"),
                Some('\t') => self.0.push_str("\\t"),
                Some(control) if control < ' ' => self.0.push_str(&format!("\\u{:04x}", u32::from(control))),
                Some(quoted) => self.0.extend(['\\', quoted]),
                None => {}
            }
            rest = characters.as_str();
        }
        self.0.push_str(rest);
        self.0.push('"');
    }
}

/// The first byte that a JSON string cannot hold as it is. Whole blocks are tested without a branch for each byte.
fn first_to_escape(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 16;
    let to_escape = |byte: &u8| (*byte < b' ') | (*byte == b'"') | (*byte == b'\\');
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let clean = |block: &&[u8; BLOCK]| !block.iter().fold(false, |found, byte| found | to_escape(byte));
    let skipped = blocks.iter().take_while(clean).count() * BLOCK;
    let rest = bytes.get(skipped..).unwrap_or_default();
    rest.iter().position(to_escape).map(|at| skipped + at)
}
