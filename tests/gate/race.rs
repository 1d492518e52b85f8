//! Somebody swaps the session's files and folder for links into the project while the engine writes the `.md`.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::Utf8Path;
use plangate::AnyPlan;
use plangate::model::Body;

use super::world::{State, World};

/// How often it is tried: `PLANGATE_RACE_TRIES`, or a number that takes about a second.
fn tries() -> usize {
    std::env::var("PLANGATE_RACE_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(2_000)
}

/// Swaps until it is told to stop, and puts things back after each swap.
fn swap(stop: &AtomicBool, world: &World, victim: &Utf8Path) {
    let (dir, aside) = (world.session_dir(), world.root().join("aside"));
    let (md, victim_md) = (world.md(), victim.join("main.rs"));
    while !stop.load(Ordering::Relaxed) {
        // The file: whoever writes through the name would write the victim.
        let _ = fs::remove_file(&md);
        let _ = symlink(&victim_md, &md);
        // The folder: whoever looks the path up anew would write into the victim's folder.
        if fs::rename(&dir, &aside).is_ok() {
            let _ = symlink(victim, &dir);
            std::thread::yield_now();
            let _ = fs::remove_file(&dir);
            let _ = fs::rename(&aside, &dir);
        }
    }
}

// spec: GATE-8, DISK-10
#[test]
fn the_engines_own_write_never_escapes() {
    let world = World::new(State::Editing);
    let victim = world.project().join("src");
    let before: Vec<_> = listing(&victim);
    let stop = AtomicBool::new(false);
    let body = Body::new("# Written by the engine\n").unwrap();
    let (mut written, mut refused) = (0, 0);
    let AnyPlan::Editing(mut plan) = world.session().exclusive().wait().unwrap() else { panic!() };
    std::thread::scope(|scope| {
        scope.spawn(|| swap(&stop, &world, &victim));
        for _ in 0..tries() {
            plan = match plan.write_markdown(body.clone()).wait() {
                Ok(next) => {
                    written += 1;
                    next
                }
                Err(error) => {
                    refused += 1;
                    error.into_plan().expect("the plan is known to be the old one")
                }
            };
        }
        stop.store(true, Ordering::Relaxed);
    });
    println!("{written} written, {refused} refused");
    assert!(written > 0, "nothing was tried: {refused} refused");
    assert_eq!(listing(&victim), before, "{written} written, {refused} refused");
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
