use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::graph::find_cycle;
use super::{
    Dependency, LoadedTask, LongText, Progress, Task, TaskDrafts, TaskId, TaskName, TaskNames, TaskRef, TaskRefusal,
    TaskStatus, Timestamp,
};

/// The tasks of a plan: their order, their dependencies and where each stands.
///
/// Reading is free; changes go through the operations of `Plan<Active>`. Copies are cheap: they share
/// the tasks that did not change.
#[derive(Debug, Clone, Default)]
pub struct Checklist {
    tasks: Vec<Arc<Task>>,
    index: Arc<Index>,
}

#[derive(Debug, Clone, Default)]
struct Index {
    by_id: HashMap<TaskId, usize>,
    by_number: HashMap<u64, usize>,
    /// Positions by ascending number.
    in_order: Vec<usize>,
}

impl Index {
    fn insert(&mut self, position: usize, task: &Task) {
        self.by_id.insert(task.id, position);
        self.by_number.insert(task.number, position);
        self.in_order.push(position);
    }
}

/// What ending a task has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The task, unless none was left to end.
    pub(crate) task: Option<TaskId>,
    /// Whether no open task is left.
    pub(crate) was_last: bool,
}

/// Numbers past this are no order that anybody gave on purpose; such a file is numbered by position.
const LARGEST_ORDER: u64 = 1 << 53;

impl Checklist {
    /// The checklist of a file.
    ///
    /// A task's number is its `order` where the orders are unique and at least 1, else its position. Numeric
    /// dependencies with a target become ids; the others stay and are ignored for readiness.
    ///
    /// # Errors
    /// The id that two tasks share.
    pub(crate) fn from_loaded(loaded: Vec<LoadedTask>) -> Result<Self, TaskId> {
        let mut seen = HashSet::with_capacity(loaded.len());
        let orders_hold = (1..).zip(&loaded).all(|(position, item)| {
            let order = item.order.unwrap_or(position);
            (1..=LARGEST_ORDER).contains(&order) && seen.insert(order)
        });
        let mut tasks: Vec<Task> = (1..)
            .zip(loaded)
            .map(|(position, item)| {
                let number = item.order.filter(|_| orders_hold).unwrap_or(position);
                Task { number, ..item.task }
            })
            .collect();
        let mut index = Index::default();
        for (position, task) in tasks.iter().enumerate() {
            if index.by_id.contains_key(&task.id) {
                return Err(task.id);
            }
            index.insert(position, task);
        }
        index.in_order.sort_by_key(|position| tasks.get(*position).map(Task::number));
        let ids: HashMap<u64, TaskId> = tasks.iter().map(|task| (task.number, task.id)).collect();
        for dependency in tasks.iter_mut().flat_map(|task| &mut task.dependencies) {
            if let Dependency::Number(number) = *dependency
                && let Some(id) = ids.get(&number)
            {
                *dependency = Dependency::Id(*id);
            }
        }
        Ok(Self { tasks: tasks.into_iter().map(Arc::new).collect(), index: Arc::new(index) })
    }

    /// A new checklist of `drafts`.
    ///
    /// # Errors
    /// A bad dependency, with the tasks named (TASK-5).
    pub(crate) fn from_drafts(drafts: &TaskDrafts, fresh: &mut dyn FnMut() -> TaskId) -> Result<Self, TaskRefusal> {
        let mut checklist = Self::default();
        checklist.append(drafts, fresh)?;
        Ok(checklist)
    }

    /// Appends all `drafts` or none (TASK-4).
    ///
    /// # Errors
    /// A bad dependency, with the tasks named (TASK-5); nothing has changed then.
    pub(crate) fn append(&mut self, drafts: &TaskDrafts, fresh: &mut dyn FnMut() -> TaskId) -> Result<(), TaskRefusal> {
        let numbers = self.free_numbers(drafts.len().get());
        let ids: Vec<TaskId> = numbers.iter().map(|_| fresh()).collect();
        let by_number: HashMap<u64, usize> = numbers.iter().copied().zip(0..).collect();
        let mut by_alias = HashMap::new();
        for (position, draft) in drafts.iter().enumerate() {
            if let Some(alias) = draft.known_as
                && by_alias.insert(alias, position).is_some()
            {
                return Err(TaskRefusal::DuplicateId { id: alias });
            }
        }
        let first = self.numbers().next().or(numbers.first().copied()).unwrap_or(1);
        let last = numbers.last().copied().unwrap_or(1);

        let mut waits_for_new: Vec<Vec<usize>> = Vec::with_capacity(ids.len());
        let mut added: Vec<Task> = Vec::with_capacity(ids.len());
        for (position, ((draft, number), id)) in drafts.iter().zip(&numbers).zip(&ids).enumerate() {
            let mut dependencies = Vec::with_capacity(draft.dependencies.len());
            let mut within = Vec::new();
            for dependency in &draft.dependencies {
                let new = match dependency {
                    Dependency::Number(number) => by_number.get(number),
                    Dependency::Id(id) => by_alias.get(id),
                };
                let existing = match dependency {
                    Dependency::Number(number) => self.index.by_number.get(number),
                    Dependency::Id(id) => self.index.by_id.get(id),
                };
                let target = if let Some(new) = new {
                    if *new == position {
                        return Err(TaskRefusal::SelfDependency { task: *number, title: draft.title.as_str().into() });
                    }
                    within.push(*new);
                    ids.get(*new).copied()
                } else {
                    existing.and_then(|position| self.tasks.get(*position)).map(|task| task.id)
                };
                let Some(target) = target else {
                    return Err(TaskRefusal::UnknownDependency {
                        task: *number,
                        title: draft.title.as_str().into(),
                        dependency: *dependency,
                        first,
                        last,
                    });
                };
                dependencies.push(Dependency::Id(target));
            }
            let mut once = HashSet::new();
            dependencies.retain(|dependency| once.insert(*dependency));
            waits_for_new.push(within);
            added.push(Task {
                id: *id,
                number: *number,
                title: draft.title.as_str().into(),
                description: draft.description.as_str().into(),
                task_type: draft.task_type.clone(),
                dependencies,
                complexity: draft.complexity,
                acceptance_criteria: draft.acceptance_criteria.clone(),
                status: TaskStatus::Pending,
                notes: None,
                completed_at: None,
                execution_history: None,
                retry_count: 0,
                max_retries: Task::MAX_RETRIES,
                artifacts: draft.artifacts.clone(),
                reflection: None,
                kept: draft.kept.clone(),
            });
        }
        // No existing task waits for a new one (dangling numbers are never given out), so a circle is among the new.
        let edges = |node: usize| waits_for_new.get(node).into_iter().flatten().copied();
        if let Some(circle) = find_cycle(added.len(), edges) {
            let tasks = circle.iter().filter_map(|position| added.get(*position)).collect();
            return Err(TaskRefusal::Cycle { tasks });
        }
        let index = Arc::make_mut(&mut self.index);
        for task in added {
            index.insert(self.tasks.len(), &task);
            self.tasks.push(Arc::new(task));
        }
        Ok(())
    }

    /// The next `count` numbers. A number that a dangling dependency names is left out: an old task must not begin to
    /// wait for a new one.
    fn free_numbers(&self, count: usize) -> Vec<u64> {
        let dangling: HashSet<u64> = self
            .tasks
            .iter()
            .flat_map(|task| &task.dependencies)
            .filter_map(|dependency| match dependency {
                Dependency::Number(number) => Some(*number),
                Dependency::Id(_) => None,
            })
            .collect();
        let highest = self.numbers().next_back().unwrap_or(0);
        (highest + 1..).filter(|number| !dangling.contains(number)).take(count).collect()
    }

    fn numbers(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.tasks().map(Task::number)
    }

    /// Starts a task. One that is in progress stays as it is, and the answer says that nothing changed.
    ///
    /// # Errors
    /// `unknown-task`, `already-ended`, `unmet-dependencies`.
    pub(crate) fn start(&mut self, task: TaskRef) -> Result<(TaskId, bool), TaskRefusal> {
        let position = match task {
            TaskRef::Implied => self.implied_start()?,
            _ => self.find(task)?,
        };
        let found = self.at(position, task)?;
        let id = found.id;
        if found.status == TaskStatus::InProgress {
            return Ok((id, false));
        }
        if found.status.has_ended() {
            return Err(TaskRefusal::AlreadyEnded { task: found.into() });
        }
        let unmet: TaskNames = self.unmet(found).collect();
        if !unmet.shown.is_empty() {
            return Err(TaskRefusal::UnmetDependencies { task: found.into(), unmet });
        }
        self.change(position, |task| task.status = TaskStatus::InProgress);
        Ok((id, true))
    }

    fn implied_start(&self) -> Result<usize, TaskRefusal> {
        let mut in_progress = self.positions().filter(|(_, task)| task.status == TaskStatus::InProgress);
        if let (Some((single, _)), None) = (in_progress.next(), in_progress.next()) {
            return Ok(single);
        }
        if let Some((first, _)) = self.positions().find(|(_, task)| self.is_ready(task)) {
            return Ok(first);
        }
        let mut open = self.tasks().filter(|task| !task.status.has_ended()).peekable();
        if open.peek().is_none() {
            return Err(TaskRefusal::AllEnded);
        }
        let holding = |task: &&Task| !task.status.has_ended() && task.status != TaskStatus::Pending;
        let blocking: TaskNames = self.tasks().filter(holding).collect();
        // Nothing but pending tasks that wait for each other: a circle from an older file.
        let blocking = if blocking.shown.is_empty() { open.collect() } else { blocking };
        Err(TaskRefusal::NothingReady { blocking })
    }

    /// Completes a task in progress. Without a task and with all ended, there is nothing to complete but the plan.
    ///
    /// # Errors
    /// `unknown-task`, `not-started`, `already-ended`, `several-in-progress`.
    pub(crate) fn complete(
        &mut self,
        task: TaskRef,
        output: Option<&LongText>,
        now: Timestamp,
    ) -> Result<Ended, TaskRefusal> {
        if task == TaskRef::Implied && self.all_ended() {
            return Ok(Ended { task: None, was_last: true });
        }
        let position = self.in_progress(task)?;
        let id = self.at(position, task)?.id;
        self.change(position, |task| {
            task.status = TaskStatus::Completed;
            task.completed_at = Some(now);
            note(task, output);
        });
        Ok(Ended { task: Some(id), was_last: self.all_ended() })
    }

    /// Marks a task in progress as failed: it stays open and holds the plan.
    ///
    /// # Errors
    /// `unknown-task`, `not-started`, `already-ended`, `several-in-progress`.
    pub(crate) fn fail(&mut self, task: TaskRef, output: Option<&LongText>) -> Result<TaskId, TaskRefusal> {
        let position = self.in_progress(task)?;
        let id = self.at(position, task)?.id;
        self.change(position, |task| {
            task.status = TaskStatus::Failed;
            note(task, output);
        });
        Ok(id)
    }

    /// Skips an open task.
    ///
    /// # Errors
    /// `unknown-task`, `already-ended`; without a task `not-started` and `several-in-progress`.
    pub(crate) fn skip(&mut self, task: TaskRef, reason: Option<&LongText>) -> Result<Ended, TaskRefusal> {
        let position = match task {
            TaskRef::Implied => self.single_in_progress()?,
            _ => self.find(task)?,
        };
        let found = self.at(position, task)?;
        if found.status.has_ended() {
            return Err(TaskRefusal::AlreadyEnded { task: found.into() });
        }
        let id = found.id;
        self.change(position, |task| {
            task.status = TaskStatus::Skipped;
            note(task, reason);
        });
        Ok(Ended { task: Some(id), was_last: self.all_ended() })
    }

    /// The position of a task that is in progress.
    fn in_progress(&self, task: TaskRef) -> Result<usize, TaskRefusal> {
        if task == TaskRef::Implied {
            return self.single_in_progress();
        }
        let position = self.find(task)?;
        let found = self.at(position, task)?;
        match &found.status {
            TaskStatus::InProgress => Ok(position),
            status if status.has_ended() => Err(TaskRefusal::AlreadyEnded { task: found.into() }),
            _ => Err(TaskRefusal::NotStarted { task: found.into() }),
        }
    }

    fn single_in_progress(&self) -> Result<usize, TaskRefusal> {
        let mut running = self.positions().filter(|(_, task)| task.status == TaskStatus::InProgress);
        match (running.next(), running.next()) {
            (Some((position, _)), None) => Ok(position),
            (Some(_), Some(_)) => Err(TaskRefusal::SeveralInProgress { tasks: self.current().collect() }),
            (None, _) if self.all_ended() => Err(TaskRefusal::AllEnded),
            (None, _) => Err(TaskRefusal::NothingInProgress),
        }
    }

    fn find(&self, task: TaskRef) -> Result<usize, TaskRefusal> {
        let found = match task {
            TaskRef::Implied => None,
            TaskRef::Number(number) => self.index.by_number.get(&number),
            TaskRef::Id(id) => self.index.by_id.get(&id),
        };
        found.copied().ok_or_else(|| self.unknown(task))
    }

    fn at(&self, position: usize, task: TaskRef) -> Result<&Task, TaskRefusal> {
        self.tasks.get(position).map(|task| &**task).ok_or_else(|| self.unknown(task))
    }

    fn unknown(&self, task: TaskRef) -> TaskRefusal {
        let mut numbers = self.numbers();
        let first = numbers.next().unwrap_or(0);
        TaskRefusal::Unknown { task, first, last: numbers.next_back().unwrap_or(first) }
    }

    fn change(&mut self, position: usize, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.tasks.get_mut(position) {
            change(Arc::make_mut(task));
        }
    }

    fn positions(&self) -> impl DoubleEndedIterator<Item = (usize, &Task)> {
        self.index.in_order.iter().filter_map(|position| Some((*position, &**self.tasks.get(*position)?)))
    }

    /// The tasks by ascending number.
    pub fn tasks(&self) -> impl DoubleEndedIterator<Item = &Task> {
        self.positions().map(|(_, task)| task)
    }

    /// The tasks in the order of the file.
    pub(crate) fn in_file_order(&self) -> impl ExactSizeIterator<Item = &Task> {
        self.tasks.iter().map(|task| &**task)
    }

    /// The task that is meant, if it exists. [`TaskRef::Implied`] means no task here.
    pub fn get(&self, task: TaskRef) -> Option<&Task> {
        self.find(task).ok().and_then(|position| self.tasks.get(position)).map(|task| &**task)
    }

    /// How many tasks there are.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there are none: the steps of an approved design have not been added yet.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The tasks in progress.
    pub fn current(&self) -> impl Iterator<Item = &Task> {
        self.tasks().filter(|task| task.status == TaskStatus::InProgress)
    }

    /// The pending tasks whose every dependency has ended.
    pub fn ready(&self) -> impl Iterator<Item = &Task> {
        self.tasks().filter(|task| self.is_ready(task))
    }

    /// The first ready task: what `start` without a task starts when nothing is in progress.
    pub fn next(&self) -> Option<&Task> {
        self.ready().next()
    }

    fn is_ready(&self, task: &Task) -> bool {
        task.status == TaskStatus::Pending && self.unmet(task).next().is_none()
    }

    /// The tasks that `task` still waits for. A dependency without a target holds nothing up.
    pub fn unmet<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = &'a Task> {
        self.targets(task).filter(|task| !task.status.has_ended())
    }

    fn targets<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = &'a Task> {
        self.target_positions(task).filter_map(|position| self.tasks.get(position)).map(|task| &**task)
    }

    fn target_positions<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = usize> + 'a {
        task.dependencies.iter().filter_map(|dependency| match dependency {
            Dependency::Id(id) => self.index.by_id.get(id).copied(),
            Dependency::Number(_) => None,
        })
    }

    /// How many tasks stand where.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        for task in &self.tasks {
            let count = match task.status {
                TaskStatus::Pending => &mut progress.pending,
                TaskStatus::InProgress => &mut progress.in_progress,
                TaskStatus::Completed => &mut progress.completed,
                TaskStatus::Skipped => &mut progress.skipped,
                TaskStatus::Failed => &mut progress.failed,
                TaskStatus::Blocked(_) => &mut progress.blocked,
            };
            *count += 1;
        }
        progress
    }

    /// Whether there are tasks and every one has ended.
    pub fn all_ended(&self) -> bool {
        !self.is_empty() && self.tasks.iter().all(|task| task.status.has_ended())
    }

    /// The dependencies of a loaded file that name no task: kept, and ignored for readiness.
    pub fn dangling(&self) -> impl Iterator<Item = (TaskName, Dependency)> {
        self.tasks().flat_map(|task| {
            let has_target = |dependency: &&Dependency| match dependency {
                Dependency::Id(id) => self.index.by_id.contains_key(id),
                Dependency::Number(_) => false,
            };
            task.dependencies
                .iter()
                .filter(move |dependency| !has_target(dependency))
                .map(|dependency| (task.into(), *dependency))
        })
    }

    /// A circle of dependencies in a loaded file, if there is one: `skip` is the way out of it.
    pub fn cycle(&self) -> Option<TaskNames> {
        let edges = |position: usize| self.tasks.get(position).into_iter().flat_map(|task| self.target_positions(task));
        let circle = find_cycle(self.tasks.len(), edges)?;
        Some(circle.iter().filter_map(|position| self.tasks.get(*position)).map(|task| &**task).collect())
    }
}

fn note(task: &mut Task, text: Option<&LongText>) {
    if let Some(text) = text {
        task.notes = Some(text.as_str().into());
    }
}

impl PartialEq for Checklist {
    fn eq(&self, other: &Self) -> bool {
        self.tasks == other.tasks
    }
}

impl Eq for Checklist {}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TaskDraft;
    use pretty_assertions::assert_eq;

    fn fresh() -> impl FnMut() -> TaskId {
        let mut next = 0;
        move || {
            next += 1;
            TaskId::from_uuid(uuid::Uuid::from_u128(next))
        }
    }

    fn now() -> Timestamp {
        "2026-07-20T09:00:00Z".parse().unwrap()
    }

    /// A checklist whose task `n` (from 1) depends on the numbers given for it.
    fn try_checklist(dependencies: &[&[u64]]) -> Result<Checklist, TaskRefusal> {
        let drafts: Vec<TaskDraft> = (1..)
            .zip(dependencies)
            .map(|(number, on)| {
                on.iter().fold(TaskDraft::new(format!("T{number}"), "d").unwrap(), |draft, on| draft.depends_on(*on))
            })
            .collect();
        Checklist::from_drafts(&drafts.try_into().unwrap(), &mut fresh())
    }

    fn checklist(dependencies: &[&[u64]]) -> Checklist {
        try_checklist(dependencies).unwrap()
    }

    fn loaded(orders: &[Option<u64>], dependencies: &[&[u64]]) -> Checklist {
        let base = checklist(&vec![&[][..]; orders.len()]);
        let tasks = base
            .in_file_order()
            .zip(orders)
            .zip(dependencies)
            .map(|((task, order), on)| LoadedTask {
                task: Task {
                    number: 0,
                    dependencies: on.iter().copied().map(Dependency::Number).collect(),
                    ..task.clone()
                },
                order: *order,
            })
            .collect();
        Checklist::from_loaded(tasks).unwrap()
    }

    fn numbers<'a>(tasks: impl Iterator<Item = &'a Task>) -> Vec<u64> {
        tasks.map(Task::number).collect()
    }

    // spec: TASK-5
    #[test]
    fn dependencies_may_point_forward_but_not_nowhere_or_in_a_circle() {
        assert_eq!(numbers(checklist(&[&[2], &[]]).ready()), [2]);
        assert_eq!(try_checklist(&[&[1]]).unwrap_err().code(), "self-dependency");
        let unknown = try_checklist(&[&[], &[99]]).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "task 2 (T2) depends on 99, which is no task here. Name tasks 1 to 2, or an existing task's id."
        );
        let TaskRefusal::Cycle { tasks } = try_checklist(&[&[3], &[1], &[2], &[1]]).unwrap_err() else { panic!() };
        assert_eq!(tasks.shown.iter().map(|task| task.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(try_checklist(&[&[0]]).unwrap_err().code(), "unknown-dependency");
    }

    // spec: TASK-4, TASK-5
    #[test]
    fn a_batch_is_all_or_nothing() {
        let mut list = checklist(&[&[]]);
        let before = list.clone();
        let good = TaskDraft::new("good", "d").unwrap().depends_on(1);
        let bad = TaskDraft::new("bad", "d").unwrap().depends_on(7);
        let refusal = list.append(&TaskDrafts::new(good.clone()).and(bad), &mut fresh()).unwrap_err();
        assert_eq!((refusal.code(), &list), ("unknown-dependency", &before));
        let id = before.get(TaskRef::Number(1)).unwrap().id();
        let mut ids = (10..).map(|n| TaskId::from_uuid(uuid::Uuid::from_u128(n)));
        list.append(&TaskDrafts::new(good.depends_on(id)), &mut || ids.next().unwrap()).unwrap();
        assert_eq!(
            list.get(TaskRef::Number(2)).unwrap().dependencies(),
            [Dependency::Id(id)],
            "named twice, kept once"
        );
    }

    // spec: TASK-6, TASK-7
    #[test]
    fn start_waits_for_dependencies() {
        let mut list = checklist(&[&[], &[1], &[]]);
        let refusal = list.start(TaskRef::Number(2)).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "task 2 (T2, pending) waits for task 1 (T1, pending). Complete or skip those first."
        );
        list.start(TaskRef::Implied).unwrap();
        assert!(!list.start(TaskRef::Implied).unwrap().1, "the single task in progress: nothing changes");
        list.start(TaskRef::Number(3)).unwrap();
        assert_eq!(list.start(TaskRef::Implied).unwrap_err().code(), "unmet-dependencies");
        assert_eq!(list.complete(TaskRef::Implied, None, now()).unwrap_err().code(), "several-in-progress");
        list.skip(TaskRef::Number(1), None).unwrap();
        assert_eq!(list.next().map(Task::number), Some(2), "skipped counts as ended");
    }

    // spec: TASK-8, TASK-9
    #[test]
    fn every_cell_of_the_task_table() {
        let mut base = checklist(&[&[], &[], &[], &[], &[], &[]]);
        let statuses = [
            TaskStatus::Pending,
            TaskStatus::InProgress,
            TaskStatus::Failed,
            TaskStatus::Blocked("why".into()),
            TaskStatus::Completed,
            TaskStatus::Skipped,
        ];
        for (position, status) in statuses.into_iter().enumerate() {
            base.change(position, |task| task.status = status);
        }
        let outcome = |operation: &str, number: u64| {
            let mut list = base.clone();
            let task = TaskRef::Number(number);
            let refused = match operation {
                "start" => list.start(task).map(|_| ()),
                "complete" => list.complete(task, None, now()).map(|_| ()),
                "fail" => list.fail(task, None).map(|_| ()),
                _ => list.skip(task, None).map(|_| ()),
            };
            match refused {
                Ok(()) => list.get(task).unwrap().status().as_str(),
                Err(refusal) => {
                    assert_eq!(list, base, "a refusal changes nothing");
                    refusal.code()
                }
            }
        };
        let ended = "already-ended";
        let row = |operation: &str| (1..=6).map(|number| outcome(operation, number)).collect::<Vec<_>>();
        assert_eq!(row("start"), ["InProgress", "InProgress", "InProgress", "InProgress", ended, ended]);
        assert_eq!(row("complete"), ["not-started", "Completed", "not-started", "not-started", ended, ended]);
        assert_eq!(row("fail"), ["not-started", "Failed", "not-started", "not-started", ended, ended]);
        assert_eq!(row("skip"), ["Skipped", "Skipped", "Skipped", "Skipped", ended, ended]);
    }

    // spec: TASK-8
    #[test]
    fn the_last_end_is_told() {
        let mut list = checklist(&[&[], &[]]);
        assert!(!list.skip(TaskRef::Number(1), None).unwrap().was_last);
        list.start(TaskRef::Implied).unwrap();
        list.fail(TaskRef::Implied, None).unwrap();
        assert!(!list.all_ended(), "a failed task holds the plan");
        assert_eq!(list.start(TaskRef::Implied).unwrap_err().code(), "unmet-dependencies");
        list.start(TaskRef::Number(2)).unwrap();
        assert!(list.complete(TaskRef::Implied, None, now()).unwrap().was_last);
        assert_eq!(list.complete(TaskRef::Implied, None, now()).unwrap(), Ended { task: None, was_last: true });
        assert_eq!(list.skip(TaskRef::Implied, None).unwrap_err(), TaskRefusal::AllEnded);
    }

    // spec: TASK-10
    #[test]
    fn an_unknown_task_is_refused_with_the_range() {
        let mut list = checklist(&[&[], &[]]);
        for number in [0, 3, u64::MAX] {
            let refusal = list.start(TaskRef::Number(number)).unwrap_err();
            assert_eq!(
                refusal.to_string(),
                format!("there is no task {number}: the checklist has tasks 1 to 2. Name one of those.")
            );
        }
        assert_eq!(
            list.skip(TaskRef::Id(TaskId::from_uuid(uuid::Uuid::max())), None).unwrap_err().code(),
            "unknown-task"
        );
    }

    // spec: TASK-10
    #[test]
    fn numbers_are_orders_where_those_are_unique_and_positions_otherwise() {
        let none: &[u64] = &[];
        assert_eq!(numbers(loaded(&[Some(3), Some(1)], &[none, none]).in_file_order()), [3, 1]);
        assert_eq!(numbers(loaded(&[Some(3), Some(1)], &[none, none]).tasks()), [1, 3]);
        assert_eq!(numbers(loaded(&[Some(2), Some(2)], &[none, none]).in_file_order()), [1, 2]);
        assert_eq!(numbers(loaded(&[Some(0), Some(7)], &[none, none]).in_file_order()), [1, 2]);
        assert_eq!(numbers(loaded(&[None, Some(u64::MAX)], &[none, none]).in_file_order()), [1, 2]);
    }

    // spec: TASK-5, TASK-6
    #[test]
    fn a_dangling_dependency_of_a_file_is_kept_and_holds_nothing_up() {
        let mut list = loaded(&[None, None], &[&[3], &[1]]);
        assert_eq!(list.next().map(Task::number), Some(1));
        assert_eq!(list.dangling().count(), 1);
        let mut ids = (50..).map(|n| TaskId::from_uuid(uuid::Uuid::from_u128(n)));
        list.append(&TaskDrafts::new(TaskDraft::new("new", "d").unwrap()), &mut || ids.next().unwrap()).unwrap();
        assert_eq!(numbers(list.tasks()), [1, 2, 4], "number 3 would make an old task wait for a new one");
        assert_eq!(list.dangling().count(), 1);
    }

    // spec: TASK-5
    #[test]
    fn a_circle_in_a_file_is_named_and_skip_is_the_way_out() {
        let mut list = loaded(&[None, None], &[&[2], &[1]]);
        assert_eq!(list.cycle().unwrap().shown.len(), 2);
        assert_eq!(list.start(TaskRef::Implied).unwrap_err().code(), "unmet-dependencies");
        list.skip(TaskRef::Number(1), None).unwrap();
        assert_eq!(list.next().map(Task::number), Some(2));
    }

    #[test]
    fn texts_name_a_bounded_number_of_tasks() {
        let list = checklist(&vec![&[][..]; 1000]);
        let names: TaskNames = list.tasks().collect();
        assert_eq!((names.shown.len(), names.more), (TaskNames::SHOWN, 1000 - TaskNames::SHOWN));
    }
}
