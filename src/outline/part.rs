//! What a scan finds: the text of a label, and a step.

/// The text that stands after a label of `## Context`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub(super) text: String,
    pub(super) line: usize,
}

impl Part {
    /// The text as plain text, never blank; its lines are separated by `\n`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of the label in the `.md`, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

/// One numbered step of `## Implementation steps`.
///
/// All texts are plain text: Markdown marks are gone, escapes are resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The number as it was written, which need not follow the one before.
    pub number: u32,
    /// What stands before the first ` — ` (else ` – `, ` - ` or `: `) of the step's first line, or that
    /// whole line. Empty if nothing is there.
    pub title: String,
    /// The rest of the step: what follows the title, further lines, paragraphs and nested bullets,
    /// separated by `\n`. May be empty.
    pub description: String,
    /// The criteria of its `Done when:` bullets, each on one line and none blank.
    pub done_when: Vec<String>,
    /// The line of the number in the `.md`, from 1.
    pub line: usize,
}

impl Step {
    /// Whether neither a title nor a description was written. A criterion alone does not say what to do.
    pub fn is_blank(&self) -> bool {
        self.title.is_empty() && self.description.is_empty()
    }
}
