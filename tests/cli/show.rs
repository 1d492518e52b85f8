//! `show`, and what reaches a screen of it.

use pretty_assertions::assert_eq;
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use super::place::{Place, Ran, WHOLE};

#[test]
fn shows_the_design_and_then_the_checklist() {
    let place = Place::new().designed();
    assert_eq!(
        place.a1(["show"]),
        Ran::done(
            "session a1 (named by --session)\n\
             Swap the cache — Editing\n\
             The design is in ROOT/session/.opencrabs_plan_a1.md\n\
             The outline is complete. Read it with `plangate show`, then `plangate approve`.\n\
             \n\
             Swap the cache\n\
             \n\
             Context\n\
             \n\
             - Problem: LRU thrashes\n\
             - Target state: ARC in place\n\
             - Intent: latency\n\
             \n\
             Implementation steps\n\
             \n\
             1. Look — read the callers\n\
             2. Swap — in cache.rs\n"
        )
    );
    assert_eq!(place.a1(["show", "--json"]).json().1["body"], json!(WHOLE));

    let place = Place::new().active();
    for operation in [
        r#"{"operation": "start"}"#,
        r#"{"operation": "complete"}"#,
        r#"{"operation": "start"}"#,
        r#"{"operation": "fail", "output": "the tests hang"}"#,
        r#"{"operation": "add_task", "title": "A title that is so long that it takes more than one line of a screen of a usual width", "description": "d"}"#,
        r#"{"operation": "start", "task": 4}"#,
    ] {
        assert_eq!(place.a1(["tool", operation]).exit, 0, "{operation}");
    }
    assert_eq!(
        place.a1(["show"]),
        Ran::done(
            "session a1 (named by --session)\n\
             Swap the cache — Active\n\
             1 of 4 tasks have ended.\n\
             Current: 4. A title that is so long that it takes more than one line of a screen\n\
             of a usual width\n\
             \n\
             [x]   1. Look\n\
             [!]   2. Swap\n\
             [ ]   3. Measure (waits for 2)\n\
             [>]   4. A title that is so long that it takes more than one line of a screen of\n\
             \u{20}        a usual width\n"
        )
    );
    assert!(place.a1(["show", "--json"]).json().1.get("body").is_none());
}

#[test]
fn without_a_plan_it_says_so() {
    let none = "session a1 (named by --session)\nNo plan\nEnter plan mode with `plangate enter`.\n";
    assert_eq!(Place::new().a1(["show"]), Ran::done(none));
}

#[test]
fn no_line_is_wider_than_80_where_there_is_no_terminal() {
    let place = Place::new().editing();
    std::fs::write(place.md(), format!("{WHOLE}\n{}\n", "words and more words ".repeat(40))).unwrap();
    let shown = place.a1(["show"]).out;
    assert!(shown.lines().count() > 20);
    for line in shown.lines() {
        assert!(line.width() <= 80, "{line}");
    }
}

#[test]
fn colours_are_for_terminals() {
    let place = Place::new().designed();
    for command in [&["show"][..], &["status"], &["check"], &["list"], &["--help"], &["doctor"]] {
        let ran = place.a1(command.iter().copied());
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{command:?}: {ran:?}");
    }
}

/// `plangate show | head -1`: whoever has read enough is no error to talk of.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_early_is_told_nothing() {
    let place = Place::new().editing();
    std::fs::write(place.md(), format!("{WHOLE}\n{}\n", "word ".repeat(100_000))).unwrap();
    let mut command = place.call(["show", "--session", "a1"]).command;
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(1), ""));
}
