//! Template B: the steps become tasks.
//!
//! The whole text becomes the plan's description, as it is for a design that was approved, so that no part of it is lost.
//! Steps do not wait for each other: their numbers say in which order they are taken, and nothing more.

use super::left_out::{LeftOut, quoted};
use super::{ImportError, ImportProblem, texts};
use crate::model::{Criterion, Description, InvalidText, TaskDraft, TaskDrafts, Title};
use crate::outline::{Outline, Step};
use crate::plan::{Background, Brief, Import};

pub(super) fn import(text: &str, outline: &Outline, untitled: Title) -> Result<Import, ImportError> {
    let title = outline.title().and_then(texts::short).map_or(untitled, |short| short.title);
    let lines: Vec<&str> = text.lines().collect();
    let (mut drafts, mut left_out) = (Vec::new(), LeftOut::default());
    for step in outline.steps() {
        let line = lines.get(step.line.saturating_sub(1)).copied().unwrap_or_default();
        if is_checked(line) {
            left_out
                .add(|| format!("step {} {} (line {}), which is done", step.number, quoted(&step.title), step.line));
        } else if let Some(draft) = draft(step)? {
            drafts.push(draft);
        } else {
            left_out.add(|| format!("step {} (line {}), which is blank", step.number, step.line));
        }
    }
    let tasks = TaskDrafts::try_from(drafts).map_err(|_| ImportError::in_line(1, ImportProblem::NothingOpen))?;
    let brief = Brief { title, description: text.into(), background: Background::default(), kept: Default::default() };
    Ok(Import { brief, tasks, left_out: left_out.into_list() })
}

/// Whether the line of a step begins with `1. [x]`.
fn is_checked(line: &str) -> bool {
    let after_number = line.trim_start().trim_start_matches(|character: char| character.is_ascii_digit());
    let text = after_number.trim_start_matches(['.', ')']).trim_start();
    text.starts_with("[x]") || text.starts_with("[X]")
}

/// The task of a step; `None` if the step is blank.
fn draft(step: &Step) -> Result<Option<TaskDraft>, ImportError> {
    let refused = |error: InvalidText| ImportError::in_line(step.line, ImportProblem::Text(error.problem));
    let first_line = || step.description.lines().next().unwrap_or_default();
    let titled = Some(step.title.as_str()).filter(|title| !title.is_empty()).unwrap_or_else(first_line);
    let Some(short) = texts::short(titled) else { return Ok(None) };
    let description = match (short.is_whole, step.description.trim()) {
        (true, "") => step.title.clone(),
        (true, description) => description.to_owned(),
        (false, description) => format!("{}\n\n{description}", step.title).trim().to_owned(),
    };
    let description = Description::new(description).map_err(refused)?;
    let mut draft = TaskDraft::from_parts(short.title, description);
    for criterion in &step.done_when {
        draft.acceptance_criteria.push(Criterion::new(criterion).map_err(refused)?.as_str().into());
    }
    Ok(Some(draft))
}
