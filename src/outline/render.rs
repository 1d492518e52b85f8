//! Writes outlines: the empty one of a design `init`, and the one of an older plan.

use std::fmt::Write as _;

use super::escape;
use super::template::{CONTEXT, DONE_WHEN, Label, NOTES, STEPS, example_steps};

/// Renders the outline that a design `init` writes (INIT-7): the title, every label blank, no step.
///
/// What to write where stands in HTML comments, which are no text, so a freshly rendered outline always
/// has gaps (LIFE-11). `notes` goes under `## Notes` as a block quote unless it is blank; nothing in it,
/// nor in `title`, can add to or take from the outline. `title` is meant to be one line; control
/// characters in it become spaces.
pub fn render(title: &str, notes: &str) -> String {
    let mut out = head(title, |_| String::new());
    out.push_str(&steps_hint());
    if !notes.trim().is_empty() {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "\n## {NOTES}\n\n{}", quote(notes));
    }
    out
}

/// A plan of an older generation, as far as it fits into an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyOutline<'a> {
    /// The plan's title.
    pub title: &'a str,
    /// The text for `Problem`; may be blank, may have many lines.
    pub problem: &'a str,
    /// The text for `Target state`; may be blank, may have many lines.
    pub target_state: &'a str,
    /// One step for each task, in order.
    pub steps: Vec<LegacyStep<'a>>,
}

/// A task of an older plan, as a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyStep<'a> {
    /// The task's title.
    pub title: &'a str,
    /// The task's description; may be blank, may have many lines.
    pub description: &'a str,
    /// The task's acceptance criteria; blank ones are left out.
    pub done_when: &'a [String],
}

/// Renders the outline of an older plan that has tasks and no approval yet.
///
/// Problem, Target state and the steps are filled from the plan, Intent stays blank: the outline can be
/// approved once someone has filled what is blank. Texts are escaped, so that they read back as the same
/// text and cannot add sections, labels or steps; blank lines inside them are dropped.
pub fn render_legacy(outline: &LegacyOutline<'_>) -> String {
    let mut out = head(outline.title, |label| match label {
        Label::Problem => paragraph(outline.problem, "  "),
        Label::TargetState => paragraph(outline.target_state, "  "),
        Label::Intent | Label::Constraints | Label::OutOfScope => String::new(),
    });
    if outline.steps.is_empty() {
        out.push_str(&steps_hint());
    }
    for (number, step) in (1_usize..).zip(&outline.steps) {
        push_step(&mut out, number, step);
    }
    out
}

/// The outline down to the heading of the steps. `text` gives what stands after a label; where that is
/// empty, a comment says what is wanted.
fn head(title: &str, text: impl Fn(Label) -> String) -> String {
    let title = escape::inline(&escape::one_line(title));
    let mut out = format!("# {title}\n\n## {CONTEXT}\n\n");
    for label in Label::ALL {
        let text = match text(label) {
            text if text.is_empty() => format!("<!-- {} -->", label.hint()),
            text => text,
        };
        let _ = writeln!(out, "- **{}:** {text}", label.name());
    }
    let _ = write!(out, "\n## {STEPS}\n\n");
    out
}

fn steps_hint() -> String {
    format!("<!-- Number the steps as shown here; this comment itself does not count.\n{}-->\n", example_steps())
}

fn push_step(out: &mut String, number: usize, step: &LegacyStep<'_>) {
    let marker = format!("{number}.");
    let indent = " ".repeat(marker.len() + 1);
    let title = escape::one_line(step.title);
    let description = paragraph(step.description, &indent);
    let title = escape::step_title(&title, !description.is_empty());

    out.push_str(&marker);
    if !title.is_empty() {
        let _ = write!(out, " {title}");
    }
    if !description.is_empty() {
        let _ = write!(out, " — {description}");
    }
    out.push('\n');
    for criterion in step.done_when {
        let criterion = escape::inline(&escape::one_line(criterion));
        if !criterion.is_empty() {
            let _ = writeln!(out, "{indent}- {DONE_WHEN}: {criterion}");
        }
    }
}

/// `text` as one paragraph that begins in mid-line and goes on behind `indent`.
fn paragraph(text: &str, indent: &str) -> String {
    let mut lines = escape::lines(text);
    let mut out = lines.next().map(|first| escape::inline(&first)).unwrap_or_default();
    for line in lines {
        let _ = write!(out, "\n{indent}{}", escape::line(&line));
    }
    out
}

/// `text` as a block quote. A quote is a container: headings, lists, fences and comments in it end with
/// it, and the scan reads sections at the top level alone.
fn quote(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::new();
    for line in text.trim_end().lines() {
        let _ = writeln!(out, "{}", format!("> {line}").trim_end());
    }
    out
}
