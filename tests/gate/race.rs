//! Somebody swaps the session's files and folder for links into the project while the engine writes the `.md`.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use plangate::model::Body;
use plangate::plan::Editing;
use plangate::{AnyPlan, Plan, Session};

use super::world::{State, World};

/// How often it is tried: `PLANGATE_RACE_TRIES`, or a number that takes about a second.
fn tries() -> usize {
    std::env::var("PLANGATE_RACE_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(2_000)
}

/// Swaps until it is told to stop, and puts things back after each swap.
fn swap(stop: &AtomicBool, world: &World, victim: &Utf8Path) {
    let (dir, aside) = (world.session_dir(), world.root().join("aside"));
    let (md, victim_md) = (world.md(), victim.join("main.rs"));
    for round in 0_u64.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        // Sometimes at once, sometimes late enough for a whole write: every place in it is met.
        let pause = Instant::now();
        while pause.elapsed() < Duration::from_micros(round * 37 % 500) {
            std::hint::spin_loop();
        }
        // The file: whoever writes through the name would write the victim.
        let _ = fs::remove_file(&md);
        let _ = symlink(&victim_md, &md);
        // The folder: whoever looks the path up anew would write into the victim's folder.
        if fs::rename(&dir, &aside).is_ok() {
            let _ = symlink(victim, &dir);
            std::thread::yield_now();
            // Who finds no folder makes one; it has to go before the session's own comes back.
            while fs::rename(&aside, &dir).is_err() {
                let _ = fs::remove_file(&dir);
                let _ = fs::remove_dir_all(&dir);
            }
        }
    }
}

/// Writes through a handle again and again while somebody swaps; a handle that is lost is taken anew by `load`. Gives how
/// many writes there were and how many refusals.
fn attack(load: impl Fn(&Session) -> Option<Plan<Editing>>) -> (usize, usize) {
    let world = World::new(State::Editing);
    let victim = world.project().join("src");
    let before = listing(&victim);
    let stop = AtomicBool::new(false);
    let body = Body::new("# Written by the engine\n").unwrap();
    let (mut written, mut refused) = (0, 0);
    let mut plan = load(&world.session());
    assert!(plan.is_some());
    std::thread::scope(|scope| {
        scope.spawn(|| swap(&stop, &world, &victim));
        while written + refused < tries() {
            // A handle that was refused is kept, for the next attempt may find the folder in its place.
            let Some(editing) = plan.take().or_else(|| load(&world.session())) else { continue };
            match editing.write_markdown(body.clone()).wait() {
                Ok(next) => {
                    written += 1;
                    plan = Some(next);
                }
                Err(error) => {
                    refused += 1;
                    plan = error.into_plan();
                    // Nothing is gained by asking again before the other thread has moved on.
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    println!("{written} written, {refused} refused");
    assert_eq!(listing(&victim), before, "{written} written, {refused} refused");
    (written, refused)
}

fn editing(plan: AnyPlan) -> Option<Plan<Editing>> {
    if let AnyPlan::Editing(plan) = plan { Some(plan) } else { None }
}

// spec: GATE-8, DISK-10
#[test]
fn a_write_under_a_lock_that_is_held_never_escapes() {
    let (written, refused) = attack(|session| editing(session.exclusive().wait().ok()?));
    assert_eq!((written, refused), (tries(), 0), "the open folder stays the session's, whatever its path leads to");
}

// spec: GATE-8, DISK-10
#[test]
fn a_write_that_takes_its_own_lock_never_escapes() {
    let (written, _) = attack(|session| editing(session.load().wait().ok()?));
    assert!(written > 0);
}

/// The names and the texts in a folder. A lock is held on an empty file that the engine makes where it is told that the
/// session is; it has no content, and is no write of a plan.
fn listing(folder: &Utf8Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = folder
        .read_dir_utf8()
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| !entry.file_name().ends_with(".lock") || entry.metadata().unwrap().len() > 0)
        .map(|entry| (entry.file_name().to_owned(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}
