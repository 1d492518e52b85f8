//! What got through when the gate was attacked from its clauses alone, each as a kind.

use camino::Utf8Path;
use plangate::gate::{Act, Catalog};

use super::world::{OTHER, State, World, code, shell};

// spec: GATE-4, GATE-6, GATE-8, GATE-13
#[test]
fn a_path_that_a_program_tidies_up_is_the_file_that_it_then_writes() {
    let world = World::new(State::Active);
    let other = world.session_dir().join(format!(".opencrabs_plan_{OTHER}.md"));
    std::fs::write(&other, "theirs").unwrap();
    std::fs::write(world.root().join("policy.json"), "{}").unwrap();
    let files = [world.md(), world.json(), world.beside("lock"), other, world.root().join("policy.json")];
    for file in files {
        for ending in ["/", "//", "/.", "/./", "/ "] {
            let target = format!("{file}{ending}");
            assert!(!world.write(&target).is_allowed(), "{target:?}");
            assert!(!world.alter(&target).is_allowed(), "{target:?}");
        }
        let mut call = world.call(super::world::content(["."]));
        call.cwd = file.clone();
        assert!(!world.judge_call(&call).is_allowed(), "`.` in {file}");
    }
    assert!(world.write(world.project().join("src.rs")).is_allowed());
}

// spec: GATE-12, GATE-14
#[test]
fn a_value_that_doubles_is_not_followed_and_hides_nothing() {
    let doubling: String = (1..60).map(|n| format!("x{n}=$x{}$x{};", n - 1, n - 1)).collect();
    let many = |count: usize| "y=1;".repeat(count);
    for state in [State::PreInit, State::Active] {
        let world = World::new(state);
        for command in [
            format!("x0=a;{doubling}plangate approve"),
            format!("if false; then x0=a;{doubling} fi; plangate approve"),
            format!("{}x=plan;${{x}}gate approve", many(63)),
            format!("{}x=plan;${{x}}gate approve", many(64)),
            format!("{}x=plan;${{x}}gate approve", many(5_000)),
            format!("{}x=plan;${{x}}gate approve", many(2_000_000)),
        ] {
            let verdict = world.judge(shell(&command));
            assert_eq!(code(&verdict), "own-command", "{state:?} {}", command.chars().take(80).collect::<String>());
        }
        assert!(world.judge(shell(&format!("{}echo $y", many(200)))).is_allowed());
    }
}

// spec: GATE-14
#[test]
fn the_words_of_a_command_may_stand_in_other_arguments() {
    let world = World::new(State::Active);
    for arguments in [
        r#"{"command": "plangate", "args": ["approve"]}"#,
        r#"{"command": "plangate", "args": "approve"}"#,
        r#"{"command": "sh", "stdin": "plangate approve"}"#,
        r#"{"command": "$X", "env": {"X": "plangate approve"}}"#,
    ] {
        for tool in ["bash", "exec", "run_command"] {
            let call = Catalog::Neutral.call(tool, arguments, Utf8Path::new("/p"));
            assert!(matches!(call.act, Act::Shell { .. }), "{tool} {arguments}");
            assert_eq!(code(&world.judge_call(&call)), "own-command", "{tool} {arguments}");
        }
    }
    let told = r#"{"command": "ls", "description": "look where plangate keeps its approve command"}"#;
    assert!(world.judge_call(&Catalog::Neutral.call("bash", told, Utf8Path::new("/p"))).is_allowed());
}
