//! The person's policy.

use std::fs;

use plangate::gate::{Act, Policy, ShellRule, UnknownTools};

use super::world::{State, World, code, content, denied, shell};

// spec: GATE-2, GATE-3, GATE-7
#[test]
fn it_is_read_from_the_root_folder() {
    let mut world = World::new(State::Editing);
    assert_eq!(world.engine().policy().wait(), Policy::default());
    fs::write(
        world.root().join("policy.json"),
        r#"{"shell": {"pre_init": "deny", "editing": "allow"}, "unknown_tools": "allow", "read_only_tools": ["a", "b"]}"#,
    )
    .unwrap();
    let expected = Policy::default()
        .with_shell_in_pre_init(ShellRule::Deny)
        .with_shell_in_editing(ShellRule::Allow)
        .with_unknown_tools(UnknownTools::Allow)
        .with_read_only_tool("a")
        .with_read_only_tool("b");
    world.policy = world.engine().policy().wait();
    assert_eq!(world.policy, expected);
    assert!(world.judge(shell("ls")).is_allowed());
    assert_eq!(code(&world.judge(shell("plangate approve"))), "own-command");
    assert!(world.judge(Act::Unknown).is_allowed());
    // The project's own file of that name is nobody's policy.
    fs::remove_file(world.root().join("policy.json")).unwrap();
    fs::write(world.project().join("policy.json"), r#"{"unknown_tools": "allow"}"#).unwrap();
    assert_eq!(world.engine().policy().wait(), Policy::default());
}

// spec: GATE-2, GATE-7
#[test]
fn a_broken_file_is_the_strictest_policy_and_says_why() {
    let broken: [&[u8]; 7] = [b"", b"{", b"[]", b"\xff", br#"{"shell":"allow"}"#, br#"{"shel":{}}"#, &[b' '; 70_000]];
    for bytes in broken {
        let mut world = World::new(State::PreInit);
        fs::write(world.root().join("policy.json"), bytes).unwrap();
        world.policy = world.engine().policy().wait();
        let why = world.policy.broken().expect("broken").to_owned();
        assert!(why.contains("policy.json"), "{why}");
        for act in [shell("ls"), Act::Unknown] {
            let verdict = world.judge(act);
            assert!(denied(&verdict).reason().contains(&why), "{verdict:?}");
        }
        assert!(world.judge(Act::Read).is_allowed());
    }
    // A folder, or a link, in the file's place.
    let world = World::new(State::PreInit);
    fs::create_dir(world.root().join("policy.json")).unwrap();
    assert!(world.engine().policy().wait().broken().is_some());
}

// spec: GATE-3
#[test]
fn profiles_that_this_build_lacks_deny_and_say_so() {
    for rule in [ShellRule::Sandbox, ShellRule::ReadOnly] {
        for state in [State::PreInit, State::Editing] {
            let mut world = World::new(state);
            world.policy = Policy::default().with_shell_in_pre_init(rule).with_shell_in_editing(rule);
            let verdict = world.judge(shell("ls"));
            assert_eq!(code(&verdict), "shell");
            assert!(denied(&verdict).reason().contains("no such profile"), "{verdict:?}");
        }
    }
}

// spec: GATE-16
#[test]
fn no_policy_opens_what_a_rule_about_files_closes() {
    let open = Policy::default()
        .with_shell_in_pre_init(ShellRule::Allow)
        .with_shell_in_editing(ShellRule::Allow)
        .with_unknown_tools(UnknownTools::Allow)
        .with_read_only_tool("tool");
    for state in State::LIVE {
        let mut world = World::new(state);
        world.policy = open.clone();
        for target in [world.json(), world.root().join("policy.json"), world.project().join(".claude/settings.json")] {
            assert!(!world.judge(content([target.as_str()])).is_allowed(), "{state:?} {target}");
        }
        assert_eq!(code(&world.judge(shell("plangate discard"))), "own-command");
    }
}
