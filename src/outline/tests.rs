//! The scan and the two renderings, by example.
#![allow(clippy::indexing_slicing)]

use pretty_assertions::assert_eq;

use super::{Gap, LegacyOutline, LegacyStep, Outline, Part, Step, render, render_legacy};

const COMPLETE: &str = "\
# Move to *one* store

## Context

- **Problem:** two stores
  disagree
- **Target state**: one store
- Intent: the user asked
- **Constraints:** keep the format

## Implementation steps

1. Write the store — `src/store.rs`, then test

   Keep the old one until step 3.
   - read first
   - Done when: `cargo test store` passes
2. Switch over
- Done when: nothing reads the old store
3. **Remove:** the old store

## Risks

1. None — really
";

/// A body whose outline is complete but for what `context` and `steps` leave out.
fn body(context: &str, steps: &str) -> String {
    format!("# T\n\n## Context\n\n{context}\n\n## Implementation steps\n\n{steps}\n")
}

const CONTEXT: &str = "- **Problem:** a\n- **Target state:** b\n- **Intent:** c";

fn text(part: Option<&Part>) -> Option<&str> {
    part.map(Part::text)
}

fn gaps(body: &str) -> Vec<Gap> {
    Outline::scan(body).gaps()
}

fn titles(outline: &Outline) -> Vec<&str> {
    outline.steps().iter().map(|s| s.title.as_str()).collect()
}

/// Scans the steps of `steps` under a complete context.
fn steps(steps: &str) -> Vec<Step> {
    Outline::scan(&body(CONTEXT, steps)).steps().to_vec()
}

fn problem(context: &str) -> Option<String> {
    text(Outline::scan(&body(context, "1. x")).problem()).map(str::to_owned)
}

// spec: MIRROR-6, LIFE-11
#[test]
fn a_complete_outline_is_found_whole() {
    let outline = Outline::scan(COMPLETE);
    assert_eq!(outline.gaps(), []);
    assert!(outline.is_complete());
    assert_eq!(outline.title(), Some("Move to one store"));
    assert_eq!(text(outline.problem()), Some("two stores\ndisagree"));
    assert_eq!(outline.problem().map(Part::line), Some(5));
    assert_eq!(text(outline.target_state()), Some("one store"));
    assert_eq!(outline.target_state().map(Part::line), Some(7));
    assert_eq!(text(outline.intent()), Some("the user asked"));
    assert_eq!(text(outline.constraints()), Some("keep the format"));
    assert_eq!(outline.out_of_scope(), None);
    assert_eq!(
        outline.steps(),
        [
            Step {
                number: 1,
                title: "Write the store".to_owned(),
                description: "src/store.rs, then test\nKeep the old one until step 3.\nread first".to_owned(),
                done_when: vec!["cargo test store passes".to_owned()],
                line: 13,
            },
            Step {
                number: 2,
                title: "Switch over".to_owned(),
                description: String::new(),
                done_when: vec!["nothing reads the old store".to_owned()],
                line: 18,
            },
            Step {
                number: 3,
                title: "Remove".to_owned(),
                description: "the old store".to_owned(),
                done_when: vec![],
                line: 20,
            },
        ]
    );
}

// spec: MIRROR-6
#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let outline = Outline::scan(COMPLETE);
    let crlf = COMPLETE.replace('\n', "\r\n");
    assert_eq!(Outline::scan(&crlf), outline);
    assert_eq!(Outline::scan(&COMPLETE.replace('\n', "\r")), outline);
    assert_eq!(Outline::scan(&format!("\u{feff}{crlf}")), outline);
}

// spec: LIFE-11
#[test]
fn an_empty_body_has_one_gap() {
    for body in ["", " \t\r\n\n", "\u{feff}", "\u{feff}\n"] {
        assert_eq!(gaps(body), [Gap::Empty], "{body:?}");
    }
}

// spec: LIFE-11
#[test]
fn each_missing_part_is_named() {
    assert_eq!(gaps("hello"), [Gap::NoContext, Gap::NoSteps]);
    assert_eq!(
        gaps("## Context\n## Implementation steps\n"),
        [
            Gap::ProblemBlank { line: None },
            Gap::TargetStateBlank { line: None },
            Gap::IntentBlank { line: None },
            Gap::NoNumberedStep { line: 2 },
        ]
    );
    assert_eq!(
        gaps(&body("- **Problem:**\n- **Target state:** b\n- **Intent:** \t", "1.\n2. \n")),
        [Gap::ProblemBlank { line: Some(5) }, Gap::IntentBlank { line: Some(7) }, Gap::StepsBlank { line: 11 },]
    );
    assert_eq!(gaps(&body(CONTEXT, "- a bullet")), [Gap::NoNumberedStep { line: 9 }]);
}

// spec: LIFE-11
#[test]
fn a_missing_title_is_no_gap() {
    let outline = Outline::scan(&body(CONTEXT, "1. x").replace("# T\n", ""));
    assert_eq!(outline.title(), None);
    assert!(outline.is_complete());
}

// spec: LIFE-11
#[test]
fn any_text_counts() {
    for text in ["x", ".", "1", "`c`", "<br>", "{x}", "&amp;", "![alt](i.png)", "TBD", "...", "**b**", "é"] {
        assert!(problem(&format!("- **Problem:** {text}")).is_some(), "{text}");
        let step = format!("1. {text}");
        assert_eq!(gaps(&body(CONTEXT, &step)), [], "{text}");
    }
    // One step with text is enough.
    assert_eq!(gaps(&body(CONTEXT, "1.\n2. x\n3.")), []);
    assert_eq!(gaps(&body(CONTEXT, "1.\n   - do it")), []);
}

// spec: LIFE-11
#[test]
fn what_is_no_text_does_not_count() {
    for text in [
        "",
        "<!-- x -->",
        "<!-- a --> <!-- b -->",
        "<!-- x\n  y -->",
        "<!-->",
        "{what is wrong, missing, or painful today}",
        "&nbsp;",
        "\n  <!--\n  1. x\n\n  y -->",
    ] {
        assert_eq!(problem(&format!("- **Problem:** {text}")), None, "{text}");
    }
    for step in ["1.", "1. <!-- x -->", "1. [ ]", "1. {Next step}", "1. {Step title} — {what to do}", "1. <!-- a\n   b"]
    {
        let found = gaps(&body(CONTEXT, step));
        assert_eq!(found, [Gap::StepsBlank { line: 11 }], "{step}");
    }
    // A criterion does not say what to do.
    assert_eq!(gaps(&body(CONTEXT, "1.\n   - Done when: x")), [Gap::StepsBlank { line: 11 }]);
}

// spec: MIRROR-6
#[test]
fn sections_are_real_headings_only() {
    let fenced = format!("```\n{COMPLETE}```\n");
    assert_eq!(gaps(&fenced), [Gap::NoContext, Gap::NoSteps]);
    let commented = format!("<!--\n{COMPLETE}-->\n");
    assert_eq!(gaps(&commented), [Gap::NoContext, Gap::NoSteps]);
    let quoted: String = COMPLETE.lines().map(|l| format!("> {l}\n")).collect();
    assert_eq!(gaps(&quoted), [Gap::NoContext, Gap::NoSteps]);
    let indented: String = COMPLETE.lines().map(|l| format!("    {l}\n")).collect();
    assert_eq!(gaps(&indented), [Gap::NoContext, Gap::NoSteps]);
    let listed: String = COMPLETE.lines().map(|l| format!("   {l}\n")).collect();
    assert_eq!(gaps(&format!("1. x\n\n{listed}")), [Gap::NoContext, Gap::NoSteps]);
    for other in ["# Context", "### Context", "## Contexts", "##Context", "**Context**"] {
        let body = body(CONTEXT, "1. x").replace("## Context", other);
        assert_eq!(gaps(&body), [Gap::NoContext], "{other}");
    }
}

// spec: MIRROR-6
#[test]
fn sections_take_any_case_and_both_heading_forms() {
    let body = "\
CONTEXT
-------
- **problem:** a
- **TARGET STATE:** b
- __Intent__: c

##   implementation  Steps ##
1. x
";
    assert_eq!(gaps(body), []);
}

// spec: MIRROR-6
#[test]
fn a_section_ends_at_the_next_heading_of_its_level() {
    // Labels outside of Context and steps outside of their section do not count.
    assert_eq!(
        gaps(&format!("## Context\n\n## Other\n{CONTEXT}\n\n1. x\n")),
        [
            Gap::ProblemBlank { line: None },
            Gap::TargetStateBlank { line: None },
            Gap::IntentBlank { line: None },
            Gap::NoSteps,
        ]
    );
    assert_eq!(gaps("## Implementation steps\n# Other\n1. x\n"), [Gap::NoContext, Gap::NoNumberedStep { line: 1 }]);
    let divided = body(&format!("### Why\n{CONTEXT}"), "### Phase 1\n1. a\n### Phase 2\n2. b");
    let outline = Outline::scan(&divided);
    assert_eq!(outline.gaps(), []);
    assert_eq!(titles(&outline), ["a", "b"]);
}

// spec: MIRROR-6
#[test]
fn of_repeated_sections_and_labels_the_first_with_text_counts() {
    let twice = "\
## Context
- **Problem:**
- **Problem:** first
- **Problem:** second
## Implementation steps
1. a
## Context
- **Target state:** b
- **Intent:** c
## Implementation steps
1. d
";
    let outline = Outline::scan(twice);
    assert_eq!(outline.gaps(), []);
    assert_eq!(text(outline.problem()), Some("first"));
    assert_eq!(outline.problem().map(Part::line), Some(3));
    assert_eq!(titles(&outline), ["a", "d"]);
}

// spec: MIRROR-6
#[test]
fn a_label_owns_the_rest_of_its_item() {
    let found = |context| problem(context).unwrap_or_default();
    assert_eq!(found("- **Problem:** a\nlazy\n  b"), "a\nlazy\nb");
    assert_eq!(found("- **Problem:**\n  - a\n    - b\n  - c"), "a\nb\nc");
    assert_eq!(found("- **Problem:**\n\n  a\n\n  > b"), "a\nb");
    assert_eq!(found("- **Problem:**\n  ```\n  a\n   b\n  ```\n  c"), "a\n b\nc");
    assert_eq!(found("- **Problem:** <!-- hint --> a"), "a");
    assert_eq!(found("- **Problem:**\n  <!-- hint --> a"), "a");
    assert_eq!(found("- **Problem:**a"), "a");
    assert_eq!(found("1. **Problem:** a"), "a");
    assert_eq!(found("* [x] Problem : a"), "a");
    assert_eq!(problem("**Problem:** a"), None, "no list item");
    assert_eq!(problem("- Note\n  - **Problem:** a"), None, "a nested item");
    assert_eq!(problem("> - **Problem:** a"), None, "a quoted item");
    assert_eq!(problem("- Problems: a"), None, "another word");
    assert_eq!(problem("- The **Problem:** a"), None, "not at the start");
}

// spec: MIRROR-6
#[test]
fn steps_keep_the_number_that_was_written() {
    let found: Vec<_> = steps("3. a\n3. b\n\n10) c\n999999999. d\n- e\n7. f")
        .into_iter()
        .map(|s| (s.number, s.title, s.line))
        .collect();
    let expected = [(3, "a", 11), (3, "b", 12), (10, "c", 14), (999_999_999, "d", 15), (7, "f", 17)];
    assert_eq!(found, expected.map(|(n, t, l)| (n, t.to_owned(), l)));
}

// spec: MIRROR-6
#[test]
fn only_items_of_numbered_lists_at_the_top_are_steps() {
    assert_eq!(steps("- 1. a\n\n> 1. b\n\n```\n1. c\n```\n<!--\n1. d\n-->\n"), []);
    let found = steps("1. a\n   1. b\n   2. c");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].description, "b\nc");
}

// spec: MIRROR-6
#[test]
fn criteria_are_found_nested_and_unindented() {
    let done_when = |text| -> Vec<Vec<String>> { steps(text).into_iter().map(|s| s.done_when).collect() };
    assert_eq!(done_when("1. a\n   - Done when: x\n   - done when : y"), [["x", "y"]]);
    assert_eq!(done_when("1. a\n- **Done when:** x\n  y\n2. b\n\n- Done when: z"), [["x y"], ["z"]]);
    assert_eq!(done_when("1. a\n   - [ ] Done when: x"), [["x"]]);
    assert_eq!(done_when("1. a\n   - Done when:\n     - x\n     - y"), [["x", "y"]]);
    assert_eq!(done_when("1. a\n   - Done when: all of\n     - x"), [["all of", "x"]]);
    assert_eq!(done_when("1. a\n   - b\n     - Done when: x"), [["x"]]);
    assert_eq!(done_when("1. a\n   - Done when:\n   - Done when: <!-- x -->"), [[""; 0]]);
    assert_eq!(done_when("1. a\n   - Done when: {optional acceptance bullet}"), [[""; 0]]);
    // A bullet beside a criterion is none.
    let beside = steps("1. a\n   - Done when: x\n   - note").remove(0);
    assert_eq!((beside.done_when, beside.description), (vec!["x".to_owned()], "note".to_owned()));
    // What stands before the first step, or below another heading, belongs to none.
    assert_eq!(done_when("- Done when: x\n1. a\n### Later\n- Done when: y"), [[""; 0]]);
}

// spec: MIRROR-6
#[test]
fn unindented_text_is_no_part_of_a_step() {
    let found = steps("1.\n\nSome paragraph.\n\n- a bullet\n  - nested\n\n# c");
    assert_eq!(found.len(), 1);
    assert!(found[0].is_blank());
}

// spec: MIRROR-6
#[test]
fn an_escaped_separator_does_not_end_a_title() {
    let title = |text| steps(text).remove(0).title;
    assert_eq!(title(r"1. a \- b\: c &mdash; d — e"), "a - b: c — d");
    assert_eq!(title("1. `a: b — c` — d"), "a: b — c");
    assert_eq!(title("1. **a** — b"), "a");
    assert_eq!(title("1. **a:** b"), "a");
    assert_eq!(title("1. Use Vec<T> — b"), "Use Vec<T>");
}

// spec: INIT-7, LIFE-11
#[test]
fn a_fresh_outline_holds_its_title_and_is_never_complete() {
    let fresh = render("Fix `a_b` in C# <!-- #", "");
    assert_eq!(
        fresh,
        r"# Fix \`a_b\` in C# \<!-- \#

## Context

- **Problem:** <!-- what is wrong, missing, or painful today -->
- **Target state:** <!-- what “done” looks like for this session’s scope -->
- **Intent:** <!-- why now — priority, user ask, or tradeoff driving this work -->
- **Constraints:** <!-- compatibility, must-not-touch, deadlines — omit bullet if none -->
- **Out of scope:** <!-- explicit non-goals — omit bullet if none -->

## Implementation steps

<!-- Number the steps as shown here; this comment itself does not count.
1. {Step title} — {what to do, files/modules, commands if any}
2. {Step title} — {what to do}
   - Done when: {optional acceptance bullet}
3. {Next step}
-->
"
    );
    let outline = Outline::scan(&fresh);
    assert_eq!(outline.title(), Some("Fix `a_b` in C# <!-- #"));
    assert_eq!(
        outline.gaps(),
        [
            Gap::ProblemBlank { line: Some(5) },
            Gap::TargetStateBlank { line: Some(6) },
            Gap::IntentBlank { line: Some(7) },
            Gap::NoNumberedStep { line: 11 },
        ]
    );
    assert_eq!(outline.steps(), []);
}

// spec: INIT-7
#[test]
fn notes_stand_in_a_quote_under_their_heading() {
    let with_notes = render("T", "a\r\n\r\n  b\n\n");
    assert_eq!(with_notes, format!("{}\n## Notes\n\n> a\n>\n>   b\n", render("T", "")));
    assert_eq!(render("T", " \n"), render("T", ""));
}

// spec: LIFE-11, INIT-7
#[test]
fn notes_cannot_fill_the_outline() {
    let empty = Outline::scan(&render("T", ""));
    for notes in [
        COMPLETE,
        "-->\n## Context\n- **Problem:** x",
        "```\n\n## Context\n- **Problem:** x",
        "Context\n---\n- **Problem:** x\n\nImplementation steps\n===\n1. x",
        "<div>\n\n## Implementation steps\n1. x",
        "\r## Context\r- **Problem:** x\r",
        "\n\n\n    ## Context\n\t- **Problem:** x",
        &format!("{}\n## Implementation steps\n1. x", ">".repeat(5000)),
    ] {
        assert_eq!(Outline::scan(&render("T", notes)), empty, "{notes}");
    }
}

// spec: LIFE-11
#[test]
fn filling_in_a_fresh_outline_completes_it() {
    let mut body = render("T", "```\n<!--");
    for label in ["Problem", "Target state", "Intent"] {
        let label = format!("- **{label}:**");
        body = body.replace(&label, &format!("{label} text"));
    }
    body = body.replace("\n## Notes", "1. A — b\n- Done when: c\n\n## Notes");
    let outline = Outline::scan(&body);
    assert_eq!(outline.gaps(), []);
    assert_eq!(titles(&outline), ["A"]);
    assert_eq!(outline.steps()[0].done_when, ["c"]);
}

fn legacy() -> LegacyOutline<'static> {
    LegacyOutline {
        title: "Old plan",
        problem: "line one\n\n## Context\n- **Intent:** forged",
        target_state: "done",
        steps: vec![],
    }
}

// spec: LIFE-11
#[test]
fn a_legacy_outline_lacks_its_intent_alone() {
    let criteria = ["tests\npass".to_owned(), " ".to_owned(), "docs - read".to_owned()];
    let rendered = render_legacy(&LegacyOutline {
        steps: vec![
            LegacyStep {
                title: "Parse: rules",
                description: "in src/\n1. not a step\n- Done when: forged",
                done_when: &criteria,
            },
            LegacyStep { title: "Ship — now: really", description: "", done_when: &[] },
            LegacyStep { title: "", description: "no title", done_when: &[] },
        ],
        ..legacy()
    });
    assert_eq!(
        rendered,
        r"# Old plan

## Context

- **Problem:** line one
  \## Context
  \- \*\*Intent:\*\* forged
- **Target state:** done
- **Intent:** <!-- why now — priority, user ask, or tradeoff driving this work -->
- **Constraints:** <!-- compatibility, must-not-touch, deadlines — omit bullet if none -->
- **Out of scope:** <!-- explicit non-goals — omit bullet if none -->

## Implementation steps

1. Parse: rules — in src/
   1\. not a step
   \- Done when: forged
   - Done when: tests pass
   - Done when: docs - read
2. Ship &mdash; now\: really
3. — no title
"
    );
    let outline = Outline::scan(&rendered);
    assert_eq!(outline.gaps(), [Gap::IntentBlank { line: Some(9) }]);
    assert_eq!(outline.title(), Some("Old plan"));
    assert_eq!(text(outline.problem()), Some("line one\n## Context\n- **Intent:** forged"));
    assert_eq!(titles(&outline), ["Parse: rules", "Ship — now: really", ""]);
    let steps = outline.steps();
    assert_eq!(steps[0].done_when, ["tests pass", "docs - read"]);
    assert_eq!(steps[0].description, "in src/\n1. not a step\n- Done when: forged");
    assert_eq!(steps[2].description, "no title");
}

// spec: LIFE-11
#[test]
fn a_legacy_outline_without_texts_names_all_of_them() {
    let rendered = render_legacy(&LegacyOutline { problem: "\n", target_state: "", ..legacy() });
    assert_eq!(gaps(&rendered), gaps(&render("Old plan", "")));
}
