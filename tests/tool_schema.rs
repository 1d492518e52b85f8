//! The JSON Schema of the plan tool: what it lists, and that every answer is what it says.
#![cfg(feature = "schema")]

mod support;

use std::collections::BTreeSet;

use plangate::model::{Caller, Origin};
use plangate::tool::{Reply, Request, ToolOperation, input_schema, output_schema};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use support::{World, approval};

/// Accepted and kept, and never asked for (TOOL-5).
const NEVER_ASKED_FOR: [&str; 7] =
    ["artifacts", "complexity", "context", "risks", "task_type", "technical_stack", "test_strategy"];
/// What older callers send.
const OLDER: [&str; 2] = ["action", "task_order"];

fn input() -> Value {
    serde_json::from_str(&input_schema()).unwrap()
}

fn output() -> Value {
    serde_json::from_str(&output_schema()).unwrap()
}

fn names(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

/// Every text of a schema.
fn texts(schema: &Value) -> Vec<&str> {
    match schema {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| [vec![key.as_str()], texts(value)].concat()).collect()
        }
        _ => Vec::new(),
    }
}

// spec: TOOL-3
#[test]
fn add_tasks_comes_first_and_add_task_is_kept() {
    let operations = input()["properties"]["operation"]["enum"].clone();
    assert_eq!(operations, json!(ToolOperation::ALL.map(ToolOperation::as_str)));
    assert_eq!((&operations[0], &operations[1]), (&json!("add_tasks"), &json!("add_task")));
}

// spec: TOOL-3, TOOL-4, TOOL-5
#[test]
fn the_input_lists_the_arguments_that_are_asked_for_and_no_other() {
    let schema = input();
    let taken: BTreeSet<String> =
        ToolOperation::ALL.into_iter().flat_map(ToolOperation::arguments).map(|&name| name.to_owned()).collect();
    let not_listed: BTreeSet<String> = NEVER_ASKED_FOR.iter().chain(&OLDER).map(|&name| name.to_owned()).collect();
    assert!(taken.is_superset(&not_listed));
    let mut listed = names(&schema["properties"]);
    assert!(listed.remove("operation"));
    assert_eq!(listed, &taken - &not_listed);
    assert_eq!(schema["required"], json!(["operation"]));
    // Those of a task are those of add_task.
    let task = &schema["properties"]["tasks"]["items"];
    let flat: BTreeSet<String> = ToolOperation::AddTask.arguments().iter().map(|&name| name.to_owned()).collect();
    assert_eq!(names(&task["properties"]), &flat - &not_listed);
    assert_eq!(task["required"], json!(["title", "description"]));
    // Others are accepted, so they must not be forbidden.
    assert_eq!((schema.get("additionalProperties"), task.get("additionalProperties")), (None, None));
    assert_eq!(schema["properties"]["mode"]["enum"], json!(["design", "checklist"]));
    assert_eq!(schema["properties"]["task"]["type"], json!(["integer", "string"]));
}

// spec: TOOL-3, TOOL-5, TASK-2, REM-4
#[test]
fn the_texts_teach_the_two_tracks_in_few_words() {
    let mut schema = input();
    schema.as_object_mut().unwrap().remove("$schema");
    let description = schema["description"].as_str().unwrap();
    for word in ["two tracks", "Design:", "approved", "add_tasks", "Checklist:", "init with tasks", "complete"] {
        assert!(description.contains(word), "{description} lacks {word}");
    }
    assert!(description.chars().count() < 600, "{}", description.chars().count());
    assert!(input_schema().len() < 6000, "{}", input_schema().len());
    for text in texts(&schema) {
        let text = text.to_lowercase();
        for word in NEVER_ASKED_FOR.iter().chain(&OLDER).chain(&["deprecat", "obsolete", "legacy", "draft", "$ref"]) {
            assert!(!text.contains(word), "{text:?} speaks of {word}");
        }
    }
}

/// The ways in which `value` is not what `schema` says. It knows the words that the schemas use, and no others.
fn violations(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (word, rule) in schema.as_object().unwrap() {
        match word.as_str() {
            "$schema" | "title" | "description" => {}
            "type" => {
                let kind = match value {
                    Value::String(_) => "string",
                    Value::Bool(_) => "boolean",
                    Value::Number(number) if number.is_u64() => "integer",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                    other => panic!("{at}: {other}"),
                };
                if rule != kind {
                    found.push(format!("{at} is {kind}"));
                }
            }
            "minimum" => {
                if value.as_u64().is_some_and(|value| value < rule.as_u64().unwrap()) {
                    found.push(format!("{at} is too small"));
                }
            }
            "items" => {
                for (position, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(violations(rule, item, &format!("{at}[{position}]")));
                }
            }
            "required" => {
                let missing = |name: &&Value| value.get(name.as_str().unwrap()).is_none();
                found.extend(rule.as_array().unwrap().iter().filter(missing).map(|name| format!("{at} lacks {name}")));
            }
            "properties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    match rule.get(name) {
                        Some(rule) => found.extend(violations(rule, field, &format!("{at}.{name}"))),
                        // More is allowed by the schema; but then it does not say everything.
                        None => found.push(format!("{at}.{name} is not listed")),
                    }
                }
            }
            other => panic!("{at}: {other} is not known here"),
        }
    }
    found
}

fn assert_valid(reply: &Reply, schema: &Value) {
    let value = serde_json::to_value(reply).unwrap();
    assert_eq!(violations(schema, &value, "reply"), [] as [String; 0], "{value:#}");
}

#[test]
fn the_check_of_replies_can_fail() {
    let whole = json!({"ok": true, "code": "c", "message": "m", "plan": {"session": "s", "state": "s", "md": "m", "json": "j"}});
    assert_eq!(violations(&output(), &whole, "r"), [] as [String; 0]);
    for (pointer, value, said) in [
        ("/ok", json!("yes"), "r.ok is string"),
        ("/plan/md", json!(1), "r.plan.md is integer"),
        ("/plan", json!({"session": "s", "state": "s", "md": "m"}), "r.plan lacks \"json\""),
        ("/plan", json!({"session": "s", "state": "s", "md": "m", "json": "j", "x": 1}), "r.plan.x is not listed"),
        (
            "/plan",
            json!({"session": "s", "state": "s", "md": "m", "json": "j", "warnings": [1]}),
            "r.plan.warnings[0] is integer",
        ),
    ] {
        let mut broken = whole.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        assert_eq!(violations(&output(), &broken, "r"), [said]);
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A call that a model could make.
fn call(dice: &mut Dice) -> Value {
    let task = dice.roll(6);
    let tasks = |dice: &mut Dice| -> Vec<Value> {
        (0..=dice.roll(3))
            .map(|_| json!({"title": "T", "description": "d", "acceptance_criteria": ["c"], "dependencies": [1 + dice.roll(4)]}))
            .collect()
    };
    match dice.roll(14) {
        0 => json!({"operation": "init", "title": "Design"}),
        1 => json!({"operation": "init", "title": "List", "tasks": [{"title": "A", "description": "a"}]}),
        2 => json!({"operation": "init", "title": "List", "tasks": tasks(dice)}),
        3 => json!({"operation": "init", "file_path": "tests/fixtures/imports/checklist.md"}),
        4 => json!({"operation": "add_tasks", "tasks": tasks(dice)}),
        5 => json!({"operation": "add_task", "title": "B", "description": "b"}),
        6 => json!({"operation": "start"}),
        7 => json!({"operation": "start", "task": task}),
        8 => json!({"operation": "complete", "output": "done"}),
        9 => json!({"operation": "complete", "task": task}),
        10 => json!({"operation": "fail", "task": task}),
        11 => json!({"operation": "skip", "task": task, "reason": "no"}),
        12 => json!({"operation": "status", "page": 1 + dice.roll(3)}),
        _ => json!({"operation": "stop"}),
    }
}

// spec: TOOL-4, TASK-1, TASK-2
#[test]
fn every_answer_of_a_random_life_is_what_the_schema_says() {
    let schema = output();
    let mut codes = BTreeSet::new();
    let mut fields = BTreeSet::new();
    for seed in 0..8 {
        let mut dice = Dice(seed);
        let world = World::in_memory();
        let callers = [Caller::INTERACTIVE, Caller::unasked(Origin::Yolo), Caller::unasked(Origin::Subagent)];
        for _ in 0..60 {
            let caller = callers[dice.roll(8).saturating_sub(5)];
            match dice.roll(12) {
                0 => drop(world.load().enter().wait()),
                1 => drop(world.load().discard().wait()),
                2 => {
                    if let plangate::AnyPlan::Editing(plan) = world.load() {
                        let plan =
                            plan.write_markdown(plangate::model::Body::new(support::WHOLE).unwrap()).wait().unwrap();
                        drop(plan.approve(approval(support::WHOLE)).wait());
                    }
                }
                _ => {}
            }
            let reply = match Request::parse(call(&mut dice).to_string().as_bytes()) {
                Ok(request) => world.session().with_caller(caller).answer(request).wait(),
                Err(error) => Reply::from(&error),
            };
            assert_valid(&reply, &schema);
            codes.insert(reply.code);
            let value = serde_json::to_value(&reply).unwrap();
            fields.extend(names(&value));
            fields.extend(value.get("plan").map(names).unwrap_or_default());
        }
        std::fs::write(world.live("json"), "{").unwrap();
        let damaged = world.session().answer(Request::parse(br#"{"operation": "status"}"#).unwrap()).wait();
        assert_valid(&damaged, &schema);
    }
    assert!(codes.len() >= 18, "the lives say too little: {codes:?}");
    let unseen: Vec<String> = names(&schema["properties"]).into_iter().filter(|name| !fields.contains(name)).collect();
    assert_eq!(unseen, [] as [String; 0]);
    let facts = names(&schema["properties"]["plan"]["properties"]);
    let unseen: Vec<&String> = facts.iter().filter(|name| !fields.contains(*name)).collect();
    assert_eq!(unseen, ["project_dir"], "the sessions of this test have no project, and everything else was seen");
}
