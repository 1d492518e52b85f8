//! A plan as a person reads it: the state, the design, the checklist.

use std::fmt::Write as _;

use anstyle::Style;
use plangate::model::{Asked, Checklist, Task, TaskStatus};
use plangate::plan::{Active, Editing, Header, StateRef, Warning};
use plangate::session::PlanView;

use super::clean::CleanLine;
use super::markdown;
use super::style::{DIM, GOOD, HEAD, PLAIN, WARN};
use super::which::Why;
use super::wrap::{fill, wrap};

/// The lines at the top: which session, which state, what is next.
pub(crate) fn summary(view: &PlanView, why: &Why, width: usize) -> String {
    let mut page = Page { out: String::new(), width };
    let site = view.state().site();
    page.say(DIM, &format!("session {} ({why})", site.session()));
    match view.state() {
        StateRef::NoPlan(_) => {
            page.say(HEAD, "No plan");
            page.say(PLAIN, "Enter plan mode with `plangate enter`.");
        }
        StateRef::PreInit(_) => {
            page.say(HEAD, "Plan mode is on — PreInit");
            page.say(PLAIN, &format!("The agent looks around and calls init. The design will be in {}", site.md()));
        }
        StateRef::Editing(state) => {
            page.say(HEAD, &format!("{} — Editing", state.header().title()));
            page.say(PLAIN, &format!("The design is in {}", site.md()));
            page.outline(state);
        }
        StateRef::Active(state) => {
            page.say(HEAD, &format!("{} — Active", state.header().title()));
            page.approval(state);
            page.progress(state.checklist());
        }
    }
    if header(view.state()).and_then(Header::asked) == Some(Asked::Nobody) {
        page.say(WARN, "Nobody was asked when this plan began.");
    }
    for warning in view.warnings() {
        // `check` tells them with their lines.
        if !matches!(warning, Warning::Outline(_)) {
            page.say(WARN, &format!("Note: {warning}."));
        }
    }
    page.out
}

/// What a plan has besides its design and its tasks.
pub(crate) fn header(state: StateRef<'_>) -> Option<&Header> {
    match state {
        StateRef::NoPlan(_) => None,
        StateRef::PreInit(state) => Some(state.header()),
        StateRef::Editing(state) => Some(state.header()),
        StateRef::Active(state) => Some(state.header()),
    }
}

struct Page {
    out: String,
    width: usize,
}

impl Page {
    /// A sentence or two, which an agent may have had a say in.
    fn say(&mut self, style: Style, text: &str) {
        for line in fill(&CleanLine(text).to_string(), self.width) {
            let _ = writeln!(self.out, "{style}{line}{style:#}");
        }
    }

    fn outline(&mut self, state: &Editing) {
        if state.markdown().text().is_some() && state.gaps().is_empty() {
            self.say(GOOD, "The outline is complete. Read it with `plangate show`, then `plangate approve`.");
        } else {
            self.say(WARN, "The outline is not complete. See `plangate check`.");
        }
    }

    fn approval(&mut self, state: &Active) {
        if let Some(approval) = state.header().approval() {
            let guard = if approval.guarded() { "" } else { ", with no gate in force" };
            self.say(
                PLAIN,
                &format!("Approved by {} through {} at {}{guard}.", approval.by(), approval.via(), approval.at()),
            );
        }
    }

    fn progress(&mut self, checklist: &Checklist) {
        if checklist.is_empty() {
            return self.say(PLAIN, "The checklist has no tasks yet: the agent adds the steps of the design.");
        }
        let progress = checklist.progress();
        self.say(PLAIN, &format!("{} of {} tasks have ended.", progress.ended(), progress.total()));
        for task in checklist.current().take(3) {
            self.say(PLAIN, &format!("Current: {}. {}", task.number(), task.title()));
        }
        if let Some(task) = checklist.next() {
            self.say(PLAIN, &format!("Next: {}. {}", task.number(), task.title()));
        }
    }
}

/// The design, if there is one.
pub(crate) fn design(state: StateRef<'_>, width: usize) -> String {
    let markdown = match state {
        StateRef::Editing(state) => state.markdown(),
        StateRef::Active(state) => state.markdown(),
        StateRef::NoPlan(_) | StateRef::PreInit(_) => return String::new(),
    };
    markdown.text().map(|text| markdown::render(text, width)).unwrap_or_default()
}

/// The checklist with its dependencies.
pub(crate) fn checklist(state: StateRef<'_>, width: usize) -> String {
    Tasks::of(state, width).lines.concat()
}

/// The tasks of a checklist, each with its lines.
#[derive(Default)]
pub(crate) struct Tasks {
    pub(crate) lines: Vec<String>,
    /// The position of the task that matters now: the first one in progress, else the next.
    pub(crate) focus: usize,
}

impl Tasks {
    pub(crate) fn of(state: StateRef<'_>, width: usize) -> Self {
        let StateRef::Active(state) = state else { return Self::default() };
        let checklist = state.checklist();
        let now = checklist.current().next().or_else(|| checklist.next()).map(Task::id);
        Self {
            lines: checklist.tasks().map(|task| lines(task, checklist, width)).collect(),
            focus: checklist.tasks().position(|task| Some(task.id()) == now).unwrap_or_default(),
        }
    }
}

fn lines(task: &Task, checklist: &Checklist, width: usize) -> String {
    let (mark, style) = mark(task);
    let mut text = task.title().to_owned();
    if let TaskStatus::Blocked(why) = task.status() {
        let _ = write!(text, " (blocked: {why})");
    }
    let waits: Vec<String> = checklist.unmet(task).map(|task| task.number().to_string()).collect();
    if !waits.is_empty() && !task.status().has_ended() {
        let _ = write!(text, " (waits for {})", waits.join(", "));
    }
    let mut lead = format!("{mark} {:>3}. ", task.number());
    let room = width.saturating_sub(lead.len()).max(10);
    let mut out = String::new();
    for line in wrap(&CleanLine(&text).to_string(), room) {
        let _ = writeln!(out, "{style}{lead}{line}{style:#}");
        lead = " ".repeat(lead.len());
    }
    out
}

fn mark(task: &Task) -> (&'static str, Style) {
    match task.status() {
        TaskStatus::Completed => ("[x]", DIM),
        TaskStatus::Skipped => ("[-]", DIM),
        TaskStatus::InProgress => ("[>]", HEAD),
        TaskStatus::Failed => ("[!]", WARN),
        TaskStatus::Blocked(_) => ("[b]", WARN),
        _ => ("[ ]", PLAIN),
    }
}
