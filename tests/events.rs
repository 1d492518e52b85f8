//! Events in the process: exactly one for every commit, in order, and none for what commits nothing; no subscriber can hold
//! anything up.
// spec: MIRROR-3, MIRROR-7

use std::sync::Mutex;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use plangate::digest::Digest;
use plangate::event::{Event, Subscription};
use plangate::model::{Body, Caller, Origin, TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Approval, Brief, Operation, StateName};
use plangate::session::{Completion, Reason, Restored};
use plangate::{AnyPlan, Engine, Error, Plan, Session, SessionId};
use pretty_assertions::assert_eq;

const OUTLINE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                       - **Intent:** latency\n\n## Implementation steps\n1. Swap it\n";

/// Long enough for a thread that is about to do something; nothing waits for it to pass.
const SOON: Duration = Duration::from_secs(20);

struct World {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
    engine: Engine,
    events: Subscription,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let engine = Engine::at(&root).build().unwrap();
        let events = engine.subscribe();
        Self { _folder: folder, root, engine, events }
    }

    fn session(&self) -> Session {
        self.engine.session(SessionId::new("s1").unwrap())
    }

    fn no_plan(&self) -> Plan<plangate::plan::NoPlan> {
        let AnyPlan::NoPlan(plan) = self.session().load().wait().unwrap() else { panic!("there is a plan") };
        plan
    }

    /// Asserts that there was one event since the last question, and what it said.
    #[track_caller]
    fn one(&mut self, state: StateName, revision: Option<Digest>) {
        let Some(Event::Changed(event)) = self.events.try_next() else { panic!("no event") };
        assert_eq!((event.session.as_str(), event.state, event.revision), ("s1", state, revision));
        self.none();
    }

    #[track_caller]
    fn none(&mut self) {
        assert_eq!(self.events.try_next(), None);
    }
}

fn tasks(titles: &[&str]) -> TaskDrafts {
    let mut drafts = titles.iter().map(|title| TaskDraft::new(title, "what to do").unwrap());
    let first = TaskDrafts::new(drafts.next().unwrap());
    drafts.fold(first, TaskDrafts::and)
}

fn brief() -> Brief {
    Brief::new("Swap the cache").unwrap()
}

#[test]
fn a_design_has_one_event_for_each_commit() {
    let mut world = World::new();
    let plan = world.no_plan().enter().wait().unwrap();
    world.one(StateName::PreInit, plan.revision());

    let plan = AnyPlan::from(plan).enter().wait().unwrap();
    assert_eq!(plan.state_name(), StateName::PreInit);
    world.none();

    let AnyPlan::PreInit(plan) = plan else { panic!() };
    let plan = plan.init_design(brief()).wait().unwrap();
    world.one(StateName::Editing, plan.revision());

    let refused = AnyPlan::from(plan).enter().wait().unwrap_err();
    assert_eq!(refused.reason().code(), "already-planning");
    world.none();

    let Some(AnyPlan::Editing(plan)) = refused.into_plan() else { panic!() };
    let blank = plan.markdown().digest().unwrap();
    let (plan, reason) = plan.approve(Approval::new("ada", "test", blank)).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "outline-incomplete");
    world.none();

    let plan = plan.unwrap().write_markdown(Body::new(OUTLINE).unwrap()).wait().unwrap();
    world.one(StateName::Editing, plan.revision());

    let before = plan.revision();
    let plan = plan.sync().wait().unwrap();
    assert_eq!(plan.revision(), before);
    world.none();

    std::fs::write(plan.paths().md, OUTLINE.replace("latency", "less latency")).unwrap();
    let plan = plan.sync().wait().unwrap();
    assert_ne!(plan.revision(), before);
    world.one(StateName::Editing, plan.revision());

    let (plan, reason) = plan.approve(Approval::new("ada", "test", blank)).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "digest-changed");
    world.none();

    let plan = plan.unwrap();
    let seen = plan.markdown().digest().unwrap();
    let plan = plan.approve(Approval::new("ada", "test", seen)).wait().unwrap();
    world.one(StateName::Active, plan.revision());

    let (plan, reason) = plan.start(TaskRef::Implied).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "no-tasks");
    world.none();

    let (plan, _) = plan.unwrap().discard().wait().unwrap();
    world.one(StateName::NoPlan, plan.revision());
}

#[test]
fn a_checklist_has_one_event_for_each_commit() {
    let mut world = World::new();
    let plan = world.no_plan().init_checklist(brief(), tasks(&["a"])).wait().unwrap();
    world.one(StateName::Active, plan.revision());

    let plan = plan.add_tasks(tasks(&["b", "c"])).wait().unwrap();
    world.one(StateName::Active, plan.revision());

    let (plan, reason) = plan.complete(TaskRef::Implied, None).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "not-started");
    world.none();

    let plan = plan.unwrap().start(TaskRef::Number(1)).wait().unwrap();
    world.one(StateName::Active, plan.revision());

    let before = plan.revision();
    let plan = plan.start(TaskRef::Number(1)).wait().unwrap();
    assert_eq!(plan.revision(), before);
    world.none();

    let Completion::Continues(plan) = plan.complete(TaskRef::Number(1), None).wait().unwrap() else { panic!() };
    world.one(StateName::Active, plan.revision());

    let plan = plan.start(TaskRef::Number(2)).wait().unwrap();
    world.one(StateName::Active, plan.revision());
    let plan = plan.fail(TaskRef::Number(2), None).wait().unwrap();
    world.one(StateName::Active, plan.revision());

    let Completion::Continues(plan) = plan.skip(TaskRef::Number(2), None).wait().unwrap() else { panic!() };
    world.one(StateName::Active, plan.revision());

    let Completion::Archived(plan, _) = plan.skip(TaskRef::Number(3), None).wait().unwrap() else { panic!() };
    assert_eq!(plan.revision(), None);
    world.one(StateName::NoPlan, None);

    let (_, receipt) = AnyPlan::from(plan).discard().wait().unwrap();
    assert_eq!(receipt, None);
    world.none();
}

#[test]
fn beginnings_and_ends_have_one_event_each() {
    let mut world = World::new();

    // A bare flag.
    let plan = world.no_plan().enter().wait().unwrap();
    world.one(StateName::PreInit, plan.revision());
    let (plan, _) = plan.discard().wait().unwrap();
    world.one(StateName::NoPlan, None);

    // A design that is discarded and comes back.
    let plan = plan.init_design(brief()).wait().unwrap();
    world.one(StateName::Editing, plan.revision());
    let (plan, receipt) = plan.discard().wait().unwrap();
    world.one(StateName::NoPlan, None);
    let Restored::Editing(plan) = plan.restore(receipt.archive.unwrap()).wait().unwrap() else { panic!() };
    world.one(StateName::Editing, plan.revision());
    let (plan, _) = plan.discard().wait().unwrap();
    world.one(StateName::NoPlan, None);

    // An import, refused and then done.
    let (plan, reason) = plan.import(world.root.join("nothing.json")).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "import-unreadable");
    world.none();
    let file = world.root.join("plan.json");
    std::fs::write(&file, r#"{"title":"t","description":"d","tasks":[{"title":"a","description":"d"}]}"#).unwrap();
    let plan = plan.unwrap().import(file).wait().unwrap();
    world.one(StateName::Active, plan.revision());

    // A damaged record.
    std::fs::write(plan.paths().json, "{").unwrap();
    assert!(matches!(world.session().load().wait(), Err(Error::Load(_))));
    world.none();
    world.session().discard_damaged().wait().unwrap();
    world.one(StateName::NoPlan, None);
    assert!(matches!(world.session().discard_damaged().wait(), Err(Error::NotDamaged)));
    world.none();

    // The handle of before is stale.
    let (_, reason) = plan.start(TaskRef::Implied).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "stale");
    world.none();
}

/// A claim commits twice: for the agent's session, then for the folder's.
#[test]
fn a_claim_has_an_event_for_either_session() {
    let mut world = World::new();
    let armed = world.engine.folder_session(&world.root.join("project"));
    let AnyPlan::NoPlan(plan) = armed.load().wait().unwrap() else { panic!() };
    let _ = plan.enter().wait().unwrap();
    assert!(matches!(world.events.try_next(), Some(Event::Changed(event)) if event.session == *armed.id()));
    let plan = world.session().claim(&armed).wait().unwrap();
    let Some(Event::Changed(first)) = world.events.try_next() else { panic!() };
    let Some(Event::Changed(second)) = world.events.try_next() else { panic!() };
    assert_eq!((first.session.as_str(), first.state, first.revision), ("s1", StateName::PreInit, plan.revision()));
    assert_eq!((&second.session, second.state, second.revision), (armed.id(), StateName::NoPlan, None));
    // Nothing is left to claim.
    let _ = world.session().claim(&armed).wait().unwrap();
    world.none();
}

#[test]
fn refusals_and_looks_have_none() {
    let mut world = World::new();
    let headless = world.session().with_caller(Caller::unasked(Origin::Cron));
    let AnyPlan::NoPlan(plan) = headless.load().wait().unwrap() else { panic!() };
    let (plan, reason) = plan.enter().wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "headless-design");
    let (_, reason) = plan.unwrap().init_design(brief()).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "headless-design");
    for operation in Operation::ALL {
        let _ = world.session().load().wait().unwrap().refuse(operation);
    }
    let _ = world.session().view().wait().unwrap().warnings();
    let _ = world.session().archive().wait().unwrap();
    let _ = world.session().exclusive().wait().unwrap();
    world.none();
}

#[test]
fn an_exclusive_handle_has_the_same_events_at_the_same_time() {
    let mut world = World::new();
    let AnyPlan::NoPlan(plan) = world.session().exclusive().wait().unwrap() else { panic!() };
    let plan = plan.init_checklist(brief(), tasks(&["a"])).wait().unwrap();
    world.one(StateName::Active, plan.revision());
    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    world.one(StateName::Active, plan.revision());
    let plan = plan.release().wait();
    world.none();
    drop(plan);
    world.none();
}

/// Four threads commit to one session, each as fast as it gets the lock.
#[test]
fn events_come_in_the_order_of_the_commits() {
    const EACH: usize = 20;
    let mut world = World::new();
    let _ = world.no_plan().init_checklist(brief(), tasks(&["first"])).wait().unwrap();
    assert!(world.events.try_next().is_some());

    let commits = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let AnyPlan::Active(plan) = world.session().exclusive().wait().unwrap() else { panic!() };
                    let plan = plan.add_tasks(tasks(&["more"])).wait().unwrap();
                    commits.lock().unwrap().push((plan.checklist().len(), plan.revision()));
                }
            });
        }
    });
    let mut commits = commits.into_inner().unwrap();
    commits.sort_by_key(|(tasks, _)| *tasks);
    let mut told = Vec::new();
    while let Some(event) = world.events.try_next() {
        let Event::Changed(event) = event else { panic!("{event:?}") };
        told.push(event.revision);
    }
    assert_eq!(told.len(), 4 * EACH);
    assert_eq!(told, commits.into_iter().map(|(_, revision)| revision).collect::<Vec<_>>());
}

#[test]
fn a_subscriber_that_never_listens_holds_nothing_up() {
    let mut world = World::new();
    drop(world.engine.subscribe());
    let mut commits = 0;
    let mut plan = world.no_plan();
    // More than a subscription keeps.
    while commits < 1_040 {
        plan = plan.enter().wait().unwrap().discard().wait().unwrap().0;
        commits += 2;
    }
    let Some(Event::Missed(missed)) = world.events.try_next() else { panic!("nothing was lost") };
    let mut kept = 0;
    let mut last = None;
    while let Some(Event::Changed(event)) = world.events.try_next() {
        kept += 1;
        last = Some(event.state);
    }
    assert_eq!(missed + kept, commits, "what is lost is counted, what is left is whole");
    assert!(missed > 0 && kept > 0);
    assert_eq!(last, Some(StateName::NoPlan), "the newest are the ones that are kept");
}

#[test]
fn every_subscriber_gets_what_comes_after_it_subscribed() {
    let mut world = World::new();
    let plan = world.no_plan().enter().wait().unwrap();
    let mut late = world.engine.clone().subscribe();
    let (plan, _) = plan.discard().wait().unwrap();
    let Some(Event::Changed(event)) = late.try_next() else { panic!() };
    assert_eq!(event.state, StateName::NoPlan);
    assert_eq!(late.try_next(), None);
    assert_eq!(std::iter::from_fn(|| world.events.try_next()).count(), 2);
    drop(plan);
}

#[test]
fn waiting_ends_with_an_event_the_time_or_the_engine() {
    let World { _folder: folder, engine, mut events, .. } = World::new();
    let begun = Instant::now();
    assert_eq!(events.wait(Duration::from_millis(50)), None);
    assert!(begun.elapsed() >= Duration::from_millis(50));
    assert_eq!(events.wait(Duration::ZERO), None);

    std::thread::scope(|scope| {
        let session = engine.session(SessionId::new("s1").unwrap());
        let waiting = scope.spawn(move || {
            let event = events.wait(SOON);
            (event, events)
        });
        std::thread::sleep(Duration::from_millis(20));
        let AnyPlan::NoPlan(plan) = session.load().wait().unwrap() else { panic!() };
        let _ = plan.enter().wait().unwrap();
        drop(session);
        let (event, mut events) = waiting.join().unwrap();
        assert!(matches!(event, Some(Event::Changed(_))), "{event:?}");

        let waiting = scope.spawn(move || events.wait(Duration::MAX));
        std::thread::sleep(Duration::from_millis(20));
        drop(engine);
        assert_eq!(waiting.join().unwrap(), None);
    });
    drop(folder);
}

#[tokio::test]
async fn the_same_subscription_is_a_stream_too() -> Result<(), Reason> {
    let World { _folder: folder, engine, mut events, .. } = World::new();
    let session = engine.session(SessionId::new("s1").unwrap());
    let AnyPlan::NoPlan(plan) = session.load().await.unwrap() else { panic!() };
    let listening = tokio::spawn(async move { (events.next().await, events) });
    let plan = plan.enter().await.unwrap();
    let (event, mut events) = listening.await.unwrap();
    let Some(Event::Changed(event)) = event else { panic!("{event:?}") };
    assert_eq!((event.state, event.revision), (StateName::PreInit, plan.revision()));

    // A wait that is given up loses nothing.
    assert!(tokio::time::timeout(Duration::from_millis(20), events.next()).await.is_err());
    let _ = plan.discard().await.unwrap();
    assert!(matches!(events.next().await, Some(Event::Changed(_))));
    drop((session, engine));
    assert_eq!(events.next().await, None);
    drop(folder);
    Ok(())
}
