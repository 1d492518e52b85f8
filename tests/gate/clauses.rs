//! The clauses of the gate, one by one.

use plangate::AnyPlan;
use plangate::gate::{Act, Denial};
use plangate::plan::{Operation, StateName};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::world::{State, World, altered, code, content, denied, shell};

fn every_act(world: &World) -> Vec<Act> {
    let mut acts = vec![
        Act::Read,
        Act::Question,
        content(["src/main.rs"]),
        content([world.md().as_str()]),
        content([world.json().as_str()]),
        content(["a", "b", world.md().as_str()]),
        altered([world.md().as_str()]),
        altered(["src/main.rs"]),
        content([]),
        shell("ls"),
        shell("plangate approve"),
        Act::Shell { command: None },
        Act::Spawn,
        Act::Send,
        Act::Browser,
        Act::Unknown,
        Act::Unreadable { why: "a key stands twice".into() },
    ];
    acts.extend(Operation::ALL.map(Act::Plan));
    acts
}

// spec: GATE-1
#[test]
fn without_a_plan_everything_is_allowed() {
    let world = World::new(State::NoPlan);
    for act in every_act(&world) {
        assert!(world.judge(act.clone()).is_allowed(), "{act:?}");
    }
}

// spec: GATE-2
#[test]
fn before_init_nothing_is_written_and_exploring_goes_on() {
    let world = World::new(State::PreInit);
    for act in [Act::Read, Act::Question, shell("rg x"), Act::Shell { command: None }] {
        assert!(world.judge(act).is_allowed());
    }
    for operation in [Operation::InitDesign, Operation::InitChecklist, Operation::Import, Operation::View] {
        assert!(world.judge(Act::Plan(operation)).is_allowed(), "{operation}");
    }
    for (act, expected) in [
        (content(["x"]), "write-before-init"),
        (content([world.md().as_str()]), "write-before-init"),
        (altered(["x"]), "write-before-init"),
        (content([]), "write-before-init"),
        (Act::Spawn, "spawn"),
        (Act::Send, "send"),
        (Act::Browser, "browser"),
        (Act::Unknown, "unknown-tool"),
        (Act::Plan(Operation::Discard), "persons-act"),
        (Act::Plan(Operation::Enter), "persons-act"),
        (Act::Plan(Operation::Approve), "init-first"),
    ] {
        assert_eq!(code(&world.judge(act.clone())), expected, "{act:?}");
    }
}

// spec: GATE-3
#[test]
fn while_the_design_is_written_the_md_alone_is_written() {
    let world = World::new(State::Editing);
    for act in [
        Act::Read,
        Act::Question,
        content([world.md().as_str()]),
        Act::Plan(Operation::Sync),
        Act::Plan(Operation::View),
    ] {
        assert!(world.judge(act).is_allowed());
    }
    for (act, expected) in [
        (content(["x"]), "only-the-md"),
        (altered([world.md().as_str()]), "md-altered"),
        (altered(["x"]), "only-the-md"),
        (content([]), "no-target"),
        (shell("ls"), "shell"),
        (Act::Spawn, "spawn"),
        (Act::Send, "send"),
        (Act::Browser, "browser"),
        (Act::Plan(Operation::AddTasks), "approve-first"),
        (Act::Plan(Operation::Import), "discard-first"),
        (Act::Plan(Operation::Approve), "persons-act"),
        (Act::Plan(Operation::Discard), "persons-act"),
    ] {
        assert_eq!(code(&world.judge(act.clone())), expected, "{act:?}");
    }
}

// spec: GATE-4
#[test]
fn with_a_live_checklist_the_md_is_frozen_and_the_rest_is_the_agents() {
    for state in [State::Active, State::Seeding] {
        let world = World::new(state);
        for act in [
            content(["src/main.rs", "new/folder/file"]),
            content([world.root().join("memory.md").as_str()]),
            altered(["src/main.rs"]),
            shell("cargo build"),
            Act::Read,
            Act::Question,
            Act::Spawn,
            Act::Send,
            Act::Browser,
            Act::Unknown,
            Act::Plan(Operation::Start),
            // A path that the system refuses itself changes nothing.
            content(["src/main.rs/x"]),
        ] {
            assert_eq!(code(&world.judge(act.clone())), "allow", "{act:?}");
        }
        for act in [content([world.md().as_str()]), altered([world.md().as_str()]), content(["x", world.md().as_str()])]
        {
            assert_eq!(code(&world.judge(act)), "frozen");
        }
        assert_eq!(code(&world.judge(content([]))), "no-target");
    }
}

// spec: GATE-5
#[test]
fn nothing_else_below_the_root_folder_is_written_while_editing() {
    let world = World::new(State::Editing);
    for (path, expected) in [
        ("config.toml", "under-root"),
        ("session/notes.md", "under-root"),
        ("new/folder/x", "under-root"),
        ("session/archive/x.md", "control"),
        ("session/.opencrabs_plan_b.md", "other-plan"),
        ("agents/session/.opencrabs_plan_b.json", "other-plan"),
    ] {
        assert_eq!(code(&world.write(world.root().join(path))), expected, "{path}");
    }
}

// spec: GATE-6
#[test]
fn the_record_is_never_written_while_a_plan_is_live() {
    for state in State::LIVE {
        let world = World::new(state);
        let verdict = world.write(world.json());
        let expected = if state == State::PreInit { "GATE-2" } else { "GATE-6" };
        assert_eq!(denied(&verdict).rule(), expected);
    }
}

// spec: GATE-11
#[test]
fn a_denial_tells_the_state_the_rule_and_what_to_do() {
    for state in State::ALL {
        let world = World::new(state);
        for act in every_act(&world) {
            let verdict = world.judge(act.clone());
            assert_eq!(verdict, world.judge(act.clone()), "the same call gives the same bytes");
            let Some(denial) = verdict.denial() else { continue };
            assert!(!denial.code().is_empty() && denial.rule().starts_with("GATE-"));
            let text = denial.to_string();
            if let Some(next) = denial.next() {
                assert_eq!(
                    text,
                    format!("Denied in {} ({}): {} {next}", denial.standing(), denial.rule(), denial.reason())
                );
            } else {
                assert_eq!(text, denial.reason());
                assert!(matches!(act, Act::Plan(_)));
            }
            assert!(denial.next().is_none_or(|next| next.ends_with(['.', '\''])));
            assert!(!text.contains("..") && text.len() < 1000, "{text}");
            assert!(!text.chars().any(char::is_control), "{text:?}");
        }
    }
}

// spec: GATE-11
#[test]
fn what_an_agent_names_is_quoted_and_bounded() {
    let world = World::new(State::Editing);
    proptest!(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }, |(name in "(\\PC|\u{1b}|\n|\u{202e}|\0){1,400}")| {
        let mut unknown = world.call(Act::Unknown);
        unknown.tool = name.as_str().into();
        for verdict in [world.write(&name), world.judge_call(&unknown), world.judge(Act::Unreadable { why: name.as_str().into() })] {
            let text = denied(&verdict).to_string();
            let is_bad = |character: char| character.is_control() || character == '\u{202e}';
            prop_assert!(text.chars().count() < 200 * 10 + 700 && !text.chars().any(is_bad), "{}", text);
        }
    });
}

// spec: GATE-12
#[test]
fn a_verdict_changes_nothing_on_disk() {
    for state in State::ALL {
        let world = World::new(state);
        // An orphan, so that there is something that a normaliser would tidy up.
        std::fs::write(world.session_dir().join(".opencrabs_plan_x.md"), "orphan").unwrap();
        let before = world.files();
        for act in every_act(&world) {
            let _ = world.judge(act);
        }
        let _ = world.engine().policy().wait();
        assert_eq!(world.files(), before, "{state:?}");
    }
}

// spec: GATE-17
#[test]
fn a_plan_operation_gets_the_tools_own_answer() {
    for state in State::ALL {
        let world = World::new(state);
        for operation in Operation::ALL {
            let verdict = world.judge(Act::Plan(operation));
            match world.session().load().wait() {
                Ok(plan) => match plan.refuse(operation) {
                    Some(refusal) if plan.state_name() != StateName::NoPlan => {
                        let denial = denied(&verdict);
                        assert_eq!((denial.code(), denial.to_string()), (refusal.code(), refusal.to_string()));
                        assert_eq!(denial.rule(), "GATE-17");
                    }
                    _ if matches!(plan, AnyPlan::NoPlan(_)) => assert!(verdict.is_allowed()),
                    // The table has it, and the tool has not: it is a person's.
                    _ => assert_eq!(
                        verdict.denial().map(Denial::code),
                        operation.is_a_persons().then_some("persons-act")
                    ),
                },
                Err(_) if operation == Operation::View => assert!(verdict.is_allowed()),
                Err(error) => {
                    let denial = denied(&verdict);
                    assert_eq!((denial.code(), denial.to_string()), (error.code(), error.to_string()));
                }
            }
        }
    }
}
