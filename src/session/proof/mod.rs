//! What proves the store, inside the crate: a fault at every call, a power cut at every call, and the same against stores
//! that leave something out.

mod faults;
mod table;

use std::sync::Mutex;
use std::thread;

use table::{Proof, SCENARIOS};

/// Proves something of every scenario, on all processors.
///
/// # Panics
/// With every violation, if there is one.
fn each(prove: impl Fn(&Proof) -> Result<(), String> + Sync) {
    let (next, found) = (Mutex::new(SCENARIOS.iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(scenario) = { next.lock().unwrap().next() } {
            if let Err(violation) = Proof::of(scenario).and_then(|proof| prove(&proof)) {
                found.lock().unwrap().push(format!("{}: {violation}", scenario.name));
            }
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
