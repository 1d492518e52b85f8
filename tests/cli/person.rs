//! A person at a terminal approves, discards and restores.
// spec: LIFE-8, LIFE-9, LIFE-11, LIFE-6

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, WHOLE};
use super::terminal::{Ended, Terminal};

const QUESTION: &str = " and Enter; anything else leaves it as it is: ";

/// Waits for the question, and gives what is to be typed.
#[track_caller]
fn word(terminal: &mut Terminal) -> String {
    let text = terminal.until(QUESTION);
    let asked = text.trim_end_matches(QUESTION);
    asked.rsplit(' ').next().unwrap().to_owned()
}

fn state(place: &Place) -> serde_json::Value {
    place.a1(["status", "--json"]).json().1
}

#[track_caller]
fn told(place: &Place, ended: &Ended, exit: i32, last: &str) {
    let text = place.plain(&ended.text()).replace('\r', "");
    assert_eq!((ended.exit, ended.restored), (Some(exit), true), "{text}");
    let answer = text.rsplit_once(QUESTION).unwrap().1;
    // What was typed is there as well, as the terminal echoes it.
    assert_eq!(answer.split_once('\n').unwrap().1, last);
}

#[test]
fn the_right_word_approves_and_the_record_says_who_and_how() {
    let place = Place::new().designed();
    let Some(mut terminal) = Terminal::run(place.call(["approve", "--session", "a1"])) else { return };
    let shown = place.plain(&terminal.until("2 steps, digest ")).replace('\r', "");
    assert_eq!(
        shown,
        format!(
            "ROOT/session/.opencrabs_plan_a1.md (session a1, named by --session)\n\n{}\n2 steps, digest ",
            WHOLE.lines().map(|line| format!("  {line}\n")).collect::<String>()
        )
    );
    let word = word(&mut terminal);
    let digest = state(&place)["md_digest"].as_str().unwrap().to_owned();
    assert!(word.len() >= 4, "{word}");
    terminal.type_in(&format!("{word}\n"));
    told(&place, &terminal.end(), 0, "Approved. The agent adds the steps as tasks and starts.\n");
    let now = state(&place);
    assert_eq!(now["state"], "Active");
    assert_eq!(
        now["approval"],
        json!({"by": "ada", "via": "terminal", "at": "TIME", "digest": digest, "guarded": false})
    );
}

#[test]
fn any_other_word_and_ctrl_c_and_the_end_of_input_change_nothing() {
    let place = Place::new().designed();
    let before = place.files();
    for typed in ["yes\n", "\n", "0000 0000\n", "\u{4}"] {
        let Some(mut terminal) = Terminal::run(place.call(["approve", "--session", "a1"])) else { return };
        let word = word(&mut terminal);
        terminal.type_in(typed);
        let ended = terminal.end();
        assert_eq!((ended.exit, ended.restored), (Some(6), true), "{typed:?}");
        let answer = ended.text().rsplit_once(QUESTION).unwrap().1.to_owned();
        assert!(answer.contains("not confirmed: something else was typed. Nothing has changed."), "{answer}");
        assert!(!answer.contains(&word), "the answer does not repeat the word: {answer}");
    }
    let Some(mut terminal) = Terminal::run(place.call(["approve", "--session", "a1"])) else { return };
    word(&mut terminal);
    terminal.type_in("\u{3}");
    let ended = terminal.end();
    assert_eq!((ended.exit, ended.signal, ended.restored), (None, Some(2), true));
    assert!(place.files() == before);
}

/// What is approved is what was shown, and not what has come in its place meanwhile.
#[test]
fn a_text_that_changes_while_the_question_stands_is_not_approved() {
    let place = Place::new().designed();
    let Some(mut terminal) = Terminal::run(place.call(["approve", "--session", "a1"])) else { return };
    let word = word(&mut terminal);
    std::fs::write(place.md(), WHOLE.replace("LRU", "FIFO")).unwrap();
    terminal.type_in(&format!("{word}\n"));
    let ended = terminal.end();
    let text = place.plain(&ended.text());
    assert_eq!(ended.exit, Some(3), "{text}");
    assert!(text.contains("plangate: ROOT/session/.opencrabs_plan_a1.md has changed since it was shown"), "{text}");
    assert_eq!(state(&place)["state"], "Editing");
}

/// What is read and asked stands on the terminal, wherever the program's own output goes.
#[test]
fn the_question_is_asked_on_the_terminal_and_nowhere_else() {
    let place = Place::new().designed();
    let call = place.shell("plangate approve --session a1 --json >out 2>err </dev/null");
    let Some(mut terminal) = Terminal::run(call) else { return };
    let word = word(&mut terminal);
    terminal.type_in(&format!("{word}\n"));
    assert_eq!(terminal.end().exit, Some(0));
    let out = std::fs::read_to_string(place.project().join("out")).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&answer["state"], &answer["why"]), (&json!("Active"), &json!("named by --session")));
    assert_eq!(std::fs::read_to_string(place.project().join("err")).unwrap(), "");
}

// spec: LIFE-9
#[test]
fn a_plan_is_discarded_and_brought_back_as_it_was() {
    let place = Place::new().active();
    assert_eq!(place.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
    let tasks = state(&place)["tasks"].clone();
    let Some(mut terminal) = Terminal::run(place.call(["discard", "--session", "a1"])) else { return };
    let shown = terminal.until("tasks ended");
    assert_eq!(shown, "Session a1 (named by --session): the plan \"Swap the cache\", 0 of 3 tasks ended");
    let answer = word(&mut terminal);
    terminal.type_in("no\n");
    assert_eq!(terminal.end().exit, Some(6));
    assert_eq!(state(&place)["state"], "Active");

    let Some(mut terminal) = Terminal::run(place.call(["discard", "--session", "a1"])) else { return };
    assert_eq!(word(&mut terminal), answer, "the same plan, the same word");
    terminal.type_in(&format!("{answer}\n"));
    told(
        &place,
        &terminal.end(),
        0,
        "Discarded. To bring it back:\n  plangate archive restore opencrabs_plan_a1-STAMP-discarded --session a1\n",
    );
    assert_eq!(state(&place)["state"], "NoPlan");

    let name = place.session().archive().wait().unwrap()[0].name.to_string();
    let restore = ["archive", "restore", &name, "--session", "a1"];
    let Some(mut terminal) = Terminal::run(place.call(restore)) else { return };
    word(&mut terminal);
    terminal.type_in("\u{3}");
    assert_eq!(terminal.end().signal, Some(2));
    assert_eq!(state(&place)["state"], "NoPlan");
    let Some(mut terminal) = Terminal::run(place.call(restore)) else { return };
    let answer = word(&mut terminal);
    terminal.type_in(&format!("{answer}\n"));
    told(&place, &terminal.end(), 0, "The plan is back, in Active.\n");
    assert_eq!(state(&place)["tasks"], tasks);
}

// spec: LIFE-9, DISK-12
#[test]
fn plan_mode_and_a_damaged_plan_are_discarded_too() {
    let place = Place::new().entered();
    let Some(mut terminal) = Terminal::run(place.call(["discard", "--session", "a1"])) else { return };
    let answer = word(&mut terminal);
    terminal.type_in(&format!("{answer}\n"));
    told(&place, &terminal.end(), 0, "Plan mode is off.\n");
    assert!(place.session().archive().wait().unwrap().is_empty());

    let place = Place::new().damaged();
    let bytes = std::fs::read(place.json()).unwrap();
    let Some(mut terminal) = Terminal::run(place.call(["discard", "--session", "a1"])) else { return };
    assert_eq!(word(&mut terminal), "discard");
    terminal.type_in("discard\n");
    told(&place, &terminal.end(), 0, "The damaged plan is in the archive, as opencrabs_plan_a1-STAMP-damaged\n");
    let kept = place.session().archive().wait().unwrap().pop().unwrap();
    assert!(std::fs::read(kept.json.unwrap()).unwrap() == bytes, "byte for byte");
    assert_eq!(state(&place)["state"], "NoPlan");
}

#[test]
fn a_plan_that_another_process_has_changed_meanwhile_is_not_discarded() {
    let place = Place::new().active();
    let Some(mut terminal) = Terminal::run(place.call(["discard", "--session", "a1"])) else { return };
    let answer = word(&mut terminal);
    assert_eq!(place.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
    terminal.type_in(&format!("{answer}\n"));
    assert_eq!(terminal.end().exit, Some(7));
    assert_eq!(state(&place)["progress"]["in_progress"], 1);
}
