//! Working off a checklist, through the public interface.

mod support;

use plangate::AnyPlan;
use plangate::model::{
    Dependency, LongText, TaskDraft, TaskDrafts, TaskId, TaskRef, TaskRefusal, TaskStatus, TaskType, TextProblem,
};
use plangate::plan::{Operation, Refusal};
use plangate::session::{Completion, Reason};
use pretty_assertions::assert_eq;
use support::{World, continues, draft, drafts, record, statuses, task};

fn text(text: &str) -> Option<LongText> {
    Some(LongText::new(text).unwrap())
}

// spec: TASK-1
#[test]
fn tasks_are_added_as_often_as_wanted_while_active() {
    let world = World::new();
    let mut plan = world.active(drafts(1));
    for count in 1..=5 {
        plan = plan.add_tasks(drafts(count)).wait().unwrap();
    }
    assert_eq!(plan.checklist().tasks().map(|task| task.number()).collect::<Vec<_>>(), (1..=16).collect::<Vec<_>>());
    assert!(TaskDrafts::try_from(Vec::new()).is_err());
    // The order of the file is that of the numbers.
    let orders: Vec<_> = world.record()["tasks"].as_array().unwrap().iter().map(|task| task["order"].clone()).collect();
    assert_eq!(orders, (1..=16).map(serde_json::Value::from).collect::<Vec<_>>());
}

// spec: TASK-1, TASK-7
#[test]
fn the_checklist_is_blocked_in_every_other_state() {
    const OPERATIONS: [Operation; 5] =
        [Operation::AddTasks, Operation::Start, Operation::Complete, Operation::Skip, Operation::Fail];
    let answers = |plan: AnyPlan| OPERATIONS.map(|operation| plan.refuse(operation).map(|refusal| refusal.code()));
    let world = World::new();
    assert_eq!(answers(world.load()), [Some("no-plan"); 5]);
    assert_eq!(answers(world.pre_init().into()), [Some("init-first"); 5]);
    world.load().discard().wait().unwrap();
    assert_eq!(answers(world.designed().into()), [Some("approve-first"); 5]);
    world.load().discard().wait().unwrap();
    assert_eq!(answers(world.active(drafts(1)).into()), [None; 5]);
}

// spec: TASK-3
#[test]
fn a_task_needs_a_title_and_a_description() {
    for (title, description, field) in
        [("", "d", "title"), (" \t", "d", "title"), ("T", "", "description"), ("T", "\n", "description")]
    {
        let refused = TaskDraft::new(title, description).unwrap_err();
        assert_eq!((refused.field, refused.problem), (field, TextProblem::Blank));
    }
    assert!(TaskDraft::new("two\nlines", "d").is_err());
    assert!(TaskDraft::new("x".repeat(201), "d").is_err());
    assert!(TaskDraft::new("T", "x".repeat(5001)).is_err());
}

// spec: TASK-3
#[test]
fn what_a_task_is_comes_back_from_disk() {
    let world = World::new();
    let rich = draft("rich")
        .depends_on(1)
        .criterion("it works")
        .unwrap()
        .task_type(TaskType::Refactor)
        .complexity(9)
        .artifact("src/cache.rs");
    world.active(TaskDrafts::new(draft("plain")).and(rich));
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    let plain = plan.checklist().get(task(1)).unwrap();
    assert_eq!((plain.title(), plain.description(), plain.status()), ("plain", "do it", &TaskStatus::Pending));
    assert_eq!(
        (plain.complexity(), plain.task_type(), plain.has_criteria()),
        (3, &TaskType::Other("other".into()), false)
    );
    let rich = plan.checklist().get(task(2)).unwrap();
    assert_eq!(rich.dependencies(), [Dependency::Id(plain.id())]);
    assert_eq!((rich.complexity(), rich.task_type()), (5, &TaskType::Refactor));
    assert_eq!(rich.acceptance_criteria().collect::<Vec<_>>(), ["it works"]);
    assert_eq!(rich.artifacts().collect::<Vec<_>>(), ["src/cache.rs"]);
}

// spec: TASK-4, TASK-5, API-4
#[test]
fn one_bad_task_refuses_the_batch() {
    let world = World::new();
    let mut plan = world.active(drafts(2));
    let nobody: TaskId = "a0000001-1111-4111-8111-111111111111".parse().unwrap();
    let bad = [
        ("unknown-dependency", vec![draft("bad").depends_on(9)], "Task 4 (bad) depends on 9"),
        ("unknown-dependency", vec![draft("bad").depends_on(0)], "Task 4 (bad) depends on 0"),
        (
            "unknown-dependency",
            vec![draft("bad").depends_on(nobody)],
            "depends on a0000001-1111-4111-8111-111111111111",
        ),
        ("self-dependency", vec![draft("bad").depends_on(4)], "Task 4 (bad) depends on itself"),
        (
            "dependency-cycle",
            vec![draft("bad").depends_on(5), draft("worse").depends_on(4)],
            "task 4 (bad, pending), task 5 (worse, pending)",
        ),
    ];
    let before = world.files();
    let mut events = world.engine.subscribe();
    for (code, bad, said) in bad {
        let batch = [vec![draft("good").depends_on(1)], bad].concat();
        let refused = plan.add_tasks(batch.try_into().unwrap()).wait().unwrap_err();
        assert_eq!(refused.reason().code(), code);
        assert!(refused.to_string().contains(said), "{refused}");
        plan = refused.into_plan().unwrap();
        assert_eq!((plan.checklist().len(), world.files()), (2, before.clone()));
    }
    assert_eq!(events.try_next(), None);
}

// spec: TASK-5
#[test]
fn dependencies_name_existing_tasks_or_those_of_the_same_batch() {
    let world = World::new();
    let plan = world.active(drafts(1));
    let first = plan.checklist().get(task(1)).unwrap().id();
    // Forward, backward, by number and by id.
    let batch = TaskDrafts::new(draft("two").depends_on(3))
        .and(draft("three").depends_on(first))
        .and(draft("four").depends_on(2));
    let plan = plan.add_tasks(batch).wait().unwrap();
    let waits_for = |number| {
        let waiting = plan.checklist().get(task(number)).unwrap();
        plan.checklist().unmet(waiting).map(|task| task.number()).collect::<Vec<_>>()
    };
    assert_eq!((waits_for(2), waits_for(3), waits_for(4)), (vec![3], vec![1], vec![2]));
}

// spec: TASK-6
#[test]
fn start_names_what_is_unmet() {
    let world = World::new();
    let batch = TaskDrafts::new(draft("one")).and(draft("two")).and(draft("three").depends_on(1).depends_on(2));
    let plan = world.active(batch).start(task(1)).wait().unwrap();
    let before = world.files();
    let refused = plan.start(task(3)).wait().unwrap_err();
    let Reason::Refused(Refusal::Task(TaskRefusal::UnmetDependencies { unmet, .. })) = refused.reason() else {
        panic!()
    };
    assert_eq!(unmet.to_string(), "task 1 (one, in progress), task 2 (two, pending)");
    assert_eq!(world.files(), before);
    // Completed and skipped both end a wait.
    let plan = continues(refused.into_plan().unwrap().complete(task(1), None).wait().unwrap());
    let plan = continues(plan.skip(task(2), None).wait().unwrap());
    assert_eq!(statuses(&plan.start(task(3)).wait().unwrap()), ["Completed", "Skipped", "InProgress"]);
}

// spec: TASK-7, INIT-8, DISK-8
#[test]
fn start_never_approves() {
    let world = World::new();
    let plan = world.active(drafts(1)).start(TaskRef::Implied).wait().unwrap();
    assert_eq!(plan.header().approved_at(), None);
    assert_eq!(world.record()["approved_at"], serde_json::Value::Null);
}

// spec: TASK-7
#[test]
fn start_without_a_task_goes_on_or_takes_the_first_ready_one() {
    let world = World::new();
    let batch = TaskDrafts::new(draft("one").depends_on(2)).and(draft("two")).and(draft("three"));
    let plan = world.active(batch).start(TaskRef::Implied).wait().unwrap();
    assert_eq!(statuses(&plan), ["Pending", "InProgress", "Pending"]);
    // The single one in progress: no write.
    let before = world.files();
    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    assert_eq!(world.files(), before);
    // Nothing starts by itself.
    let plan = continues(plan.complete(TaskRef::Implied, None).wait().unwrap());
    assert_eq!(statuses(&plan), ["Pending", "Completed", "Pending"]);
    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    let plan = plan.start(task(3)).wait().unwrap();
    let refused = plan.start(TaskRef::Implied).wait().unwrap_err();
    assert_eq!(refused.reason().code(), "unmet-dependencies");
    assert!(refused.to_string().contains("task 1 (one, in progress), task 3 (three, in progress)"), "{refused}");
}

// spec: TASK-8
#[test]
fn ending_the_last_task_archives_the_plan() {
    for skip in [false, true] {
        let world = World::new();
        let plan = world.approved().add_tasks(drafts(3)).wait().unwrap().start(task(1)).wait().unwrap();
        let plan = plan.start(task(2)).wait().unwrap().fail(task(2), None).wait().unwrap();
        let plan = continues(plan.complete(task(1), text("done")).wait().unwrap());
        let plan = continues(plan.skip(task(3), None).wait().unwrap());
        // A failed task is open and holds the plan.
        let last = match skip {
            true => plan.skip(task(2), text("not worth it")).wait().unwrap(),
            false => {
                let plan = plan.start(task(2)).wait().unwrap();
                plan.complete(TaskRef::Implied, None).wait().unwrap()
            }
        };
        let Completion::Archived(plan, receipt) = last else { panic!("an open task is left") };
        assert_eq!((plan.revision(), world.state().as_str()), (None, "NoPlan"));
        let archived = record(&receipt.json.unwrap());
        assert_eq!((&archived["ending"]["how"], &archived["status"]), (&"completed".into(), &"Active".into()));
        let last = if skip { "Skipped" } else { "Completed" };
        assert_eq!(archived["tasks"][1]["status"], last);
        assert!(receipt.md.unwrap().exists());
        assert!(!world.live("json").exists() && !world.live("md").exists());
    }
}

// spec: TASK-8
#[test]
fn what_was_said_at_the_end_of_a_task_is_kept() {
    let world = World::new();
    let plan = world.active(drafts(4)).start(task(1)).wait().unwrap().start(task(2)).wait().unwrap();
    let plan = continues(plan.complete(task(1), text("all green")).wait().unwrap());
    let plan = plan.fail(task(2), text("no network")).wait().unwrap();
    continues(plan.skip(task(3), text("not needed")).wait().unwrap());
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    let notes: Vec<_> = plan.checklist().tasks().map(|task| task.notes()).collect();
    assert_eq!(notes, [Some("all green"), Some("no network"), Some("not needed"), None]);
    let ended: Vec<_> = plan.checklist().tasks().map(|task| task.completed_at().is_some()).collect();
    assert_eq!(ended, [true, false, false, false]);
}

// spec: TASK-9
#[test]
fn only_what_is_in_progress_is_completed() {
    let world = World::new();
    let plan = world.active(drafts(5)).start(task(1)).wait().unwrap();
    let plan = plan.start(task(4)).wait().unwrap().fail(task(4), None).wait().unwrap();
    let plan = continues(plan.complete(task(1), None).wait().unwrap());
    let mut plan = continues(plan.skip(task(3), None).wait().unwrap());
    let before = world.files();
    for (number, code, said) in [
        (1, "already-ended", "Task 1 (T1, completed) has ended already"),
        (2, "not-started", "Task 2 (T2, pending) is not started"),
        (3, "already-ended", "Task 3 (T3, skipped) has ended already"),
        (4, "not-started", "Task 4 (T4, failed) is not started"),
    ] {
        for fail in [false, true] {
            let refused = match fail {
                true => plan.fail(task(number), None).wait().map(|_| ()).unwrap_err(),
                false => plan.complete(task(number), None).wait().map(|_| ()).unwrap_err(),
            };
            assert_eq!(refused.reason().code(), code);
            assert!(refused.to_string().starts_with(said), "{refused}");
            plan = refused.into_plan().unwrap();
        }
    }
    let refused = plan.complete(TaskRef::Implied, None).wait().unwrap_err();
    assert_eq!(refused.reason().code(), "not-started");
    assert_eq!(world.files(), before);
}

// spec: TASK-9
#[test]
fn without_a_name_several_in_progress_are_listed() {
    let world = World::new();
    let mut plan = world.active(drafts(3)).start(task(1)).wait().unwrap().start(task(2)).wait().unwrap();
    for operation in ["complete", "fail", "skip"] {
        let refused = match operation {
            "complete" => plan.complete(TaskRef::Implied, None).wait().map(|_| ()).unwrap_err(),
            "fail" => plan.fail(TaskRef::Implied, None).wait().map(|_| ()).unwrap_err(),
            _ => plan.skip(TaskRef::Implied, None).wait().map(|_| ()).unwrap_err(),
        };
        assert_eq!(refused.reason().code(), "several-in-progress");
        assert!(refused.to_string().contains("task 1 (T1, in progress), task 2 (T2, in progress)"), "{refused}");
        plan = refused.into_plan().unwrap();
    }
}

// spec: TASK-10
#[test]
fn an_unknown_task_is_refused_with_the_range() {
    let world = World::new();
    let mut plan = world.active(drafts(3));
    let nobody: TaskId = "a0000001-1111-4111-8111-111111111111".parse().unwrap();
    let before = world.files();
    for asked in [task(0), task(4), task(u64::MAX), TaskRef::Id(nobody)] {
        for operation in ["start", "complete", "skip", "fail"] {
            let refused = match operation {
                "start" => plan.start(asked).wait().map(|_| ()).unwrap_err(),
                "complete" => plan.complete(asked, None).wait().map(|_| ()).unwrap_err(),
                "fail" => plan.fail(asked, None).wait().map(|_| ()).unwrap_err(),
                _ => plan.skip(asked, None).wait().map(|_| ()).unwrap_err(),
            };
            assert_eq!(refused.reason().code(), "unknown-task");
            let said = format!("There is no task {asked}: the checklist has tasks 1 to 3.");
            assert!(refused.to_string().starts_with(&said), "{refused}");
            plan = refused.into_plan().unwrap();
        }
    }
    assert_eq!(world.files(), before);
}

// spec: TASK-9, API-4
#[test]
fn an_older_handle_is_stale_and_changes_nothing() {
    let world = World::new();
    let older = world.active(drafts(2));
    let AnyPlan::Active(newer) = world.load() else { panic!() };
    newer.start(task(1)).wait().unwrap();
    let before = world.files();
    let refused = older.start(task(2)).wait().unwrap_err();
    assert_eq!(refused.reason().code(), "stale");
    assert!(refused.into_plan().is_some());
    assert_eq!(world.files(), before);
}
