//! What holds for any checklist at all, also for one that no engine has written.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use uuid::Uuid;

use super::*;
use crate::model::{Kept, TaskDraft, TaskType};

fn id(number: u8) -> TaskId {
    TaskId::from_uuid(Uuid::from_u128(number.into()))
}

/// Few enough values that tasks name each other, themselves and nobody.
fn dependency() -> impl Strategy<Value = Dependency> {
    prop_oneof![
        (0..12_u64).prop_map(Dependency::Number),
        (0..12_u8).prop_map(|number| Dependency::Id(id(number))),
        Just(Dependency::Number(u64::MAX)),
    ]
}

fn status() -> impl Strategy<Value = TaskStatus> {
    select(vec![
        TaskStatus::Pending,
        TaskStatus::Pending,
        TaskStatus::InProgress,
        TaskStatus::Completed,
        TaskStatus::Skipped,
        TaskStatus::Failed,
        TaskStatus::Blocked("why".into()),
    ])
}

/// A task as a file may have it.
fn loaded() -> impl Strategy<Value = LoadedTask> {
    let order = prop_oneof![
        4 => Just(None),
        4 => (0..12_u64).prop_map(Some),
        1 => select(vec![u64::MAX, LARGEST_ORDER, LARGEST_ORDER + 1]).prop_map(Some),
    ];
    (0..30_u8, order, status(), vec(dependency(), 0..4)).prop_map(|(number, order, status, dependencies)| LoadedTask {
        task: Task {
            id: id(number),
            number: 0,
            title: "T".into(),
            description: "d".into(),
            task_type: TaskType::default(),
            dependencies,
            complexity: Task::COMPLEXITY,
            acceptance_criteria: Vec::new(),
            status,
            notes: None,
            completed_at: None,
            execution_history: None,
            retry_count: 0,
            max_retries: Task::MAX_RETRIES,
            artifacts: Vec::new(),
            reflection: None,
            kept: Kept::default(),
        },
        order,
    })
}

#[derive(Debug, Clone)]
enum Act {
    Append(Vec<Vec<Dependency>>),
    Start(TaskRef),
    Complete(TaskRef),
    Fail(TaskRef),
    Skip(TaskRef),
}

fn act() -> impl Strategy<Value = Act> {
    let task = || {
        prop_oneof![
            Just(TaskRef::Implied),
            (0..12_u64).prop_map(TaskRef::Number),
            (0..30_u8).prop_map(|number| TaskRef::Id(id(number))),
        ]
    };
    prop_oneof![
        vec(vec(dependency(), 0..3), 1..4).prop_map(Act::Append),
        task().prop_map(Act::Start),
        task().prop_map(Act::Complete),
        task().prop_map(Act::Fail),
        task().prop_map(Act::Skip),
    ]
}

fn drafts(dependencies: &[Vec<Dependency>]) -> TaskDrafts {
    let draft =
        |on: &Vec<Dependency>| on.iter().fold(TaskDraft::new("T", "d").unwrap(), |draft, on| draft.depends_on(*on));
    dependencies.iter().map(draft).collect::<Vec<_>>().try_into().unwrap()
}

/// The tasks that a task waits for, looked up the slow way.
fn unmet(list: &Checklist, task: &Task) -> Vec<TaskId> {
    let open =
        |on: &Dependency| list.tasks.iter().find(|task| *on == Dependency::Id(task.id) && !task.status.has_ended());
    task.dependencies.iter().filter_map(open).map(|task| task.id).collect()
}

fn consistent(list: &Checklist) {
    let numbers: Vec<u64> = list.tasks().map(Task::number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b) && numbers.first() != Some(&0), "{numbers:?}");
    assert_eq!((numbers.len(), list.in_file_order().len()), (list.len(), list.len()));
    for task in list.tasks() {
        assert_eq!(list.get(TaskRef::Number(task.number)), Some(task));
        assert_eq!(list.get(TaskRef::Id(task.id)), Some(task));
        assert_eq!(list.unmet(task).map(Task::id).collect::<Vec<_>>(), unmet(list, task));
    }
    let ready: Vec<TaskId> = list.ready().map(Task::id).collect();
    let expected = list.tasks().filter(|task| task.status == TaskStatus::Pending && unmet(list, task).is_empty());
    assert_eq!(ready, expected.map(Task::id).collect::<Vec<_>>());
    assert_eq!(list.next().map(Task::id), ready.first().copied());
    let progress = list.progress();
    assert_eq!((progress.total(), progress.in_progress), (list.len(), list.current().count()));
    assert_eq!(list.all_ended(), progress.open() == 0 && !list.is_empty());
    let dangling = list.tasks.iter().flat_map(|task| &task.dependencies).filter(|on| match on {
        Dependency::Id(id) => list.tasks.iter().all(|task| task.id != *id),
        Dependency::Number(_) => true,
    });
    assert_eq!(list.dangling().count(), dangling.count());
    assert_eq!(list.cycle().is_some(), has_circle(list));
}

/// Whether something is left once all tasks are taken away that wait for none of the rest.
fn has_circle(list: &Checklist) -> bool {
    let mut left: HashSet<TaskId> = list.tasks.iter().map(|task| task.id).collect();
    loop {
        let free: Vec<TaskId> = list
            .tasks
            .iter()
            .filter(|task| left.contains(&task.id))
            .filter(|task| !task.dependencies.iter().any(|on| matches!(on, Dependency::Id(id) if left.contains(id))))
            .map(|task| task.id)
            .collect();
        if free.is_empty() {
            return !left.is_empty();
        }
        left.retain(|id| !free.contains(id));
    }
}

proptest! {
    // spec: TASK-4, TASK-5, TASK-6, TASK-9, TASK-10
    #[test]
    fn any_checklist_stays_consistent_and_never_panics(tasks in vec(loaded(), 0..10), acts in vec(act(), 0..20)) {
        let shared = tasks.iter().map(|item| item.task.id).collect::<HashSet<_>>().len() < tasks.len();
        let loaded = Checklist::from_loaded(tasks);
        prop_assert_eq!(loaded.is_err(), shared, "an id that two tasks share is refused");
        let Ok(mut list) = loaded else { return Ok(()) };
        consistent(&list);
        let had_circle = list.cycle().is_some();
        let mut fresh = 1000_u128;
        let now = "2026-07-20T09:00:00Z".parse().unwrap();
        for act in acts {
            let before = list.clone();
            let refused = match act {
                Act::Append(new) => {
                    let fresh = &mut || {
                        fresh += 1;
                        TaskId::from_uuid(Uuid::from_u128(fresh))
                    };
                    list.append(&drafts(&new), fresh).map(|()| assert_eq!(list.len(), before.len() + new.len()))
                }
                Act::Start(task) => list.start(task).map(|(id, changed)| {
                    let started = list.get(TaskRef::Id(id)).unwrap();
                    assert_eq!(started.status, TaskStatus::InProgress);
                    assert_eq!(changed, list != before);
                    assert!(!changed || unmet(&list, started).is_empty());
                }),
                Act::Complete(task) => list.complete(task, None, now).map(|ended| {
                    assert_eq!(ended.was_last, list.all_ended());
                    assert_eq!(ended.task.is_none(), list == before);
                }),
                Act::Fail(task) => list.fail(task, None).map(|id| {
                    assert_eq!(list.get(TaskRef::Id(id)).unwrap().status, TaskStatus::Failed);
                }),
                Act::Skip(task) => list.skip(task, None).map(|ended| {
                    assert_eq!(list.get(TaskRef::Id(ended.task.unwrap())).unwrap().status, TaskStatus::Skipped);
                    assert_eq!(ended.was_last, list.all_ended());
                }),
            };
            if let Err(refusal) = refused {
                prop_assert_eq!(&list, &before, "{} changes nothing", refusal);
                prop_assert!(!refusal.to_string().is_empty());
            }
            consistent(&list);
            prop_assert_eq!(list.cycle().is_some(), had_circle, "no operation makes a circle or breaks one");
        }
    }
}
