//! Every kind of damage, with its place: `»` stands in the texts where the error has to point.

use super::*;

#[track_caller]
fn is_damaged(text: impl AsRef<str>, field: &str, problem: RecordProblem) {
    let (text, place) = marked(text.as_ref());
    let error = load(text).unwrap_err();
    assert_eq!(((error.line, error.column), &*error.field, error.problem), (place, field, problem));
}

fn wrong_type(expected: &'static str, found: &'static str) -> RecordProblem {
    RecordProblem::WrongType { expected, found }
}

fn wrong_text(expected: &'static str, found: &str) -> RecordProblem {
    RecordProblem::WrongText { expected, found: found.into() }
}

fn missing(expected: &'static str) -> RecordProblem {
    RecordProblem::Missing { expected }
}

const TIME: &str = "an RFC 3339 time such as 2026-07-20T09:01:00Z";
const UUID: &str = "a UUID such as a0000001-1111-4111-8111-111111111111";

// spec: DISK-12
#[test]
fn what_is_no_json_object_is_damaged() {
    for text in ["»", "\u{feff}»", "» \r\n\t"] {
        is_damaged(text, "", RecordProblem::Empty);
    }
    for text in ["\u{feff}{\n \"status\": \"Aé»", "\u{feff}{»", "{\"a\": 1\n»", "[1, 2»", "{\"a\": [{}, {»"] {
        is_damaged(text, "", RecordProblem::Truncated);
    }
    is_damaged(" »7 ", "", RecordProblem::NotAnObject { found: "a number" });
    is_damaged("»\"{}\"", "", RecordProblem::NotAnObject { found: "a string" });
    let error = load(b"\xef\xbb\xbf{\n  \"title\": \"\xc3\xa9\xff\"}").unwrap_err();
    assert_eq!((error.line, error.column, error.problem), (2, 14, RecordProblem::NotUtf8));
    for (text, what) in [
        ("»hello", "expected value"),
        ("{\n\"a\" »1}", "expected `:`"),
        ("{\"é\": nul»}", "expected ident"),
        ("{\"a\": 0»1}", "invalid number"),
        ("{\"status\": \"Active\"} »x", "trailing characters"),
        ("{\"a\": [{}, »}]}", "expected value"),
        ("{\"\\ud800»\": 1}", "unexpected end of hex escape"),
    ] {
        is_damaged(text, "", RecordProblem::NotJson(what.into()));
    }
}

// spec: DISK-12
#[test]
fn a_key_that_stands_twice_is_found_in_every_object_and_every_spelling() {
    let twice = |text: &str, field: &str, key: &str| {
        is_damaged(text, field, RecordProblem::DuplicateKey { key: key.into() });
    };
    twice("{\"status\": \"Editing\",\n »\"status\": \"Active\"}", "", "status");
    twice("{\"status\": \"Active\",\n »\"st\\u0061tus\" : \"Active\"}", "", "status");
    twice("{\"status\": null, »\"status\": \"Active\"}", "", "status");
    twice("{\"status\": \"Active\", \"x\\\"\": 1, \"y\": 2, »\"\\u0078\\\"\":3}", "", "x\"");
    twice("{\"status\": \"Active\", \"x\\\\\": 1, »\"x\\u005c\"\n:\n3}", "", "x\\");
    twice("{\"status\": \"Active\", \"tasks\": [{}, {\"x\": 1, »\"x\": 2}]}", "tasks[1]", "x");
    twice("{\"status\": \"Active\", \"tasks\": [{}, {\"id\": null, »\"i\\u0064\": null}]}", "tasks[1]", "id");
    twice("{\"status\": \"Active\", \"approval\": {\"by\": 1, »\"by\": 2}}", "approval", "by");
    twice("{\"ending\": {\"how\": 1, »\"how\": 2}}", "ending", "how");
    let task = |fields: &str| format!("{{\"status\": \"Active\", \"tasks\": [{{{fields}}}]}}");
    twice(&task("\"status\": {\"Blocked\": \"a\", »\"Blocked\": \"b\"}"), "tasks[0].status", "Blocked");
    twice(&task("\"task_type\": {\"Other\": \"a\", »\"Other\": \"b\"}"), "tasks[0].task_type", "Other");
    // Inside of a value that is kept as it is, nothing is judged.
    active(r#"{"status": "Active", "x": {"a": 1, "a": 2}}"#);
}

// spec: LEG-6
#[test]
fn the_status_has_to_be_a_known_string() {
    let unknown = |found: &str| RecordProblem::UnknownStatus { found: found.into() };
    is_damaged("{\n  \"status\": »\"Paused\"}", "status", unknown("Paused"));
    is_damaged("{\"status\": »\"active\"}", "status", unknown("active"));
    is_damaged("{\"pre_init_editing\": true, \"status\": »\"x\"}", "status", unknown("x"));
    is_damaged("{\"status\": »1}", "status", wrong_type("a string", "a number"));
    is_damaged("\n »{\"title\": \"T\"}", "status", RecordProblem::StatusMissing);
    is_damaged("»{\"status\": null, \"pre_init_editing\": false}", "status", RecordProblem::StatusMissing);
    let long = "x".repeat(1000);
    let said = load(format!("{{\"status\": \"{long}\"}}")).unwrap_err().to_string();
    assert!(said.contains(&format!("\"{}…\"", "x".repeat(64))), "{said}");
}

// spec: LIFE-3, DISK-13
#[test]
fn the_flag_is_a_boolean_beside_nothing_but_editing() {
    let not_boolean = |text: &str, found| {
        is_damaged(text, "pre_init_editing", RecordProblem::FlagNotBoolean { found });
    };
    not_boolean("{\"pre_init_editing\": »\"yes\"}", "a string");
    not_boolean("{\"status\": \"Active\", \"pre_init_editing\": »1}", "a number");
    not_boolean("{\"status\": \"Completed\", \"pre_init_editing\": »{}}", "an object");
    for status in ["Active", "Draft", "Completed"] {
        let text = format!("{{\"pre_init_editing\": true, \"status\": »\"{status}\"}}");
        is_damaged(text, "status", RecordProblem::FlagWithStatus { found: status.into() });
    }
    is_damaged("{\"pre_init_editing\": true, \"tasks\": »[{}]}", "tasks", RecordProblem::FlagWithTasks);
    let a_list = wrong_type("an array of tasks", "an object");
    is_damaged("{\"pre_init_editing\": true, \"tasks\": »{}}", "tasks", a_list);
}

// spec: DISK-12
#[test]
fn the_session_has_to_be_the_files_own() {
    for status in ["\"Active\"", "\"Completed\"", "\"Paused\"", "3"] {
        let text = format!("{{\"session_id\": »\"a-1\", \"status\": {status}}}");
        is_damaged(text, "session_id", RecordProblem::OtherSession { found: "a-1".into() });
    }
    let a_string = wrong_type("a string", "a number");
    is_damaged("{\"session_id\": »7, \"status\": \"Active\"}", "session_id", a_string);
}

// spec: DISK-12
#[test]
fn root_fields_of_another_type_are_damaged() {
    let origins = "interactive, yolo, cron, run, a2a or subagent";
    let a_number = |field: &str, expected| {
        is_damaged(format!("{{\"status\": \"Active\",\n\"{field}\": »7}}"), field, wrong_type(expected, "a number"));
    };
    for field in ["title", "description", "context", "test_strategy", "project_dir"] {
        a_number(field, "a string");
    }
    for field in ["risks", "technical_stack"] {
        a_number(field, "an array of strings");
    }
    for field in ["created_at", "updated_at", "approved_at"] {
        a_number(field, TIME);
    }
    for field in ["id", "goal_task"] {
        a_number(field, UUID);
    }
    a_number("tasks", "an array of tasks");
    a_number("approval", "an object");
    a_number("ending", "an object");
    a_number("origin", origins);
    a_number("asked", "person or nobody");
    let text = |field: &str, found: &str| format!("{{\"status\": \"Active\", \"{field}\": {found}}}");
    is_damaged(text("risks", "[\"a\", »null]"), "risks[1]", wrong_type("a string", "null"));
    is_damaged(text("created_at", "»\"now\""), "created_at", wrong_text(TIME, "now"));
    is_damaged(text("id", "»\"7\""), "id", wrong_text(UUID, "7"));
    is_damaged(text("title", r#"»"\ud800""#), "title", wrong_text("whole Unicode text", r#""\ud800""#));
    is_damaged(text("origin", "»\"me\""), "origin", wrong_text(origins, "me"));
    is_damaged(text("asked", "»\"me\""), "asked", wrong_text("person or nobody", "me"));
}

// spec: DISK-12
#[test]
fn approval_and_ending_are_whole_or_damaged() {
    let ways = "completed or discarded";
    is_damaged("{\"ending\": »{}}", "ending.how", missing(ways));
    is_damaged("{\"ending\": {\"how\": »\"lost\"}}", "ending.how", wrong_text(ways, "lost"));
    is_damaged("{\"ending\": {\"how\": \"completed\", \"at\": »\"x\"}}", "ending.at", wrong_text(TIME, "x"));
    is_damaged(
        "{\"ending\": »{\"how\": \"completed\", \"at\": \"2026-07-20T09:01:00Z\"}}",
        "ending.archive",
        missing("a name in the archive"),
    );
    let approval = |fields: &str| format!("{{\"status\": \"Active\", \"approval\": {fields}}}");
    is_damaged(approval("»{}"), "approval.by", missing("a string"));
    is_damaged(approval("»{\"by\": \"a\", \"via\": null}"), "approval.via", missing("a string"));
    let so_far = "\"by\": \"a\", \"via\": \"t\", \"at\": \"2026-07-20T09:01:00Z\"";
    let digest = "a SHA-256 digest in lower-case hexadecimal";
    is_damaged(approval(&format!("{{{so_far}, \"digest\": »\"ff\"}}")), "approval.digest", wrong_text(digest, "ff"));
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let so_far = format!("{so_far}, \"digest\": \"{hex}\"");
    is_damaged(approval(&format!("»{{{so_far}}}")), "approval.guarded", missing("true or false"));
    let guarded = wrong_type("true or false", "a number");
    is_damaged(approval(&format!("{{{so_far}, \"guarded\": »1}}")), "approval.guarded", guarded);
}

/// A checklist whose second task has these fields.
fn second(fields: &str) -> String {
    format!("{{\"status\": \"Active\", \"tasks\": [{{}},\n{{{fields}}}]}}")
}

#[track_caller]
fn is_damaged_in_second(field: &str, found: &str, within: &str, problem: RecordProblem) {
    is_damaged(second(&format!("\"{field}\": {found}")), &format!("tasks[1].{field}{within}"), problem);
}

// spec: DISK-12
#[test]
fn a_task_of_unknown_status_is_named() {
    let statuses = [
        "\"todo\"",
        "\"pending\"",
        "\"Blocked\"",
        "7",
        "{}",
        "[]",
        "{\"Blocked\": 1}",
        "{\"Blocked\": null}",
        "{\"Blocked\": \"a\", \"x\": 1}",
        "{\"Pending\": \"a\"}",
    ];
    for found in statuses {
        let problem = RecordProblem::UnknownTaskStatus { task: 2, title: "Do it".into(), found: found.into() };
        // The title comes after the status and is found all the same.
        is_damaged(second(&format!("\"status\": »{found}, \"title\": \"Do it\"")), "tasks[1].status", problem);
    }
}

// spec: DISK-12, TASK-5
#[test]
fn a_dependency_that_names_no_task_is_damaged() {
    for found in ["0", "-1", "1.5", "1e3", "99999999999999999999", "\"1\"", "\"x\""] {
        let problem = RecordProblem::BadDependency { found: found.into() };
        is_damaged_in_second("dependencies", &format!("[1, »{found}]"), "[1]", problem);
    }
    let null = wrong_type("a UUID or a task number from 1", "null");
    is_damaged_in_second("dependencies", "[»null]", "[0]", null);
    is_damaged_in_second("dependencies", "»1", "", wrong_type("an array of UUIDs and task numbers", "a number"));
}

// spec: DISK-12
#[test]
fn a_damaged_task_is_named_by_its_place() {
    is_damaged_in_second("id", "»\"x\"", "", wrong_text(UUID, "x"));
    let natural = "an integer from 0 to 18446744073709551615";
    for found in ["-1", "1.5", "18446744073709551616"] {
        for field in ["retry_count", "max_retries"] {
            let problem = RecordProblem::OutOfRange { expected: natural, found: found.into() };
            is_damaged_in_second(field, &format!("»{found}"), "", problem);
        }
    }
    for field in ["order", "complexity"] {
        let fraction = RecordProblem::OutOfRange { expected: "an integer", found: "1.5".into() };
        is_damaged_in_second(field, "»1.5", "", fraction);
        is_damaged_in_second(field, "»\"1\"", "", wrong_type("an integer", "a string"));
    }
    is_damaged_in_second("execution_history", "»{}", "", wrong_type("an array", "an object"));
    is_damaged_in_second("completed_at", "»\"x\"", "", wrong_text(TIME, "x"));
    for field in ["title", "description", "notes", "reflection"] {
        is_damaged_in_second(field, "»{}", "", wrong_type("a string", "an object"));
    }
    for field in ["acceptance_criteria", "artifacts"] {
        is_damaged_in_second(field, "[»1]", "[0]", wrong_type("a string", "a number"));
    }
    let a_type = "a string or {\"Other\": \"word\"} with nothing else in it";
    is_damaged_in_second("task_type", "»7", "", wrong_type(a_type, "a number"));
    for found in ["»{\"Edit\": null}", "»{\"Other\": \"a\", \"x\": 1}"] {
        is_damaged_in_second("task_type", found, "", wrong_type(a_type, "an object"));
    }
    let a_task = wrong_type("a task: an object", "a number");
    is_damaged("{\"status\": \"Active\", \"tasks\": [{}, »7, {}]}", "tasks[1]", a_task);
    let half = RecordProblem::NotJson("unexpected end of hex escape".into());
    is_damaged("{\"status\": \"Active\", \"tasks\": [{},\n {\"\\ud800»\": 1}]}", "tasks[1]", half);
}

// spec: DISK-12
#[test]
fn two_tasks_have_two_ids() {
    let id = "a0000001-1111-4111-8111-111111111111";
    is_damaged(
        format!("{{\"status\": \"Active\", \"tasks\": [{{\"id\": \"{id}\"}}, {{}},\n{{\"id\": »\"{id}\"}}]}}"),
        "tasks[2].id",
        RecordProblem::DuplicateId { id: id.parse().unwrap() },
    );
    // The derived id of the second task, given to the first.
    let two = active(r#"{"status": "Active", "tasks": [{}, {}]}"#);
    let derived = two.checklist.in_file_order().nth(1).unwrap().id();
    is_damaged(
        format!("{{\"status\": \"Active\", \"tasks\": [{{\"id\": \"{derived}\"}},\n »{{}}]}}"),
        "tasks[1].id",
        RecordProblem::DuplicateId { id: derived },
    );
}
