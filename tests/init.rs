//! Beginning a plan, through the public interface.
//!
//! The library has a method for each form of `init`: `init_design`, `init_checklist` and `import`. Which of them the tool's
//! `mode`, `tasks` and `file_path` mean is the tool's to decide; here stands what the methods themselves make impossible.

mod support;

use std::path::Path;

use camino::Utf8Path;
use plangate::model::{Asked, Caller, Origin, TaskDrafts, TaskRef, TaskType};
use plangate::plan::{Brief, Operation, PreInit};
use plangate::{AnyPlan, Plan, outline};
use pretty_assertions::assert_eq;
use support::{World, brief, draft, drafts, statuses, task};

/// A plan with two tasks, of which the second waits for the first.
const PLAN: &str = r#"{"title": "Add login", "description": "d", "tasks": [
    {"id": "a0000001-1111-4111-8111-111111111111", "title": "Look", "description": "d", "status": "Completed"},
    {"title": "Swap", "description": "d", "dependencies": [1], "acceptance_criteria": ["it works"]}]}"#;

fn file(world: &World, content: impl AsRef<[u8]>) -> camino::Utf8PathBuf {
    let path = world.root().join("a plan");
    std::fs::write(&path, content).unwrap();
    path
}

// spec: INIT-1, INIT-2, INIT-3, API-8
#[test]
fn a_design_takes_no_tasks_and_a_checklist_has_at_least_one() {
    // A design has no parameter for tasks, and the checklist's is never empty: the two cannot be mixed up. What an omitted
    // mode means, and the texts of the refusals, are the tool's.
    let world = World::new();
    let plan = world.no_plan().init_design(brief()).wait().unwrap();
    plan.discard().wait().unwrap();
    let refused = TaskDrafts::try_from(Vec::new()).unwrap_err();
    assert!(refused.to_string().contains("at least one task"), "{refused}");
    let plan = world.no_plan().init_checklist(brief(), TaskDrafts::new(draft("T"))).wait().unwrap();
    assert_eq!(plan.checklist().len(), 1);
}

// spec: INIT-4
#[test]
fn any_readable_path_can_be_imported() {
    let world = World::new();
    let path = file(&world, PLAN);
    let link = world.root().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, &link).unwrap();
    #[cfg(not(unix))]
    std::fs::copy(&path, &link).unwrap();
    // Tests run in the package's folder.
    let relative = Utf8Path::new("tests/fixtures/plans/import-minimal.json");
    for path in [path.as_path(), &link, relative] {
        let plan = world.no_plan().import(path).wait().unwrap();
        assert!(plan.checklist().len() >= 2);
        plan.discard().wait().unwrap();
    }
}

// spec: INIT-4, INIT-8
#[test]
fn an_import_takes_what_tasks_are_and_not_where_they_stood() {
    let world = World::new();
    let plan = world.no_plan().import("tests/fixtures/plans/import-minimal.json").wait().unwrap();
    assert_eq!((plan.header().title(), plan.header().approved_at()), ("Add authentication", None));
    let tests = plan.checklist().get(task(3)).unwrap();
    assert_eq!((tests.complexity(), tests.task_type()), (5, &TaskType::Test));
    assert_eq!(tests.acceptance_criteria().collect::<Vec<_>>(), ["login and logout pass"]);
    assert_eq!(plan.checklist().unmet(tests).map(|task| task.number()).collect::<Vec<_>>(), [2]);

    plan.discard().wait().unwrap();
    let forged = PLAN.replacen('{', r#"{"approved_at": "2026-01-01T00:00:00Z", "status": "Completed", "x": 1e400,"#, 1);
    let plan = world.no_plan().import(file(&world, forged)).wait().unwrap();
    assert_eq!(statuses(&plan), ["Pending", "Pending"]);
    assert_eq!(plan.header().approved_at(), None);
    assert!(std::fs::read_to_string(world.live("json")).unwrap().contains("\"x\": 1e400"));
    assert_ne!(plan.checklist().get(task(1)).unwrap().id().to_string(), "a0000001-1111-4111-8111-111111111111");
}

// spec: INIT-5
#[test]
fn a_design_upgrades_the_sidecar_in_place() {
    let world = World::new();
    let plan = world.pre_init();
    let before = (plan.header().id(), plan.header().created_at());
    let plan = plan.init_design(brief()).wait().unwrap();
    assert_eq!((plan.header().id(), plan.header().created_at()), before);
    let record = world.record();
    assert_eq!(record.get("pre_init_editing"), None);
    assert_eq!(
        (&record["id"], &record["created_at"]),
        (&before.0.to_string().into(), &before.1.unwrap().to_string().into())
    );
}

// spec: INIT-5, INIT-8, DISK-13
#[test]
fn a_checklist_or_an_import_replaces_the_flag_without_a_discard() {
    for import in [false, true] {
        let world = World::new();
        let plan = world.pre_init();
        let before = plan.header().id();
        let plan = match import {
            true => plan.import(file(&world, PLAN)).wait().unwrap(),
            false => plan.init_checklist(brief(), drafts(2)).wait().unwrap(),
        };
        assert_ne!(plan.header().id(), before);
        assert_eq!((plan.header().approved_at(), world.state().as_str()), (None, "Active"));
        let record = world.record();
        assert_eq!((record.get("pre_init_editing"), &record["approved_at"]), (None, &serde_json::Value::Null));
        assert_eq!(world.session().archive().wait().unwrap(), []);
        // It is live at once.
        plan.start(TaskRef::Implied).wait().unwrap();
    }
}

// spec: INIT-6
#[test]
fn a_second_init_is_refused_with_discard_first() {
    for active in [false, true] {
        let world = World::new();
        let plan: AnyPlan = if active { world.active(drafts(1)).into() } else { world.editing().into() };
        let before = world.files();
        for operation in [Operation::InitDesign, Operation::InitChecklist, Operation::Import] {
            let refusal = plan.refuse(operation).unwrap();
            assert_eq!(refusal.code(), "discard-first");
            assert!(refusal.to_string().contains("Discard first"), "{refusal}");
        }
        assert_eq!(world.files(), before);
    }
}

// spec: INIT-7
#[test]
fn a_design_writes_the_outline_and_tells_where() {
    let world = World::new();
    let brief = brief().description("two callers\n## Context\n- **Problem:** forged").unwrap();
    let plan = world.no_plan().init_design(brief).wait().unwrap();
    let md = plan.paths().md;
    assert!(md.is_absolute());
    assert_eq!(md, world.live("md"));
    let body = std::fs::read_to_string(&md).unwrap();
    assert!(body.starts_with("# Swap the cache\n"), "{body}");
    assert_eq!(body, outline::render("Swap the cache", "two callers\n## Context\n- **Problem:** forged"));
    assert_eq!(plan.outline().title(), Some("Swap the cache"));
    assert_eq!(plan.outline().problem(), None, "nothing in a description is a part of the outline");
    assert_eq!(world.record()["description"], body);
}

// spec: INIT-7, LIFE-2
#[test]
fn a_md_without_a_plan_is_kept_when_a_plan_begins() {
    for kind in ["design", "checklist", "import"] {
        let world = World::new();
        world.lay("session", "md", "somebody's notes");
        let plan = world.no_plan();
        match kind {
            "design" => drop(plan.init_design(brief()).wait().unwrap()),
            "checklist" => drop(plan.init_checklist(brief(), drafts(1)).wait().unwrap()),
            _ => drop(plan.import(file(&world, PLAN)).wait().unwrap()),
        }
        let archive = world.session().archive().wait().unwrap();
        let [entry] = &archive[..] else { panic!("{archive:?}") };
        assert_eq!((entry.name.mark().as_str(), &entry.json), ("orphan", &None));
        assert_eq!(std::fs::read_to_string(entry.md.as_ref().unwrap()).unwrap(), "somebody's notes");
        assert_eq!(world.live("md").exists(), kind == "design");
    }
}

// spec: INIT-8
#[test]
fn a_checklist_is_active_at_once_and_never_approved() {
    let world = World::new();
    let plan = world.active(drafts(2)).start(task(1)).wait().unwrap();
    let plan = support::continues(plan.complete(task(1), None).wait().unwrap());
    assert_eq!((plan.header().approved_at(), plan.header().approval()), (None, None));
    assert_eq!(world.record()["approved_at"], serde_json::Value::Null);
}

// spec: INIT-9, INIT-4, TASK-5
#[test]
fn a_refused_import_leaves_everything_as_it_was() {
    let circle = r#"{"title":"T","description":"d","tasks":[{"title":"a","description":"d","dependencies":[2]},
        {"title":"b","description":"d","dependencies":[1]}]}"#;
    let tasks = |tasks: &str| format!(r#"{{"title":"T","description":"d","tasks":{tasks}}}"#);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("import-malformed", Vec::new()),
        ("import-malformed", b"{".to_vec()),
        ("import-malformed", b"[]".to_vec()),
        ("import-malformed", b"{\"title\":\"\xff\"}".to_vec()),
        ("import-malformed", tasks("{}").into()),
        ("import-malformed", br#"{"title":"T","title":"U","description":"d","tasks":[]}"#.to_vec()),
        ("import-empty", tasks("[]").into()),
        ("import-empty", br#"{"title":"T","description":"d"}"#.to_vec()),
        ("import-invalid", PLAN.replace("Add login", " ").into()),
        ("import-invalid", PLAN.replace("Look", r"L\nook").into()),
        ("unknown-dependency", PLAN.replace("[1]", "[7]").into()),
        ("self-dependency", PLAN.replace("[1]", "[2]").into()),
        ("dependency-cycle", circle.into()),
    ];
    for planning in [false, true] {
        let world = World::new();
        if planning {
            drop(world.pre_init());
        }
        let import = |path: &Path| match world.load() {
            AnyPlan::NoPlan(plan) => {
                let error = plan.import(path).wait().unwrap_err();
                (error.reason().code(), error.to_string(), error.into_plan().map(AnyPlan::from))
            }
            AnyPlan::PreInit(plan) => {
                let error = plan.import(path).wait().unwrap_err();
                (error.reason().code(), error.to_string(), error.into_plan().map(AnyPlan::from))
            }
            plan => panic!("{plan:?}"),
        };
        let mut events = world.engine.subscribe();
        let check = |expected: &str, path: &Path| {
            let (state, before) = (world.state(), world.files());
            let (code, text, plan) = import(path);
            assert_eq!(code, expected, "{text}");
            assert_eq!(plan.unwrap().state_name().as_str(), state, "the plan comes back");
            assert_eq!((world.state(), world.files()), (state, before));
            text
        };
        for (code, content) in &cases {
            check(code, file(&world, content).as_std_path());
        }
        assert!(check("import-unreadable", Path::new("no such file")).contains("no such file"));
        check("import-unreadable", world.root().as_std_path());
        let large = file(&world, "");
        std::fs::File::options().write(true).open(&large).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
        let (code, ..) = import(large.as_std_path());
        assert_eq!(code, "import-unreadable");
        std::fs::remove_file(large).unwrap();
        #[cfg(unix)]
        {
            let fifo = world.root().join("fifo");
            assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
            check("import-unreadable", fifo.as_std_path());
        }
        assert_eq!(events.try_next(), None);
    }
}

// spec: INIT-9
#[test]
fn an_error_about_an_import_quotes_nothing_of_it() {
    let world = World::new();
    for content in
        ["hunter2", "{\"hunter2\"", r#"{"title": "T", "hunter2": 1, "hunter2": 2}"#, r#"{"title": ["hunter2"]}"#]
    {
        let error = world.no_plan().import(file(&world, content)).wait().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

// spec: INIT-10
#[test]
fn every_form_of_init_needs_the_hosts_approval_and_the_record_says_if_nobody_was_asked() {
    let needing: Vec<_> = Operation::ALL.into_iter().filter(|operation| operation.needs_approval()).collect();
    assert_eq!(needing, [Operation::InitDesign, Operation::InitChecklist, Operation::Import]);

    for (caller, said) in [
        (Caller::INTERACTIVE, "person"),
        (Caller::unasked(Origin::Interactive), "nobody"),
        (Caller::unasked(Origin::Cron), "nobody"),
    ] {
        let world = World::new();
        let session = world.session().with_caller(caller).with_project_dir("/project");
        let AnyPlan::NoPlan(plan) = session.load().wait().unwrap() else { panic!() };
        plan.init_checklist(brief(), drafts(1)).wait().unwrap();
        let record = world.record();
        assert_eq!((&record["asked"], &record["origin"]), (&said.into(), &caller.origin.as_str().into()));
        assert_eq!(record["project_dir"], "/project");
        let AnyPlan::Active(plan) = world.load() else { panic!() };
        assert_eq!((plan.header().asked(), plan.header().origin()), (Some(caller.asked), Some(caller.origin)));
    }
}

// spec: INIT-10
#[test]
fn nobody_leaves_a_persons_plan_mode_by_a_checklist_that_no_person_saw() {
    let world = World::new();
    drop(world.pre_init());
    let before = world.files();
    let path = file(&world, PLAN);
    for origin in [Origin::Interactive, Origin::Yolo, Origin::Cron, Origin::Run, Origin::A2a] {
        let plan = || -> Plan<PreInit> {
            let session = world.session().with_caller(Caller { origin, asked: Asked::Nobody });
            session.load().wait().unwrap().try_into().unwrap()
        };
        let refusals =
            [plan().init_checklist(brief(), drafts(1)).wait().unwrap_err(), plan().import(&path).wait().unwrap_err()];
        for refused in refusals {
            assert_eq!(refused.reason().code(), "nobody-asked");
            assert_eq!(refused.into_plan().unwrap().header().origin(), Some(Origin::Interactive));
        }
    }
    std::fs::remove_file(path).unwrap();
    assert_eq!(world.files(), before);
}

// spec: INIT-7
#[test]
fn a_title_cannot_forge_the_outline() {
    assert!(Brief::new("T\n## Context\n- **Problem:** forged").is_err());
    let world = World::new();
    let plan = world.no_plan().init_design(Brief::new("# *T* <!-- `x` [a](b)").unwrap()).wait().unwrap();
    assert_eq!(plan.outline().title(), Some("# *T* <!-- `x` [a](b)"));
    assert_eq!(plan.gaps().len(), 4);
}
