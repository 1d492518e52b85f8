//! Loading a plan beside reading the same file and parsing it as a `serde_json::Value`. Aim: within 1.2 of it.

mod support;

use divan::Bencher;
use support::{Ground, SIZES, in_turns, measuring, timed};

fn main() {
    divan::main();
    if measuring() {
        println!("\nload, the two in turns:");
        for size in SIZES {
            let ground = Ground::on_disk();
            drop(ground.begin(size));
            let json = ground.json();
            let bytes = std::fs::metadata(&json).unwrap().len();
            let bytes = usize::try_from(bytes).unwrap();
            in_turns(size, bytes, || timed(|| ground.load()), || timed(|| parse(json.as_std_path())));
        }
    }
}

fn parse(json: &std::path::Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap()
}

#[divan::bench(args = SIZES, sample_count = 25, sample_size = 1)]
fn engine(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::on_disk();
    drop(ground.begin(size));
    bencher.bench_local(|| ground.load());
}

#[divan::bench(args = SIZES, sample_count = 25, sample_size = 1)]
fn floor(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::on_disk();
    drop(ground.begin(size));
    let json = ground.json();
    bencher.bench_local(|| parse(json.as_std_path()));
}
