//! What an outline lacks.

use std::fmt;

use super::template::Label;

/// One thing that an outline lacks and approval needs (LIFE-11).
///
/// A missing title is not among them. [`Display`](fmt::Display) gives one fixed sentence that names the
/// part and, where known, its line (from 1).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gap {
    /// The body is empty or white space; no other gap is listed beside this one.
    Empty,
    /// There is no `## Context`, so its three required labels are missing as well.
    NoContext,
    /// `Problem` has no text.
    ProblemBlank {
        /// The line of the label; `None` if the label is not there.
        line: Option<usize>,
    },
    /// `Target state` has no text.
    TargetStateBlank {
        /// The line of the label; `None` if the label is not there.
        line: Option<usize>,
    },
    /// `Intent` has no text.
    IntentBlank {
        /// The line of the label; `None` if the label is not there.
        line: Option<usize>,
    },
    /// There is no `## Implementation steps`.
    NoSteps,
    /// `## Implementation steps` is there without a numbered step.
    NoNumberedStep {
        /// The line of the heading.
        line: usize,
    },
    /// There are numbered steps, and none has text.
    StepsBlank {
        /// The line of the first numbered step.
        line: usize,
    },
}

impl Gap {
    /// The line of the `.md` (from 1) where the text is missing, where that is known.
    pub fn line(&self) -> Option<usize> {
        match *self {
            Gap::Empty | Gap::NoContext | Gap::NoSteps => None,
            Gap::ProblemBlank { line } | Gap::TargetStateBlank { line } | Gap::IntentBlank { line } => line,
            Gap::NoNumberedStep { line } | Gap::StepsBlank { line } => Some(line),
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Empty => f.write_str("the plan is empty"),
            Gap::NoContext => f.write_str("there is no `## Context` section with Problem, Target state and Intent"),
            Gap::ProblemBlank { line } => label(f, Label::Problem, *line),
            Gap::TargetStateBlank { line } => label(f, Label::TargetState, *line),
            Gap::IntentBlank { line } => label(f, Label::Intent, *line),
            Gap::NoSteps => f.write_str("there is no `## Implementation steps` section"),
            Gap::NoNumberedStep { line } => write!(f, "`## Implementation steps` has no numbered step (line {line})"),
            Gap::StepsBlank { line } => {
                write!(f, "no numbered step has text (first step on line {line})")
            }
        }
    }
}

fn label(f: &mut fmt::Formatter<'_>, label: Label, line: Option<usize>) -> fmt::Result {
    let name = label.name();
    match line {
        Some(line) => write!(f, "`**{name}:**` is blank (line {line})"),
        None => write!(f, "`## Context` has no `- **{name}:**` line"),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    // spec: LIFE-11, REM-5
    #[test]
    fn every_gap_names_its_part_and_its_line() {
        let texts = [
            (Gap::Empty, "the plan is empty"),
            (Gap::NoContext, "there is no `## Context` section with Problem, Target state and Intent"),
            (Gap::ProblemBlank { line: Some(4) }, "`**Problem:**` is blank (line 4)"),
            (Gap::TargetStateBlank { line: None }, "`## Context` has no `- **Target state:**` line"),
            (Gap::IntentBlank { line: Some(6) }, "`**Intent:**` is blank (line 6)"),
            (Gap::NoSteps, "there is no `## Implementation steps` section"),
            (Gap::NoNumberedStep { line: 8 }, "`## Implementation steps` has no numbered step (line 8)"),
            (Gap::StepsBlank { line: 9 }, "no numbered step has text (first step on line 9)"),
        ];
        for (gap, text) in texts {
            assert_eq!(gap.to_string(), text);
            let in_text = gap.line().is_none_or(|line| text.contains(&format!("line {line}")));
            assert!(in_text, "{text}");
        }
    }
}
