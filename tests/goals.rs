//! The goal manager is called for what a started task has to reach and when that is over, after the lock is released, and
//! its failures change nothing.
// spec: GOAL-1, GOAL-2, GOAL-3

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use camino::Utf8PathBuf;
use plangate::goal::{GoalError, GoalManager};
use plangate::model::{TaskDraft, TaskDrafts, TaskId, TaskRef};
use plangate::plan::{Active, Brief, Goal, NoPlan};
use plangate::session::{Completion, Notice, Restored};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};
use pretty_assertions::assert_eq;

/// Writes down what it is asked, in a word and a task's title.
#[derive(Debug, Clone, Default)]
struct Recorder(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    calls: Mutex<Vec<String>>,
    titles: Mutex<Vec<(TaskId, String)>>,
    goals: Mutex<Vec<Goal>>,
    fails: AtomicBool,
    /// Takes this session's lock in every call.
    locks: OnceLock<Session>,
}

impl Recorder {
    fn call(&self, session: &SessionId, call: String) -> Result<(), GoalError> {
        assert_eq!(session.as_str(), "s1");
        self.0.calls.lock().unwrap().push(call);
        if let Some(session) = self.0.locks.get() {
            // Busy after five seconds if the lock were still held.
            let plan = session.exclusive().wait().unwrap();
            self.0.calls.lock().unwrap().push(format!("saw {}", plan.state_name()));
        }
        if self.0.fails.load(Ordering::SeqCst) { Err(GoalError::new("no room for goals")) } else { Ok(()) }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.calls.lock().unwrap())
    }
}

impl GoalManager for Recorder {
    fn set_goal(&self, session: &SessionId, goal: &Goal) -> Result<(), GoalError> {
        self.0.goals.lock().unwrap().push(goal.clone());
        self.0.titles.lock().unwrap().push((goal.task(), goal.title().to_owned()));
        self.call(session, format!("set {}", goal.title()))
    }

    fn clear_goal(&self, session: &SessionId, task: TaskId) -> Result<(), GoalError> {
        let titles = self.0.titles.lock().unwrap().clone();
        let title = titles.iter().find(|(id, _)| *id == task).map_or("what was never set", |(_, title)| title);
        self.call(session, format!("clear {title}"))
    }
}

struct World {
    _folder: tempfile::TempDir,
    recorder: Recorder,
    session: Session,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let recorder = Recorder::default();
        let engine = Engine::at(root).goals(recorder.clone()).build().unwrap();
        Self { _folder: folder, recorder, session: engine.session(SessionId::new("s1").unwrap()) }
    }

    #[track_caller]
    fn calls(&self, expected: &[&str]) {
        assert_eq!(self.recorder.take(), expected);
    }

    fn no_plan(&self) -> Plan<NoPlan> {
        let AnyPlan::NoPlan(plan) = self.session.load().wait().unwrap() else { panic!("there is a plan") };
        plan
    }

    /// Three tasks: `a` and `b` with a criterion, `plain` without.
    fn checklist(&self) -> Plan<Active> {
        let plan = self.no_plan().init_checklist(Brief::new("t").unwrap(), tasks()).wait().unwrap();
        self.calls(&[]);
        plan
    }
}

const A: TaskRef = TaskRef::Number(1);
const B: TaskRef = TaskRef::Number(2);
const PLAIN: TaskRef = TaskRef::Number(3);

fn tasks() -> TaskDrafts {
    let task = |title: &str| TaskDraft::new(title, "what to do").unwrap();
    TaskDrafts::new(task("a").criterion("a passes").unwrap().criterion("a is told").unwrap())
        .and(task("b").criterion("b passes").unwrap())
        .and(task("plain"))
}

fn complete(plan: Plan<Active>, task: TaskRef) -> Plan<Active> {
    let Completion::Continues(plan) = plan.complete(task, None).wait().unwrap() else { panic!("it has ended") };
    plan
}

fn skip(plan: Plan<Active>, task: TaskRef) -> Plan<Active> {
    let Completion::Continues(plan) = plan.skip(task, None).wait().unwrap() else { panic!("it has ended") };
    plan
}

#[test]
fn a_started_task_with_criteria_sets_them_as_the_goal() {
    let world = World::new();
    let plan = world.checklist().start(A).wait().unwrap();
    world.calls(&["set a"]);
    let goals = world.recorder.0.goals.lock().unwrap();
    let task = plan.checklist().get(A).unwrap();
    assert_eq!((goals[0].task(), goals[0].title()), (task.id(), "a"));
    assert_eq!(goals[0].criteria().collect::<Vec<_>>(), ["a passes", "a is told"]);
    assert_eq!(plan.header().goal_task(), Some(task.id()), "the record says who owns it");
}

#[test]
fn a_started_task_without_criteria_sets_none() {
    let world = World::new();
    let plan = world.checklist().start(PLAIN).wait().unwrap();
    assert_eq!(plan.header().goal_task(), None);
    let plan = complete(plan, PLAIN);
    drop(plan);
    world.calls(&[]);
}

/// An older file may carry criteria without text.
#[test]
fn blank_criteria_are_none() {
    let world = World::new();
    let json = r#"{"status":"Active","title":"t","description":"d","tasks":[
        {"title":"blank","description":"d","acceptance_criteria":["", "  \t "]},
        {"title":"half blank","description":"d","acceptance_criteria":[" ", "it holds"]}]}"#;
    let path = world.session.paths().wait().unwrap().json;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, json).unwrap();
    let AnyPlan::Active(plan) = world.session.load().wait().unwrap() else { panic!() };
    let plan = plan.start(A).wait().unwrap();
    world.calls(&[]);
    let _ = plan.start(B).wait().unwrap();
    world.calls(&["set half blank"]);
    let goals = world.recorder.0.goals.lock().unwrap();
    assert_eq!(goals[0].criteria().collect::<Vec<_>>(), ["it holds"]);
}

#[test]
fn completing_and_skipping_clear_it() {
    let world = World::new();
    let plan = world.checklist().start(A).wait().unwrap();
    let plan = complete(plan, A);
    world.calls(&["set a", "clear a"]);
    assert_eq!(plan.header().goal_task(), None);
    let plan = plan.start(B).wait().unwrap();
    let plan = skip(plan, B);
    world.calls(&["set b", "clear b"]);
    assert_eq!(plan.header().goal_task(), None);
}

#[test]
fn ending_the_plan_clears_it() {
    let world = World::new();
    let plan = skip(skip(world.checklist(), B), PLAIN).start(A).wait().unwrap();
    world.calls(&["set a"]);
    let Completion::Archived(plan, _) = plan.complete(A, None).wait().unwrap() else { panic!() };
    world.calls(&["clear a"]);

    let plan = plan.init_checklist(Brief::new("t").unwrap(), tasks()).wait().unwrap().start(B).wait().unwrap();
    world.calls(&["set b"]);
    let _ = plan.discard().wait().unwrap();
    world.calls(&["clear b"]);
}

/// The goal went with the discard, so the plan that comes back claims none and clears none.
#[test]
fn a_restored_plan_claims_no_goal() {
    let world = World::new();
    let plan = world.checklist().start(A).wait().unwrap();
    let (plan, receipt) = plan.discard().wait().unwrap();
    world.calls(&["set a", "clear a"]);
    let Restored::Active(plan) = plan.restore(receipt.archive.unwrap()).wait().unwrap() else { panic!() };
    assert_eq!(plan.header().goal_task(), None);
    let _ = complete(plan, A);
    world.calls(&[]);
}

#[test]
fn failing_keeps_it_until_the_task_is_skipped() {
    let world = World::new();
    let plan = world.checklist().start(A).wait().unwrap().fail(A, None).wait().unwrap();
    world.calls(&["set a"]);
    assert_eq!(plan.header().goal_task(), plan.checklist().get(A).map(|task| task.id()));
    let plan = skip(plan, A);
    world.calls(&["clear a"]);
    assert_eq!(plan.header().goal_task(), None);
}

#[test]
fn starting_again_sets_it_again() {
    let world = World::new();
    let plan = world.checklist().start(A).wait().unwrap();
    let before = plan.revision();
    let plan = plan.start(A).wait().unwrap();
    assert_eq!(plan.revision(), before, "nothing is written for it");
    world.calls(&["set a", "set a"]);
    // After a failure too, which is a change.
    let plan = plan.fail(A, None).wait().unwrap().start(A).wait().unwrap();
    world.calls(&["set a"]);
    assert_eq!(plan.header().goal_task(), plan.checklist().get(A).map(|task| task.id()));
    // And in a new process, which knows the disk alone.
    let AnyPlan::Active(plan) = world.session.load().wait().unwrap() else { panic!() };
    let _ = plan.start(TaskRef::Implied).wait().unwrap();
    world.calls(&["set a"]);
}

#[test]
fn the_latest_started_with_criteria_owns_it() {
    let world = World::new();
    let plan = world.checklist().start(A).wait().unwrap().start(B).wait().unwrap().start(PLAIN).wait().unwrap();
    world.calls(&["set a", "set b"]);
    assert_eq!(
        plan.header().goal_task(),
        plan.checklist().get(B).map(|task| task.id()),
        "a task without criteria does not take it over"
    );
    // The task of before does not take it back: nothing is written for a start of what is started.
    let plan = plan.start(A).wait().unwrap();
    world.calls(&[]);
    let plan = complete(complete(plan, PLAIN), A);
    world.calls(&[]);
    let Completion::Archived(..) = plan.complete(B, None).wait().unwrap() else { panic!() };
    world.calls(&["clear b"]);
}

#[test]
fn what_the_plan_did_not_set_is_never_cleared() {
    let world = World::new();
    // In progress already when an older program wrote it: whatever goal there is, this plan has not set it.
    let json = r#"{"status":"InProgress","title":"t","description":"d","tasks":[
        {"title":"a","description":"d","status":"InProgress","acceptance_criteria":["it holds"]},
        {"title":"b","description":"d","status":"Pending","acceptance_criteria":["it holds"]},
        {"title":"c","description":"d","status":"Pending"}]}"#;
    let path = world.session.paths().wait().unwrap().json;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, json).unwrap();
    let AnyPlan::Active(plan) = world.session.load().wait().unwrap() else { panic!() };
    let plan = skip(complete(plan, A), B);
    let (plan, _) = plan.discard().wait().unwrap();
    world.calls(&[]);

    // No plan in progress, no design and no flag has one.
    let plan = plan.enter().wait().unwrap().init_design(Brief::new("t").unwrap()).wait().unwrap();
    let (plan, _) = plan.discard().wait().unwrap();
    let (_, _) = plan.enter().wait().unwrap().discard().wait().unwrap();
    let _ = world.session.load().wait().unwrap().discard().wait().unwrap();
    world.calls(&[]);
}

#[test]
fn refusals_and_stale_handles_call_nothing() {
    let world = World::new();
    let plan = world.checklist();
    let AnyPlan::Active(slower) = world.session.load().wait().unwrap() else { panic!() };
    let plan = plan.start(B).wait().unwrap();
    world.calls(&["set b"]);
    assert_eq!(slower.start(A).wait().unwrap_err().reason().code(), "stale");
    let (plan, reason) = plan.complete(A, None).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "not-started");
    let (_, reason) = plan.unwrap().start(TaskRef::Number(9)).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "unknown-task");
    world.calls(&[]);
}

#[test]
fn a_failure_is_a_notice_and_the_change_stands() {
    let world = World::new();
    let plan = world.checklist();
    world.recorder.0.fails.store(true, Ordering::SeqCst);
    let plan = plan.start(A).wait().unwrap();
    let [notice @ Notice::Goal(_)] = plan.notices() else { panic!("{:?}", plan.notices()) };
    assert_eq!(notice.to_string(), "the goal could not be changed: no room for goals");
    let AnyPlan::Active(found) = world.session.load().wait().unwrap() else { panic!() };
    assert_eq!(found.revision(), plan.revision());
    assert_eq!(found.current().unwrap().title(), "a");
    assert!(found.notices().is_empty());

    // It is about the transition that led here, and no later one.
    let plan = plan.fail(A, None).wait().unwrap();
    assert!(plan.notices().is_empty());
    let plan = skip(skip(plan, B), PLAIN);
    let Completion::Archived(plan, receipt) = plan.skip(A, None).wait().unwrap() else { panic!() };
    assert!(matches!(plan.notices(), [Notice::Goal(_)]));
    assert!(receipt.json.unwrap().exists());

    let plan = plan.init_checklist(Brief::new("t").unwrap(), tasks()).wait().unwrap().start(A).wait().unwrap();
    let (plan, _) = plan.discard().wait().unwrap();
    assert!(matches!(plan.notices(), [Notice::Goal(_)]));
    assert!(matches!(world.session.load().wait().unwrap(), AnyPlan::NoPlan(_)));
}

#[test]
fn the_manager_may_take_the_lock_itself() {
    let world = World::new();
    let plan = world.checklist();
    world.recorder.0.locks.set(world.session.clone()).unwrap();
    let plan = plan.start(A).wait().unwrap();
    world.calls(&["set a", "saw Active"]);
    let _ = plan.discard().wait().unwrap();
    world.calls(&["clear a", "saw NoPlan"]);
}

#[tokio::test]
async fn the_manager_may_take_the_lock_in_a_runtime_too() {
    let world = World::new();
    let plan = world.no_plan().init_checklist(Brief::new("t").unwrap(), tasks()).await.unwrap();
    world.recorder.0.locks.set(world.session.clone()).unwrap();
    let _ = plan.start(A).await.unwrap();
    world.calls(&["set a", "saw Active"]);
}

#[test]
fn the_calls_of_an_exclusive_handle_wait_for_its_release() {
    let world = World::new();
    drop(world.checklist());
    world.recorder.0.locks.set(world.session.clone()).unwrap();
    let AnyPlan::Active(plan) = world.session.exclusive().wait().unwrap() else { panic!() };
    let plan = complete(plan.start(A).wait().unwrap(), A);
    let (plan, reason) = plan.start(A).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "already-ended");
    let plan = plan.unwrap().start(B).wait().unwrap();
    world.calls(&[]);
    let plan = plan.release().wait();
    world.calls(&["set a", "saw Active", "clear a", "saw Active", "set b", "saw Active"]);

    // Released, it is a handle like others, with its calls at once.
    assert_eq!(plan.revision(), world.session.view().wait().unwrap().revision());
    let plan = complete(plan, B);
    world.calls(&["clear b", "saw Active"]);
    drop(plan.release().wait());
    world.calls(&[]);
}

#[test]
fn the_calls_of_an_exclusive_handle_come_when_it_is_dropped() {
    let world = World::new();
    drop(world.checklist());
    world.recorder.0.locks.set(world.session.clone()).unwrap();
    let AnyPlan::Active(plan) = world.session.exclusive().wait().unwrap() else { panic!() };
    let plan = plan.start(A).wait().unwrap();
    world.calls(&[]);
    drop(plan);
    world.calls(&["set a", "saw Active"]);

    // Through the end of a plan, too.
    let plan = world.session.exclusive().wait().unwrap();
    let (plan, _) = plan.discard().wait().unwrap();
    world.calls(&[]);
    drop(plan);
    world.calls(&["clear a", "saw NoPlan"]);
}

#[test]
fn failures_at_a_release_are_notices_of_what_it_gives() {
    let world = World::new();
    drop(world.checklist());
    world.recorder.0.fails.store(true, Ordering::SeqCst);
    let plan = world.session.exclusive().wait().unwrap();
    let AnyPlan::Active(plan) = plan else { panic!() };
    let plan = complete(plan.start(A).wait().unwrap(), A);
    assert!(plan.notices().is_empty());
    let plan = AnyPlan::from(plan).release().wait();
    assert!(matches!(plan.notices(), [Notice::Goal(_), Notice::Goal(_)]), "{:?}", plan.notices());
}
