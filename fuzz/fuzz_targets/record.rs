//! Any bytes as the record of a session, and as a file to import.
//!
//! Through the public interface and real files, in memory where the system has a folder there: a reader may say that the
//! record is damaged and may never say that there is no plan without one that ended; what loads is saved and loads again as
//! the same plan.
#![no_main]

use std::sync::LazyLock;

use camino::Utf8Path;
use libfuzzer_sys::fuzz_target;
use plangate::model::{Body, TaskDraft, TaskDrafts};
use plangate::{AnyPlan, Engine, Session, SessionId};

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder"));

fn session(root: &Utf8Path) -> Session {
    let engine = Engine::at(root).build().expect("the root is absolute");
    engine.session(SessionId::new("fuzz").expect("an id"))
}

fn same_again(session: &Session, plan: &AnyPlan) {
    let view = session.view().wait().expect("what was saved loads");
    assert_eq!(view.state(), plan.state());
}

fuzz_target!(|bytes: &[u8]| {
    let root = Utf8Path::from_path(FOLDER.path()).expect("the path is UTF-8");
    let folder = root.join("session");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder is made");
    std::fs::write(folder.join(".opencrabs_plan_fuzz.json"), bytes).expect("the record is laid");

    let session = session(root);
    let Ok(view) = session.view().wait() else {
        assert!(session.load().wait().is_err());
        return import(root, bytes);
    };
    let _ = (view.warnings(), view.reminder());
    let plan = session.load().wait().expect("what can be viewed can be loaded");
    assert_eq!(plan.state_name(), view.state_name());
    let draft = || TaskDrafts::new(TaskDraft::new("T", "d").expect("a draft"));
    match plan {
        AnyPlan::NoPlan(_) => assert!(!folder.join(".opencrabs_plan_fuzz.json").exists()),
        AnyPlan::PreInit(plan) => drop(plan.discard().wait().expect("a sidecar goes")),
        AnyPlan::Editing(plan) => {
            let plan = plan.write_markdown(Body::new("# T\n").expect("a body")).wait().expect("a text is written");
            same_again(&session, &plan.into());
        }
        AnyPlan::Active(plan) => {
            let plan = plan.add_tasks(draft()).wait().expect("a task is added");
            same_again(&session, &plan.into());
        }
    }
    import(root, bytes);
});

fn import(root: &Utf8Path, bytes: &[u8]) {
    let _ = std::fs::remove_dir_all(root.join("session"));
    let file = root.join("import.json");
    std::fs::write(&file, bytes).expect("the file is laid");
    let session = session(root);
    let Ok(AnyPlan::NoPlan(plan)) = session.load().wait() else { panic!("there is no plan") };
    match plan.import(file).wait() {
        Ok(plan) => {
            assert!(!plan.checklist().is_empty() && plan.header().approved_at().is_none());
            same_again(&session, &plan.into());
        }
        Err(refused) => drop(refused.into_plan().expect("nothing has changed")),
    }
}
