//! A Markdown file: an outline if it has a numbered step with text, else a checklist.

use super::{ImportError, ImportProblem, checklist, outline};
use crate::model::{Body, Title};
use crate::outline::Outline;
use crate::plan::Import;

/// `untitled` is the title where the file has none.
pub(super) fn import(text: &str, untitled: Title) -> Result<Import, ImportError> {
    // The limit of a session `.md`: a parser's work stays small, and an outline fits into the description.
    if text.len() > Body::MAX_BYTES {
        return Err(ImportError::in_line(1, ImportProblem::DescriptionTooLong));
    }
    let scanned = Outline::scan(text);
    if scanned.steps().iter().any(|step| !step.is_blank()) {
        outline::import(text, &scanned, untitled)
    } else {
        checklist::import(text, untitled)
    }
}
