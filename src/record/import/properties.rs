//! What holds for any file at all.

use proptest::collection::vec;
use proptest::prelude::*;

use super::import;
use crate::model::{Checklist, TaskId};
use crate::plan::Import;

const MARKDOWN: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "  ",
    "    ",
    "\t",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "- [ ] ",
    "- [x] ",
    "* [X] ",
    "1. [ ] ",
    "[ ] ",
    "[x]",
    "  - [ ] ",
    "    - [ ] ",
    "  - [x] ",
    "  - ",
    "# ",
    "## ",
    "## Implementation steps\n",
    "## Context\n",
    "Done when: ",
    "   - Done when: ",
    " — ",
    "> ",
    "```\n",
    "`",
    "**",
    "<!--",
    "-->",
    "<div>\n",
    "[a](b)",
    "![a](b \"c\")",
    "<https://a>",
    "a",
    "é",
    "word ",
    "---\n",
    "\0",
    "\u{feff}",
    "\u{2028}",
    "{",
    "&amp;",
    "\\",
];

const LIST: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "0",
    "1",
    "2",
    "1.2",
    "-1",
    "\"1\"",
    "\"1.2\"",
    "\"a\"",
    "\"tasks\":[",
    "\"master\":{\"tasks\":[",
    "{\"id\":1,\"title\":\"a\"}",
    "\"id\":1",
    "\"title\":\"b\"",
    "\"description\":\"c\"",
    "\"details\":\"d\"",
    "\"status\":\"done\"",
    "\"status\":\"pending\"",
    "\"dependencies\":[1]",
    "\"dependencies\":[\"1.2\"]",
    "\"subtasks\":[",
    "\"testStrategy\":\"e\"",
    "\"acceptanceCriteria\":[\"f\"]",
    "\"metadata\":{",
    "\"order\":3",
];

/// A list of tasks whose shape is right and whose content is anything.
fn task_list() -> impl Strategy<Value = serde_json::Value> {
    let id = || prop_oneof![(0..5_u8).prop_map(serde_json::Value::from), "[0-3](\\.[0-3])?".prop_map(Into::into)];
    let status =
        prop_oneof![Just("pending"), Just("done"), Just("cancelled"), Just("in-progress"), Just("Done"), Just("x")];
    let task = (id(), "[a-z ]{0,12}", ".{0,8}", status, vec(id(), 0..3), ".{0,8}").prop_map(
        |(id, title, description, status, dependencies, details)| {
            serde_json::json!({
                "id": id, "title": format!("t{title}"), "description": description, "status": status,
                "dependencies": dependencies, "details": details,
            })
        },
    );
    let with_subtasks = (task.clone(), vec(task, 0..3)).prop_map(|(mut task, subtasks)| {
        task["subtasks"] = subtasks.into();
        task
    });
    vec(with_subtasks, 0..5).prop_map(|tasks| serde_json::json!({"tasks": tasks}))
}

/// What every import has to be.
fn holds(import: &Import) -> Result<Option<Checklist>, TestCaseError> {
    prop_assert!(!import.brief.description.trim().is_empty());
    prop_assert!(import.left_out.len() <= 21);
    prop_assert!(import.left_out.iter().all(|what| what.chars().count() < 400), "{:?}", import.left_out);
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        TaskId::from_uuid(uuid::Uuid::from_u128(next))
    };
    Ok(Checklist::from_drafts(&import.tasks, &mut fresh).ok())
}

proptest! {
    // spec: INIT-4, INIT-9
    #[test]
    fn any_markdown_is_a_plan_or_an_error(pieces in vec(proptest::sample::select(MARKDOWN), 0..30)) {
        if let Ok(import) = import(pieces.concat().as_bytes(), "plan.md") {
            // Nested items wait for each other without a circle.
            let checklist = holds(&import)?.unwrap();
            prop_assert!(checklist.cycle().is_none());
            prop_assert!(checklist.next().is_some(), "something can be started");
        }
    }

    // spec: INIT-4, INIT-9
    #[test]
    fn texts_of_pieces_never_panic(pieces in vec(proptest::sample::select(LIST), 0..30)) {
        if let Ok(import) = import(pieces.concat().as_bytes(), "tasks.json") {
            holds(&import)?;
        }
    }

    // spec: INIT-4, INIT-9, TASK-5
    #[test]
    fn any_task_list_is_a_plan_or_an_error(list in task_list()) {
        match import(list.to_string().as_bytes(), "tasks.json") {
            Ok(import) => {
                let open = |task: &serde_json::Value| {
                    !["done", "cancelled"].contains(&task["status"].as_str().unwrap().to_lowercase().as_str())
                };
                let tasks = list["tasks"].as_array().unwrap();
                let all = tasks.iter().chain(tasks.iter().flat_map(|task| task["subtasks"].as_array().unwrap()));
                prop_assert_eq!(import.tasks.len().get(), all.filter(|task| open(task)).count());
                if let Some(checklist) = holds(&import)? {
                    prop_assert!(checklist.next().is_some());
                }
            }
            Err(error) => prop_assert!(["import-empty", "import-invalid"].contains(&error.code()), "{}", error),
        }
    }
}

// spec: INIT-4
#[test]
fn a_large_file_takes_no_time_of_its_square() {
    let deep: String = (0..5000).map(|depth| format!("{}- [ ] a\n", " ".repeat(depth % 80 * 2))).collect();
    assert_eq!(import(deep.as_bytes(), "deep.md").unwrap().tasks.len().get(), 5000);
    let flat = "- [ ] a\n".repeat(50_000);
    assert_eq!(import(flat.as_bytes(), "flat.md").unwrap().tasks.len().get(), 50_000);
    let tasks: Vec<String> = (1..20_000)
        .map(|id| {
            format!(
                "{{\"id\":{},\"title\":\"a\",\"dependencies\":[{id}],\"subtasks\":[{{\"id\":1,\"title\":\"b\"}}]}}",
                id + 1
            )
        })
        .collect();
    let list = format!("{{\"tasks\":[{{\"id\":1,\"title\":\"a\"}},{}]}}", tasks.join(","));
    assert_eq!(import(list.as_bytes(), "tasks.json").unwrap().tasks.len().get(), 39_999);
}
