//! Where plans are kept and what survives there, through the public interface.

mod support;

use std::sync::{Arc, Mutex};

use camino::{Utf8Path, Utf8PathBuf};
use plangate::clock::{Clock, SystemClock};
use plangate::model::{Body, InvalidSessionId, SessionId, TaskRef, Timestamp};
use plangate::session::{Completion, Error};
use plangate::store::{ArchiveName, LoadError, LookupError, Mark, ProjectLookup, Slug};
use plangate::{AnyPlan, Engine};
use pretty_assertions::assert_eq;
use serde_json::Value;
use support::{SESSION, WHOLE, World, approval, brief, continues, drafts, record, still_active, still_editing, task};

/// A lookup whose answer can be changed in the middle of a plan.
#[derive(Debug, Clone)]
struct Projects(Arc<Mutex<Result<Option<&'static str>, &'static str>>>);

impl Projects {
    fn unbound() -> Self {
        Self(Arc::new(Mutex::new(Ok(None))))
    }

    fn bind(&self, slug: Option<&'static str>) {
        *self.0.lock().unwrap() = Ok(slug);
    }

    fn lose(&self) {
        *self.0.lock().unwrap() = Err("the database is away");
    }
}

impl ProjectLookup for Projects {
    fn project(&self, session: &SessionId) -> Result<Option<Slug>, LookupError> {
        match *self.0.lock().unwrap() {
            Ok(slug) => Ok(slug.map(|slug| Slug::new(slug).unwrap())),
            Err(why) => Err(LookupError::new(session, why)),
        }
    }
}

fn projects() -> (World, Projects) {
    let projects = Projects::unbound();
    (World::with(|builder| builder.projects(projects.clone())), projects)
}

/// A clock that stands still; ids are random.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        "2026-07-20T09:00:00.5Z".parse().unwrap()
    }

    fn fresh_id(&self) -> [u8; 16] {
        SystemClock.fresh_id()
    }
}

/// The names in a folder below the root, sorted.
fn names(world: &World, folder: &str) -> Vec<String> {
    let entries = world.root().join(folder).read_dir_utf8().into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    names
}

fn end(plan: AnyPlan) -> Utf8PathBuf {
    let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
    let mut plan = plan;
    loop {
        let open = plan.checklist().tasks().find(|task| !task.status().has_ended()).unwrap().id();
        match plan.skip(TaskRef::Id(open), None).wait().unwrap() {
            Completion::Continues(next) => plan = next,
            Completion::Archived(_, receipt) => return receipt.json.unwrap(),
        }
    }
}

// spec: DISK-1
#[test]
fn a_plan_is_these_two_files_and_no_other_store() {
    let world = World::new();
    drop(world.designed());
    let name = |ending: &str| format!(".opencrabs_plan_{SESSION}.{ending}");
    assert_eq!(names(&world, "session"), [name("json"), name("lock"), name("md")]);
    assert_eq!(names(&world, ""), ["session"]);
    let (_, receipt) = world.load().discard().wait().unwrap();
    let archived = receipt.unwrap().archive.unwrap();
    assert_eq!(names(&world, "session"), [name("lock"), "archive".into()]);
    assert_eq!(names(&world, "session/archive"), [format!("{archived}.json"), format!("{archived}.md")]);
    assert_eq!(names(&world, ""), ["session"]);
}

// spec: DISK-2, DISK-14
#[tokio::test]
async fn the_folder_follows_profile_and_project() {
    let slug = |name: &str| Slug::new(name).unwrap();
    let (world, projects) = projects();
    let folder = async |world: &World| {
        let paths = world.session().paths().await.unwrap();
        assert_eq!(paths.archive, paths.json.parent().unwrap().join("archive"));
        assert_eq!(paths.md, paths.json.with_extension("md"));
        paths.json.parent().unwrap().strip_prefix(world.root()).unwrap().to_owned()
    };
    assert_eq!(folder(&world).await, "session");
    projects.bind(Some("swap"));
    assert_eq!(folder(&world).await, "projects/swap/session");

    let (profile, projects) = (slug("work"), Projects::unbound());
    let world = World::with(|builder| builder.profile(profile).projects(projects.clone()));
    assert_eq!(folder(&world).await, "profiles/work/session");
    projects.bind(Some("swap"));
    assert_eq!(folder(&world).await, "projects/swap/session");
    let AnyPlan::NoPlan(plan) = world.session().load().await.unwrap() else { panic!() };
    let plan = plan.enter().await.unwrap();
    assert_eq!(plan.paths().read_from, Some(plan.paths().json.clone()));
    assert!(world.root().join("projects/swap/session").join(plan.paths().json.file_name().unwrap()).exists());
}

// spec: DISK-2, DISK-9
#[test]
fn a_slug_cannot_leave_its_folder() {
    for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "a\0", "a b", &"x".repeat(129)] {
        assert!(Slug::new(bad).is_err(), "{bad:?}");
    }
    assert!(Engine::at("relative").build().is_err());
}

// spec: DISK-2, DISK-12
#[test]
fn a_folder_that_cannot_be_looked_up_is_unknown_and_never_no_plan() {
    let (world, projects) = projects();
    let plan = world.active(drafts(1));
    projects.lose();
    let before = world.files();
    let session = world.session();
    for error in [
        Error::from(session.view().wait().unwrap_err()),
        session.load().wait().unwrap_err(),
        session.exclusive().wait().unwrap_err(),
        Error::from(session.paths().wait().unwrap_err()),
        session.archive().wait().unwrap_err(),
        session.discard_damaged().wait().unwrap_err(),
    ] {
        assert!(matches!(error, Error::Load(LoadError::Unresolved(_))), "{error:?}");
        assert_eq!(error.code(), "unknown");
        assert!(error.to_string().contains("the database is away"), "{error}");
    }
    let refused = plan.start(task(1)).wait().unwrap_err();
    assert_eq!((refused.reason().code(), world.files()), ("unknown", before));
    projects.bind(None);
    refused.into_plan().unwrap().start(task(1)).wait().unwrap();
}

// spec: DISK-2, LIFE-12
#[test]
fn a_session_that_is_bound_in_mid_plan_keeps_its_plan() {
    for (from, to) in [(None, Some("one")), (Some("one"), Some("two")), (Some("one"), None)] {
        let (world, projects) = projects();
        projects.bind(from);
        let json = world.active(drafts(2)).paths().json;
        projects.bind(to);
        let AnyPlan::Active(plan) = world.load() else { panic!("{from:?} to {to:?}: {}", world.state()) };
        assert_eq!((plan.paths().json, world.state().as_str()), (json.clone(), "Active"));
        let plan = plan.start(task(1)).wait().unwrap();
        let AnyPlan::Active(_) = world.session().exclusive().wait().unwrap() else { panic!() };
        let archived = end(plan.into());
        assert_eq!(archived.parent(), Some(&*json.with_file_name("archive")));
        assert_eq!((world.state().as_str(), json.exists()), ("NoPlan", false));
        // The next plan begins where the session belongs now.
        let json = world.active(drafts(1)).paths().json;
        assert_eq!(json.as_str().contains("/projects/"), to.is_some());
        assert_eq!(to.is_none_or(|to| json.as_str().contains(to)), true);
        assert_eq!(world.load().state_name().as_str(), "Active");
    }
}

// spec: DISK-3
#[test]
fn the_fallback_is_read_and_never_written() {
    let world = World::new();
    let old = r#"{"status":"InProgress","title":"T","description":"d","tasks":[{"title":"a","description":"d"}]}"#;
    let fallback = world.lay("agents/session", "json", old);
    assert_eq!(world.state(), "Active");
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    assert_eq!((plan.paths().json, plan.paths().read_from), (world.live("json"), Some(fallback.clone())));
    assert_eq!(world.files().len(), 1, "reading copies nothing");
    let plan = plan.add_tasks(drafts(1)).wait().unwrap();
    assert_eq!(plan.paths().read_from, Some(world.live("json")));
    // From now on the resolved one wins, whatever comes to the fallback.
    std::fs::write(&fallback, r#"{"status":"Active","title":"newer","description":"d","tasks":[]}"#).unwrap();
    assert_eq!(plan.checklist().len(), 2);
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    assert_eq!((plan.header().title(), plan.checklist().len()), ("T", 2));
    assert_eq!(names(&world, "agents/session"), [format!(".opencrabs_plan_{SESSION}.json")]);
}

// spec: DISK-4
#[test]
fn a_plan_of_the_fallback_that_has_ended_never_comes_back() {
    let record = |status: &str| {
        format!(r#"{{"status":"{status}","title":"T","description":"d","tasks":[{{"title":"a","description":"d"}}]}}"#)
    };
    for (status, discard) in
        [("Active", false), ("Active", true), ("Draft", true), ("Completed", false), ("Cancelled", false)]
    {
        let world = World::new();
        let fallback = world.lay("agents/session", "json", record(status));
        world.lay("agents/session", "md", WHOLE);
        match world.load() {
            plan @ AnyPlan::Active(_) if !discard => drop(end(plan)),
            plan => drop(plan.discard().wait().unwrap()),
        }
        for _ in 0..3 {
            assert_eq!((world.state().as_str(), world.load().state_name().as_str()), ("NoPlan", "NoPlan"), "{status}");
        }
        assert_eq!(std::fs::read_to_string(&fallback).unwrap(), record(status));
        // A newer plan of an older program shows again.
        std::fs::write(&fallback, record("Approved")).unwrap();
        assert_eq!(world.state(), "Active");
    }
    // A bare sidecar, too.
    let world = World::new();
    world.lay("agents/session", "json", r#"{"status":"Editing","pre_init_editing":true}"#);
    world.load().discard().wait().unwrap();
    assert_eq!((world.state().as_str(), world.load().state_name().as_str()), ("NoPlan", "NoPlan"));
}

// spec: DISK-4
#[test]
fn it_does_not_come_back_for_a_session_that_is_bound_to_a_project_since() {
    for (from, to) in [(None, Some("one")), (Some("one"), Some("two")), (Some("one"), None)] {
        let (world, projects) = projects();
        projects.bind(from);
        world.lay("agents/session", "json", r#"{"status":"Active","title":"T","tasks":[{"title":"a"}]}"#);
        end(world.load());
        assert_eq!(world.state(), "NoPlan");
        projects.bind(to);
        assert_eq!(world.state(), "NoPlan", "{from:?} to {to:?}");
    }
}

// spec: DISK-5
#[test]
fn two_archives_in_one_second_are_both_kept() {
    let world = World::with(|builder| builder.clock(Still));
    let mut archived = Vec::new();
    for round in 0..3 {
        archived.push(end(world.active(drafts(1)).into()));
        archived.push(world.designed().discard().wait().unwrap().1.json.unwrap());
        assert_eq!(world.session().archive().wait().unwrap().len(), 2 * (round + 1));
    }
    let stems: Vec<_> = archived.iter().map(|path| path.file_stem().unwrap().rsplit_once("Z").unwrap().1).collect();
    assert_eq!(stems, ["", "-discarded", "-2", "-2-discarded", "-3", "-3-discarded"]);
    let ids: std::collections::BTreeSet<String> = archived.iter().map(|path| record(path)["id"].to_string()).collect();
    assert_eq!(ids.len(), 6);
    for path in archived {
        let name = path.file_stem().unwrap();
        assert!(name.starts_with(&format!("opencrabs_plan_{SESSION}-20260720T090000Z")), "{name}");
        assert_eq!(record(&path)["ending"]["archive"], name);
    }
}

// spec: DISK-5
#[test]
fn an_archive_overwrites_nothing_that_is_there() {
    let world = World::with(|builder| builder.clock(Still));
    let archive = world.root().join("session/archive");
    std::fs::create_dir_all(&archive).unwrap();
    let taken = format!("opencrabs_plan_{SESSION}-20260720T090000Z");
    std::fs::write(archive.join(format!("{taken}.md")), "somebody's").unwrap();
    std::fs::create_dir(archive.join(format!("{taken}-2.json"))).unwrap();
    let json = end(world.active(drafts(1)).into());
    assert_eq!(json, archive.join(format!("{taken}-3.json")));
    assert_eq!(std::fs::read_to_string(archive.join(format!("{taken}.md"))).unwrap(), "somebody's");
}

// spec: DISK-5
#[test]
fn a_session_sees_its_own_archive_alone() {
    let world = World::with(|builder| builder.clock(Still));
    let ids = ["a", "a-1", "a-20260720T090000Z", "a-20260720T090000Z-2", "a-20260720T090000Z-discarded", "A", "a_"];
    let mut seen = Vec::new();
    for id in ids {
        for discarded in [false, true] {
            let AnyPlan::NoPlan(plan) = world.session_called(id).load().wait().unwrap() else { panic!() };
            let plan = plan.init_checklist(plangate::plan::Brief::new(id).unwrap(), drafts(1)).wait().unwrap();
            match discarded {
                true => drop(plan.discard().wait().unwrap()),
                false => drop(end(plan.into())),
            }
        }
        seen.push(id);
        for id in &seen {
            let session = world.session_called(id);
            let listed = session.archive().wait().unwrap();
            let marks: Vec<_> = listed.iter().map(|entry| (entry.name.mark(), entry.title.as_deref())).collect();
            assert_eq!(marks, [(Mark::Completed, Some(*id)), (Mark::Discarded, Some(*id))]);
            assert!(listed.iter().all(|entry| entry.name.session() == session.id()));
        }
    }
    // Nor can it bring another's back.
    let theirs = world.session_called("a-1").archive().wait().unwrap().pop().unwrap().name;
    let AnyPlan::NoPlan(plan) = world.session_called("a").load().wait().unwrap() else { panic!() };
    assert_eq!(plan.restore(theirs).wait().unwrap_err().reason().code(), "not-archived");
}

// spec: DISK-5
#[test]
fn a_name_in_the_archive_does_not_make_a_plan_the_sessions_own() {
    let world = World::new();
    let archive = world.root().join("session/archive");
    std::fs::create_dir_all(&archive).unwrap();
    let name = format!("opencrabs_plan_{SESSION}-20260720T090000Z-discarded");
    let foreign = r#"{"session_id":"another","status":"Active","title":"T","tasks":[]}"#;
    std::fs::write(archive.join(format!("{name}.json")), foreign).unwrap();
    std::fs::write(archive.join(format!("{name}.md")), "theirs").unwrap();
    assert_eq!(world.session().archive().wait().unwrap(), []);
    let name = ArchiveName::parse(world.session().id(), &name).unwrap();
    let refused = world.no_plan().restore(name).wait().unwrap_err();
    assert_eq!((refused.reason().code(), world.state().as_str()), ("damaged", "NoPlan"));
}

// spec: DISK-6
#[test]
fn editing_and_active_are_the_only_statuses_that_are_written() {
    let world = World::new();
    let status = || world.record()["status"].as_str().unwrap().to_owned();
    let plan = world.pre_init();
    assert_eq!((status().as_str(), &world.record()["pre_init_editing"]), ("Editing", &Value::Bool(true)));
    let plan = plan.init_design(brief()).wait().unwrap();
    assert_eq!(status(), "Editing");
    let plan = plan.write_markdown(Body::new(WHOLE).unwrap()).wait().unwrap();
    assert_eq!(status(), "Editing");
    let plan = plan.approve(approval(WHOLE)).wait().unwrap();
    assert_eq!(status(), "Active");
    let plan = plan.add_tasks(drafts(2)).wait().unwrap().start(task(1)).wait().unwrap();
    assert_eq!(status(), "Active");
    let plan = plan.fail(task(1), None).wait().unwrap();
    assert_eq!((status().as_str(), record(&end(plan.into()))["status"].as_str()), ("Active", Some("Active")));
    // What an older program wrote is written anew.
    for (old, new) in [
        ("Draft", "Editing"),
        ("PendingApproval", "Editing"),
        ("Rejected", "Editing"),
        ("Approved", "Active"),
        ("InProgress", "Active"),
    ] {
        world.lay("session", "json", format!(r#"{{"status":"{old}","title":"T","description":"d"}}"#));
        match world.load() {
            AnyPlan::Editing(plan) => drop(plan.write_markdown(Body::new(WHOLE).unwrap()).wait().unwrap()),
            AnyPlan::Active(plan) => drop(plan.add_tasks(drafts(1)).wait().unwrap()),
            plan => panic!("{old}: {plan:?}"),
        }
        assert_eq!(status(), new);
        world.load().discard().wait().unwrap();
    }
}

const UNKNOWN: &str = include_str!("fixtures/plans/unknown-fields.json");

/// Panics unless every unknown field of the fixture stands in the file with its text unchanged.
fn keeps_unknown(json: &Utf8Path, with_task: bool) {
    let text = std::fs::read_to_string(json).unwrap();
    let mut fields = vec![
        r#""telegram_flow_message_ids": {"chat": -1001234567890123, "message": 18446744073709551617}"#,
        r#""x_ratio": 0.1"#,
        r#""x_big": 1e400"#,
        r#""x_nested": {"b": [1, 2.50, null], "a": "\u00e9\ud83e\udd80"}"#,
    ];
    if with_task {
        fields.extend([r#""x_owner": "kept""#, r#""x_weight": 12345678901234567890123"#]);
    }
    for field in fields {
        assert_eq!(text.matches(field).count(), 1, "{field} in {text}");
    }
}

// spec: DISK-7, DISK-8
#[test]
fn unknown_fields_survive_every_change_of_a_checklist() {
    let world = World::new();
    world.lay("session", "json", UNKNOWN);
    let json = world.live("json");
    let kept = || {
        keeps_unknown(&json, true);
        let text = std::fs::read_to_string(&json).unwrap();
        assert!(text.contains("\"approved_at\": \"2026-07-20T09:01:00Z\""), "{text}");
    };
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    let plan = plan.add_tasks(drafts(2)).wait().unwrap();
    kept();
    let plan = plan.start(task(2)).wait().unwrap();
    kept();
    let plan = plan.fail(task(1), None).wait().unwrap();
    kept();
    let plan = plan.start(task(1)).wait().unwrap();
    let plan = continues(plan.complete(task(2), None).wait().unwrap());
    kept();
    let plan = continues(plan.skip(task(3), None).wait().unwrap());
    kept();
    let (plan, receipt) = plan.discard().wait().unwrap();
    keeps_unknown(&receipt.json.unwrap(), true);
    let plan = still_active(plan.restore(receipt.archive.unwrap()).wait().unwrap());
    kept();
    let Completion::Archived(_, receipt) = plan.complete(task(1), None).wait().unwrap() else { panic!() };
    keeps_unknown(&receipt.json.unwrap(), true);
}

// spec: DISK-7, DISK-8
#[test]
fn unknown_fields_survive_every_change_of_a_design() {
    let world = World::new();
    let design = UNKNOWN.replace(r#""status": "Active""#, r#""status": "PendingApproval""#);
    world.lay("session", "json", &design);
    world.lay("session", "md", WHOLE);
    let json = world.live("json");
    // The tasks of an older design go to the archive with all that they have.
    let AnyPlan::Editing(plan) = world.load() else { panic!() };
    keeps_unknown(&json, false);
    let [entry] = &world.session().archive().wait().unwrap()[..] else { panic!() };
    assert_eq!(std::fs::read_to_string(entry.json.as_ref().unwrap()).unwrap(), design);
    let plan = plan.write_markdown(Body::new(format!("{WHOLE}\n")).unwrap()).wait().unwrap();
    keeps_unknown(&json, false);
    std::fs::write(world.live("md"), WHOLE).unwrap();
    let plan = plan.sync().wait().unwrap();
    keeps_unknown(&json, false);
    let (plan, receipt) = plan.discard().wait().unwrap();
    keeps_unknown(&receipt.json.unwrap(), false);
    let plan = still_editing(plan.restore(receipt.archive.unwrap()).wait().unwrap());
    keeps_unknown(&json, false);
    plan.approve(approval(WHOLE)).wait().unwrap();
    keeps_unknown(&json, false);
}

// spec: DISK-7, INIT-5
#[test]
fn unknown_fields_survive_the_upgrade_of_a_sidecar_and_the_first_change_of_a_fallback_plan() {
    let world = World::new();
    world.lay("session", "json", r#"{"pre_init_editing":true,"x_big":1e400}"#);
    let AnyPlan::PreInit(plan) = world.load() else { panic!() };
    plan.init_design(brief()).wait().unwrap();
    assert!(std::fs::read_to_string(world.live("json")).unwrap().contains("\"x_big\": 1e400"));

    let world = World::new();
    world.lay("agents/session", "json", UNKNOWN);
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    plan.add_tasks(drafts(1)).wait().unwrap();
    keeps_unknown(&world.live("json"), true);
}

// spec: DISK-8
#[test]
fn nothing_but_approving_sets_the_approval_and_nothing_takes_it_away() {
    let world = World::new();
    let approved = |world: &World| world.record()["approved_at"].clone();
    let plan = world.designed();
    let plan = plan.sync().wait().unwrap();
    assert_eq!(approved(&world), Value::Null);
    let plan = plan.approve(approval(WHOLE)).wait().unwrap();
    let at = approved(&world);
    let plan = plan.add_tasks(drafts(3)).wait().unwrap();
    assert_eq!(approved(&world), at);
    let plan = plan.start(task(1)).wait().unwrap();
    assert_eq!(approved(&world), at);
    let plan = continues(plan.complete(task(1), None).wait().unwrap());
    assert_eq!((approved(&world), world.record()["approval"]["at"].clone()), (at.clone(), at.clone()));
    let archived = record(&end(plan.into()));
    assert_eq!((&archived["approved_at"], &archived["approval"]["at"]), (&at, &at));

    let world = World::new();
    world.lay("session", "json", include_str!("fixtures/plans/active-empty.json"));
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    plan.add_tasks(drafts(1)).wait().unwrap().start(task(1)).wait().unwrap();
    assert_eq!(approved(&world), "2026-07-20T09:01:00Z");
}

// spec: DISK-9
#[test]
fn a_session_id_that_could_name_another_file_is_none() {
    let long = "x".repeat(129);
    for bad in ["", ".", "..", "../a", "/etc/passwd", "a/b", "a\\b", "a\0b", "a b", "a.b", "a:b", "ä", "a\n", &long] {
        let error: InvalidSessionId = SessionId::new(bad).unwrap_err();
        assert!(error.to_string().contains("A-Z a-z 0-9 _ -"), "{error}");
    }
    // The longest one still makes a file.
    let world = World::new();
    let session = world.session_called(&"x".repeat(128));
    let AnyPlan::NoPlan(plan) = session.load().wait().unwrap() else { panic!() };
    let plan = plan.init_design(brief()).wait().unwrap();
    let (_, receipt) = plan.discard().wait().unwrap();
    assert!(receipt.json.unwrap().exists());
}

// spec: DISK-10
#[cfg(unix)]
#[test]
fn what_the_engine_makes_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    fn walk(path: &Utf8Path, found: &mut Vec<(Utf8PathBuf, u32)>) {
        for entry in path.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o7777;
            found.push((entry.path().to_owned(), mode));
            if entry.file_type().unwrap().is_dir() {
                walk(entry.path(), found);
            }
        }
    }
    let (world, projects) = projects();
    projects.bind(Some("swap"));
    drop(world.designed().discard().wait().unwrap());
    drop(world.designed());
    let mut found = Vec::new();
    walk(world.root(), &mut found);
    assert!(found.len() > 8, "{found:?}");
    for (path, mode) in found {
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{path}");
    }
    // What was there keeps its mode.
    let world = World::new();
    let folder = world.root().join("session");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    drop(world.pre_init());
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o7777, 0o755);
}

// spec: DISK-10, DISK-11
#[test]
fn a_reader_sees_whole_records_while_others_write() {
    let world = World::in_memory();
    drop(world.active(drafts(1)));
    let stop = std::sync::atomic::AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (session, mut reads, mut most) = (world.another_engine().session(world.session().id().clone()), 0, 0);
            while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                let view = session.view().wait().unwrap();
                let plangate::plan::StateRef::Active(active) = view.state() else { panic!("{view:?}") };
                assert!(active.checklist().len() >= most, "what was seen once stays");
                (reads, most) = (reads + 1, active.checklist().len());
            }
            reads
        });
        let writers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let session = world.another_engine().session(world.session().id().clone());
                    for _ in 0..25 {
                        let AnyPlan::Active(plan) = session.exclusive().wait().unwrap() else { panic!() };
                        plan.add_tasks(drafts(2)).wait().unwrap();
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        reader.join().unwrap()
    });
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    assert_eq!(plan.checklist().len(), 1 + 4 * 25 * 2, "none is lost");
    assert!(reads > 0);
    assert_eq!(world.files().len(), 1, "nothing is left behind");
}

// spec: DISK-11
#[test]
fn who_waits_for_the_lock_too_long_is_told_so_and_may_try_again() {
    let world = World::with(|builder| builder.patience(std::time::Duration::from_millis(50)));
    let holder = world.session().exclusive().wait().unwrap();
    let error = world.session().exclusive().wait().unwrap_err();
    assert_eq!(error.code(), "busy");
    let AnyPlan::NoPlan(plan) = world.load() else { panic!() };
    let refused = plan.enter().wait().unwrap_err();
    assert_eq!(refused.reason().code(), "busy");
    // A reader waits for nobody.
    assert_eq!(world.state(), "NoPlan");
    drop(holder);
    refused.into_plan().unwrap().enter().wait().unwrap();
}

// spec: DISK-12
#[test]
fn what_cannot_be_read_is_no_plan_for_nobody() {
    let world = World::new();
    for (bytes, line) in [
        (&b""[..], "line 1, column 1"),
        (b" \n ", "line 1, column 1"),
        (b"{\n  \"status\": \"Active\",", "line 2, column 22"),
        (b"{\"status\": \"Active\"}x", "line 1, column 21"),
        (b"{\"title\": \"\xff\"}", "line 1, column 12"),
        (b"[]", "line 1, column 1"),
        (b"{\"status\": 7}", "line 1, column 12"),
    ] {
        let path = world.lay("session", "json", bytes);
        let before = world.files();
        for error in [
            Error::from(world.session().view().wait().unwrap_err()),
            world.session().load().wait().unwrap_err(),
            world.session().exclusive().wait().unwrap_err(),
        ] {
            assert_eq!((error.code(), error.file()), ("damaged", Some(&*path)));
            assert!(error.to_string().contains(path.as_str()), "{error}");
            assert!(error.to_string().contains(line), "{error}");
        }
        assert_eq!(world.files(), before);
    }
}

// spec: DISK-12
#[cfg(unix)]
#[test]
fn what_is_no_file_or_too_large_is_unknown_and_stays() {
    let path = |world: &World| world.live("json");
    type Make<'a> = &'a dyn Fn(&World);
    let kinds: [(&str, Make<'_>); 5] = [
        ("folder", &|world| std::fs::create_dir(path(world)).unwrap()),
        ("link", &|world| {
            let target = world.lay("elsewhere", "json", r#"{"status":"Active"}"#);
            std::os::unix::fs::symlink(target, path(world)).unwrap();
        }),
        ("dangling link", &|world| std::os::unix::fs::symlink("nowhere", path(world)).unwrap()),
        ("fifo", &|world| {
            assert!(std::process::Command::new("mkfifo").arg(path(world)).status().unwrap().success());
        }),
        ("large", &|world| {
            let file = std::fs::File::create(path(world)).unwrap();
            file.set_len(64 * 1024 * 1024 + 1).unwrap();
        }),
    ];
    for (kind, make) in kinds {
        let world = World::new();
        std::fs::create_dir(world.root().join("session")).unwrap();
        make(&world);
        let error = world.session().load().wait().unwrap_err();
        assert_eq!((error.code(), error.file()), ("unknown", Some(&*path(&world))), "{kind}: {error}");
        assert_eq!(world.state(), "unknown");
        assert!(std::fs::symlink_metadata(path(&world)).is_ok());
        // Nor does a person's discard of what is damaged touch it.
        assert_eq!(world.session().discard_damaged().wait().unwrap_err().code(), "unknown");
        assert!(std::fs::symlink_metadata(path(&world)).is_ok());
    }
}

// spec: DISK-12
#[test]
fn a_record_that_would_be_too_large_is_not_written() {
    let world = World::in_memory();
    let plan = world.active(drafts(1));
    let before = world.files();
    let huge: Vec<_> = (0..14_000).map(|_| plangate::model::TaskDraft::new("T", "x".repeat(5000)).unwrap()).collect();
    let refused = plan.add_tasks(huge.try_into().unwrap()).wait().unwrap_err();
    assert_eq!((refused.reason().code(), world.files()), ("too-large", before));
    assert_eq!(refused.into_plan().unwrap().checklist().len(), 1);
}

// spec: DISK-13
#[test]
fn the_flag_is_gone_once_there_is_a_plan_and_the_archived_record_is_the_final_one() {
    let world = World::new();
    let plan = world.pre_init().init_design(brief()).wait().unwrap();
    assert_eq!(world.record().get("pre_init_editing"), None);
    drop(plan.discard().wait().unwrap());
    // Not even where an older program wrote it as false.
    world.lay("session", "json", r#"{"status":"Active","title":"T","pre_init_editing":false,"tasks":[{"title":"a"}]}"#);
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    let plan = plan.start(task(1)).wait().unwrap();
    assert_eq!(world.record().get("pre_init_editing"), None);
    let updated_at = world.record()["updated_at"].clone();
    let Completion::Archived(_, receipt) = plan.complete(task(1), None).wait().unwrap() else { panic!() };
    let archived = record(&receipt.json.unwrap());
    assert_eq!(archived["tasks"][0]["status"], "Completed");
    assert!(archived["updated_at"].as_str() > updated_at.as_str());
    assert_eq!(archived.get("pre_init_editing"), None);
    // A discarded one, too.
    let plan = world.active(drafts(1));
    let updated_at = world.record()["updated_at"].clone();
    let archived = record(&plan.discard().wait().unwrap().1.json.unwrap());
    assert!(archived["updated_at"].as_str() > updated_at.as_str());
}

// spec: DISK-14
#[test]
fn every_path_is_told() {
    let world = World::new();
    let archive = world.root().join("session/archive");
    let paths = world.session().paths().wait().unwrap();
    assert_eq!((&paths.json, &paths.md, &paths.archive), (&world.live("json"), &world.live("md"), &archive));
    assert_eq!(paths.read_from, None);
    let plan = world.designed();
    assert_eq!(plan.paths().read_from, Some(world.live("json")));
    assert_eq!(*world.session().view().wait().unwrap().paths(), plan.paths());
    let (_, receipt) = plan.discard().wait().unwrap();
    let name = receipt.archive.unwrap();
    assert_eq!(receipt.json, Some(archive.join(format!("{name}.json"))));
    assert_eq!(receipt.md, Some(archive.join(format!("{name}.md"))));
    let [entry] = &world.session().archive().wait().unwrap()[..] else { panic!() };
    assert_eq!((&entry.json, &entry.md), (&receipt.json, &receipt.md));
}

const DESIGN: &str = r#"{"status":"Draft","title":"T","description":"d","tasks":[]}"#;

// spec: DISK-15, DISK-3
#[test]
fn the_md_comes_from_where_the_record_is_and_both_are_copied_up() {
    let world = World::new();
    world.lay("agents/session", "json", DESIGN);
    let fallback = world.lay("agents/session", "md", WHOLE);
    let AnyPlan::Editing(plan) = world.load() else { panic!() };
    assert_eq!(plan.markdown().text(), Some(WHOLE));
    assert_eq!(world.files().len(), 2, "reading copies nothing");
    let plan = plan.sync().wait().unwrap();
    assert_eq!(std::fs::read_to_string(world.live("md")).unwrap(), WHOLE);
    assert_eq!(world.record()["description"], WHOLE);
    assert_eq!(std::fs::read_to_string(&fallback).unwrap(), WHOLE);
    // From now on the resolved one counts.
    std::fs::write(&fallback, "later").unwrap();
    let plan = plan.approve(approval(WHOLE)).wait().unwrap();
    assert_eq!(plan.markdown().text(), Some(WHOLE));
}

// spec: DISK-15
#[test]
fn of_two_mds_the_resolved_one_wins_and_the_other_is_archived() {
    let world = World::new();
    world.lay("agents/session", "json", DESIGN);
    world.lay("agents/session", "md", "older");
    world.lay("session", "md", WHOLE);
    let AnyPlan::Editing(plan) = world.load() else { panic!() };
    assert_eq!(plan.markdown().text(), Some(WHOLE));
    plan.sync().wait().unwrap();
    assert_eq!(std::fs::read_to_string(world.live("md")).unwrap(), WHOLE);
    let [entry] = &world.session().archive().wait().unwrap()[..] else { panic!() };
    assert_eq!(entry.name.mark(), Mark::Orphan);
    assert_eq!(std::fs::read_to_string(entry.md.as_ref().unwrap()).unwrap(), "older");
}

// spec: DISK-15, DISK-4
#[test]
fn a_fallback_design_that_is_discarded_takes_its_md_to_the_archive() {
    let world = World::new();
    world.lay("agents/session", "json", DESIGN);
    world.lay("agents/session", "md", WHOLE);
    let (_, receipt) = world.load().discard().wait().unwrap();
    assert_eq!(std::fs::read_to_string(receipt.unwrap().md.unwrap()).unwrap(), WHOLE);
    assert_eq!((world.state().as_str(), world.live("md").exists()), ("NoPlan", false));
}

// spec: DISK-12, DISK-4
#[test]
fn a_damaged_fallback_plan_is_discarded_by_a_note() {
    let world = World::new();
    let path = world.lay("agents/session", "json", "{");
    assert_eq!(world.state(), "damaged");
    let receipt = world.session().discard_damaged().wait().unwrap();
    assert_eq!((receipt.json, world.state().as_str()), (None, "NoPlan"));
    assert_eq!(std::fs::read_to_string(path).unwrap(), "{");
}

// spec: DISK-12, DISK-4
#[test]
fn a_note_or_a_pointer_that_cannot_be_read_is_never_no_plan() {
    let world = World::new();
    world.lay("agents/session", "json", r#"{"status":"Active","title":"T"}"#);
    world.lay("session", "tombstone", "nonsense");
    assert_eq!(world.state(), "damaged");
    let (world, projects) = projects();
    projects.bind(Some("one"));
    world.lay("session", "pin", "../../etc\n");
    assert_eq!(world.state(), "damaged");
}
