//! Shapes and defaults of single fields.

use super::*;
use crate::model::{Dependency, TaskId, TaskStatus, TaskType};

fn ids(loaded: &Active) -> Vec<String> {
    loaded.checklist.in_file_order().map(|task| task.id().to_string()).collect()
}

#[test]
fn a_task_without_fields_has_the_defaults() {
    let task = task("");
    assert_eq!((task.number(), task.title(), task.description()), (1, "", ""));
    assert_eq!(*task.task_type(), TaskType::Other("other".into()));
    assert_eq!((task.complexity(), task.retry_count, task.max_retries), (3, 0, 3));
    assert_eq!(*task.status(), TaskStatus::Pending);
    assert_eq!((task.notes(), task.completed_at(), &task.reflection), (None, None, &None));
    assert!(task.execution_history.is_none() && task.kept().is_empty() && task.dependencies().is_empty());
}

#[test]
fn null_is_absent_for_every_field() {
    let nulls = |names: &[&str]| names.iter().map(|name| format!("\"{name}\": null")).collect::<Vec<_>>().join(", ");
    let fields = nulls(&[
        "id",
        "order",
        "title",
        "description",
        "task_type",
        "dependencies",
        "complexity",
        "acceptance_criteria",
        "artifacts",
        "status",
        "notes",
        "completed_at",
        "reflection",
        "execution_history",
        "retry_count",
        "max_retries",
    ]);
    assert_eq!(task(&fields), task(""));
    let root = nulls(&[
        "id",
        "session_id",
        "title",
        "description",
        "pre_init_editing",
        "tasks",
        "context",
        "test_strategy",
        "risks",
        "technical_stack",
        "created_at",
        "updated_at",
        "approved_at",
        "approval",
        "origin",
        "asked",
        "goal_task",
        "project_dir",
        "ending",
    ]);
    assert_eq!(load(format!("{{{root}, \"status\": \"Active\"}}")), load(r#"{"status": "Active"}"#));
    assert_eq!(load(r#"{"status": null, "pre_init_editing": true}"#), load(r#"{"pre_init_editing": true}"#));
}

// spec: TASK-3
#[test]
fn task_types_are_read_in_any_case_and_from_both_shapes() {
    let of = |json: &str| task(&format!("\"task_type\": {json}")).task_type().clone();
    for (json, kind) in [
        ("\"Edit\"", TaskType::Edit),
        ("\"EDIT\"", TaskType::Edit),
        ("{\"Other\": \"eDIT\"}", TaskType::Edit),
        ("{\"Other\": \"bench\"}", TaskType::Other("bench".into())),
        ("\"bench\"", TaskType::Other("bench".into())),
        ("\"other\"", TaskType::Other("other".into())),
        ("\"b\\u00e9\"", TaskType::Other("bé".into())),
    ] {
        assert_eq!(of(json), kind, "{json}");
    }
}

#[test]
fn complexity_is_clamped_whatever_its_size() {
    for (json, complexity) in
        [("0", 3), ("-0", 3), ("1", 1), ("5", 5), ("9", 5), ("-7", 1), ("99999999999999999999999", 5)]
    {
        assert_eq!(task(&format!("\"complexity\": {json}")).complexity(), complexity, "{json}");
    }
}

// spec: TASK-5
#[test]
fn dependencies_are_numbers_or_ids() {
    let state = active(
        r#"{"status": "Active", "tasks": [
            {"order": 20, "dependencies": [10, 11, "A0000001-1111-4111-8111-111111111111"]},
            {"order": 10, "id": "a0000001-1111-4111-8111-111111111111"}
        ]}"#,
    );
    let target: TaskId = "a0000001-1111-4111-8111-111111111111".parse().unwrap();
    let first = state.checklist.in_file_order().next().unwrap();
    // 10 is the order of the second task, 11 nobody's.
    assert_eq!(first.dependencies(), [target.into(), Dependency::Number(11), target.into()]);
    assert_eq!(first.number(), 20);
}

#[test]
fn orders_that_are_no_numbers_of_tasks_give_way_to_positions() {
    for order in ["0", "-3", "99999999999999999999999", "2"] {
        let text = format!(r#"{{"status": "Active", "tasks": [{{"order": {order}}}, {{"order": 2}}]}}"#);
        let numbers: Vec<_> = active(text).checklist.in_file_order().map(Task::number).collect();
        assert_eq!(numbers, [1, 2], "{order}");
    }
}

#[test]
fn derived_ids_differ_by_position_and_never_by_load() {
    let text = r#"{"status": "Active", "tasks": [{}, {}]}"#;
    let state = active(text);
    assert_eq!(ids(&state), ids(&active(text)));
    assert_ne!(ids(&state)[0], ids(&state)[1]);
}

// spec: LIFE-3
#[test]
fn pre_init_is_the_flag_or_editing_with_nothing_in_it() {
    for text in [
        r#"{"pre_init_editing": true}"#,
        r#"{"pre_init_editing": true, "status": "Editing", "title": "T"}"#,
        r#"{"status": "Editing"}"#,
        r#"{"status": "Editing", "pre_init_editing": false, "title": " ", "description": "\n", "tasks": []}"#,
    ] {
        pre_init(text);
    }
    for text in [
        r#"{"status": "Editing", "title": "T"}"#,
        r#"{"status": "Editing", "description": "d"}"#,
        r#"{"status": "Editing", "tasks": [{}]}"#,
        r#"{"status": "Draft"}"#,
    ] {
        editing(text);
    }
}

// spec: DISK-13
#[test]
fn the_mark_of_an_end_counts_before_everything_but_the_session() {
    let ending = r#""ending": {"how": "discarded", "at": "2026-07-20T09:01:00Z", "archive": "a", "x_why": 1}"#;
    for rest in [
        r#""status": "Active""#,
        r#""status": "Paused""#,
        r#""pre_init_editing": "yes""#,
        r#""tasks": 3, "title": 4, "approval": 5"#,
    ] {
        let Loaded::Ended(EndedRecord { how: EndedHow::Marked(ending), .. }) =
            load(format!("{{{ending}, {rest}}}")).unwrap()
        else {
            panic!("{rest}");
        };
        assert_eq!((ending.how().as_str(), ending.archive()), ("discarded", "a"));
        assert_eq!(ending.kept.iter().collect::<Vec<_>>(), [("x_why", "1")]);
    }
    assert!(load(format!(r#"{{{ending}, "session_id": "other"}}"#)).is_err());
}

#[test]
fn an_archived_record_is_read_as_if_it_had_not_ended() {
    let archived = |text: &str| read_archived(text.as_bytes(), &site()).unwrap();
    let text = format!(
        r#"{{"session_id": "{SESSION}", "title": "T", "status": "Active", "tasks": [{{}}],
            "ending": {{"how": "discarded", "at": "2026-07-20T09:01:00Z", "archive": "a"}}}}"#
    );
    let record = archived(&text);
    assert!(matches!(&record.state, Live::Active(state) if state.checklist.len() == 1), "{record:?}");
    assert!(matches!(&record.ended, Some(EndedHow::Marked(ending)) if ending.archive() == "a"), "{record:?}");
    assert_eq!((&*record.title, record.session), ("T", Some(site().session().clone())));

    let record = archived(r#"{"status": "Editing", "title": "T", "description": "d"}"#);
    assert!(matches!((&record.ended, &record.state, &record.session), (None, Live::Editing(_), None)), "{record:?}");

    let record = archived(std::str::from_utf8(&fixture("legacy-cancelled.json")).unwrap());
    assert_eq!(record.ended, Some(EndedHow::LegacyCancelled));
    assert!(matches!(&record.state, Live::Editing(state) if state.legacy_tasks.len() == 2), "{record:?}");

    let record = archived(std::str::from_utf8(&fixture("legacy-completed.json")).unwrap());
    assert_eq!(record.ended, Some(EndedHow::LegacyCompleted));
    assert!(matches!(&record.state, Live::Active(state) if state.checklist.all_ended()), "{record:?}");

    let other = read_archived(br#"{"session_id": "a-1", "status": "Active"}"#, &site()).unwrap_err();
    assert_eq!(other.problem, RecordProblem::OtherSession { found: "a-1".into() });
}
