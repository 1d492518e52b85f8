//! Every row of the table of states, through the real store: what a reader reports, what a load reports, and what the disk
//! looks like afterwards.
// spec: LIFE-2, LIFE-3, LIFE-4, LIFE-5, LEG-1, LEG-2, LEG-3, LEG-4, LEG-5, LEG-6, LEG-7, DISK-3, DISK-4, DISK-12

use camino::{Utf8Path, Utf8PathBuf};
use plangate::model::TaskRef;
use plangate::session::Completion;
use plangate::{AnyPlan, Engine, Error, SessionId};
use pretty_assertions::assert_eq;
use serde_json::Value;
use std::collections::BTreeMap;

const SESSION: &str = "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b";

struct Row {
    folder: tempfile::TempDir,
    row: Value,
}

/// Everything below a folder: path to content, locks left out.
fn files(root: &Utf8Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(at: &Utf8Path, root: &Utf8Path, into: &mut BTreeMap<String, Vec<u8>>) {
        for entry in at.read_dir_utf8().into_iter().flatten().flatten() {
            if entry.file_type().unwrap().is_dir() {
                walk(entry.path(), root, into);
            } else if !entry.file_name().ends_with(".lock") {
                into.insert(entry.path().strip_prefix(root).unwrap().to_string(), std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut into = BTreeMap::new();
    walk(root, root, &mut into);
    into
}

impl Row {
    fn lay(row: &Value) -> Self {
        let laid = Self { folder: tempfile::tempdir().unwrap(), row: row.clone() };
        for (place, folder) in [("resolved", "session"), ("fallback", "agents/session")] {
            let folder = laid.root().join(folder);
            let write = |ending: &str, text: &str| {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join(format!(".opencrabs_plan_{SESSION}.{ending}")), text).unwrap();
            };
            match &row[place]["json"] {
                Value::Null => {}
                Value::String(raw) => write("json", raw),
                json => write("json", &serde_json::to_string_pretty(json).unwrap()),
            }
            if let Value::String(md) = &row[place]["md"] {
                write("md", md);
            }
        }
        laid
    }

    fn root(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.folder.path().to_owned()).unwrap()
    }

    fn case(&self) -> &str {
        self.row["case"].as_str().unwrap()
    }

    fn engine(&self) -> Engine {
        Engine::at(self.root()).build().unwrap()
    }

    fn session(&self) -> plangate::Session {
        self.engine().session(SessionId::new(SESSION).unwrap())
    }

    fn view(&self) -> String {
        match self.session().view().wait() {
            Ok(view) => view.state_name().to_string(),
            Err(error) => error.code().to_owned(),
        }
    }

    fn load(&self) -> String {
        match self.session().load().wait() {
            Ok(plan) => plan.state_name().to_string(),
            Err(error) => error.code().to_owned(),
        }
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files(&self.root())
    }

    fn archived(&self) -> Vec<String> {
        self.files().into_keys().filter(|path| path.contains("/archive/")).collect()
    }
}

fn rows() -> Vec<Value> {
    let Value::Array(rows) = serde_json::from_str(include_str!("fixtures/plans/states.json")).unwrap() else {
        panic!()
    };
    rows
}

fn row(case: &str) -> Row {
    Row::lay(rows().iter().find(|row| row["case"] == case).unwrap_or_else(|| panic!("no case {case}")))
}

#[test]
fn a_view_reports_the_state_and_changes_nothing() {
    for row in rows() {
        let row = Row::lay(&row);
        let before = row.files();
        assert_eq!(row.view(), row.row["view"].as_str().unwrap(), "{}", row.case());
        assert_eq!(row.files(), before, "{}", row.case());
    }
}

#[test]
fn a_load_reports_the_state_again_and_again() {
    for row in rows() {
        let row = Row::lay(&row);
        let expected = row.row["load"].as_str().unwrap().to_owned();
        assert_eq!(row.load(), expected, "{}", row.case());
        let after = row.files();
        for _ in 0..10 {
            assert_eq!((row.load(), row.view()), (expected.clone(), expected.clone()), "{}", row.case());
        }
        assert_eq!(row.files(), after, "{}: only the first load may change anything", row.case());
    }
}

#[test]
fn a_load_changes_only_what_needs_tidying() {
    let tidied = ["legacy draft with tasks, no md", "legacy completed", "legacy cancelled", "fallback completed"];
    for row in rows() {
        let row = Row::lay(&row);
        let before = row.files();
        row.load();
        assert_eq!(row.files() != before, tidied.contains(&row.case()), "{}", row.case());
    }
}

#[test]
fn a_damaged_file_stays_as_it_is_and_names_the_place() {
    for row in rows().iter().filter(|row| row["load"] == "damaged") {
        let row = Row::lay(row);
        let before = row.files();
        let Err(error) = row.session().load().wait() else { panic!("{} loaded", row.case()) };
        let text = error.to_string();
        assert!(text.contains(SESSION) && text.contains("line ") && text.contains("column "), "{text}");
        assert!(row.session().exclusive().wait().is_err());
        assert_eq!(row.files(), before, "{}", row.case());
    }
}

#[test]
fn a_legacy_draft_with_tasks_becomes_a_design_and_loses_nothing() {
    let row = row("legacy draft with tasks, no md");
    let original = row.files().into_values().next().unwrap();
    row.load();
    let files = row.files();
    let archived = row.archived();
    assert_eq!(archived.len(), 1, "{archived:?}");
    assert!(archived[0].ends_with("-legacy.json"), "{archived:?}");
    assert_eq!(files[&archived[0]], original);
    let json: Value = serde_json::from_slice(&files[&format!("session/.opencrabs_plan_{SESSION}.json")]).unwrap();
    assert_eq!((&json["status"], &json["tasks"]), (&"Editing".into(), &Value::Array(Vec::new())));
    let AnyPlan::Editing(plan) = row.session().load().wait().unwrap() else { panic!() };
    let outline = plan.outline();
    assert_eq!(outline.problem().unwrap().text(), "two callers");
    assert_eq!(outline.target_state().unwrap().text(), "LRU to ARC");
    assert_eq!(outline.intent(), None);
    assert_eq!(outline.steps().len(), 1);
    assert_eq!(json["description"], plan.markdown().text().unwrap());
}

#[test]
fn completed_is_archived_silently_and_byte_for_byte() {
    for (case, mark) in
        [("legacy completed", "Z.json"), ("legacy cancelled", "Z-cancelled.json"), ("fallback completed", "Z.json")]
    {
        let row = row(case);
        let (live, original) = row.files().pop_first().unwrap();
        row.load();
        let archived = row.archived();
        assert_eq!(archived.len(), 1, "{case}: {archived:?}");
        assert!(archived[0].starts_with("session/archive/") && archived[0].ends_with(mark), "{archived:?}");
        assert_eq!(row.files()[&archived[0]], original, "{case}");
        assert_eq!(row.files().contains_key(&live), case == "fallback completed", "{case}");
    }
}

#[test]
fn all_ended_is_archived_by_complete_alone() {
    let row = row("all ended, not archived");
    let AnyPlan::Active(plan) = row.session().load().wait().unwrap() else { panic!() };
    let Completion::Archived(plan, receipt) = plan.complete(TaskRef::Implied, None).wait().unwrap() else { panic!() };
    assert!(receipt.json.unwrap().exists());
    assert_eq!(plan.revision(), None);
    assert_eq!(row.load(), "NoPlan");
}

#[test]
fn the_first_change_of_a_fallback_plan_writes_the_resolved_folder() {
    let row = row("fallback active");
    let (fallback, original) = row.files().pop_first().unwrap();
    let AnyPlan::Active(plan) = row.session().load().wait().unwrap() else { panic!() };
    assert_eq!(plan.paths().read_from.unwrap(), row.root().join(&fallback));
    let plan = plan.start(TaskRef::Number(1)).wait().unwrap();
    assert_eq!(plan.paths().read_from.unwrap(), plan.paths().json);
    assert_eq!(row.files()[&fallback], original);
    let Completion::Archived(..) = plan.complete(TaskRef::Implied, None).wait().unwrap() else { panic!() };
    assert_eq!((row.view(), row.load()), ("NoPlan".into(), "NoPlan".into()), "it does not come back");
    assert_eq!(row.files()[&fallback], original);
    // A newer plan there shows again.
    std::fs::write(row.root().join(&fallback), r#"{"status":"Active","title":"new","description":"d","tasks":[]}"#)
        .unwrap();
    assert_eq!(row.view(), "Active");
}

#[test]
fn ending_a_plan_covers_the_fallback_that_it_shadowed() {
    let row = row("fallback shadowed");
    let plan = row.session().load().wait().unwrap();
    let (_, receipt) = plan.discard().wait().unwrap();
    assert!(receipt.unwrap().json.unwrap().as_str().ends_with("-discarded.json"));
    assert_eq!((row.view(), row.load()), ("NoPlan".into(), "NoPlan".into()));
}

#[test]
fn a_person_can_discard_what_is_damaged() {
    for row in rows().iter().filter(|row| row["load"] == "damaged") {
        let row = Row::lay(row);
        let (live, original) = row.files().into_iter().find(|(path, _)| path.starts_with("session/")).unwrap();
        let receipt = row.session().discard_damaged().wait().unwrap();
        assert_eq!(std::fs::read(receipt.json.unwrap()).unwrap(), original);
        assert!(!row.files().contains_key(&live));
        assert_eq!(row.load(), "NoPlan", "{}", row.case());
        assert!(matches!(row.session().discard_damaged().wait(), Err(Error::NotDamaged)));
    }
}
