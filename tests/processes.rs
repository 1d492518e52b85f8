//! Eight processes on one session: what is acknowledged to one of them is in the result, and a reader sees a plan that grows.
// spec: DISK-10, DISK-11, LIFE-12
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod child;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::Duration;

use plangate::model::{LongText, TaskDraft, TaskDrafts, TaskRef, TaskStatus};
use plangate::plan::{Active, Brief, StateRef};
use plangate::session::{Completion, Reason, TransitionError};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};

fn session(root: &str) -> Session {
    let engine = Engine::at(root).patience(Duration::from_secs(60)).build().unwrap();
    engine.session(SessionId::new("many").unwrap())
}

fn task(title: impl Display) -> TaskDrafts {
    TaskDrafts::new(TaskDraft::new(title.to_string(), "do it").unwrap())
}

/// How a process gets the plan for its next operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With the lock.
    Exclusive,
    /// Without it: when another process was faster, it loads again and repeats.
    Load,
}

type Step<'a> = &'a dyn Fn(Plan<Active>) -> Result<Plan<Active>, TransitionError<Active>>;

impl Way {
    /// Does one operation, until it is acknowledged.
    fn act(self, session: &Session, step: Step<'_>) -> Plan<Active> {
        loop {
            let plan = match self {
                Self::Exclusive => session.exclusive().wait().unwrap(),
                Self::Load => session.load().wait().unwrap(),
            };
            let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
            match step(plan) {
                Ok(plan) => return plan,
                Err(error) if self == Self::Load && matches!(error.reason(), Reason::Stale { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn goes_on(completion: Completion) -> Plan<Active> {
    match completion {
        Completion::Continues(plan) => plan,
        Completion::Archived(..) => panic!("the first task holds the plan"),
    }
}

/// How often a task is started and fails before it is done.
const FAILURES: usize = 8;

/// A process: in each round it adds a task, starts it and lets it fail, again and again, and completes or skips it. A start
/// that was lost would make the next step a refusal. It ends well if all was acknowledged.
fn work(job: &str) -> ! {
    let [way, me, rounds, root] = job.split('\n').collect::<Vec<_>>()[..] else { panic!("{job}") };
    let way = if way == "load" { Way::Load } else { Way::Exclusive };
    let session = session(root);
    for round in 0..rounds.parse().unwrap() {
        let title = format!("{me}.{round}");
        let plan = way.act(&session, &|plan| plan.add_tasks(task(&title)).wait());
        let number = plan.checklist().tasks().find(|task| task.title() == title).unwrap().number();
        drop(plan);
        let number = TaskRef::Number(number);
        drop(way.act(&session, &|plan| plan.start(number).wait()));
        for _ in 0..FAILURES {
            drop(way.act(&session, &|plan| plan.fail(number, None).wait()));
            drop(way.act(&session, &|plan| plan.start(number).wait()));
        }
        let by = LongText::new(me).unwrap();
        drop(way.act(&session, &|plan| match round % 2 {
            0 => plan.complete(number, Some(by.clone())).wait().map(goes_on),
            _ => plan.skip(number, Some(by.clone())).wait().map(goes_on),
        }));
    }
    process::exit(0)
}

/// A reader: no look may see anything but a plan that grows.
fn watch(root: &str, workers: &mut [process::Child]) -> Result<(), String> {
    let (session, mut most) = (session(root), (0, 0));
    while workers.iter_mut().any(|worker| worker.try_wait().unwrap().is_none()) {
        let view = session.view().wait().map_err(|error| format!("a reader: {error}"))?;
        let StateRef::Active(active) = view.state() else { return Err(format!("a reader: {}", view.state_name())) };
        let progress = active.checklist().progress();
        let now = (progress.total(), progress.ended());
        if now.0 < most.0 || now.1 < most.1 {
            return Err(format!("a reader saw {most:?}, and then {now:?}"));
        }
        most = now;
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Lets processes work, and looks whether all that was acknowledged is there.
fn race(way: Way, processes: usize, rounds: usize, start: impl Fn(&str) -> Command) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let AnyPlan::NoPlan(plan) = session(root).load().wait().unwrap() else { panic!() };
    drop(plan.init_checklist(Brief::new("Many").unwrap(), task("holds the plan")).wait().unwrap());
    let way = if way == Way::Load { "load" } else { "exclusive" };
    let job = |me: usize| format!("{way}\nprocess {me}\n{rounds}\n{root}");
    let mut workers: Vec<_> =
        (0..processes).map(|me| start(&job(me)).stderr(Stdio::piped()).spawn().unwrap()).collect();
    let watched = watch(root, &mut workers);
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        if !output.status.success() {
            return Err(format!("a process ended: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    watched?;
    let view = session(root).view().wait().map_err(|error| error.to_string())?;
    let StateRef::Active(active) = view.state() else { return Err(view.state_name().to_string()) };
    let tasks: BTreeMap<_, _> = active.checklist().tasks().map(|task| (task.title(), task)).collect();
    for me in 0..processes {
        for round in 0..rounds {
            let title = format!("process {me}.{round}");
            let task = tasks.get(title.as_str()).ok_or_else(|| format!("{title} is lost"))?;
            let ended = if round % 2 == 0 { TaskStatus::Completed } else { TaskStatus::Skipped };
            if *task.status() != ended || !task.notes().is_some_and(|notes| notes.contains(&format!("process {me}"))) {
                return Err(format!("{title} is {:?}, {:?}", task.status(), task.notes()));
            }
        }
    }
    let numbers: Vec<u64> = active.checklist().tasks().map(plangate::model::Task::number).collect();
    let count = u64::try_from(processes * rounds + 1).unwrap();
    if numbers != (1..=count).collect::<Vec<_>>() {
        return Err(format!("the tasks are numbered {numbers:?}"));
    }
    let folder = Path::new(root).join("session");
    let left = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    match left.into_iter().find(|name| name.ends_with(".tmp")) {
        Some(name) => Err(format!("{name} is left over")),
        None => Ok(()),
    }
}

#[test]
fn nothing_that_is_acknowledged_to_one_of_eight_processes_is_lost() {
    const TEST: &str = "nothing_that_is_acknowledged_to_one_of_eight_processes_is_lost";
    if let Some(job) = child::job() {
        work(&job);
    }
    race(Way::Exclusive, 8, 12, |job| child::child(TEST, job)).unwrap();
}

#[test]
fn who_meets_a_newer_plan_loads_again_and_loses_nothing() {
    const TEST: &str = "who_meets_a_newer_plan_loads_again_and_loses_nothing";
    if let Some(job) = child::job() {
        work(&job);
    }
    race(Way::Load, 8, 3, |job| child::child(TEST, job)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn processes_without_the_lock_are_found_out() {
    const TEST: &str = "processes_without_the_lock_are_found_out";
    if let Some(job) = child::job() {
        work(&job);
    }
    if let Err(why) = child::can_trace() {
        return child::skipped("the processes without the lock", &why);
    }
    // The tracer gives every lock at once, and the system never hears of it.
    let without_lock = ["strace", "-f", "-q", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:retval=0"];
    let is_found_out = |_| race(Way::Exclusive, 4, 3, |job| child::under(&without_lock, TEST, job)).is_err();
    assert!((0..10).any(is_found_out), "nothing was noticed");
}
