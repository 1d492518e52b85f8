//! A hundred thousand generated calls, valid and not, to the gate: no panic, no hang, and no write past it.

use plangate::agents::neutral_call;
use plangate::gate::Act;

use super::world::{State, World};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const KEYS: &[&str] = &[
    "tool",
    "cwd",
    "kind",
    "paths",
    "altered",
    "command",
    "arguments",
    "path",
    "file_path",
    "args",
    "t\\u006fol",
    "é",
];
const KINDS: &[&str] =
    &["read", "write", "shell", "plan", "question", "spawn", "send", "browser", "unknown", "Write", "", "writ"];
const TOOLS: &[&str] =
    &["write", "edit", "bash", "plan", "read_file", "apply_patch", "move_file", "Plan", "", "\\u0000"];
const TEXTS: &[&str] = &[
    "a.rs",
    "../..",
    "/",
    "MD",
    "J",
    "~",
    "",
    "\\u0000",
    "\\ud800",
    "x\\ny",
    "plangate approve",
    "ls",
    "$x",
    "~/x",
    "MD/",
    "%2e",
    "*** Begin Patch\\n*** Update File: a\\n@@\\n-x\\n+y\\n*** End Patch",
];

fn value(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(if depth > 3 { 6 } else { 9 }) {
        0 => "null".into(),
        1 => "true".into(),
        2 => "1e400".into(),
        3 => format!("\"{}\"", dice.pick(KINDS)),
        4 => format!("\"{}\"", dice.pick(TOOLS)),
        5 => format!("\"{}\"", dice.pick(TEXTS)),
        6 | 7 => {
            let items: Vec<String> = (0..dice.roll(4)).map(|_| value(dice, depth + 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => object(dice, depth + 1),
    }
}

fn object(dice: &mut Dice, depth: usize) -> String {
    let fields: Vec<String> =
        (0..dice.roll(6)).map(|_| format!("\"{}\":{}", dice.pick(KEYS), value(dice, depth + 1))).collect();
    format!("{{{}}}", fields.join(","))
}

fn call(dice: &mut Dice) -> String {
    let tool = format!("\"tool\":\"{}\",\"kind\":\"{}\"", dice.pick(TOOLS), dice.pick(KINDS));
    let paths = format!("\"paths\":[\"{}\",\"{}\"]", dice.pick(TEXTS), dice.pick(TEXTS));
    let text = match dice.roll(4) {
        0 => object(dice, 0),
        1 => format!("{{{tool},{paths}}}"),
        2 => format!("{{{tool},{paths},\"command\":\"{}\",\"arguments\":{}}}", dice.pick(TEXTS), value(dice, 0)),
        _ => format!("{{\"tool\":\"{}\",\"arguments\":{}}}", dice.pick(TOOLS), object(dice, 0)),
    };
    match dice.roll(12) {
        // Cut off anywhere.
        0 => text.chars().take(dice.roll(text.len().max(1))).collect(),
        _ => text,
    }
}

// spec: GATE-3, GATE-9, GATE-11
#[test]
fn a_hundred_thousand_calls_are_answered_and_no_other_file_is_written() {
    let world = World::new(State::Editing);
    let (md, json) = (world.md(), world.json());
    let mut dice = Dice(7);
    let (mut judged, mut denied) = (0, 0);
    for _ in 0..100_000 {
        let text = call(&mut dice).replace("MD", md.as_str()).replace("\"J\"", &format!("\"{json}\""));
        let Ok(call) = neutral_call(text.as_bytes(), &world.project()) else { continue };
        judged += 1;
        let verdict = world.judge_call(&call);
        denied += usize::from(!verdict.is_allowed());
        if let Act::Write { content, altered } = &call.act {
            let only_the_md = altered.is_empty() && content.iter().all(|target| target.as_str() == md);
            assert!(!verdict.is_allowed() || only_the_md, "{text}");
        }
        if let Some(denial) = verdict.denial() {
            assert!((1..20_000).contains(&denial.to_string().len()), "{text}");
        }
    }
    println!("{judged} of 100000 calls could be read, {denied} were denied");
    assert!(
        judged > 30_000 && denied > 10_000,
        "{judged} read, {denied} denied: the calls are too wild to try anything"
    );
}
