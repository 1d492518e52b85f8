//! A power cut at every call of every transition, on a model of a disk that forgets what was not flushed.
// spec: DISK-4, DISK-10

use std::collections::HashSet;

use rustix::io::Errno;

use super::faults::{calls, has_unread_markdown, session_on};
use super::table::{Act, Answer, Entry, Failure, Proof, Ticks, Tree, scratch};
use super::{each, failing};
use crate::store::{Fault, FaultyDisk, LosingDisk, Omit, Quirk};

/// Checks every state that a cut may leave now, each once.
fn check_cuts(
    proof: &Proof,
    disk: &LosingDisk,
    answer: Answer,
    known: &mut HashSet<(Tree, Answer)>,
) -> Result<(), String> {
    for files in disk.cuts() {
        if !known.insert((files.clone(), answer)) {
            continue;
        }
        let folder = scratch();
        let ground = proof.scenario.ground(folder.path());
        for (name, bytes) in &files {
            ground.put(name, bytes);
        }
        proof.check(&ground, answer).map_err(|error| format!("{error}; the cut left {:?}", files.keys()))?;
    }
    Ok(())
}

/// Cuts the power before every call, and after the last.
fn cut_everywhere(proof: &Proof, quirk: Quirk, omit: Omit) -> Result<(), String> {
    let mut known = HashSet::new();
    for call in 0.. {
        let folder = scratch();
        let (ground, clock) = (proof.lay(folder.path()), Ticks::at(10));
        let faulty = FaultyDisk::new(Fault::Stop { call }, quirk);
        let disk = LosingDisk::new(faulty.clone(), ground.root(), omit);
        let outcome = proof.scenario.run(&session_on(disk.clone(), &ground, &clock), &ground, Entry::Load);
        let fired = faulty.fired();
        let answer = if fired.is_none() && outcome.is_ok() { Answer::Done } else { Answer::None };
        drop(outcome);
        let checked = check_cuts(proof, &disk, answer, &mut known);
        checked.map_err(|error| format!("{quirk:?}, cut before {fired:?} ({call}): {error}"))?;
        if fired.is_none() {
            break;
        }
    }
    Ok(())
}

/// Lets every call fail once, goes on with the plan that was given back, and cuts the power when that is acknowledged.
fn cut_after_a_failure(proof: &Proof) -> Result<(), String> {
    let mut known = HashSet::new();
    for call in 0.. {
        let folder = scratch();
        let (ground, clock) = (proof.lay(folder.path()), Ticks::at(10));
        let faulty = FaultyDisk::new(Fault::Fail { call, with: Errno::IO }, Quirk::None);
        let disk = LosingDisk::new(faulty.clone(), ground.root(), Omit::Nothing);
        let session = session_on(disk.clone(), &ground, &clock);
        let outcome = proof.scenario.run(&session, &ground, Entry::Load);
        let Some(name) = faulty.fired() else { break };
        let at = |error| format!("{name} ({call}) failed: {error}");
        let again = match (outcome, proof.scenario.act) {
            (Err(Failure::Step(refused)), Act::Step(step)) => {
                clock.rewind();
                let unsettled = || "unsettled".to_owned();
                refused
                    .into_plan()
                    .ok_or_else(unsettled)
                    .and_then(|plan| step(plan, &ground).map(Some).map_err(|error| error.to_string()))
            }
            (Err(failure), _) if failure.is_unsettled() => Err("unsettled".to_owned()),
            // A load leaves pending what the disk refuses; the next one finishes it.
            (_, Act::Load) | (Err(_), Act::DiscardDamaged) => {
                let again = proof.scenario.run(&session, &ground, Entry::Load);
                again.map_err(|error| error.to_string())
            }
            (Ok(plan), Act::Step(_) | Act::DiscardDamaged) => Ok(plan),
            // The plan was not even loaded.
            (Err(_), Act::Step(_)) => continue,
        };
        let answer = match again {
            Err(error) if error == "unsettled" => continue,
            Err(error) => return Err(at(error)),
            Ok(plan) if has_unread_markdown(plan.as_ref()) => continue,
            // What a load tidies up is acknowledged to nobody: the next one does it again.
            Ok(_) if matches!(proof.scenario.act, Act::Load) => Answer::None,
            Ok(_) => Answer::Done,
        };
        check_cuts(proof, &disk, answer, &mut known).map_err(at)?;
    }
    Ok(())
}

#[test]
fn a_power_cut_anywhere_leaves_a_row_of_the_crash_table() {
    each(|proof| cut_everywhere(proof, Quirk::None, Omit::Nothing));
}

#[test]
fn a_power_cut_while_files_move_between_file_systems_leaves_a_row_of_the_crash_table() {
    each(|proof| {
        cut_everywhere(proof, Quirk::Apart, Omit::Nothing)?;
        cut_everywhere(proof, Quirk::NoRenameNew, Omit::Nothing)
    });
}

#[test]
fn what_is_acknowledged_after_a_failure_survives_a_power_cut() {
    each(cut_after_a_failure);
}

#[test]
fn a_store_that_does_not_flush_its_files_is_found_out() {
    let writes = |proof: &Proof| calls(proof).contains(&"sync");
    failing(writes, |proof| cut_everywhere(proof, Quirk::None, Omit::FileSync));
}

#[test]
fn a_store_that_does_not_flush_its_folders_is_found_out() {
    // What a cut undoes of a load, the next load does again.
    let acknowledges = |proof: &Proof| !matches!(proof.scenario.act, Act::Load);
    failing(acknowledges, |proof| cut_everywhere(proof, Quirk::None, Omit::FolderSync));
}
