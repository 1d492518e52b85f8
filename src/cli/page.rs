//! A plan as a person reads it: the state, the design, the checklist.

use std::fmt::Write as _;

use plangate::model::{Checklist, Task, TaskStatus};
use plangate::plan::{StateName, StateRef};
use plangate::session::PlanView;

use super::clean::Clean;
use super::markdown;
use super::style::{DIM, GOOD, HEAD, WARN};
use super::which::Why;
use super::wrap::wrap;

/// The lines at the top: which session, which state, what is next.
pub(crate) fn summary(view: &PlanView, why: &Why, width: usize) -> String {
    let mut out = String::new();
    let site = view.state().site();
    let _ = writeln!(out, "{DIM}session {} ({why}){DIM:#}", site.session());
    match view.state() {
        StateRef::NoPlan(_) => {
            let _ = writeln!(out, "{HEAD}No plan.{HEAD:#} Enter plan mode with `plangate enter`.");
        }
        StateRef::PreInit(_) => {
            let _ = writeln!(
                out,
                "{HEAD}Plan mode is on, and there is no plan yet.{HEAD:#} The agent calls init; the design will be in {}.",
                site.md()
            );
        }
        StateRef::Editing(state) => {
            let gaps = state.gaps();
            let _ = writeln!(out, "{HEAD}{}{HEAD:#} — Editing", Clean(state.header().title()));
            let _ = writeln!(out, "The design is {}.", site.md());
            let _ = match gaps.len() {
                0 => writeln!(
                    out,
                    "{GOOD}The outline is complete.{GOOD:#} Read it with `plangate show`, then `plangate approve`."
                ),
                _ => writeln!(out, "{WARN}The outline is not complete.{WARN:#} See `plangate check`."),
            };
        }
        StateRef::Active(state) => {
            let _ = writeln!(out, "{HEAD}{}{HEAD:#} — Active", Clean(state.header().title()));
            if let Some(approval) = state.header().approval() {
                let guard = if approval.guarded() { "" } else { ", with no gate in force" };
                let by = Clean(approval.by()).to_string();
                let _ =
                    writeln!(out, "Approved by {by} through {} at {}{guard}.", Clean(approval.via()), approval.at());
            }
            out.push_str(&progress(state.checklist()));
        }
    }
    for warning in view.warnings() {
        if view.state_name() == StateName::Editing && matches!(warning, plangate::plan::Warning::Outline(_)) {
            continue;
        }
        for line in wrap(&Clean(&format!("Note: {warning}.")).to_string(), width) {
            let _ = writeln!(out, "{WARN}{line}{WARN:#}");
        }
    }
    out
}

fn progress(checklist: &Checklist) -> String {
    let mut out = String::new();
    let progress = checklist.progress();
    if checklist.is_empty() {
        return "The checklist has no tasks yet: the agent adds the steps of the design.\n".to_owned();
    }
    let _ = writeln!(out, "{} of {} tasks have ended.", progress.ended(), progress.total());
    for task in checklist.current().take(3) {
        let _ = writeln!(out, "Current: {}. {}", task.number(), Clean(task.title()));
    }
    if let Some(task) = checklist.next() {
        let _ = writeln!(out, "Next: {}. {}", task.number(), Clean(task.title()));
    }
    out
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
    let StateRef::Active(state) = state else { return String::new() };
    let checklist = state.checklist();
    let mut out = String::new();
    for task in checklist.tasks() {
        let (mark, style) = mark(task);
        let mut text = Clean(task.title()).to_string();
        if let TaskStatus::Blocked(why) = task.status() {
            let _ = write!(text, " (blocked: {})", Clean(why));
        }
        let waits: Vec<String> = checklist.unmet(task).map(|task| task.number().to_string()).collect();
        if !waits.is_empty() && !task.status().has_ended() {
            let _ = write!(text, " (waits for {})", waits.join(", "));
        }
        let lead = format!("{mark} {:>3}. ", task.number());
        let room = width.saturating_sub(lead.chars().count()).max(10);
        for (position, line) in wrap(&text, room).iter().enumerate() {
            let lead = if position == 0 { lead.clone() } else { " ".repeat(lead.chars().count()) };
            let _ = writeln!(out, "{style}{lead}{line}{style:#}");
        }
    }
    out
}

fn mark(task: &Task) -> (&'static str, anstyle::Style) {
    match task.status() {
        TaskStatus::Completed => ("[x]", DIM),
        TaskStatus::Skipped => ("[-]", DIM),
        TaskStatus::InProgress => ("[>]", HEAD),
        TaskStatus::Failed => ("[!]", WARN),
        TaskStatus::Blocked(_) => ("[b]", WARN),
        _ => ("[ ]", anstyle::Style::new()),
    }
}
