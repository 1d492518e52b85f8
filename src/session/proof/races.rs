//! Writers and readers at once, and the same against a store without the lock or without the rename.
// spec: DISK-10, DISK-11

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::table::{Ground, SESSION, scratch};
use crate::clock::SystemClock;
use crate::model::{TaskDraft, TaskDrafts};
use crate::plan::{Brief, StateRef};
use crate::session::{AnyPlan, Session};
use crate::store::{Disk, Lack, LackingDisk, RealDisk};
use crate::{Engine, SessionId};

const WRITERS: usize = 4;
const ROUNDS: usize = 15;

fn task(title: String) -> TaskDrafts {
    TaskDrafts::new(TaskDraft::new(title, "do it").unwrap())
}

/// A handle of its own for each thread, as each process has one.
fn session_on(disk: &Arc<dyn Disk>, ground: &Ground) -> Session {
    let engine = Engine::at(ground.root()).clock(SystemClock).patience(Duration::from_secs(60)).disk(disk.clone());
    engine.build().unwrap().session(SessionId::new(SESSION).unwrap())
}

/// Adds tasks from several threads while others look: what is acknowledged must be there, and no look may see anything
/// else than a plan that grows.
fn race(disk: &Arc<dyn Disk>) -> Result<(), String> {
    let folder = scratch();
    let ground = Ground::new(folder.path(), None);
    let AnyPlan::NoPlan(plan) = session_on(disk, &ground).load().wait().unwrap() else { panic!() };
    drop(plan.init_checklist(Brief::new("Race").unwrap(), task("the first".into())).wait().unwrap());
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (session, mut most) = (session_on(disk, &ground), 0);
            while !over.load(Ordering::Relaxed) {
                let view = session.view().wait().map_err(|error| format!("a reader: {error}"))?;
                let StateRef::Active(active) = view.state() else {
                    return Err(format!("a reader: {}", view.state_name()));
                };
                let count = active.checklist().len();
                if count < most {
                    return Err(format!("a reader saw {most} tasks, and then {count}"));
                }
                most = count;
            }
            Ok(())
        });
        let write = |writer: usize| {
            let session = session_on(disk, &ground);
            for round in 0..ROUNDS {
                let plan = session.exclusive().wait().map_err(|error| format!("a writer: {error}"))?;
                let AnyPlan::Active(plan) = plan else { return Err(format!("a writer: {plan:?}")) };
                let added = plan.add_tasks(task(format!("{writer}, {round}"))).wait();
                drop(added.map_err(|error| format!("a writer: {error}"))?);
            }
            Ok(())
        };
        let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
        let written: Vec<Result<(), String>> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
        over.store(true, Ordering::Relaxed);
        written.into_iter().collect::<Result<(), String>>().and(reader.join().unwrap())
    })?;
    let view = session_on(disk, &ground).view().wait().map_err(|error| error.to_string())?;
    let StateRef::Active(active) = view.state() else { return Err(view.state_name().to_string()) };
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for task in active.checklist().tasks() {
        *times.entry(task.title()).or_default() += 1;
    }
    match (times.len(), times.values().all(|times| *times == 1)) {
        (count, true) if count == WRITERS * ROUNDS + 1 => Ok(()),
        (count, _) => Err(format!("{count} of {} tasks are there", WRITERS * ROUNDS + 1)),
    }
}

fn is_found_out(lack: Lack) {
    let disk: Arc<dyn Disk> = LackingDisk::new(Arc::new(RealDisk), lack);
    assert!((0..20).any(|_| race(&disk).is_err()), "{lack:?} was not missed");
}

#[test]
fn what_is_acknowledged_to_one_of_many_writers_is_there() {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    for _ in 0..3 {
        race(&disk).unwrap();
    }
}

#[test]
fn a_store_without_the_lock_is_found_out() {
    is_found_out(Lack::Lock);
}

#[test]
fn a_store_without_the_rename_is_found_out() {
    is_found_out(Lack::Rename);
}
