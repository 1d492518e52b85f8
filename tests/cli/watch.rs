//! `watch` on a terminal and without one.
// spec: MIRROR-3, LIFE-12

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use pretty_assertions::assert_eq;
use rustix::process::Signal;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::place::{INIT_DESIGN, Place, WHOLE};
use super::terminal::{SOON, Terminal};

const CLEAR: &str = "\u{1b}[H\u{1b}[2J";
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";
const FOOT: &str = "Ctrl-C ends this.";

/// What MIRROR-3 allows.
const DUE: Duration = Duration::from_millis(500);

/// The next screen, as lines without colours.
#[track_caller]
fn screen(terminal: &mut Terminal) -> Vec<String> {
    terminal.until(CLEAR);
    let text = terminal.until(FOOT);
    strip_str(&text).to_string().replace('\r', "").lines().map(str::to_owned).collect()
}

#[track_caller]
fn fits(screen: &[String], rows: usize, columns: usize) {
    assert!(screen.len() <= rows, "{screen:#?}");
    assert!(screen.iter().all(|line| line.width() <= columns), "{screen:#?}");
}

#[test]
fn shows_the_plan_within_80_by_24_and_follows_a_change() {
    let place = Place::new().active();
    let Some(mut terminal) = Terminal::run(place.call(["watch", "--session", "a1"])) else { return };
    let first = screen(&mut terminal);
    assert_eq!(
        first,
        [
            "session a1 (named by --session)",
            "Swap the cache — Active",
            "0 of 3 tasks have ended.",
            "Next: 1. Look",
            "",
            "[ ]   1. Look",
            "[ ]   2. Swap (waits for 1)",
            "[ ]   3. Measure (waits for 2)",
            FOOT,
        ]
    );
    // On a machine that is busy the first try may be late; a watch that is slow is late every time.
    let mut took = Vec::new();
    for operation in ["start", "complete", "start", "complete"] {
        assert_eq!(place.a1(["tool", &json!({"operation": operation}).to_string()]).exit, 0);
        let changed = Instant::now();
        let shown = screen(&mut terminal);
        took.push(changed.elapsed());
        fits(&shown, 24, 80);
    }
    assert!(took.iter().min().unwrap() <= &DUE, "{took:?}");
    terminal.type_in("\u{3}");
    let ended = terminal.end();
    assert_eq!((ended.exit, ended.restored), (Some(0), true));
}

#[test]
fn a_long_checklist_shows_the_task_that_matters_now_and_a_long_design_its_top() {
    let tasks: Vec<Value> =
        (1..=60).map(|n| json!({"title": format!("step {n} {}", "and on ".repeat(14)), "description": "d"})).collect();
    let place = Place::new();
    let init = json!({"operation": "init", "title": "Long", "tasks": tasks}).to_string();
    assert_eq!(place.a1(["tool", &init]).exit, 0);
    assert_eq!(place.a1(["tool", r#"{"operation": "start", "task": 40}"#]).exit, 0);
    let Some(mut terminal) = Terminal::run(place.call(["watch", "--session", "a1"])) else { return };
    let shown = screen(&mut terminal);
    fits(&shown, 24, 80);
    assert_eq!(shown.len(), 24, "the screen is used: {shown:#?}");
    assert!(shown.iter().any(|line| line.starts_with("[>]  40. step 40")), "{shown:#?}");
    assert!(shown.iter().any(|line| line == "… 37 tasks above"), "{shown:#?}");
    assert_eq!(shown.last().unwrap(), "More: `plangate show`. Ctrl-C ends this.");
    terminal.resize(10, 40);
    let small = screen(&mut terminal);
    fits(&small, 10, 40);
    terminal.type_in("\u{3}");
    assert_eq!(terminal.end().exit, Some(0));

    let place = Place::new().editing();
    std::fs::write(place.md(), format!("{WHOLE}\n{}", "a line of text\n\n".repeat(100))).unwrap();
    let Some(mut terminal) = Terminal::run(place.call(["watch", "--session", "a1"])) else { return };
    let shown = screen(&mut terminal);
    fits(&shown, 24, 80);
    assert!(shown.contains(&"Context".to_owned()), "{shown:#?}");
    terminal.type_in("\u{3}");
    assert_eq!(terminal.end().exit, Some(0));
}

#[test]
fn the_terminal_is_clean_again_however_it_ends() {
    let place = Place::new().active();
    for signal in [None, Some(Signal::TERM), Some(Signal::INT), Some(Signal::HUP)] {
        let Some(mut terminal) = Terminal::run(place.call(["watch", "--session", "a1"])) else { return };
        screen(&mut terminal);
        match signal {
            None => terminal.type_in("\u{3}"),
            Some(signal) => terminal.signal(signal),
        }
        let ended = terminal.end();
        assert!(ended.restored && ended.exit == Some(0), "{signal:?}: {:?}", ended.exit);
        assert!(ended.bytes.starts_with(ENTER.as_bytes()), "{signal:?}");
        assert!(ended.text().ends_with(LEAVE), "{signal:?}: {:?}", ended.text());
    }
}

// spec: DISK-12
#[test]
fn a_plan_that_gets_damaged_is_told_and_followed_on() {
    let place = Place::new().active();
    let whole = std::fs::read(place.json()).unwrap();
    let Some(mut terminal) = Terminal::run(place.call(["watch", "--session", "a1"])) else { return };
    screen(&mut terminal);
    std::fs::write(place.json(), "{").unwrap();
    terminal.until(" is damaged");
    terminal.until(FOOT);
    std::fs::write(place.json(), whole).unwrap();
    terminal.until("[ ]   1. Look");
    terminal.type_in("\u{3}");
    let ended = terminal.end();
    assert!(ended.exit == Some(0) && ended.text().ends_with(LEAVE));

    // An error before the screen is taken leaves no trace of it.
    let Some(terminal) = Terminal::run(place.call(["watch", "--session", "../x"])) else { return };
    let ended = terminal.end();
    assert!(ended.exit == Some(2) && ended.restored && !ended.text().contains('\u{1b}'), "{}", ended.text());
}

/// A person enters for the folder and watches; the agent's session that takes over is the one to see then.
#[test]
fn a_watch_of_the_folder_follows_the_session_that_takes_over() {
    let place = Place::new();
    assert_eq!(place.run(["enter"]).exit, 0);
    let Some(mut terminal) = Terminal::run(place.call(["watch"])) else { return };
    terminal.until("Plan mode is on");
    assert_eq!(place.a1(["tool", INIT_DESIGN]).exit, 0);
    terminal.until("session a1 (it has the live plan of this folder)");
    terminal.until("Swap the cache");
    std::fs::write(place.md(), WHOLE).unwrap();
    terminal.until("The outline is complete.");
    terminal.type_in("\u{3}");
    assert_eq!(terminal.end().exit, Some(0));
}

#[test]
fn without_a_terminal_it_writes_a_line_for_every_change() {
    let place = Place::new();
    let mut call = place.call(["watch", "--json", "--session", "a1"]);
    let mut child = call.command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["state"], "NoPlan");
    let place = place.editing();
    let deadline = Instant::now() + SOON;
    let state = loop {
        let told = next();
        if told["state"] != "NoPlan" || Instant::now() > deadline {
            break told;
        }
    };
    assert_eq!((&state["state"], &state["session"]), (&json!("Editing"), &json!("a1")));
    std::fs::write(place.json(), "{").unwrap();
    while next()["error"]["code"] != "damaged" {
        assert!(Instant::now() < deadline);
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
