//! What proves the store, inside the crate: a fault at every call, a power cut at every call, and the same against stores
//! that leave something out.

mod busy;
mod claims;
mod faults;
mod power;
mod races;
mod table;

use std::sync::Mutex;
use std::thread;

use table::{Proof, SCENARIOS};

/// Proves something of every scenario, on all processors.
///
/// # Panics
/// With every violation, if there is one.
fn each(prove: impl Fn(&Proof) -> Result<(), String> + Sync) {
    let found: Vec<_> = violations(prove).into_iter().filter_map(|(name, found)| Some((name, found.err()?))).collect();
    let lines = found.iter().map(|(name, violation)| format!("\n{name}: {violation}"));
    assert!(found.is_empty(), "{}", lines.collect::<String>());
}

/// Holds that the proof fails for every scenario that `concerns`: it is run against a store that lacks something.
///
/// # Panics
/// With the scenarios for which it does not fail.
fn failing(concerns: impl Fn(&Proof) -> bool + Sync, prove: impl Fn(&Proof) -> Result<(), String> + Sync) {
    let found = violations(|proof| if concerns(proof) { prove(proof) } else { Err("not concerned".into()) });
    let missed: Vec<_> = found.into_iter().filter(|(_, found)| found.is_ok()).collect();
    assert!(missed.is_empty(), "nothing was noticed: {missed:?}");
}

fn violations(prove: impl Fn(&Proof) -> Result<(), String> + Sync) -> Vec<(&'static str, Result<(), String>)> {
    let (next, found) = (Mutex::new(SCENARIOS.iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(scenario) = { next.lock().unwrap().next() } {
            let result = Proof::of(scenario).and_then(|proof| prove(&proof));
            found.lock().unwrap().push((scenario.name, result));
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap()
}
