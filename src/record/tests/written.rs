//! What the bytes look like, and whether others can read them.

use pretty_assertions::assert_eq;

use super::*;

fn written(text: &str) -> String {
    let loaded = load(text).unwrap();
    String::from_utf8(write(to_write(&loaded).unwrap(), None)).unwrap()
}

// spec: LIFE-3, DISK-6, DISK-13
#[test]
fn a_sidecar_is_minimal() {
    let text = r#"{"pre_init_editing": true, "id": "6f0c9a52-3b1e-4c77-9d10-2a8f5e4b7c01", "created_at": "2026-04-20T09:00:00Z", "origin": "interactive", "asked": "person", "project_dir": "/p", "x": 1}"#;
    assert_eq!(
        written(text),
        r#"{
  "id": "6f0c9a52-3b1e-4c77-9d10-2a8f5e4b7c01",
  "session_id": "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b",
  "status": "Editing",
  "pre_init_editing": true,
  "tasks": [],
  "created_at": "2026-04-20T09:00:00Z",
  "origin": "interactive",
  "asked": "person",
  "project_dir": "/p",
  "x": 1
}
"#
    );
}

// spec: MIRROR-2, DISK-6, DISK-13, LEG-5
#[test]
fn a_design_is_written_without_tasks_and_without_the_flag() {
    let text = r#"{"id": "6f0c9a52-3b1e-4c77-9d10-2a8f5e4b7c01", "pre_init_editing": false, "title": "T", "description": "a\nb", "tasks": [{}], "status": "Rejected", "risks": ["r", "s"]}"#;
    assert_eq!(
        written(text),
        r#"{
  "id": "6f0c9a52-3b1e-4c77-9d10-2a8f5e4b7c01",
  "session_id": "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b",
  "title": "T",
  "description": "a\nb",
  "status": "Editing",
  "tasks": [],
  "context": "",
  "test_strategy": "",
  "risks": [
    "r",
    "s"
  ],
  "technical_stack": [],
  "approved_at": null
}
"#
    );
}

// spec: DISK-6, DISK-7, DISK-8
#[test]
fn a_checklist_is_written_with_every_field() {
    let text = r#"{"id": "6f0c9a52-3b1e-4c77-9d10-2a8f5e4b7c01", "title": "T", "description": "d", "status": "InProgress",
        "approved_at": "2026-07-20T09:01:00Z", "goal_task": "A0000002-1111-4111-8111-111111111111", "x_root": {"a":  1},
        "approval": {"x_more": 2, "by": "ada", "via": "terminal", "at": "2026-07-20T09:01:00Z", "guarded": false,
            "digest": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        "tasks": [
            {"id": "A0000001-1111-4111-8111-111111111111", "title": "one"},
            {"x_task": 1e400, "id": "a0000002-1111-4111-8111-111111111111", "task_type": {"Other": "bench"},
             "dependencies": [1, 7], "status": {"Blocked": "why"}, "acceptance_criteria": ["c"], "artifacts": ["f"],
             "notes": "n", "completed_at": "2026-04-20T11:00:00+02:00", "reflection": "r",
             "execution_history": [ 1 ], "retry_count": 1, "max_retries": 9, "complexity": 9}]}"#;
    assert_eq!(
        written(text),
        r#"{
  "id": "6f0c9a52-3b1e-4c77-9d10-2a8f5e4b7c01",
  "session_id": "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b",
  "title": "T",
  "description": "d",
  "status": "Active",
  "tasks": [
    {
      "id": "a0000001-1111-4111-8111-111111111111",
      "order": 1,
      "title": "one",
      "description": "",
      "task_type": "other",
      "dependencies": [],
      "complexity": 3,
      "acceptance_criteria": [],
      "artifacts": [],
      "status": "Pending",
      "notes": null,
      "completed_at": null,
      "reflection": null,
      "execution_history": [],
      "retry_count": 0,
      "max_retries": 3
    },
    {
      "id": "a0000002-1111-4111-8111-111111111111",
      "order": 2,
      "title": "",
      "description": "",
      "task_type": "bench",
      "dependencies": [
        "a0000001-1111-4111-8111-111111111111",
        7
      ],
      "complexity": 5,
      "acceptance_criteria": [
        "c"
      ],
      "artifacts": [
        "f"
      ],
      "status": {
        "Blocked": "why"
      },
      "notes": "n",
      "completed_at": "2026-04-20T09:00:00Z",
      "reflection": "r",
      "execution_history": [ 1 ],
      "retry_count": 1,
      "max_retries": 9,
      "x_task": 1e400
    }
  ],
  "context": "",
  "test_strategy": "",
  "risks": [],
  "technical_stack": [],
  "approved_at": "2026-07-20T09:01:00Z",
  "approval": {
    "by": "ada",
    "via": "terminal",
    "at": "2026-07-20T09:01:00Z",
    "digest": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "guarded": false,
    "x_more": 2
  },
  "goal_task": "a0000002-1111-4111-8111-111111111111",
  "x_root": {"a":  1}
}
"#
    );
}

// spec: DISK-13
#[test]
fn the_mark_of_an_end_stands_before_the_unknown_fields() {
    let state = active(r#"{"status": "Active", "title": "T", "x": 1}"#);
    let ending = crate::plan::Ending {
        how: crate::plan::EndingHow::Completed,
        at: "2026-07-20T09:01:00Z".parse().unwrap(),
        archive: "name".into(),
        kept: crate::model::Kept::default(),
    };
    let written = String::from_utf8(write(StateToWrite::Active(&state), Some(&ending))).unwrap();
    let end = r#"
  "ending": {
    "how": "completed",
    "at": "2026-07-20T09:01:00Z",
    "archive": "name"
  },
  "x": 1
}
"#;
    assert!(written.ends_with(end), "{written}");
}

/// A record as a reader of the present generation declares it: every field that it needs, and plain strings.
#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "that these fields are there and have these types is the test")]
struct OtherReader {
    id: String,
    session_id: String,
    title: String,
    description: String,
    tasks: Vec<OtherTask>,
    context: String,
    risks: Vec<String>,
    test_strategy: String,
    technical_stack: Vec<String>,
    status: OtherStatus,
    created_at: String,
    updated_at: String,
    approved_at: Option<String>,
}

#[derive(serde::Deserialize)]
enum OtherStatus {
    Editing,
    Active,
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "as above")]
struct OtherTask {
    id: String,
    order: usize,
    title: String,
    description: String,
    task_type: String,
    dependencies: Vec<String>,
    complexity: u8,
    acceptance_criteria: Vec<String>,
    status: OtherTaskStatus,
    notes: Option<String>,
    completed_at: Option<String>,
    execution_history: Vec<serde::de::IgnoredAny>,
    retry_count: u32,
    max_retries: u32,
    artifacts: Vec<String>,
    reflection: Option<String>,
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "as above")]
enum OtherTaskStatus {
    Pending,
    InProgress,
    Completed,
    Skipped,
    Failed,
    Blocked(String),
}

// spec: DISK-6
#[test]
fn a_reader_of_the_present_generation_reads_what_is_written() {
    for file in ["legacy-in-progress.json", "legacy-approved.json", "active-empty.json", "legacy-draft.json"] {
        let loaded = load(fixture(file)).unwrap();
        let read: OtherReader = serde_json::from_slice(&write(to_write(&loaded).unwrap(), None)).unwrap();
        assert_eq!(read.title, "Swap the cache", "{file}");
    }
}
