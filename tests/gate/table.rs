//! The whole table of the gate, printed and compared with `docs/gate.md`.

use plangate::gate::{Act, Policy, ShellRule, UnknownTools};
use plangate::plan::Operation;
use pretty_assertions::assert_eq;

use super::world::{State, World, altered, content, shell};

const STATES: [State; 6] =
    [State::NoPlan, State::PreInit, State::Editing, State::Active, State::Damaged, State::Unknown];

type Kind = (&'static str, fn(&World) -> Act);

/// Every kind of call. A target stands for its kind.
fn kinds() -> Vec<Kind> {
    vec![
        ("read, search", |_| Act::Read),
        ("question to the user", |_| Act::Question),
        ("write: the session `.md`", |world| content([world.md().as_str()])),
        ("write: the `.md` with a second hard link", |world| {
            let _ = std::fs::hard_link(world.md(), world.root().join("second"));
            content([world.md().as_str()])
        }),
        ("write: a link to the `.md`", |world| {
            let link = world.project().join("link.md");
            #[cfg(unix)]
            std::os::unix::fs::symlink(world.md(), &link).unwrap();
            content([link.as_str()])
        }),
        ("write: the record", |world| content([world.json().as_str()])),
        ("write: lock, tombstone, pin", |world| content([world.beside("lock").as_str()])),
        ("write: the archive", |world| content([world.session_dir().join("archive/x.md").as_str()])),
        ("write: the policy file", |world| content([world.root().join("policy.json").as_str()])),
        ("write: settings that install the gate", |_| content([".claude/settings.json"])),
        ("write: another session's plan", |world| content([world.session_dir().join(".opencrabs_plan_b.md").as_str()])),
        ("write: anything else below the root folder", |world| content([world.root().join("x").as_str()])),
        ("write: a file of the project", |_| content(["src/main.rs"])),
        ("write: a path that cannot be read", |_| content(["a\0b"])),
        ("write: no target shown", |_| content([])),
        ("remove, move, link, change the mode: the `.md`", |world| altered([world.md().as_str()])),
        ("the same: a folder that the plan is in", |world| altered([world.root().as_str()])),
        ("the same: a file of the project", |_| altered(["src/main.rs"])),
        ("a call that cannot be understood", |_| Act::Unreadable { why: "a key stands twice".into() }),
        ("shell", |_| shell("ls")),
        ("shell: our own operations", |_| shell("plangate approve")),
        ("spawn, team", |_| Act::Spawn),
        ("send to a channel", |_| Act::Send),
        ("change through a browser", |_| Act::Browser),
        ("unknown tool", |_| Act::Unknown),
    ]
}

fn cell(world: &World, act: Act) -> String {
    match world.judge(act).denial() {
        None => "yes".to_owned(),
        Some(denial) => format!("`{}` {}", denial.code(), denial.rule()),
    }
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    std::iter::once(name.to_owned()).chain(cells).map(|cell| format!("| {cell} ")).collect::<String>() + "|\n"
}

fn head(first: &str, columns: &[&str]) -> String {
    let names = row(first, columns.iter().map(|name| (*name).to_owned()));
    names + &"|---".repeat(columns.len() + 1) + "|\n"
}

#[track_caller]
fn compare(marker: &str, table: &str) {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/gate.md");
    let page = std::fs::read_to_string(page).unwrap();
    println!("{table}");
    let begin = format!("<!-- table:{marker} -->\n");
    let found = page.split_once(&begin).and_then(|(_, rest)| rest.split_once("<!-- /table -->"));
    assert_eq!(found.map(|(table, _)| table), Some(table), "docs/gate.md, {marker}: this is the table");
}

// spec: GATE-1, GATE-2, GATE-3, GATE-4, GATE-5, GATE-6, GATE-7, GATE-9, GATE-10, GATE-13, GATE-14
#[test]
#[cfg(unix)]
fn every_kind_of_call_in_every_state() {
    let mut table = head("call", &["NoPlan", "PreInit", "Editing", "Active", "damaged", "unknown"]);
    for (name, act) in kinds() {
        table += &row(
            name,
            STATES.into_iter().map(|state| {
                let world = World::new(state);
                let act = act(&world);
                cell(&world, act)
            }),
        );
    }
    compare("calls", &table);
}

// spec: GATE-2, GATE-3, GATE-4, GATE-10, GATE-17
#[test]
fn every_plan_operation_in_every_state() {
    let mut table = head("operation", &["NoPlan", "PreInit", "Editing", "Active", "damaged", "unknown"]);
    for operation in Operation::ALL {
        table +=
            &row(operation.as_str(), STATES.into_iter().map(|state| cell(&World::new(state), Act::Plan(operation))));
    }
    compare("operations", &table);
}

// spec: GATE-2, GATE-3, GATE-7, GATE-14
#[test]
fn every_policy_in_every_state() {
    let mut table = head("policy", &["call", "NoPlan", "PreInit", "Editing", "Active", "damaged", "unknown"]);
    let mut policies: Vec<(String, Policy, Act)> = Vec::new();
    for rule in ShellRule::ALL {
        let policy = Policy::default().with_shell_in_pre_init(rule).with_shell_in_editing(rule);
        policies.push((format!("shell: `{}`", rule.as_str()), policy.clone(), shell("ls")));
        policies.push((format!("shell: `{}`", rule.as_str()), policy, shell("plangate approve")));
    }
    for rule in UnknownTools::ALL {
        let name = format!("unknown_tools: `{}`", rule.as_str());
        policies.push((name, Policy::default().with_unknown_tools(rule), Act::Unknown));
    }
    policies.push(("the tool in read_only_tools".into(), Policy::default().with_read_only_tool("tool"), Act::Unknown));
    policies.push(("a broken policy file".into(), Policy::strictest("it is no JSON"), shell("ls")));
    policies.push(("a broken policy file".into(), Policy::strictest("it is no JSON"), Act::Unknown));
    for (name, policy, act) in policies {
        let call = match &act {
            Act::Shell { command: Some(command) } => format!("`{command}`"),
            _ => "unknown tool".to_owned(),
        };
        let cells = STATES.into_iter().map(|state| {
            let mut world = World::new(state);
            world.policy = policy.clone();
            cell(&world, act.clone())
        });
        table += &row(&name, std::iter::once(call).chain(cells));
    }
    compare("policies", &table);
}
