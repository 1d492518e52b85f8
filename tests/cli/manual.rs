//! `--help`, `--version`, `completions`, `man`, and a wrong command line.

use super::place::{Place, Ran};

#[test]
fn every_command_explains_itself_with_an_example() {
    let place = Place::new();
    let help = place.run(["--help"]);
    assert_eq!((help.exit, help.err.as_str()), (0, ""));
    for command in [
        "enter",
        "status",
        "show",
        "check",
        "approve",
        "discard",
        "watch",
        "archive",
        "list",
        "tool",
        "gate",
        "doctor",
        "schema",
        "completions",
        "man",
    ] {
        assert!(help.out.contains(&format!("\n  {command} ")), "{command}");
        let own = place.run([command, "--help"]);
        assert!(own.exit == 0 && own.err.is_empty(), "{own:?}");
        assert!(own.out.contains("Example") || command == "archive", "{command}: {}", own.out);
    }
    for command in ["list", "show", "restore"] {
        assert!(place.run(["archive", command, "--help"]).out.contains("Example"), "{command}");
    }
    assert_eq!(place.run(["--version"]), Ran::done(&format!("plangate {}\n", env!("CARGO_PKG_VERSION"))));
    assert_eq!(place.files(), []);
}

#[test]
fn a_wrong_command_line_is_2_and_goes_to_the_standard_error() {
    let place = Place::new();
    for arguments in [&[][..], &["aprove"], &["status", "--pgae"], &["status", "--page", "x"], &["tool"], &["gate"]] {
        let ran = place.run(arguments);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!ran.err.is_empty());
    }
    assert!(place.run(["aprove"]).err.contains("approve"), "the nearest name");
}

#[test]
fn completions_and_the_manual_page_are_written_for_every_shell() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(["completions", shell]);
        assert!(script.exit == 0 && script.err.is_empty() && script.out.contains("approve"), "{shell}");
    }
    let page = place.run(["man"]);
    assert!(page.exit == 0 && page.out.contains(".TH plangate 1") && page.out.contains("Exit codes"), "{}", page.out);
}

// spec: TOOL-3, TOOL-5
#[test]
fn the_schema_asks_for_what_the_tool_asks_for() {
    let place = Place::new();
    let (exit, input) = place.run(["schema"]).json();
    assert_eq!(exit, 0);
    assert_eq!(place.run(["schema", "input"]).json().1, input);
    let operations = input["properties"]["operation"]["enum"].as_array().unwrap();
    assert_eq!((&operations[0], &operations[1]), (&"add_tasks".into(), &"add_task".into()));
    for never in ["context", "risks", "test_strategy", "technical_stack", "task_type", "complexity", "artifacts"] {
        assert!(input["properties"].get(never).is_none(), "{never}");
    }
    let output = place.run(["schema", "output"]).json().1;
    for field in ["ok", "code", "message", "plan"] {
        assert!(output["properties"].get(field).is_some(), "{field}");
    }
    assert_eq!(place.run(["schema", "sideways"]).exit, 2);
}
