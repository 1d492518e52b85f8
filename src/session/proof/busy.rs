//! What a load does where the lock is taken or the disk cannot be written: it reports the state, and leaves the rest.
// spec: LEG-7, DISK-11, DISK-12

use std::fs::{self, File};

use rustix::io::Errno;

use super::faults::session_on;
use super::table::{Act, Answer, Entry, Failure, Ground, Proof, SESSION, Ticks, scratch, tree};
use super::violations;
use crate::session::Error;
use crate::store::{Fault, FaultyDisk, LockError, Quirk};

/// Runs `meet` on every load that has something to tidy up: it has to leave everything as it is, and the next load, on a
/// disk that can be written, has to do the rest.
fn each_load(meet: impl Fn(&Proof, &Ground) -> Result<(), String> + Sync) {
    let found = violations(|proof| {
        if !matches!(proof.scenario.act, Act::Load) {
            return Ok(());
        }
        let folder = scratch();
        let ground = proof.lay(folder.path());
        meet(proof, &ground)?;
        if tree(ground.root()) != proof.before {
            return Err("something was written".into());
        }
        proof.check(&ground, Answer::None).map(drop)
    });
    let found: Vec<_> = found.into_iter().filter(|(_, found)| found.is_err()).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// Loads, and compares the answer with what a reader sees.
fn reports_the_state(proof: &Proof, ground: &Ground, quirk: Quirk) -> Result<(), String> {
    let session = session_on(FaultyDisk::new(Fault::None, quirk), ground, &Ticks::at(10));
    let seen = session.view().wait().map_err(|error| error.to_string())?;
    let plan = proof.scenario.run(&session, ground, Entry::Load).map_err(|error| error.to_string())?.unwrap();
    match (plan.state_name(), seen.is_pending()) {
        (name, true) if name == seen.state_name() => Ok(()),
        (name, pending) => Err(format!("{name}, pending: {pending}, where a reader sees {}", seen.state_name())),
    }
}

#[test]
fn a_load_that_meets_a_lock_reports_the_state_and_the_next_one_finishes() {
    each_load(|proof, ground| {
        let json = ground.session(&Ticks::at(10)).paths().wait().unwrap().json;
        let lock = json.with_file_name(format!(".opencrabs_plan_{SESSION}.lock"));
        fs::create_dir_all(lock.parent().unwrap()).unwrap();
        let held = File::create(lock).unwrap();
        held.lock().unwrap();
        reports_the_state(proof, ground, Quirk::None)?;
        let busy = proof.scenario.run(&ground.session(&Ticks::at(10)), ground, Entry::Exclusive);
        held.unlock().unwrap();
        match busy {
            Err(Failure::Load(Error::Lock(LockError::Busy { .. }))) => Ok(()),
            other => Err(format!("who wants the lock is not told that it is taken: {other:?}")),
        }
    });
}

#[test]
fn a_load_on_a_disk_that_can_only_be_read_reports_the_state_and_a_later_one_finishes() {
    for with in [Errno::ROFS, Errno::ACCESS] {
        for locks in [false, true] {
            let quirk = Quirk::ReadOnly { with, locks };
            each_load(|proof, ground| reports_the_state(proof, ground, quirk));
        }
    }
}

// spec: API-4
#[test]
fn a_change_on_a_disk_that_can_only_be_read_is_refused_and_names_the_file() {
    let found = violations(|proof| {
        for locks in [false, true] {
            let folder = scratch();
            let ground = proof.lay(folder.path());
            let disk = FaultyDisk::new(Fault::None, Quirk::ReadOnly { with: Errno::ROFS, locks });
            let entry = if locks { Entry::Exclusive } else { Entry::Load };
            let refused = proof.scenario.run(&session_on(disk, &ground, &Ticks::at(10)), &ground, entry);
            match refused {
                Err(failure) if failure.to_string().contains(ground.root().as_str()) => {}
                Ok(_) if matches!(proof.scenario.act, Act::Load) => {}
                other => return Err(format!("{other:?}")),
            }
            let judged = proof.judge(&ground, Answer::None)?;
            if tree(ground.root()) != proof.before {
                return Err(format!("something was written: {judged:?}"));
            }
        }
        Ok(())
    });
    let found: Vec<_> = found.into_iter().filter(|(_, found)| found.is_err()).collect();
    assert!(found.is_empty(), "{found:#?}");
}
