//! Plans of a size, and two ways to do a thing measured in turns.
#![allow(dead_code, reason = "each bench uses a part of it")]

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use plangate::model::{TaskDraft, TaskDrafts};
use plangate::plan::{Active, Brief};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};

/// How many tasks a plan has.
pub(crate) const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// A root folder with one plan in it.
pub(crate) struct Ground {
    folder: tempfile::TempDir,
    session: Session,
}

impl Ground {
    /// On a disk: the folder of the build is on one wherever the sources are.
    pub(crate) fn on_disk() -> Self {
        Self::at(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// In memory where the system has a folder there: for what is not about the disk.
    pub(crate) fn in_memory() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(folder: tempfile::TempDir) -> Self {
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let session = Engine::at(root).build().unwrap().session(SessionId::new("bench").unwrap());
        Self { folder, session }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    pub(crate) fn json(&self) -> Utf8PathBuf {
        self.session.paths().wait().unwrap().json
    }

    /// A new plan with that many tasks.
    pub(crate) fn begin(&self, tasks: usize) -> Plan<Active> {
        let AnyPlan::NoPlan(plan) = self.session.load().wait().unwrap() else { panic!("there is a plan already") };
        plan.init_checklist(Brief::new("A plan of a size").unwrap(), drafts(tasks)).wait().unwrap()
    }

    pub(crate) fn load(&self) -> Plan<Active> {
        let AnyPlan::Active(plan) = self.session.load().wait().unwrap() else { panic!("the plan is not Active") };
        plan
    }
}

/// Tasks in chains of ten, each with a criterion, as an agent writes them.
pub(crate) fn drafts(tasks: usize) -> TaskDrafts {
    let draft = |number: usize| {
        let draft = TaskDraft::new(format!("Step {number} of the plan"), "Change the module and its tests").unwrap();
        let draft = draft.criterion("its tests pass").unwrap();
        if number % 10 == 1 { draft } else { draft.depends_on(number as u64 - 1) }
    };
    (1..=tasks).map(draft).collect::<Vec<_>>().try_into().unwrap()
}

/// Does both in turns, so that what else the machine does falls on both alike, and prints the medians and their ratio.
pub(crate) fn in_turns(
    size: usize,
    bytes: usize,
    mut ours: impl FnMut() -> Duration,
    mut floor: impl FnMut() -> Duration,
) {
    let rounds = if size > 10_000 { 25 } else { 101 };
    let (mut engine, mut least) = (Vec::new(), Vec::new());
    for round in 0..rounds + 3 {
        let pair = if round % 2 == 0 {
            (ours(), floor())
        } else {
            let least = floor();
            (ours(), least)
        };
        // The first ones warm up.
        if round >= 3 {
            engine.push(pair.0);
            least.push(pair.1);
        }
    }
    let (engine, least) = (median(engine), median(least));
    let ratio = engine.as_secs_f64() / least.as_secs_f64();
    println!("{size:>7} tasks, {bytes:>9} bytes: engine {engine:>10.1?}, floor {least:>10.1?}, ratio {ratio:.2}");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let begin = Instant::now();
    drop(std::hint::black_box(work()));
    begin.elapsed()
}

/// Whether this is a measurement, and not a test that the bench runs at all.
pub(crate) fn measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}
