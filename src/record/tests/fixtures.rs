use serde_json::value::RawValue;

use super::*;
use crate::model::{TaskStatus, TaskType};

#[derive(serde::Deserialize)]
struct Case<'a> {
    case: String,
    #[serde(borrow)]
    resolved: OnDisk<'a>,
    view: String,
}

#[derive(serde::Deserialize)]
struct OnDisk<'a> {
    #[serde(borrow)]
    json: Option<&'a RawValue>,
}

fn name(loaded: &Result<Loaded, RecordError>) -> &'static str {
    match loaded {
        Ok(Loaded::PreInit(_)) => "PreInit",
        Ok(Loaded::Editing(_)) => "Editing",
        Ok(Loaded::Active(_)) => "Active",
        Ok(Loaded::Ended(_)) => "NoPlan",
        Err(_) => "damaged",
    }
}

// spec: LEG-1, LEG-2, LEG-3, LEG-4, LEG-6, LIFE-3, DISK-12
#[test]
fn every_row_of_the_table_of_states_is_read_as_it_says() {
    let bytes = fixture("states.json");
    let cases: Vec<Case<'_>> = serde_json::from_slice(&bytes).unwrap();
    let mut read = 0;
    for Case { case, resolved, view } in cases {
        let Some(json) = resolved.json else { continue };
        // A string stands for the raw text of the file.
        let text = serde_json::from_str::<String>(json.get()).unwrap_or_else(|_| json.get().to_owned());
        let loaded = load(&text);
        assert_eq!(name(&loaded), view, "{case}: {loaded:?}");
        read += 1;
    }
    assert_eq!(read, 26, "the rows that have a file in the resolved folder");
}

// spec: LEG-1
#[test]
fn older_plans_before_an_approval_are_editing_and_keep_their_tasks() {
    for file in ["legacy-draft.json", "legacy-pending-approval.json", "legacy-rejected.json"] {
        let state = editing(fixture(file));
        assert_eq!(state.legacy_tasks.len(), 2, "{file}");
        assert_eq!(state.markdown, crate::plan::Markdown::Missing);
        assert_eq!(state.header.title(), "Swap the cache");
        assert_eq!(state.header.background().risks, ["eviction bugs".into()]);
    }
    assert_eq!(editing(fixture("editing-with-tasks.json")).legacy_tasks.len(), 1);
}

// spec: LEG-2, DISK-8
#[test]
fn older_plans_after_an_approval_are_active() {
    let state = active(fixture("legacy-approved.json"));
    assert_eq!(state.header.approved_at().unwrap().to_string(), "2026-04-20T09:03:00Z");
    let dependencies: Vec<_> = state.checklist.tasks().map(|task| task.dependencies().len()).collect();
    assert_eq!(dependencies, [0, 1]);

    let state = active(fixture("legacy-in-progress.json"));
    let tasks: Vec<_> = state.checklist.tasks().collect();
    assert_eq!(*tasks[0].task_type(), TaskType::Other("bench".into()));
    assert_eq!(*tasks[1].status(), TaskStatus::Blocked("needs review".into()));
    assert_eq!((tasks[1].retry_count, tasks[1].max_retries), (1, 3));
    assert!(tasks[1].execution_history.as_ref().unwrap().get().contains("\"cargo test\""));

    let state = active(fixture("active-empty.json"));
    assert!(state.checklist.is_empty());
    assert_eq!(state.header.created_at().unwrap().to_string(), "2026-04-20T09:00:00.123456789Z");
}

// spec: LEG-3, LEG-4
#[test]
fn older_plans_at_their_end_are_ended() {
    let updated_at = "2026-04-20T09:05:00Z".parse().ok();
    let ended = |how| Ok(Loaded::Ended(EndedRecord { how, updated_at }));
    assert_eq!(load(fixture("legacy-completed.json")), ended(EndedHow::LegacyCompleted));
    assert_eq!(load(fixture("legacy-cancelled.json")), ended(EndedHow::LegacyCancelled));
}

// spec: LIFE-3, DISK-6
#[test]
fn the_smallest_sidecar_is_pre_init() {
    let state = pre_init(fixture("pre-init-sidecar.json"));
    assert_eq!((state.header.title(), state.header.created_at()), ("", None));
    // Its id follows from the session, so that two loads agree.
    assert_eq!(state.header.id(), pre_init(r#"{"pre_init_editing": true}"#).header.id());
}

#[test]
fn the_second_generation_is_read() {
    let state = active(fixture("lenient-lowercase.json"));
    let tasks: Vec<_> = state.checklist.tasks().collect();
    let types: Vec<_> = tasks.iter().map(|task| task.task_type().as_str()).collect();
    assert_eq!(types, ["Research", "Edit", "spelunk"]);
    assert_eq!(tasks[1].dependencies(), [tasks[0].id().into()]);
    // A dependency without a target stays.
    assert_eq!(tasks[2].dependencies().len(), 1);
    assert_eq!(state.checklist, active(fixture("lenient-lowercase.json")).checklist, "two loads agree on derived ids");
}

// spec: LEG-6, DISK-12
#[test]
fn damaged_fixtures_are_errors_with_a_place() {
    let said = |file| load(fixture(file)).unwrap_err().to_string();
    assert_eq!(said("empty.json"), "line 1, column 1: the file is empty; a plan is one JSON object");
    assert_eq!(said("truncated.json"), "line 1, column 401: the file is cut off here; a plan is one whole JSON object");
    assert_eq!(said("not-an-object.json"), "line 1, column 1: the file holds an array; a plan is one JSON object");
    assert_eq!(
        said("unknown-status.json"),
        "line 15, column 13, status: the status \"Paused\" is not known; known are Editing, Active, Draft, \
         PendingApproval, Rejected, Approved, InProgress, Completed, Cancelled"
    );
}

// spec: DISK-7
#[test]
fn unknown_fields_come_back_with_their_text() {
    let bytes = fixture("unknown-fields.json");
    let state = active(&bytes);
    let root: Vec<_> = state.header.kept().iter().collect();
    assert_eq!(
        root,
        [
            ("telegram_flow_message_ids", r#"{"chat": -1001234567890123, "message": 18446744073709551617}"#),
            ("x_ratio", "0.1"),
            ("x_big", "1e400"),
            ("x_nested", r#"{"b": [1, 2.50, null], "a": "\u00e9\ud83e\udd80"}"#),
        ]
    );
    let task = state.checklist.tasks().next().unwrap();
    assert_eq!(
        task.kept().iter().collect::<Vec<_>>(),
        [("x_owner", "\"kept\""), ("x_weight", "12345678901234567890123")]
    );

    let written = String::from_utf8(write(StateToWrite::Active(&state), None)).unwrap();
    for line in [
        "  \"telegram_flow_message_ids\": {\"chat\": -1001234567890123, \"message\": 18446744073709551617},\n",
        "  \"x_big\": 1e400,\n",
        "  \"x_nested\": {\"b\": [1, 2.50, null], \"a\": \"\\u00e9\\ud83e\\udd80\"}\n",
        "      \"x_owner\": \"kept\",\n",
        "      \"x_weight\": 12345678901234567890123\n",
    ] {
        assert!(written.contains(line), "{line}{written}");
    }
    assert_eq!(active(written), state);
}
