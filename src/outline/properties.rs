//! What holds for any text at all.

use proptest::collection::vec;
use proptest::prelude::*;

use super::prose::one_line;
use super::template::is_placeholder;
use super::{Gap, LegacyOutline, LegacyStep, Outline, Part, render, render_legacy};

/// Markdown made of the pieces that mean most to a parser, and of arbitrary text.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A text on one line as a title is: no control characters, no white space around it.
fn title() -> impl Strategy<Value = String> {
    nasty()
        .prop_map(|text| text.replace(char::is_control, " ").trim().to_owned())
        .prop_filter("a placeholder is blank by definition", |title| !is_placeholder(title))
}

const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "  ",
    "    ",
    "\t",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "\u{2028}",
    "a",
    "b",
    "é",
    "中",
    "1",
    "12",
    "#",
    "##",
    "## ",
    "# ",
    "## Context\n",
    "## Implementation steps\n",
    "- **Problem:** ",
    "- **Target state:** ",
    "- **Intent:** ",
    "1. ",
    "2) ",
    "- ",
    "* ",
    "+ ",
    "> ",
    ">",
    "- [ ] ",
    "Done when: ",
    "   - Done when: ",
    "*",
    "**",
    "_",
    "`",
    "``",
    "```",
    "```\n",
    "~~~",
    "~~~\n",
    "<!--",
    "-->",
    "<!-->",
    "<",
    ">",
    "<div>",
    "</div>",
    "<pre>",
    "<?",
    "?>",
    "<![CDATA[",
    "]]>",
    "<!X",
    "<http://a>",
    "&",
    "&amp;",
    "&#0;",
    "&#10;",
    "\\",
    "\\\n",
    "  \n",
    "[",
    "]",
    "](",
    "[a]: b",
    "[a]",
    "![",
    ":",
    ": ",
    " — ",
    "—",
    " – ",
    " - ",
    "-",
    "---",
    "\n---\n",
    "===",
    "\n===\n",
    "***",
    "|",
    "~",
    "=",
    "+++",
    "{",
    "}",
    "...",
    "(",
    ")",
    "\"",
];

proptest! {
    // spec: MIRROR-6
    #[test]
    fn any_text_scans(body in nasty()) {
        let outline = Outline::scan(&body);
        prop_assert_eq!(outline.is_complete(), outline.gaps().is_empty());
        let lines = body.replace("\r\n", "\n").split(['\n', '\r']).count();
        for step in outline.steps() {
            prop_assert!((1..=lines).contains(&step.line));
            prop_assert!(step.done_when.iter().all(|c| !c.trim().is_empty()));
        }
    }

    // spec: MIRROR-6
    #[test]
    fn line_ends_and_a_byte_order_mark_do_not_matter(body in nasty()) {
        let body = body.replace(['\r', '\u{feff}'], "");
        let outline = Outline::scan(&body);
        let crlf = body.replace('\n', "\r\n");
        prop_assert_eq!(&Outline::scan(&crlf), &outline);
        prop_assert_eq!(&Outline::scan(&format!("\u{feff}{crlf}")), &outline);
    }

    // spec: INIT-7, LIFE-11
    #[test]
    fn neither_title_nor_notes_change_the_gaps_of_a_fresh_outline(title in nasty(), notes in nasty()) {
        let empty = Outline::scan(&render("", ""));
        let outline = Outline::scan(&render(&title, &notes));
        prop_assert!(!outline.is_complete());
        prop_assert_eq!(outline.gaps(), empty.gaps());
        prop_assert_eq!(outline.steps(), empty.steps());
        prop_assert_eq!(outline.constraints(), None);
        prop_assert_eq!(outline.out_of_scope(), None);
    }

    // spec: INIT-7, MIRROR-6
    #[test]
    fn a_rendered_title_reads_back(title in title(), notes in nasty()) {
        let outline = Outline::scan(&render(&title, &notes));
        prop_assert_eq!(outline.title().unwrap_or_default(), title);
    }

    // spec: LIFE-11, MIRROR-6
    #[test]
    fn a_legacy_outline_reads_back(
        plan_title in title(),
        problem in nasty(),
        target_state in nasty(),
        tasks in vec((title(), nasty(), vec(nasty(), 0..3)), 0..12),
    ) {
        let steps = tasks
            .iter()
            .map(|(title, description, done_when)| LegacyStep { title, description, done_when })
            .collect();
        let rendered = render_legacy(&LegacyOutline {
            title: &plan_title,
            problem: &problem,
            target_state: &target_state,
            steps,
        });
        let outline = Outline::scan(&rendered);

        prop_assert_eq!(outline.title().unwrap_or_default(), plan_title);
        prop_assert_eq!(words(outline.problem()), plain(&problem));
        prop_assert_eq!(words(outline.target_state()), plain(&target_state));
        let intent = outline.gaps().iter().any(|gap| matches!(gap, Gap::IntentBlank { line: Some(_) }));
        prop_assert!(intent);
        prop_assert_eq!(outline.steps().len(), tasks.len());
        for (step, (title, description, done_when)) in outline.steps().iter().zip(&tasks) {
            prop_assert_eq!(one_line(&step.title), one_line(title));
            prop_assert_eq!(one_line(&step.description), plain(description));
            let expected: Vec<_> = done_when.iter().map(|c| plain(c)).filter(|c| !c.is_empty()).collect();
            prop_assert_eq!(&step.done_when, &expected);
        }
    }
}

fn words(part: Option<&Part>) -> String {
    part.map(|part| one_line(part.text())).unwrap_or_default()
}

/// What is left of a text on one line; a placeholder is blank.
fn plain(text: &str) -> String {
    let text = one_line(&text.replace(char::is_control, " "));
    if is_placeholder(&text) { String::new() } else { text }
}
