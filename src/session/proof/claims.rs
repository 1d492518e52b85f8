//! A plan that a person entered for a folder, and the claim of it with a fault at every call.
// spec: DISK-10, DISK-11

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8Path;
use rustix::io::Errno;

use super::table::{Ground, SESSION, Ticks, scratch, tree};
use crate::plan::StateName;
use crate::session::{Engine, Session};
use crate::store::{Disk, Fault, FaultyDisk, Quirk, RealDisk};
use crate::{AnyPlan, SessionId};

/// The session that claims, and the folder's, by an engine on that disk.
fn both(disk: Arc<dyn Disk>, ground: &Ground) -> [Session; 2] {
    let engine: Engine = ground.engine(&Ticks::at(10)).disk(disk).build().unwrap();
    [engine.session(SessionId::new(SESSION).unwrap()), engine.folder_session(Utf8Path::new("/project"))]
}

/// Claims with a fault, then without; says what the fault left, and whether it came.
fn claim_with(fault: Fault) -> ([StateName; 2], bool) {
    let folder = scratch();
    let ground = Ground::new(folder.path(), None);
    let sessions = both(Arc::new(RealDisk), &ground);
    let states = || [0, 1].map(|at| sessions[at].view().wait().unwrap().state_name());
    let AnyPlan::NoPlan(plan) = sessions[1].load().wait().unwrap() else { panic!() };
    drop(plan.enter().wait().unwrap());

    let disk = FaultyDisk::new(fault, Quirk::None);
    let [mine, armed] = both(disk.clone(), &ground);
    let claimed = mine.claim(&armed).wait();
    let left = states();
    if claimed.is_ok() {
        assert_eq!(left, [StateName::PreInit, StateName::NoPlan], "{fault:?}: it was acknowledged");
    }
    drop(claimed);

    let [mine, armed] = &sessions;
    drop(mine.claim(armed).wait().unwrap());
    assert_eq!(states(), [StateName::PreInit, StateName::NoPlan], "{fault:?}");
    for session in &sessions {
        drop(session.exclusive().wait().unwrap());
    }
    let left_over: Vec<_> = tree(ground.root()).into_keys().filter(|name| name.ends_with(".tmp")).collect();
    assert!(left_over.is_empty(), "{fault:?}: {left_over:?}");
    (left, disk.fired().is_some())
}

#[test]
fn a_claim_with_a_fault_anywhere_leaves_one_or_both_in_plan_mode_and_is_finished_by_the_next() {
    let mut seen = BTreeSet::new();
    for call in 0.. {
        let fails = [Errno::NOSPC, Errno::IO, Errno::ROFS].map(|with| Fault::Fail { call, with });
        let mut fired = false;
        for fault in fails.into_iter().chain([Fault::Stop { call }]) {
            let (left, has_fired) = claim_with(fault);
            seen.insert(left.map(|name| name.to_string()));
            fired |= has_fired;
        }
        if !fired {
            break;
        }
    }
    let rows = [["NoPlan", "PreInit"], ["PreInit", "NoPlan"], ["PreInit", "PreInit"]];
    assert_eq!(seen, rows.map(|row| row.map(str::to_owned)).into());
}
