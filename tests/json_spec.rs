//! `docs/json-spec.md` against the code: the load map, the write table, the fields, template B and the tool contract.
// spec: DOC-1, MIRROR-5, DISK-6, DISK-13, TOOL-3

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;
use plangate::model::{Body, TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Approval, Brief};
use plangate::session::{Completion, Restored};
use plangate::tool::{Request, ToolOperation};
use plangate::{Engine, Plan, Session, SessionId};
use pretty_assertions::assert_eq;
use serde_json::Value;

const PAGE: &str = include_str!("../docs/json-spec.md");
const BODY: &str = "# T\n\n## Context\n- **Problem:** p\n- **Target state:** t\n- **Intent:** i\n\n## Implementation steps\n1. a — b\n";

/// What stands between two markers.
fn between<'a>(before: &str, after: &str) -> &'a str {
    let (_, rest) = PAGE.split_once(before).unwrap_or_else(|| panic!("no {before}"));
    rest.split_once(after).unwrap().0
}

/// The rows of a table, without its head.
fn table(name: &str) -> Vec<Vec<String>> {
    let rows =
        between(&format!("<!-- table:{name} -->"), "<!-- /table -->").lines().filter(|line| line.starts_with('|'));
    rows.skip(2).map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// The texts in backticks.
fn codes(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn session(&self) -> Session {
        let root = Utf8PathBuf::from_path_buf(self.folder.path().to_owned()).unwrap();
        Engine::at(root).build().unwrap().session(SessionId::new("s1").unwrap()).with_project_dir("/project")
    }

    fn write(&self, json: &str) {
        let path = self.session().paths().wait().unwrap().json;
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, json).unwrap();
    }

    /// The live record.
    fn record(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.session().paths().wait().unwrap().json).unwrap()).unwrap()
    }

    fn no_plan(&self) -> Plan<plangate::plan::NoPlan> {
        self.session().load().wait().unwrap().try_into().unwrap()
    }

    fn editing(&self) -> Plan<plangate::plan::Editing> {
        let plan = self.no_plan().init_design(Brief::new("T").unwrap()).wait().unwrap();
        plan.write_markdown(Body::new(BODY).unwrap()).wait().unwrap()
    }

    fn active(&self) -> Plan<plangate::plan::Active> {
        let plan = self.editing();
        let seen = plan.markdown().digest().unwrap();
        let plan = plan.approve(Approval::new("ada", "test", seen)).wait().unwrap();
        plan.add_tasks(tasks()).wait().unwrap()
    }
}

fn tasks() -> TaskDrafts {
    let task = |title| TaskDraft::new(title, "d").unwrap().criterion("c").unwrap();
    TaskDrafts::new(task("A")).and(task("B"))
}

#[test]
fn the_load_map_is_what_a_reader_reports() {
    for row in table("legacy") {
        let place = Place::new();
        let status = codes(&row[0])[0];
        place.write(&format!(r#"{{"status": "{status}", "title": "T", "description": "d", "tasks": []}}"#));
        let state = place.session().view().wait().unwrap().state_name().to_string();
        assert!(row[1].starts_with(&state), "{status}: {state}, the page says {}", row[1]);
        drop(place.session().load().wait().unwrap());
        let archived = place.session().archive().wait().unwrap();
        let mark = archived.first().map(|entry| entry.name.mark().as_str());
        let expected = match (row[1].contains("archived"), row[1].contains("mark")) {
            (true, true) => Some("cancelled"),
            (true, false) => Some("completed"),
            _ => None,
        };
        assert_eq!(mark, expected, "{status}");
    }
    // And no other string is known: the error lists these and the two that are written.
    let place = Place::new();
    place.write(r#"{"status": "Paused", "title": "T", "tasks": []}"#);
    let error = place.session().view().wait().unwrap_err().to_string();
    for known in
        table("legacy").iter().map(|row| codes(&row[0])[0].to_owned()).chain(["Editing".into(), "Active".into()])
    {
        assert!(error.contains(&known), "{error} lacks {known}");
    }
}

#[test]
fn every_event_writes_what_the_table_says() {
    let mut written: BTreeMap<String, Value> = BTreeMap::new();
    let mut note =
        |event: &str, record: Value| assert!(written.insert(event.to_owned(), record).is_none(), "{event} twice");

    let place = Place::new();
    drop(place.no_plan().enter().wait().unwrap());
    note("enter", place.record());
    drop(place.session().load().wait().unwrap().discard().wait().unwrap());
    assert!(!place.session().paths().wait().unwrap().json.exists());
    note("discard of PreInit", Value::Null);

    let place = Place::new();
    let plan = place.no_plan().init_design(Brief::new("T").unwrap()).wait().unwrap();
    note("design init", place.record());
    let plan = plan.write_markdown(Body::new(BODY).unwrap()).wait().unwrap();
    note("write markdown, sync", place.record());
    let seen = plan.markdown().digest().unwrap();
    let plan = plan.approve(Approval::new("ada", "test", seen)).wait().unwrap();
    note("approve", place.record());
    let plan = plan.add_tasks(tasks()).wait().unwrap().start(TaskRef::Implied).wait().unwrap();
    note("add_tasks, start, complete, fail, skip", place.record());
    let (_, receipt) = plan.discard().wait().unwrap();
    let archived: Value = serde_json::from_slice(&std::fs::read(receipt.json.unwrap()).unwrap()).unwrap();
    note("discard of Editing or Active", archived);
    let Restored::Active(plan) = place.no_plan().restore(receipt.archive.unwrap()).wait().unwrap() else { panic!() };
    note("restore", place.record());
    let Completion::Continues(plan) = plan.skip(TaskRef::Number(1), None).wait().unwrap() else { panic!() };
    let Completion::Archived(_, receipt) = plan.skip(TaskRef::Number(2), None).wait().unwrap() else { panic!() };
    let last: Value = serde_json::from_slice(&std::fs::read(receipt.json.unwrap()).unwrap()).unwrap();
    note("last task completed or skipped", last);

    let place = Place::new();
    drop(place.no_plan().init_checklist(Brief::new("T").unwrap(), tasks()).wait().unwrap());
    note("checklist init, import", place.record());

    let rows = table("writes");
    assert_eq!(rows.iter().map(|row| row[0].clone()).collect::<BTreeSet<_>>(), written.keys().cloned().collect());
    for row in rows {
        let record = &written[&row[0]];
        let statuses = codes(&row[1]);
        match record["status"].as_str() {
            None => assert_eq!(row[1], "none", "{}", row[0]),
            Some(status) => assert!(statuses.contains(&format!("\"{status}\"").as_str()), "{}: {status}", row[0]),
        }
        assert_eq!(record.get("ending").is_some(), row[1].contains("`ending`"), "{}", row[0]);
        assert_eq!(record.get("pre_init_editing").is_some(), row[2].contains("pre_init_editing"), "{}", row[0]);
        if row[2].contains("`tasks` empty") {
            assert_eq!(record["tasks"], Value::Array(Vec::new()), "{}", row[0]);
        }
        if row[2].contains("stays null") {
            assert!(record["approved_at"].is_null() && !record["tasks"].as_array().unwrap().is_empty(), "{}", row[0]);
        }
        if row[2].contains("are set") || row[2].contains("is kept") {
            assert!(!record["approved_at"].is_null(), "{}", row[0]);
        }
        if row[2].contains("`description` is the `.md` body") {
            assert_eq!(record["description"], BODY, "{}", row[0]);
        }
        if let Some((_, how)) = row[2].split_once("how: ") {
            assert!(how.starts_with(record["ending"]["how"].as_str().unwrap()), "{}", row[0]);
        }
    }
}

#[test]
fn the_tables_of_fields_have_every_field_that_is_written_and_no_other() {
    let place = Place::new();
    let plan = place.active().start(TaskRef::Implied).wait().unwrap();
    let record = place.record();
    let (_, receipt) = plan.discard().wait().unwrap();
    let archived: Value = serde_json::from_slice(&std::fs::read(receipt.json.unwrap()).unwrap()).unwrap();
    let sidecar = Place::new();
    drop(sidecar.no_plan().enter().wait().unwrap());
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
    let root: BTreeSet<String> = [&record, &archived, &sidecar.record()].into_iter().flat_map(keys).collect();
    let listed = |name: &str| -> BTreeSet<String> {
        table(name).iter().flat_map(|row| codes(&row[0]).into_iter().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    assert_eq!(listed("root-fields"), root);
    assert_eq!(listed("task-fields"), keys(&record["tasks"][0]));
    let row = |field: &str| table("root-fields").into_iter().find(|row| row[0].contains(field)).unwrap();
    let approval: BTreeSet<String> = codes(&row("`approval`")[1]).into_iter().map(str::to_owned).collect();
    assert_eq!(approval, keys(&record["approval"]));
    assert!(keys(&archived["ending"]).iter().all(|key| codes(&row("`ending`")[1]).contains(&key.as_str())));
}

#[test]
fn template_b_is_the_engines_own() {
    let block = between("<!-- template:b -->\n```markdown\n", "```\n<!-- /template -->");
    assert_eq!(block, plangate::outline::template());
    assert!(!plangate::outline::Outline::scan(block).is_complete(), "the bare template is always refused");
}

#[test]
fn the_arguments_are_those_that_the_tool_takes() {
    let mut listed: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in table("arguments") {
        for of in row[1].split(", ") {
            // A task takes what add_task takes.
            let Some(operation) =
                ToolOperation::ALL.iter().find(|operation| of.split(' ').next() == Some(operation.as_str()))
            else {
                assert!(["a task", "for older callers"].contains(&of), "{of}");
                continue;
            };
            listed.entry(operation.as_str()).or_default().extend(codes(&row[0]).into_iter().map(str::to_owned));
        }
    }
    for operation in ToolOperation::ALL {
        let taken = operation.arguments().iter().map(|&name| name.to_owned()).collect();
        assert_eq!(listed[operation.as_str()], taken, "{operation}");
    }
    let operations = between("Its argument `operation` is one of:", "Entering, approving");
    let named: Vec<&str> = operations.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(named.iter().collect::<BTreeSet<_>>(), ToolOperation::ALL.map(ToolOperation::as_str).iter().collect());
    assert_eq!(named[..2], ["add_tasks", "add_task"], "add_tasks comes first, and add_task is kept");
}

#[test]
fn the_forms_of_init_are_told_apart_as_the_table_says() {
    let rows = between("| `file_path` | `mode` | `tasks` | result |\n|---|---|---|---|\n", "\n\n");
    for row in rows.lines() {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let mut call = serde_json::json!({"operation": "init"});
        if cells[0] == "given" {
            call["file_path"] = "p".into();
            call["mode"] = "design".into();
        } else {
            call["title"] = "T".into();
        }
        if let [mode] = codes(cells[1])[..] {
            call["mode"] = mode.into();
        }
        if cells[2] == "some" {
            call["tasks"] = serde_json::json!([{"title": "A", "description": "a"}]);
        }
        let parsed = Request::parse(call.to_string().as_bytes());
        let result = match &parsed {
            Ok(request) => request.operation().as_str().trim_start_matches("init "),
            Err(_) => "refused",
        };
        assert!(cells[3].starts_with(result), "{row}: {result}");
    }
}
