//! `docs/cli.md` says what the program does: its commands, options, exit codes, variables and every field of its JSON.

use std::collections::BTreeSet;

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::place::{INIT_CHECKLIST, Place};

const PAGE: &str = include_str!("../../docs/cli.md");

/// The first cells of a table of the page, without the marks around code.
pub(crate) fn column(table: &str) -> Vec<String> {
    let (_, after) = PAGE.split_once(&format!("<!-- table:{table} -->\n")).unwrap();
    let (table, _) = after.split_once("<!-- /table -->").unwrap();
    first_cells(table)
}

fn first_cells(table: &str) -> Vec<String> {
    let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.split('|').nth(1).unwrap().trim().trim_matches('`').to_owned()).collect()
}

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let (_, after) = help.split_once("Commands:\n").unwrap();
    let lines = after.lines().take_while(|line| !line.is_empty());
    lines
        .filter(|line| !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_page_has_every_command_and_no_other() {
    let place = Place::new();
    let mut commands: Vec<String> = listed(&place.run(["--help"]).out);
    let archive = commands.iter().position(|command| command == "archive").unwrap();
    let parts = listed(&place.run(["archive", "--help"]).out);
    commands.splice(archive..=archive, parts.iter().map(|part| format!("archive {part}")));
    let mut headings: Vec<String> = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("### `"))
        .map(|heading| heading.trim_end_matches('`').to_owned())
        .collect();
    for command in &commands {
        assert!(PAGE.contains(&format!("\nplangate {command}")), "an example of {command}");
        let help = place.run(command.split(' ').chain(["--help"])).out;
        for option in help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2) {
            let option = option.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            assert!(option == "--help" || PAGE.contains(option), "{option} of {command}");
        }
    }
    commands.sort();
    headings.sort();
    assert_eq!(commands, headings);
}

#[test]
fn the_page_and_the_help_have_the_same_exit_codes() {
    let (_, after) = PAGE.split_once("<!-- table:exit -->\n").unwrap();
    let (table, _) = after.split_once("<!-- /table -->").unwrap();
    let page: Vec<String> =
        table.lines().skip(2).map(|row| row.trim_matches('|').trim().replacen(" | ", "  ", 1)).collect();
    let help = Place::new().run(["--help"]).out;
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    assert_eq!(page, codes.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>());
}

/// The paths of all fields below `value`; a list counts as its elements.
fn fields(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                // What has fields of its own is told by them.
                if !value.is_object() && !value.as_array().is_some_and(|list| list.iter().all(Value::is_object)) {
                    found.insert(path.clone());
                }
                fields(value, &path, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|element| fields(element, at, found)),
        _ => {}
    }
}

/// The plans of all states, and one with a task of every kind.
fn plans() -> Vec<Place> {
    let mut places: Vec<Place> = Place::each_state().into_iter().map(|(_, place)| place).collect();
    let place = Place::new().active();
    assert_eq!(place.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
    let mut record: Value = serde_json::from_slice(&std::fs::read(place.json()).unwrap()).unwrap();
    record["tasks"][2]["status"] = serde_json::json!({"Blocked": "the rain"});
    std::fs::write(place.json(), record.to_string()).unwrap();
    places.push(place);
    places
}

#[test]
fn the_page_has_every_field_of_a_plan_and_no_other() {
    let (mut plan, mut task) = (BTreeSet::new(), BTreeSet::new());
    for place in plans() {
        let value = place.a1(["status", "--json"]).json().1;
        if value.get("error").is_some() {
            continue;
        }
        let mut found = BTreeSet::new();
        fields(&value, "", &mut found);
        for path in found {
            let of_a_task =
                ["current.", "next.", "tasks.items."].iter().find_map(|list| Some((*list, path.strip_prefix(list)?)));
            match of_a_task {
                Some((list, field)) => {
                    task.insert(field.to_owned());
                    plan.insert(list.trim_end_matches('.').to_owned());
                }
                None => {
                    plan.insert(path);
                }
            }
        }
    }
    assert_eq!(column("plan").into_iter().collect::<BTreeSet<_>>(), plan);
    assert_eq!(column("task").into_iter().collect::<BTreeSet<_>>(), task);
}

/// The part of the page that is about a command.
fn section(command: &str) -> &'static str {
    let (_, after) = PAGE.split_once(&format!("### `{command}`\n")).unwrap();
    after.split("\n## ").next().unwrap().split("\n### ").next().unwrap()
}

#[test]
fn the_page_has_every_field_of_every_answer() {
    let of_a_plan: BTreeSet<String> = column("plan").into_iter().collect();
    let of_a_task: BTreeSet<String> = column("task").into_iter().collect();
    let is_told = |command: &str, path: &str| {
        let path = path.trim_start_matches("plan.").trim_start_matches("sessions.").trim_start_matches("checks.");
        let task = ["current.", "next.", "tasks.items."].iter().find_map(|list| path.strip_prefix(list));
        of_a_plan.contains(path)
            || task.is_some_and(|field| of_a_task.contains(field))
            || section(command).contains(&format!("`{path}`"))
            || section(command).contains(&format!("`{}`", path.trim_start_matches("archive.")))
            || column("error").contains(&path.to_owned())
            || (command == "archive show" && section("archive list").contains(&format!("`{path}`")))
            // The record is documented in a page of its own.
            || (command == "archive show" && path.starts_with("record."))
    };
    let place = Place::new().designed();
    let (_, receipt) = place.session().load().wait().unwrap().discard().wait().unwrap();
    assert!(receipt.is_some());
    let ended = Place::new();
    assert_eq!(ended.a1(["tool", INIT_CHECKLIST]).exit, 0);
    let mut answers: Vec<(&str, Value)> = vec![
        ("enter", Place::new().a1(["enter", "--json"]).json().1),
        ("discard", Place::new().a1(["discard", "--json"]).json().1),
        ("archive list", place.a1(["archive", "list", "--json"]).json().1),
        ("archive show", place.a1(["archive", "show", "--json"]).json().1),
        ("doctor", place.run(["doctor", "--json"]).json().1),
        ("tool", ended.a1(["tool", r#"{"operation": "start"}"#, "--json"]).json().1),
        ("gate", Place::new().entered().a1(["gate", r#"{"tool": "frobnicate"}"#, "--json"]).json().1),
    ];
    for place in plans() {
        for command in ["status", "show", "check", "list"] {
            answers.push((command, place.a1([command, "--json"]).json().1));
        }
    }
    for (command, answer) in answers {
        let mut found = BTreeSet::new();
        fields(&answer, "", &mut found);
        for path in found {
            assert!(is_told(command, &path), "{path} of {command}");
        }
    }
}

#[test]
fn the_page_has_every_variable_that_the_program_reads() {
    let source = include_str!("../../src/cli/environment.rs").to_owned() + include_str!("../../src/cli/which.rs");
    let named =
        source.split('"').filter(|text| text.len() > 3 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
    let named: BTreeSet<&str> = named.collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        assert!(PAGE.contains(&format!("`{name}`")), "{name}");
    }
}
