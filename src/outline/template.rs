//! The fixed words of template B: section names, labels, hints, and the template as documented.

use std::fmt::Write as _;

/// The outline's required parts in one sentence, for reminders and for the answer to a design `init`
/// (REM-5).
pub const REQUIRED_PARTS: &str = "`## Context` with text after `**Problem:**`, `**Target state:**` and `**Intent:**`, \
     and `## Implementation steps` with at least one numbered step (`1. Title — what to do`, \
     optionally with `Done when:` bullets)";

pub(super) const CONTEXT: &str = "Context";
pub(super) const STEPS: &str = "Implementation steps";
pub(super) const NOTES: &str = "Notes";
pub(super) const DONE_WHEN: &str = "Done when";

const TITLE_HINT: &str = "Plan title";
const STEP_TITLE_HINT: &str = "Step title";
const STEP_HINT: &str = "what to do, files/modules, commands if any";
const SHORT_STEP_HINT: &str = "what to do";
const DONE_WHEN_HINT: &str = "optional acceptance bullet";
const NEXT_STEP_HINT: &str = "Next step";

/// A label of `## Context`, in the order of the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Problem,
    TargetState,
    Intent,
    Constraints,
    OutOfScope,
}

impl Label {
    pub(super) const ALL: [Label; 5] =
        [Label::Problem, Label::TargetState, Label::Intent, Label::Constraints, Label::OutOfScope];

    pub(super) fn name(self) -> &'static str {
        match self {
            Label::Problem => "Problem",
            Label::TargetState => "Target state",
            Label::Intent => "Intent",
            Label::Constraints => "Constraints",
            Label::OutOfScope => "Out of scope",
        }
    }

    /// What to write there. Free of `--` and `>`, so that it can stand in an HTML comment.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Label::Problem => "what is wrong, missing, or painful today",
            Label::TargetState => "what “done” looks like for this session’s scope",
            Label::Intent => "why now — priority, user ask, or tradeoff driving this work",
            Label::Constraints => "compatibility, must-not-touch, deadlines — omit bullet if none",
            Label::OutOfScope => "explicit non-goals — omit bullet if none",
        }
    }
}

/// The numbered steps of the template, with placeholders; ends with a line break.
pub(super) fn example_steps() -> String {
    format!(
        "1. {{{STEP_TITLE_HINT}}} — {{{STEP_HINT}}}\n\
         2. {{{STEP_TITLE_HINT}}} — {{{SHORT_STEP_HINT}}}\n   \
            - {DONE_WHEN}: {{{DONE_WHEN_HINT}}}\n\
         3. {{{NEXT_STEP_HINT}}}\n"
    )
}

/// Template B as it is documented (MIRROR-5): every part with a `{placeholder}` that says what to write.
///
/// A scan takes the placeholders as blank, so the template itself is never complete.
pub fn template() -> String {
    let mut text = format!("# {{{TITLE_HINT}}}\n\n## {CONTEXT}\n\n");
    for label in Label::ALL {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "- **{}:** {{{}}}", label.name(), label.hint());
    }
    let _ = write!(text, "\n## {STEPS}\n\n{}", example_steps());
    text
}

/// Whether `text` is one of the template's placeholders, left as it is.
pub(super) fn is_placeholder(text: &str) -> bool {
    let Some(inner) = text.trim().strip_prefix('{').and_then(|t| t.strip_suffix('}')) else {
        return false;
    };
    Label::ALL
        .map(Label::hint)
        .into_iter()
        .chain([TITLE_HINT, STEP_TITLE_HINT, STEP_HINT, SHORT_STEP_HINT, DONE_WHEN_HINT, NEXT_STEP_HINT])
        // An editor may have wrapped the line, so white space is not compared.
        .any(|hint| inner.split_whitespace().eq(hint.split_whitespace()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::outline::{Gap, Outline};

    // spec: MIRROR-5
    #[test]
    fn the_template_reads_as_documented() {
        assert_eq!(
            template(),
            "\
# {Plan title}

## Context

- **Problem:** {what is wrong, missing, or painful today}
- **Target state:** {what “done” looks like for this session’s scope}
- **Intent:** {why now — priority, user ask, or tradeoff driving this work}
- **Constraints:** {compatibility, must-not-touch, deadlines — omit bullet if none}
- **Out of scope:** {explicit non-goals — omit bullet if none}

## Implementation steps

1. {Step title} — {what to do, files/modules, commands if any}
2. {Step title} — {what to do}
   - Done when: {optional acceptance bullet}
3. {Next step}
"
        );
    }

    // spec: LIFE-11, MIRROR-5
    #[test]
    fn the_unfilled_template_has_every_gap() {
        let outline = Outline::scan(&template());
        assert_eq!(
            outline.gaps(),
            [
                Gap::ProblemBlank { line: Some(5) },
                Gap::TargetStateBlank { line: Some(6) },
                Gap::IntentBlank { line: Some(7) },
                Gap::StepsBlank { line: 13 },
            ]
        );
        assert_eq!(outline.title(), None);
        assert_eq!(outline.constraints(), None);
        assert_eq!(outline.out_of_scope(), None);
        assert!(outline.steps().iter().all(|step| step.done_when.is_empty()));
    }

    // spec: LIFE-11
    #[test]
    fn a_placeholder_that_was_changed_is_text() {
        assert!(is_placeholder("{Step\n title}"));
        assert!(!is_placeholder("..."));
        assert!(!is_placeholder("Step title"));
        assert!(!is_placeholder("{what is wrong today}"));
        assert!(!is_placeholder("{Step title} and more"));
    }

    // spec: REM-5
    #[test]
    fn the_required_parts_name_every_required_label_and_section() {
        for part in [CONTEXT, STEPS, DONE_WHEN] {
            assert!(REQUIRED_PARTS.contains(part), "{part}");
        }
        for label in [Label::Problem, Label::TargetState, Label::Intent] {
            assert!(REQUIRED_PARTS.contains(&format!("`**{}:**`", label.name())));
        }
    }
}
