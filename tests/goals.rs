//! What the host's goal manager is asked, and when.

mod support;

use plangate::model::{TaskDrafts, TaskId, TaskRef};
use plangate::plan::Active;
use plangate::session::{Completion, Notice};
use plangate::{AnyPlan, Plan};
use pretty_assertions::assert_eq;
use support::{Asked, World, continues, draft, still_active, task};

/// Two tasks with criteria and one whose only criterion is blank.
fn tasks() -> TaskDrafts {
    TaskDrafts::new(draft("one").criterion("tests pass").unwrap().criterion(" ").unwrap())
        .and(draft("two").criterion("docs build").unwrap())
        .and(draft("three").criterion("  ").unwrap())
}

fn id(plan: &Plan<Active>, number: u64) -> TaskId {
    plan.checklist().get(task(number)).unwrap().id()
}

fn set(plan: &Plan<Active>, number: u64, criterion: &str) -> Asked {
    Asked::Set(id(plan, number), vec![criterion.into()])
}

// spec: GOAL-1
#[test]
fn starting_sets_a_goal_if_there_are_criteria() {
    let world = World::new();
    let plan = world.active(tasks()).start(task(3)).wait().unwrap();
    assert_eq!(world.goals.take(), []);
    let plan = plan.start(task(1)).wait().unwrap();
    assert_eq!(world.goals.take(), [set(&plan, 1, "tests pass")]);
    assert_eq!(world.record()["goal_task"], id(&plan, 1).to_string());
    // Once more, by another handle: nothing is written, and the goal is set again.
    let before = world.files();
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    let plan = plan.start(task(1)).wait().unwrap();
    assert_eq!(world.goals.take(), [set(&plan, 1, "tests pass")]);
    assert_eq!(world.files(), before);
}

// spec: GOAL-2
#[test]
fn the_latest_started_task_owns_the_goal() {
    let world = World::new();
    let plan = world.active(tasks()).start(task(1)).wait().unwrap().start(task(2)).wait().unwrap();
    assert_eq!(world.goals.take(), [set(&plan, 1, "tests pass"), set(&plan, 2, "docs build")]);
    let plan = continues(plan.complete(task(1), None).wait().unwrap());
    assert_eq!(world.goals.take(), [], "it is not the first task's any more");
    let (owner, plan) = (id(&plan, 2), continues(plan.complete(task(2), None).wait().unwrap()));
    assert_eq!(world.goals.take(), [Asked::Clear(owner)]);
    assert_eq!(world.record().get("goal_task"), None);
    drop(plan);
}

// spec: GOAL-2
#[test]
fn fail_keeps_the_goal_and_skip_and_discard_clear_it() {
    let world = World::new();
    let plan = world.active(tasks()).start(task(1)).wait().unwrap();
    let owner = id(&plan, 1);
    world.goals.take();
    let plan = plan.fail(task(1), None).wait().unwrap();
    assert_eq!((world.goals.take(), plan.header().goal_task()), (vec![], Some(owner)));
    let plan = continues(plan.skip(task(1), None).wait().unwrap());
    assert_eq!((world.goals.take(), plan.header().goal_task()), (vec![Asked::Clear(owner)], None));

    let plan = plan.start(task(2)).wait().unwrap();
    let owner = id(&plan, 2);
    world.goals.take();
    plan.discard().wait().unwrap();
    assert_eq!(world.goals.take(), [Asked::Clear(owner)]);
}

// spec: GOAL-2
#[test]
fn a_goal_that_the_plan_did_not_set_is_never_cleared() {
    let world = World::new();
    let plan = world.active(tasks()).start(task(3)).wait().unwrap();
    let plan = continues(plan.complete(task(3), None).wait().unwrap());
    let plan = continues(plan.skip(task(1), None).wait().unwrap());
    plan.discard().wait().unwrap();
    assert_eq!(world.goals.take(), []);
}

// spec: GOAL-2, LIFE-9
#[test]
fn a_plan_that_comes_back_has_no_goal_until_a_task_is_started() {
    let world = World::new();
    let plan = world.active(tasks()).start(task(1)).wait().unwrap();
    let owner = id(&plan, 1);
    let (plan, receipt) = plan.discard().wait().unwrap();
    world.goals.take();
    // The host may have a goal of its own by now.
    let plan = still_active(plan.restore(receipt.archive.unwrap()).wait().unwrap());
    assert_eq!(plan.header().goal_task(), None);
    let plan = continues(plan.complete(task(1), None).wait().unwrap());
    assert_eq!(world.goals.take(), [], "{owner} set no goal since");
    drop(plan);
}

// spec: GOAL-2, TASK-8
#[test]
fn the_end_of_the_plan_clears_its_last_goal() {
    let world = World::new();
    let plan = world.active(TaskDrafts::new(draft("one").criterion("tests pass").unwrap()));
    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    let owner = id(&plan, 1);
    world.goals.take();
    let Completion::Archived(..) = plan.complete(TaskRef::Implied, None).wait().unwrap() else { panic!() };
    assert_eq!(world.goals.take(), [Asked::Clear(owner)]);
}

// spec: GOAL-3
#[test]
fn a_goal_manager_that_fails_changes_nothing_and_is_reported() {
    let world = World::new();
    let plan = world.active(tasks());
    world.goals.fail();
    let plan = plan.start(task(1)).wait().unwrap();
    let [Notice::Goal(error)] = plan.notices() else { panic!("{:?}", plan.notices()) };
    assert_eq!(error.to_string(), "the goal could not be changed: the goals are away");
    assert_eq!(world.record()["tasks"][0]["status"], "InProgress");
    // A notice is told once.
    let plan = plan.add_tasks(support::drafts(1)).wait().unwrap();
    assert_eq!(plan.notices().len(), 0);
    let plan = continues(plan.complete(task(1), None).wait().unwrap());
    assert_eq!((plan.notices().len(), plan.header().goal_task()), (1, None));
    let (plan, _) = plan.start(task(2)).wait().unwrap().discard().wait().unwrap();
    assert_eq!((plan.notices().len(), world.state().as_str()), (1, "NoPlan"));
}

// spec: GOAL-3
#[test]
fn the_goal_manager_is_called_after_the_lock_is_released() {
    let world = World::new();
    drop(world.active(tasks()));
    let AnyPlan::Active(plan) = world.session().exclusive().wait().unwrap() else { panic!() };
    let plan = plan.start(task(1)).wait().unwrap();
    assert_eq!(world.goals.take(), [], "it may call the engine, which would wait for itself");
    let plan = plan.release().wait();
    assert_eq!(world.goals.take(), [set(&plan, 1, "tests pass")]);
    // Dropping the handle releases as well.
    let AnyPlan::Active(plan) = world.session().exclusive().wait().unwrap() else { panic!() };
    let plan = plan.start(task(2)).wait().unwrap();
    let expected = set(&plan, 2, "docs build");
    assert_eq!(world.goals.take(), []);
    drop(plan);
    assert_eq!(world.goals.take(), [expected]);
}
