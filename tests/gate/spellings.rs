//! The session `.md` under every spelling: allowed while the design is written, frozen afterwards.

use camino::Utf8PathBuf;
use plangate::gate::{Act, ToolCall};
use proptest::prelude::*;

use super::world::{State, World, altered, code, content};

/// Where a spelling begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    Absolute,
    Tilde,
    FromTheProject,
    FromTheSessionFolder,
    LinkedHome,
    LinkedSession,
    LinkInTheProject,
}

/// How one place in a spelling is drawn out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detour {
    None,
    Dot,
    Slash,
    /// Into a folder that is there, and out again.
    InAndOut,
}

pub(crate) fn spelling() -> impl Strategy<Value = (Start, Vec<Detour>)> {
    let start = prop::sample::select(vec![
        Start::Absolute,
        Start::Tilde,
        Start::FromTheProject,
        Start::FromTheSessionFolder,
        Start::LinkedHome,
        Start::LinkedSession,
        Start::LinkInTheProject,
    ]);
    let detour = prop::sample::select(vec![Detour::None, Detour::Dot, Detour::Slash, Detour::InAndOut]);
    (start, prop::collection::vec(detour, 6))
}

/// The folder of the call and the spelling of a file in the session folder.
pub(crate) fn spell(world: &World, file: &str, start: Start, detours: &[Detour]) -> (Utf8PathBuf, String) {
    let base = world.base();
    // Each name with a folder that stands beside what follows it.
    let down =
        [("real", "home"), ("home", "dev"), ("dev", "project"), (".opencrabs", "session"), ("session", "archive")];
    let (cwd, begin, names): (_, String, &[(&str, &str)]) = match start {
        Start::Absolute => (world.project(), base.to_string(), &down),
        Start::Tilde => (world.project(), "~".into(), &down[3..]),
        Start::FromTheProject => (world.project(), "..".into(), &down[3..]),
        Start::FromTheSessionFolder => (world.session_dir(), ".".into(), &[]),
        Start::LinkedHome => (world.project(), base.to_string(), &down[1..]),
        Start::LinkedSession => (world.project(), base.join("plans").to_string(), &[]),
        Start::LinkInTheProject => (world.project(), "plans".into(), &[]),
    };
    let mut path = begin;
    let mut detours = detours.iter();
    for (name, beside) in names {
        path.push('/');
        path.push_str(name);
        match detours.next() {
            Some(Detour::Dot) => path.push_str("/."),
            Some(Detour::Slash) => path.push('/'),
            Some(Detour::InAndOut) => path.push_str(&format!("/{beside}/..")),
            Some(Detour::None) | None => {}
        }
    }
    (cwd, format!("{path}/{file}"))
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() }
}

fn call(cwd: &Utf8PathBuf, act: Act) -> ToolCall {
    ToolCall { tool: "write".into(), cwd: cwd.clone(), act }
}

// spec: GATE-3, GATE-8
#[test]
fn b30_the_md_is_never_shut_out() {
    for missing in [false, true] {
        let world = World::new(State::Editing);
        if missing {
            std::fs::remove_file(world.md()).unwrap();
        }
        let before = world.files();
        proptest!(config(), |((start, detours) in spelling())| {
            let (cwd, target) = spell(&world, world.md().file_name().unwrap(), start, &detours);
            let target = target.as_str();
            prop_assert_eq!(code(&world.judge_call(&call(&cwd, content([target])))), "allow", "{} in {}", target, cwd);
            let all = content([target, world.md().as_str(), target]);
            prop_assert_eq!(code(&world.judge_call(&call(&cwd, all))), "allow");
            // By the same spelling it is not removed, moved, linked or given another mode.
            prop_assert_eq!(code(&world.judge_call(&call(&cwd, altered([target])))), "md-altered");
        });
        assert_eq!(before, world.files());
    }
}

// spec: GATE-4, GATE-8
#[test]
fn b12_the_md_of_a_live_checklist_is_frozen_by_every_spelling() {
    for state in [State::Active, State::Seeding] {
        let world = World::new(state);
        proptest!(config(), |((start, detours) in spelling())| {
            let (cwd, target) = spell(&world, world.md().file_name().unwrap(), start, &detours);
            let target = target.as_str();
            for act in [content([target]), altered([target]), content(["src/main.rs", target])] {
                prop_assert_eq!(code(&world.judge_call(&call(&cwd, act))), "frozen", "{} in {}", target, cwd);
            }
        });
    }
}

// spec: GATE-6, GATE-8, GATE-13
#[test]
fn b13_the_record_is_out_of_reach_by_every_spelling() {
    const ENDINGS: [&str; 5] = ["json", "lock", "tombstone", "pin", "json.1-0-00000000000000aa.tmp"];
    for state in State::LIVE {
        let world = World::new(state);
        proptest!(config(), |((start, detours) in spelling(), ending in prop::sample::select(ENDINGS.to_vec()))| {
            let expected = match (state, ending) {
                (State::PreInit, _) => "write-before-init",
                (_, "json") => "record",
                _ => "control",
            };
            let (cwd, target) = spell(&world, world.beside(ending).file_name().unwrap(), start, &detours);
            let target = target.as_str();
            for act in [content([target]), altered([target])] {
                prop_assert_eq!(code(&world.judge_call(&call(&cwd, act))), expected, "{} in {}", target, cwd);
            }
        });
    }
}

// spec: GATE-8
#[test]
fn b08_strange_characters_in_the_root_folder_shut_nobody_out() {
    for folder in [
        " and spaces ",
        "%2e%2e",
        "\u{202e}fdp",
        "new\nline",
        "ümläut",
        "quo\"te'",
        "~",
        "$HOME",
        "back\\slash",
        ".md ",
    ] {
        let world = World::below(folder, State::Editing);
        assert_eq!(code(&world.write(world.md())), "allow", "{folder:?}");
        assert_eq!(code(&world.write(world.session_dir().join("notes.md"))), "under-root", "{folder:?}");
    }
}
