//! The fixed texts of the `plan` tool: the same operation in the same state with the same input gives the same bytes
//! (TOOL-1). Each ends with exactly one thing to do next.

use std::fmt::Write as _;

use serde::Serialize;

use super::excerpt::{excerpt, without_middle};
use super::facts::Facts;
use super::request_error::RequestError;
use crate::Error;
use crate::model::{TaskName, TaskRef};
use crate::outline::REQUIRED_PARTS;
use crate::plan::{Operation, StateRef};
use crate::session::{AnyPlan, Notice, PlanView, Reason, Receipt};
use crate::store::LockError;

/// The longest title that a text repeats, in characters.
const EXCERPT: usize = 120;
/// The longest title in the list of tasks, in characters.
const LISTED: usize = 80;
/// How much of a text's beginning and of its end is told, in characters: an error may repeat titles of an older file.
const MESSAGE: (usize, usize) = (5000, 1000);
/// The longest notice, in characters.
const NOTICE: usize = 400;

/// What the tool answers: a text for the model, and the same as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Reply {
    /// Whether the operation was done; `false` for a refusal, after which nothing has changed.
    pub ok: bool,
    /// A stable code (`docs/lifecycle.md` for refusals, `docs/json-spec.md` for the others).
    pub code: &'static str,
    /// The text for the model.
    pub message: String,
    /// What is to be known of the plan afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Facts>,
    /// Where the plan went, if it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// What else is to be known of a change that stands: what went wrong beside it, and what an import left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// What an operation has done.
#[derive(Debug)]
pub(super) enum Done {
    Designed,
    Listed,
    Imported,
    Added(usize),
    Started(Option<TaskName>),
    Completed(Option<TaskName>),
    Skipped(Option<TaskName>),
    Failed(Option<TaskName>),
    Archived(Receipt),
    Nothing,
}

impl Done {
    const fn code(&self) -> &'static str {
        match self {
            Self::Designed => "design-started",
            Self::Listed => "checklist-started",
            Self::Imported => "imported",
            Self::Added(_) => "tasks-added",
            Self::Started(_) => "task-started",
            Self::Completed(_) => "task-completed",
            Self::Skipped(_) => "task-skipped",
            Self::Failed(_) => "task-failed",
            Self::Archived(_) => "plan-archived",
            Self::Nothing => "nothing-done",
        }
    }
}

impl Reply {
    /// Whether the operation was refused.
    pub const fn is_refusal(&self) -> bool {
        !self.ok
    }

    pub(super) fn done(plan: &AnyPlan, done: &Done) -> Self {
        let mut message = String::new();
        let title = match plan.state() {
            StateRef::NoPlan(_) => "",
            StateRef::PreInit(state) => state.header().title(),
            StateRef::Editing(state) => state.header().title(),
            StateRef::Active(state) => state.header().title(),
        };
        let title = excerpt(title, EXCERPT);
        let md = plan.state().site().md();
        let _ = match done {
            Done::Designed => write!(
                message,
                "The plan \"{title}\" is in Editing. Edit {md}: it needs {REQUIRED_PARTS}. Then wait for a person to approve it."
            ),
            Done::Listed => write!(message, "The plan \"{title}\" is Active{}. Call start now.", count(plan)),
            Done::Imported => {
                let left_out = left_out(plan.notices());
                write!(message, "The plan \"{title}\" is imported and Active{}. {left_out}Call start now.", count(plan))
            }
            Done::Added(added) => {
                write!(message, "Added {}; the plan is Active{}. {}", tasks(*added), count(plan), next(plan))
            }
            Done::Started(task) => write!(message, "Started {}. Call complete when it is done.", name(task.as_ref())),
            Done::Completed(task) => write!(message, "Completed {}. {}", name(task.as_ref()), next(plan)),
            Done::Skipped(task) => write!(message, "Skipped {}. {}", name(task.as_ref()), next(plan)),
            Done::Failed(task) => write!(
                message,
                "{} has failed and stays open. Start it again by its number, or skip it.",
                capital(&name(task.as_ref()))
            ),
            Done::Archived(receipt) => write!(
                message,
                "That was the last task: the plan is complete and archived{}. Report to the user.",
                receipt.json.as_ref().map(|json| format!(" as {json}")).unwrap_or_default()
            ),
            Done::Nothing => write!(message, "Nothing was to be done. Call status."),
        };
        Self {
            ok: true,
            code: done.code(),
            message: without_middle(message, MESSAGE),
            plan: Some(Facts::of_plan(plan, 1)),
            archive: match done {
                Done::Archived(receipt) => receipt.json.as_ref().map(ToString::to_string),
                _ => None,
            },
            notices: plan.notices().iter().map(|notice| excerpt(&notice.to_string(), NOTICE)).collect(),
        }
    }

    pub(super) fn status(view: &PlanView, page: usize) -> Self {
        let facts = Facts::of_view(view, page);
        let mut message = String::new();
        if facts.asked == Some("nobody") {
            message.push_str("Nobody was asked when this plan began.\n");
        }
        if let Some(tasks) = facts.tasks.as_ref().filter(|tasks| !tasks.items.is_empty()) {
            let _ = writeln!(message, "Tasks, page {} of {}:", tasks.page, tasks.pages);
            for task in &tasks.items {
                let _ = write!(message, "{}. {} ({})", task.number, excerpt(&task.title, LISTED), task.status);
                if !task.waits_for.is_empty() {
                    let numbers: Vec<String> = task.waits_for.iter().map(ToString::to_string).collect();
                    let _ = write!(message, ", waits for {}", numbers.join(", "));
                }
                message.push('\n');
            }
        }
        // What to do next stands at the end.
        match view.reminder().as_str() {
            "" => message.push_str("There is no plan. Call init first."),
            reminder => message.push_str(reminder),
        }
        Self {
            ok: true,
            code: "status",
            message: without_middle(message, MESSAGE),
            plan: Some(facts),
            archive: None,
            notices: Vec::new(),
        }
    }

    pub(super) fn refused(operation: Operation, error: &Error) -> Self {
        let message = match error {
            Error::Transition(Reason::Import { file, problem }) => {
                format!("{file} cannot be imported: {problem}. Correct the file and call init again.")
            }
            // How long it waited is no part of a fixed text (TOOL-1).
            Error::Lock(LockError::Busy { .. }) | Error::Transition(Reason::Lock(LockError::Busy { .. })) => {
                format!("Another process is at work on this plan, so {operation} was not done. Call it again.")
            }
            // The gate gives the same text (GATE-17).
            Error::Load(error) => error.to_string(),
            Error::Lock(_) | Error::Store(_) | Error::Transition(Reason::Lock(_) | Reason::Store(_)) => {
                format!("{} Tell the user.", sentence(error))
            }
            Error::Transition(Reason::Unsettled { .. }) => format!("{} Call status.", sentence(error)),
            error => error.to_string(),
        };
        Self {
            ok: false,
            code: error.code(),
            message: without_middle(message, MESSAGE),
            plan: None,
            archive: None,
            notices: Vec::new(),
        }
    }
}

impl From<&RequestError> for Reply {
    fn from(error: &RequestError) -> Self {
        Self {
            ok: false,
            code: error.code(),
            message: without_middle(error.to_string(), MESSAGE),
            plan: None,
            archive: None,
            notices: Vec::new(),
        }
    }
}

/// What an import has left out, as a sentence.
fn left_out(notices: &[Notice]) -> String {
    let things: Vec<&str> = notices
        .iter()
        .filter_map(|notice| match notice {
            Notice::LeftOut { what } => Some(what.as_str()),
            Notice::Goal(_) | Notice::CleanUp(_) => None,
        })
        .collect();
    if things.is_empty() { String::new() } else { format!("Left out: {}. ", things.join("; ")) }
}

/// How many tasks the plan has, after its state.
fn count(plan: &AnyPlan) -> String {
    match plan.state() {
        StateRef::Active(state) => format!(" with {}", tasks(state.checklist().len())),
        StateRef::NoPlan(_) | StateRef::PreInit(_) | StateRef::Editing(_) => String::new(),
    }
}

fn tasks(count: usize) -> String {
    match count {
        1 => "1 task".to_owned(),
        count => format!("{count} tasks"),
    }
}

/// The one next step of an active plan.
fn next(plan: &AnyPlan) -> String {
    let StateRef::Active(state) = plan.state() else { return "Call status.".to_owned() };
    if let Some(task) = state.current() {
        return format!("Go on with {}.", name(Some(&task.into())));
    }
    match state.checklist().next() {
        Some(task) => format!("Call start: next is task {} ({}).", task.number(), excerpt(task.title(), EXCERPT)),
        None => "No task is ready: start a failed or blocked one by its number, or skip it.".to_owned(),
    }
}

fn name(task: Option<&TaskName>) -> String {
    task.map_or_else(
        || TaskRef::Implied.to_string(),
        |task| format!("task {} ({})", task.number, excerpt(&task.title, EXCERPT)),
    )
}

/// An error as a sentence of its own.
fn sentence(error: &impl std::fmt::Display) -> String {
    let text = capital(&error.to_string());
    if text.ends_with('.') { text } else { format!("{text}.") }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
