//! A plan that a caller names by `file_path` (INIT-4), as a brief and drafts: our own JSON and its older shapes, a
//! task-master `tasks.json`, a Markdown checklist, or an outline.
//!
//! The file may be any that can be read, also one with secrets in it, so no error quotes anything of it. What a plan has no
//! place for is listed in [`Import::left_out`].

mod checklist;
mod error;
mod json;
mod left_out;
mod markdown;
mod outline;
#[cfg(test)]
mod properties;
mod refused;
mod task_master;
mod texts;

use camino::Utf8Path;
use serde::de::IgnoredAny;

use super::fields::Source;
use crate::model::Title;
use crate::plan::Import;

pub use error::{ImportError, ImportProblem};

/// Reads a plan to import. Its tasks are new: they keep what they are and lose where they stood.
///
/// A file is JSON if its name ends in `.json`, or if it does not end in `.md` and the text begins with `{` or is a JSON
/// array; any other is Markdown. `file_name` also gives the title where the file has none.
///
/// # Errors
/// [`ImportError`]. Circles, and dependencies on what is no task, are found when the drafts become a checklist.
pub(crate) fn import(bytes: &[u8], file_name: &str) -> Result<Import, ImportError> {
    let source = Source::new(bytes).map_err(ImportError::without_content)?;
    let text = source.text().trim_start();
    if text.is_empty() {
        return Err(ImportError::in_line(1, ImportProblem::Empty));
    }
    let name = Utf8Path::new(file_name);
    let ends_in = |endings: &[&str]| {
        name.extension().is_some_and(|found| endings.iter().any(|ending| found.eq_ignore_ascii_case(ending)))
    };
    let untitled = name.file_stem().and_then(texts::short).map(|short| short.title);
    let untitled = match untitled {
        Some(title) => title,
        None => {
            Title::new("Imported plan").map_err(|error| ImportError::in_line(1, ImportProblem::Text(error.problem)))?
        }
    };
    // In Markdown a text may begin with a link.
    let is_array = || text.starts_with('[') && serde_json::from_str::<IgnoredAny>(text).is_ok();
    if ends_in(&["json"]) || !ends_in(&["md", "markdown"]) && (text.starts_with('{') || is_array()) {
        json::import(source, untitled).map_err(|refused| refused.located(source))
    } else {
        markdown::import(source.text(), untitled)
    }
}
