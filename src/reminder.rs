//! Reminders: what the model is told of its plan after a compaction or a restart. Bounded in length, and in the words of
//! the state alone (REM-1, REM-4, REM-5, REM-6).

use std::fmt::Write;

use crate::model::Task;
use crate::outline::REQUIRED_PARTS;
use crate::plan::{Active, Editing, Markdown, PreInit, SeedInstruction, StateRef};

/// The longest text that a reminder takes from a plan at one place, in characters.
const EXCERPT: usize = 120;

/// The reminder of a state; empty for NoPlan, for there is nothing to remember.
///
/// It is never longer than 4,000 characters beside the path of the `.md`.
pub(crate) fn reminder(state: StateRef<'_>) -> String {
    match state {
        StateRef::NoPlan(_) => String::new(),
        StateRef::PreInit(state) => pre_init(state),
        StateRef::Editing(state) => editing(state),
        StateRef::Active(state) => active(state),
    }
}

fn pre_init(state: &PreInit) -> String {
    format!(
        "Plan mode is on and there is no plan yet. Look around without changing the project, then call init. \
         The design will be in {}. It needs: {REQUIRED_PARTS}. Then wait for a person to approve it.",
        state.header().site().md()
    )
}

fn editing(state: &Editing) -> String {
    let md = state.header().site().md();
    let mut text = format!(
        "The plan {} is in Editing. Its design is {md}, the one file that may be written now. ",
        Quoted(state.header().title())
    );
    let gaps = state.gaps();
    match state.markdown() {
        Markdown::Missing => {
            let _ = write!(text, "It is missing: write the outline there. It needs: {REQUIRED_PARTS}. Then");
        }
        Markdown::Unusable(problem) => {
            let _ = write!(text, "It {problem}. It needs: {REQUIRED_PARTS}. Then");
        }
        Markdown::Text { .. } if gaps.is_empty() => text.push_str("The outline is complete:"),
        Markdown::Text { .. } => {
            let _ = write!(text, "It needs: {REQUIRED_PARTS}. Still missing:");
            for gap in &gaps {
                let _ = write!(text, " {gap};");
            }
            text.push_str(" fill that in, then");
        }
    }
    text.push_str(" wait for a person to approve it.");
    text
}

fn active(state: &Active) -> String {
    let header = state.header();
    let mut text = format!("The plan {} is Active. ", Quoted(header.title()));
    let checklist = state.checklist();
    if checklist.is_empty() {
        let _ = write!(text, "Its checklist has no tasks yet. {}", SeedInstruction(header.site().md()));
        return text;
    }
    let progress = checklist.progress();
    let _ = write!(text, "{} of {} tasks have ended. ", progress.ended(), progress.total());
    if header.approved_at().is_some() {
        let _ = write!(text, "The approved design is {}; it is frozen. ", header.site().md());
    }
    if checklist.all_ended() {
        text.push_str("Call complete without a task to archive it.");
        return text;
    }
    let running = progress.in_progress;
    if let Some(task) = state.current() {
        let _ = write!(text, "Current: {}", TaskLine(task));
        match running {
            0 | 1 => text.push_str(". "),
            more => {
                let _ = write!(text, " and {} more in progress. ", more - 1);
            }
        }
    }
    let next = checklist.next();
    if let Some(task) = next {
        let _ = write!(text, "Next: {}. ", TaskLine(task));
    }
    text.push_str(match (running, next) {
        (0, Some(_)) => "Call start.",
        (0, None) => "No task is ready: start a failed or blocked one by its number, or skip one by its number.",
        (1, _) => "Go on with the current task and call complete when it is done.",
        (_, _) => "Go on with the current tasks and call complete with its number when one is done.",
    });
    text
}

struct TaskLine<'a>(&'a Task);

impl std::fmt::Display for TaskLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "task {} {}", self.0.number(), Quoted(self.0.title()))
    }
}

/// A text in quotes, cut to its first characters, on one line.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_char('"')?;
        let mut characters = self.0.chars();
        for character in characters.by_ref().take(EXCERPT) {
            f.write_char(if character.is_control() { ' ' } else { character })?;
        }
        if characters.next().is_some() {
            f.write_char('…')?;
        }
        f.write_char('"')
    }
}
