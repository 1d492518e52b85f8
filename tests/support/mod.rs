//! A root folder of its own for each test, with a clock that ticks and a goal manager that keeps a list.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use camino::{Utf8Path, Utf8PathBuf};
use plangate::clock::Clock;
use plangate::digest::Digest;
use plangate::goal::{GoalError, GoalManager};
use plangate::model::{Body, SessionId, TaskDraft, TaskDrafts, TaskId, TaskRef, Timestamp};
use plangate::plan::{Active, Approval, Brief, Editing, Goal, NoPlan, PreInit};
use plangate::session::{Completion, EngineBuilder, Restored};
use plangate::{AnyPlan, Engine, Plan, Session};
use serde_json::Value;

/// An outline that lacks nothing.
pub(crate) const WHOLE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                         - **Intent:** latency\n\n## Implementation steps\n1. Swap it — in cache.rs\n";

/// The session of most tests.
pub(crate) const SESSION: &str = "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b";

/// A root folder and an engine for it.
pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) engine: Engine,
    pub(crate) goals: Goals,
    pub(crate) clock: Ticking,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|builder| builder)
    }

    /// Where the system has a folder in memory: for tests with very many commits, which are not about lasting.
    pub(crate) fn in_memory() -> Self {
        Self::at(folder_in_memory(), |builder| builder)
    }

    /// With choices of the test's own.
    pub(crate) fn with(choose: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        Self::at(tempfile::tempdir().unwrap(), choose)
    }

    fn at(folder: tempfile::TempDir, choose: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let (goals, clock) = (Goals::default(), Ticking::default());
        let engine = choose(Engine::at(root).goals(goals.clone()).clock(clock.clone())).build().unwrap();
        Self { folder, engine, goals, clock }
    }

    /// Another process's engine for the same root, as far as it knows of the first: nothing in memory is shared.
    pub(crate) fn another_engine(&self) -> Engine {
        Engine::at(self.root()).clock(self.clock.clone()).build().unwrap()
    }

    pub(crate) fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    pub(crate) fn session(&self) -> Session {
        self.engine.session(SessionId::new(SESSION).unwrap())
    }

    pub(crate) fn session_called(&self, id: &str) -> Session {
        self.engine.session(SessionId::new(id).unwrap())
    }

    pub(crate) fn load(&self) -> AnyPlan {
        self.session().load().wait().unwrap()
    }

    pub(crate) fn no_plan(&self) -> Plan<NoPlan> {
        self.load().try_into().unwrap()
    }

    pub(crate) fn pre_init(&self) -> Plan<PreInit> {
        self.no_plan().enter().wait().unwrap()
    }

    pub(crate) fn editing(&self) -> Plan<Editing> {
        self.no_plan().init_design(brief()).wait().unwrap()
    }

    /// A design that lacks nothing.
    pub(crate) fn designed(&self) -> Plan<Editing> {
        self.editing().write_markdown(Body::new(WHOLE).unwrap()).wait().unwrap()
    }

    pub(crate) fn approved(&self) -> Plan<Active> {
        self.designed().approve(approval(WHOLE)).wait().unwrap()
    }

    pub(crate) fn active(&self, tasks: TaskDrafts) -> Plan<Active> {
        self.no_plan().init_checklist(brief(), tasks).wait().unwrap()
    }

    pub(crate) fn state(&self) -> String {
        self.session().view().wait().map_or_else(|error| error.code().to_owned(), |view| view.state_name().to_string())
    }

    /// Where the session's files are without a project.
    pub(crate) fn live(&self, ending: &str) -> Utf8PathBuf {
        self.root().join("session").join(format!(".opencrabs_plan_{SESSION}.{ending}"))
    }

    /// The live record.
    pub(crate) fn record(&self) -> Value {
        record(&self.live("json"))
    }

    /// Puts a record and a `.md` where programs before this one did.
    pub(crate) fn lay(&self, folder: &str, ending: &str, content: impl AsRef<[u8]>) -> Utf8PathBuf {
        let folder = self.root().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!(".opencrabs_plan_{SESSION}.{ending}"));
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Everything below the root but the lock files, which are no plan artifacts.
    pub(crate) fn files(&self) -> Files {
        let mut files = Files::new();
        walk(self.root(), &mut |path, content| {
            let path = path.strip_prefix(self.root()).unwrap();
            if !path.as_str().ends_with(".lock") {
                files.insert(path.to_string(), content);
            }
        });
        files
    }
}

/// A folder in memory, or any other where the system has none.
pub(crate) fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A path below the root, to the file's bytes and the moment of its last change.
pub(crate) type Files = BTreeMap<String, (Vec<u8>, std::time::SystemTime)>;

fn walk(folder: &Utf8Path, found: &mut impl FnMut(&Utf8Path, (Vec<u8>, std::time::SystemTime))) {
    for entry in folder.read_dir_utf8().into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            walk(entry.path(), found);
        } else if entry.file_type().unwrap().is_file() {
            let changed = entry.metadata().unwrap().modified().unwrap();
            found(entry.path(), (std::fs::read(entry.path()).unwrap(), changed));
        }
    }
}

pub(crate) fn record(path: &Utf8Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

pub(crate) fn brief() -> Brief {
    Brief::new("Swap the cache").unwrap()
}

pub(crate) fn approval(seen: &str) -> Approval {
    Approval::new("ada", "terminal", Digest::of(seen.as_bytes()))
}

/// A task without anything but its texts.
pub(crate) fn draft(title: &str) -> TaskDraft {
    TaskDraft::new(title, "do it").unwrap()
}

/// That many tasks that wait for nothing.
pub(crate) fn drafts(count: usize) -> TaskDrafts {
    (1..=count).map(|number| draft(&format!("T{number}"))).collect::<Vec<_>>().try_into().unwrap()
}

/// The number of a task.
pub(crate) fn task(number: u64) -> TaskRef {
    TaskRef::Number(number)
}

pub(crate) fn continues(completion: Completion) -> Plan<Active> {
    match completion {
        Completion::Continues(plan) => plan,
        Completion::Archived(..) => panic!("the plan has ended"),
    }
}

pub(crate) fn still_editing(restored: Restored) -> Plan<Editing> {
    match restored {
        Restored::Editing(plan) => plan,
        Restored::Active(_) => panic!("the plan is Active"),
    }
}

pub(crate) fn still_active(restored: Restored) -> Plan<Active> {
    match restored {
        Restored::Active(plan) => plan,
        Restored::Editing(_) => panic!("the plan is in Editing"),
    }
}

/// The status words of the tasks in order.
pub(crate) fn statuses(plan: &Active) -> Vec<&'static str> {
    plan.checklist().tasks().map(|task| task.status().as_str()).collect()
}

/// A clock that is a bit later at each look, so that several moments fall into one second.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ticking(Arc<AtomicU64>);

impl Ticking {
    const STEP: u64 = 300;
    /// Ids begin far from the times.
    const IDS: u128 = 0x7000_0000_0000_4000_8000_0000_0000_0000;

    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        let millis = self.next() * Self::STEP;
        let (seconds, millis) = (millis / 1000, millis % 1000);
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        format!("2026-07-20T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z").parse().unwrap()
    }

    fn fresh_id(&self) -> [u8; 16] {
        (Self::IDS + u128::from(self.next())).to_be_bytes()
    }
}

/// What a goal manager was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    Set(TaskId, Vec<String>),
    Clear(TaskId),
}

/// A goal manager that keeps a list, and fails when it is told to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Goals {
    asked: Arc<Mutex<Vec<Asked>>>,
    fails: Arc<std::sync::atomic::AtomicBool>,
}

impl Goals {
    /// What it was asked since the last look.
    pub(crate) fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    pub(crate) fn fail(&self) {
        self.fails.store(true, Ordering::SeqCst);
    }

    fn note(&self, asked: Asked) -> Result<(), GoalError> {
        self.asked.lock().unwrap().push(asked);
        if self.fails.load(Ordering::SeqCst) { Err(GoalError::new("the goals are away")) } else { Ok(()) }
    }
}

impl GoalManager for Goals {
    fn set_goal(&self, _: &SessionId, goal: &Goal) -> Result<(), GoalError> {
        self.note(Asked::Set(goal.task(), goal.criteria().map(str::to_owned).collect()))
    }

    fn clear_goal(&self, _: &SessionId, task: TaskId) -> Result<(), GoalError> {
        self.note(Asked::Clear(task))
    }
}
