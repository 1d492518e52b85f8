//! A call that fails, and a process that stops, at every call of every transition.
// spec: API-4, DISK-10, DISK-12, DISK-15, LEG-7

use std::collections::HashSet;
use std::sync::Arc;

use rustix::io::Errno;

use super::table::{Act, Answer, Entry, Failure, Found, Ground, Proof, SESSION, Seen, Ticks, Tree, scratch, tree};
use super::{each, failing};
use crate::SessionId;
use crate::plan::{Markdown, Refusal, StateRef};
use crate::session::{AnyPlan, Error, Reason, Session};
use crate::store::{Disk, Fault, FaultyDisk, Lack, LackingDisk, Quirk};

/// What a full, broken, protected or crowded disk says.
const ERRORS: [Errno; 5] = [Errno::NOSPC, Errno::IO, Errno::ACCESS, Errno::ROFS, Errno::MFILE];

/// The session, by an engine on that disk.
pub(super) fn session_on(disk: Arc<dyn Disk>, ground: &Ground, clock: &Ticks) -> Session {
    ground.engine(clock).disk(disk).build().unwrap().session(SessionId::new(SESSION).unwrap())
}

/// The calls of a run without a fault.
pub(super) fn calls(proof: &Proof) -> Vec<&'static str> {
    Run::of(proof, Entry::Load, Fault::None, Quirk::None).disk.log()
}

type Outcome = Result<Option<AnyPlan>, Failure>;

/// A scenario that was run with a fault, on a ground of its own.
struct Run {
    _folder: tempfile::TempDir,
    ground: Ground,
    clock: Ticks,
    disk: Arc<FaultyDisk>,
    outcome: Outcome,
}

impl Run {
    fn of(proof: &Proof, entry: Entry, fault: Fault, quirk: Quirk) -> Self {
        Self::on(proof, entry, FaultyDisk::new(fault, quirk), |disk| disk)
    }

    /// The run on a disk that is made of the faulty one.
    fn on(proof: &Proof, entry: Entry, disk: Arc<FaultyDisk>, make: fn(Arc<FaultyDisk>) -> Arc<dyn Disk>) -> Self {
        let folder = scratch();
        let (ground, clock) = (proof.lay(folder.path()), Ticks::at(10));
        let outcome = proof.scenario.run(&session_on(make(disk.clone()), &ground, &clock), &ground, entry);
        Self { _folder: folder, ground, clock, disk, outcome }
    }
}

/// Lets the process die before every call. What is the same on disk as after an earlier call is known.
fn stop_everywhere(proof: &Proof, entry: Entry, quirk: Quirk) -> Result<(), String> {
    stop_everywhere_on(proof, entry, quirk, |disk| disk)
}

fn stop_everywhere_on(
    proof: &Proof,
    entry: Entry,
    quirk: Quirk,
    make: fn(Arc<FaultyDisk>) -> Arc<dyn Disk>,
) -> Result<(), String> {
    let mut known = HashSet::new();
    for call in 0.. {
        let run = Run::on(proof, entry, FaultyDisk::new(Fault::Stop { call }, quirk), make);
        let Some(name) = run.disk.fired() else {
            drop(run.outcome.map_err(|error| format!("without a fault: {error}"))?);
            return proof.check(&run.ground, Answer::Done).map(drop);
        };
        drop(run.outcome);
        if known.insert(tree(run.ground.root())) {
            let checked = proof.check(&run.ground, Answer::None);
            checked.map_err(|error| format!("{entry:?}, {quirk:?}, stopped before {name} ({call}): {error}"))?;
        }
    }
    Ok(())
}

/// Lets every call fail, once.
fn fail_everywhere(proof: &Proof, entry: Entry, errors: &[Errno]) -> Result<(), String> {
    let mut known = HashSet::new();
    for call in 0.. {
        for with in errors {
            let run = Run::of(proof, entry, Fault::Fail { call, with: *with }, Quirk::None);
            let Some(name) = run.disk.fired() else {
                return Ok(());
            };
            let judged = judge(proof, run, &mut known);
            judged.map_err(|error| format!("{entry:?}, {with:?} at {name} ({call}): {error}"))?;
        }
    }
    Ok(())
}

/// Judges the answer and the disk, then goes on: with the plan that was given back, or from the beginning.
fn judge(proof: &Proof, run: Run, known: &mut HashSet<(Tree, Answer)>) -> Result<(), String> {
    let answer = answer(proof, &run)?;
    proof.judge(&run.ground, answer)?;
    let is_known = !known.insert((tree(run.ground.root()), answer));
    let unsettled = run.outcome.as_ref().is_err_and(Failure::is_unsettled);
    let given_back = match run.outcome {
        Err(Failure::Step(refused)) => match (refused.into_plan(), proof.scenario.act) {
            (Some(_), _) if unsettled => return Err("a plan was given back whose state may not last".into()),
            (None, _) if !unsettled => return Err("no plan was given back".into()),
            (Some(plan), Act::Step(step)) => Some((plan, step)),
            _ => None,
        },
        // A plan that holds the lock lets go of it.
        other => {
            drop(other);
            None
        }
    };
    match given_back {
        Some((plan, step)) => {
            run.clock.rewind();
            let again = step(plan, &run.ground);
            drop(again.map_err(|error| format!("the plan that was given back is of no use: {error}"))?);
            proof
                .check(&run.ground, Answer::Done)
                .map(drop)
                .map_err(|error| format!("with the plan given back: {error}"))
        }
        None if is_known => Ok(()),
        None => proof.check(&run.ground, answer).map(drop),
    }
}

/// What the caller was told, and whether it was told well: the type of the error, the file, the plan given back.
fn answer(proof: &Proof, run: &Run) -> Result<Answer, String> {
    let failure = match &run.outcome {
        Ok(plan) => {
            // A clean-up that is not finished is a note beside the result, never an error.
            let reported = plan.as_ref().map_or("NoPlan".to_owned(), |plan| plan.state_name().to_string());
            let is_mapped = matches!(proof.scenario.act, Act::Load) || has_unread_markdown(plan.as_ref());
            return match is_mapped {
                true if reported == Seen::by(&run.ground.session(&run.clock)).state => Ok(Answer::None),
                true => Err(format!("reported {reported}")),
                false => Ok(Answer::Done),
            };
        }
        Err(failure) => failure,
    };
    // The folder above the root is flushed too: it has the root's name.
    let above = run.ground.root().parent().unwrap_or(run.ground.root());
    if !matches!(failure, Failure::Step(refused) if refused.reason().refusal().is_some())
        && !failure.to_string().contains(above.as_str())
    {
        return Err(format!("the error names no file: {failure}"));
    }
    if failure.is_unsettled() {
        return Ok(if matches!(proof.scenario.act, Act::Load) { Answer::None } else { Answer::Unsettled });
    }
    match failure {
        Failure::Load(Error::Load(_) | Error::Lock(_) | Error::Store(_)) => {}
        Failure::Step(refused) => match refused.reason() {
            Reason::Store(_) | Reason::Lock(_) | Reason::Load(_) => {}
            Reason::Refused(Refusal::MarkdownUnusable { .. } | Refusal::DigestChanged { .. }) => {}
            reason => return Err(format!("the error is of another type: {reason:?}")),
        },
        failure => return Err(format!("the error is of another type: {failure:?}")),
    }
    Ok(if matches!(proof.scenario.act, Act::Load) { Answer::None } else { Answer::Refused })
}

/// A `.md` that cannot be read leaves the last text, with a warning (MIRROR-4).
pub(super) fn has_unread_markdown(plan: Option<&AnyPlan>) -> bool {
    matches!(plan.map(AnyPlan::state), Some(StateRef::Editing(state)) if matches!(state.markdown(), Markdown::Unusable(_)))
}

#[test]
fn a_process_that_stops_anywhere_leaves_a_row_of_the_crash_table() {
    each(|proof| {
        stop_everywhere(proof, Entry::Load, Quirk::None)?;
        stop_everywhere(proof, Entry::Exclusive, Quirk::None)
    });
}

#[test]
fn a_process_that_stops_while_it_moves_between_file_systems_leaves_a_row_of_the_crash_table() {
    each(|proof| {
        stop_everywhere(proof, Entry::Load, Quirk::Apart)?;
        stop_everywhere(proof, Entry::Exclusive, Quirk::NoRenameNew)
    });
}

#[test]
fn a_call_that_fails_anywhere_leaves_a_row_of_the_crash_table_and_says_which() {
    each(|proof| fail_everywhere(proof, Entry::Load, &ERRORS));
}

#[test]
fn a_call_that_fails_under_a_held_lock_leaves_a_row_of_the_crash_table_and_says_which() {
    each(|proof| fail_everywhere(proof, Entry::Exclusive, &[Errno::IO, Errno::ROFS]));
}

#[test]
fn a_store_that_writes_in_place_is_found_out() {
    // Half a tombstone does no harm while the record that covers the fallback plan is there, and is written again.
    let replaces_more_than_tombstones = |proof: &Proof| {
        let renames = calls(proof).into_iter().filter(|call| *call == "rename").count();
        renames > proof.after.keys().filter(|name| name.ends_with(".tombstone")).count()
    };
    failing(replaces_more_than_tombstones, |proof| {
        stop_everywhere_on(proof, Entry::Load, Quirk::None, |disk| LackingDisk::new(disk, Lack::Rename))
    });
}

// spec: MIRROR-4
#[test]
fn a_sync_heals_the_record_of_a_write_that_was_interrupted() {
    let proof = Proof::of(super::table::named("write the markdown")).unwrap();
    let mut healed = 0;
    for call in 0.. {
        let run = Run::of(&proof, Entry::Load, Fault::Stop { call }, Quirk::None);
        if run.disk.fired().is_none() {
            break;
        }
        if proof.judge(&run.ground, Answer::None) == Ok(Found::Between) {
            let AnyPlan::Editing(plan) = run.ground.session(&run.clock).load().wait().unwrap() else { panic!() };
            assert_ne!(Some(plan.header().description()), plan.markdown().text());
            let plan = plan.sync().wait().unwrap();
            assert_eq!(Some(plan.header().description()), plan.markdown().text());
            healed += 1;
        }
    }
    assert!(healed > 0);
}
