//! What a checklist costs as it grows: read the items per second across the sizes; they stay where growth is linear.
//!
//! The operations that change something are those of a plan, in memory where the system has a folder there: they take in
//! their commit, which is linear in the record's bytes.

mod support;

use divan::Bencher;
use divan::counter::ItemsCount;
use plangate::model::TaskRef;
use support::{Ground, SIZES, drafts};

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES, sample_count = 15, sample_size = 1)]
fn append(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::in_memory();
    drop(ground.begin(1));
    let batch = drafts(size);
    let before = std::fs::read(ground.json()).unwrap();
    let json = ground.json();
    let input = || {
        std::fs::write(&json, &before).unwrap();
        (ground.load(), batch.clone())
    };
    bencher.counter(ItemsCount::new(size)).with_inputs(input).bench_local_values(|(plan, batch)| {
        let plan = plan.add_tasks(batch).wait().unwrap();
        assert_eq!(plan.checklist().len(), size + 1);
    });
}

#[divan::bench(args = SIZES, sample_count = 15, sample_size = 1)]
fn start(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::in_memory();
    drop(ground.begin(size));
    let (json, before) = (ground.json(), std::fs::read(ground.json()).unwrap());
    let input = || {
        std::fs::write(&json, &before).unwrap();
        ground.load()
    };
    bencher
        .counter(ItemsCount::new(size))
        .with_inputs(input)
        .bench_local_values(|plan| plan.start(TaskRef::Implied).wait().unwrap());
}

#[divan::bench(args = SIZES, sample_count = 15, sample_size = 1)]
fn complete(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::in_memory();
    drop(ground.begin(size).start(TaskRef::Implied).wait().unwrap());
    let (json, before) = (ground.json(), std::fs::read(ground.json()).unwrap());
    let input = || {
        std::fs::write(&json, &before).unwrap();
        ground.load()
    };
    bencher
        .counter(ItemsCount::new(size))
        .with_inputs(input)
        .bench_local_values(|plan| plan.complete(TaskRef::Implied, None).wait().unwrap());
}

#[divan::bench(args = SIZES)]
fn ready(bencher: Bencher<'_, '_>, size: usize) {
    let plan = Ground::in_memory().begin(size);
    bencher.counter(ItemsCount::new(size)).bench_local(|| plan.checklist().ready().count());
}

/// Nothing is ready, so that every task is looked at.
#[divan::bench(args = SIZES)]
fn next(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::in_memory();
    drop(ground.begin(size));
    let text = std::fs::read_to_string(ground.json()).unwrap();
    std::fs::write(ground.json(), text.replace("\"Pending\"", "\"Failed\"")).unwrap();
    let plan = ground.load();
    assert!(plan.checklist().next().is_none());
    bencher.counter(ItemsCount::new(size)).bench_local(|| plan.checklist().next().is_none());
}

#[divan::bench(args = SIZES)]
fn cycle(bencher: Bencher<'_, '_>, size: usize) {
    let plan = Ground::in_memory().begin(size);
    bencher.counter(ItemsCount::new(size)).bench_local(|| plan.checklist().cycle().is_none());
}

#[divan::bench(args = SIZES)]
fn progress(bencher: Bencher<'_, '_>, size: usize) {
    let plan = Ground::in_memory().begin(size);
    bencher.counter(ItemsCount::new(size)).bench_local(|| plan.checklist().progress().total());
}
