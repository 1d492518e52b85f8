//! The outline as it was found, and what it lacks.

use super::gap::Gap;
use super::part::{Part, Step};
use super::scan::scan;
use super::template::Label;

/// What a session `.md` holds of template B (MIRROR-6).
///
/// The rules of the scan:
/// - Sections begin at real headings of level 2 outside of lists, quotes, fences and comments, in any
///   case, and end at the next heading of level 1 or 2.
/// - A label is a list item of `## Context` that begins with `**Problem:**`, `**Problem**:` or
///   `Problem:`. Its text is all the rest of the item, further lines and nested items included.
/// - A step is an item of a numbered list of `## Implementation steps`. Its `Done when:` bullets are
///   nested, or follow it unindented before the next step or heading.
/// - HTML comments are no text, and neither is a placeholder of the [`template`](super::template()) that
///   was left as it is. Any other text counts.
/// - A section or label may occur more than once: the first one with text counts, and all steps do.
/// - A line nested some eighty levels deep or more is taken as blank; no plan needs that, and without a
///   bound a hostile text could make the parser slow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub(super) empty: bool,
    pub(super) title: Option<String>,
    pub(super) context: Option<usize>,
    /// By [`Label`]; the text is empty where a label is there and blank.
    pub(super) parts: [Option<Part>; Label::ALL.len()],
    pub(super) steps_heading: Option<usize>,
    pub(super) steps: Vec<Step>,
}

impl Outline {
    /// Scans the body of a session `.md`. Every text is an outline, if one with gaps; the time is linear
    /// in its length.
    pub fn scan(body: &str) -> Outline {
        scan(body)
    }

    /// The first heading of level 1 that has text, as plain text. Approval does not need one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What is wrong, missing or painful today; `None` if the label is missing or blank.
    pub fn problem(&self) -> Option<&Part> {
        self.filled(Label::Problem)
    }

    /// What "done" looks like; `None` if the label is missing or blank.
    pub fn target_state(&self) -> Option<&Part> {
        self.filled(Label::TargetState)
    }

    /// Why now; `None` if the label is missing or blank.
    pub fn intent(&self) -> Option<&Part> {
        self.filled(Label::Intent)
    }

    /// What must hold meanwhile; optional in an outline.
    pub fn constraints(&self) -> Option<&Part> {
        self.filled(Label::Constraints)
    }

    /// What is explicitly no goal; optional in an outline.
    pub fn out_of_scope(&self) -> Option<&Part> {
        self.filled(Label::OutOfScope)
    }

    /// The numbered steps in the order of the text, blank ones included.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Everything that approval needs and the outline lacks, in the order of the template (LIFE-11).
    pub fn gaps(&self) -> Vec<Gap> {
        if self.empty {
            return vec![Gap::Empty];
        }
        let mut gaps = Vec::new();
        if self.context.is_none() {
            gaps.push(Gap::NoContext);
        } else {
            let line = |label| self.part(label).map(Part::line);
            if self.problem().is_none() {
                let line = line(Label::Problem);
                gaps.push(Gap::ProblemBlank { line });
            }
            if self.target_state().is_none() {
                let line = line(Label::TargetState);
                gaps.push(Gap::TargetStateBlank { line });
            }
            if self.intent().is_none() {
                let line = line(Label::Intent);
                gaps.push(Gap::IntentBlank { line });
            }
        }
        if self.steps.iter().all(Step::is_blank) {
            gaps.push(match (self.steps.first(), self.steps_heading) {
                (Some(step), _) => Gap::StepsBlank { line: step.line },
                (None, Some(line)) => Gap::NoNumberedStep { line },
                (None, None) => Gap::NoSteps,
            });
        }
        gaps
    }

    /// Whether approval would find nothing missing.
    pub fn is_complete(&self) -> bool {
        self.gaps().is_empty()
    }

    fn part(&self, label: Label) -> Option<&Part> {
        self.parts.get(label as usize)?.as_ref()
    }

    fn filled(&self, label: Label) -> Option<&Part> {
        self.part(label).filter(|part| !part.text.is_empty())
    }
}
