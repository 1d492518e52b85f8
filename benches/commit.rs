//! One commit of the engine beside the bare protocol with a file of the same bytes: lock, read, temporary file, write, flush,
//! rename, flush the folder. Aim: within 1.15 of it.

mod support;

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use divan::Bencher;
use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::Active;
use support::{Ground, SIZES, in_turns, measuring, timed};

fn main() {
    divan::main();
    if measuring() {
        println!("\ncommit, the two in turns:");
        for size in SIZES {
            let (ground, mut bare) = (Ground::on_disk(), Bare::on_disk());
            let mut work = Work::begin(&ground, size);
            bare.bytes = std::fs::read(ground.json()).unwrap();
            in_turns(size, bare.bytes.len(), || work.commit_timed(), || timed(|| bare.commit()));
        }
    }
}

/// A plan whose first task is started and fails, over and over.
struct Work(Option<Plan<Active>>);

impl Work {
    fn begin(ground: &Ground, size: usize) -> Self {
        Self(Some(ground.begin(size).start(TaskRef::Number(1)).wait().unwrap()))
    }

    fn commit(&mut self) {
        let plan = self.0.take().unwrap();
        let is_running = plan.current().is_some();
        let done = if is_running { plan.fail(TaskRef::Number(1), None) } else { plan.start(TaskRef::Number(1)) };
        self.0 = Some(done.wait().unwrap());
    }

    fn commit_timed(&mut self) -> std::time::Duration {
        timed(|| self.commit())
    }
}

/// The protocol and nothing else.
struct Bare {
    _ground: Ground,
    folder: PathBuf,
    bytes: Vec<u8>,
}

impl Bare {
    fn on_disk() -> Self {
        let ground = Ground::on_disk();
        let folder = ground.root().join("bare").into_std_path_buf();
        std::fs::create_dir(&folder).unwrap();
        Self { _ground: ground, folder, bytes: Vec::new() }
    }

    fn commit(&self) {
        let path = |name: &str| self.folder.join(name);
        let lock = File::options().create(true).truncate(false).write(true).open(path("lock")).unwrap();
        lock.try_lock().unwrap();
        let read = read(&path("json"));
        let mut file = File::create_new(path("tmp")).unwrap();
        file.write_all(&self.bytes).unwrap();
        file.sync_all().unwrap();
        std::fs::rename(path("tmp"), path("json")).unwrap();
        File::open(&self.folder).unwrap().sync_all().unwrap();
        lock.unlock().unwrap();
        divan::black_box(read);
    }
}

fn read(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(mut file) = File::open(path) {
        let length = file.metadata().unwrap().len();
        bytes.reserve_exact(usize::try_from(length).unwrap() + 1);
        file.read_to_end(&mut bytes).unwrap();
    }
    bytes
}

#[divan::bench(args = SIZES, sample_count = 25, sample_size = 1)]
fn engine(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::on_disk();
    let work = RefCell::new(Work::begin(&ground, size));
    bencher.bench_local(|| work.borrow_mut().commit());
}

#[divan::bench(args = SIZES, sample_count = 25, sample_size = 1)]
fn floor(bencher: Bencher<'_, '_>, size: usize) {
    let ground = Ground::on_disk();
    drop(Work::begin(&ground, size));
    let mut bare = Bare::on_disk();
    bare.bytes = std::fs::read(ground.json()).unwrap();
    bencher.bench_local(|| bare.commit());
}
