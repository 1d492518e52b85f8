//! A home folder with a project and a session, on a real disk.

use camino::{Utf8Path, Utf8PathBuf};
use plangate::gate::{Act, Denial, Policy, Surroundings, Target, ToolCall, Verdict};
use plangate::model::{Body, TaskDraft, TaskDrafts};
use plangate::plan::{Approval, Brief};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};
use std::collections::BTreeMap;

pub(crate) const ID: &str = "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b";
pub(crate) const OTHER: &str = "other";

/// How the session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    NoPlan,
    PreInit,
    Editing,
    /// A checklist without a design.
    Active,
    /// A design was approved; no task has been added yet.
    Seeding,
    Damaged,
    Unknown,
}

impl State {
    pub(crate) const ALL: [Self; 7] =
        [Self::NoPlan, Self::PreInit, Self::Editing, Self::Active, Self::Seeding, Self::Damaged, Self::Unknown];
    pub(crate) const LIVE: [Self; 4] = [Self::PreInit, Self::Editing, Self::Active, Self::Seeding];
}

pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) policy: Policy,
}

impl World {
    /// `real/home/dev` is the home folder, `home` a link to `real/home`.
    pub(crate) fn new(state: State) -> Self {
        Self::below("", state)
    }

    /// The same, in a folder with a name of its own.
    pub(crate) fn below(folder: &str, state: State) -> Self {
        // Thousands of plans begin here; memory is quicker than a disk, and what is tested is no matter of disks.
        let memory = Utf8Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.as_std_path().to_owned() } else { std::env::temp_dir() };
        let folder = tempfile::Builder::new().prefix("gate").suffix(folder).tempdir_in(place).unwrap();
        let world = Self { folder, policy: Policy::default() };
        for folder in ["project/src", "project/.claude", ".claude", ".opencrabs/session/archive"] {
            std::fs::create_dir_all(world.home().join(folder)).unwrap();
        }
        std::fs::write(world.project().join("src/main.rs"), "fn main() {}\n").unwrap();
        std::fs::write(world.project().join(".claude/settings.json"), "{}").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(world.base().join("real/home"), world.base().join("home")).unwrap();
            symlink(world.session_dir(), world.base().join("plans")).unwrap();
            symlink(world.session_dir(), world.project().join("plans")).unwrap();
        }
        world.bring(state);
        world
    }

    fn bring(&self, state: State) {
        match state {
            State::NoPlan => {}
            State::PreInit => drop(self.no_plan().enter().wait().unwrap()),
            State::Editing => drop(self.no_plan().init_design(Brief::new("Swap the cache").unwrap()).wait().unwrap()),
            State::Active => {
                let tasks = TaskDrafts::new(TaskDraft::new("Swap it", "in cache.rs").unwrap());
                drop(self.no_plan().init_checklist(Brief::new("Swap").unwrap(), tasks).wait().unwrap());
            }
            State::Seeding => {
                let plan = self.no_plan().init_design(Brief::new("Swap the cache").unwrap()).wait().unwrap();
                let plan = plan.write_markdown(Body::new(DESIGN).unwrap()).wait().unwrap();
                let seen = plan.markdown().digest().unwrap();
                drop(plan.approve(Approval::new("ada", "test", seen)).wait().unwrap());
            }
            State::Damaged => std::fs::write(self.json(), "{\"status\": ").unwrap(),
            State::Unknown => std::fs::create_dir(self.json()).unwrap(),
        }
    }

    fn no_plan(&self) -> Plan<plangate::plan::NoPlan> {
        let AnyPlan::NoPlan(plan) = self.session().load().wait().unwrap() else { panic!("a plan") };
        plan
    }

    pub(crate) fn base(&self) -> Utf8PathBuf {
        // On some systems the folder for temporary files is itself behind a link.
        Utf8PathBuf::try_from(self.folder.path().canonicalize().unwrap()).unwrap()
    }

    pub(crate) fn home(&self) -> Utf8PathBuf {
        self.base().join("real/home/dev")
    }

    pub(crate) fn project(&self) -> Utf8PathBuf {
        self.home().join("project")
    }

    pub(crate) fn root(&self) -> Utf8PathBuf {
        self.home().join(".opencrabs")
    }

    pub(crate) fn session_dir(&self) -> Utf8PathBuf {
        self.root().join("session")
    }

    pub(crate) fn beside(&self, ending: &str) -> Utf8PathBuf {
        self.session_dir().join(format!(".opencrabs_plan_{ID}.{ending}"))
    }

    pub(crate) fn md(&self) -> Utf8PathBuf {
        self.beside("md")
    }

    pub(crate) fn json(&self) -> Utf8PathBuf {
        self.beside("json")
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::at(self.root()).build().unwrap()
    }

    pub(crate) fn session(&self) -> Session {
        self.engine().session(SessionId::new(ID).unwrap())
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            home: Some(self.home()),
            project_dir: Some(self.project()),
            guarded: vec![self.home().join("bin/plangate")],
        }
    }

    pub(crate) fn call(&self, act: Act) -> ToolCall {
        ToolCall { tool: "tool".into(), cwd: self.project(), act }
    }

    pub(crate) fn judge(&self, act: Act) -> Verdict {
        self.judge_call(&self.call(act))
    }

    pub(crate) fn judge_call(&self, call: &ToolCall) -> Verdict {
        self.session().judge(call, &self.policy, &self.surroundings()).wait()
    }

    /// The verdict on a content write.
    pub(crate) fn write(&self, target: impl AsRef<str>) -> Verdict {
        self.judge(content([target.as_ref()]))
    }

    pub(crate) fn alter(&self, target: impl AsRef<str>) -> Verdict {
        self.judge(altered([target.as_ref()]))
    }

    /// Everything on the disk: path to content, or to where a link leads.
    pub(crate) fn files(&self) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
        fn walk(at: &Utf8Path, into: &mut BTreeMap<Utf8PathBuf, Vec<u8>>) {
            for entry in at.read_dir_utf8().unwrap().map(Result::unwrap) {
                let kind = entry.file_type().unwrap();
                let bytes = if kind.is_symlink() {
                    entry.path().read_link_utf8().unwrap().into_string().into_bytes()
                } else if kind.is_file() {
                    std::fs::read(entry.path()).unwrap()
                } else {
                    walk(entry.path(), into);
                    b"folder".to_vec()
                };
                into.insert(entry.path().to_owned(), bytes);
            }
        }
        let mut into = BTreeMap::new();
        walk(&self.base(), &mut into);
        into
    }
}

pub(crate) const DESIGN: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC\n\
    - **Intent:** latency\n\n## Implementation steps\n1. Swap it — in cache.rs\n";

pub(crate) fn content<'a>(targets: impl IntoIterator<Item = &'a str>) -> Act {
    Act::Write { content: targets.into_iter().map(Target::new).collect(), altered: Vec::new() }
}

pub(crate) fn altered<'a>(targets: impl IntoIterator<Item = &'a str>) -> Act {
    Act::Write { content: Vec::new(), altered: targets.into_iter().map(Target::new).collect() }
}

pub(crate) fn shell(command: &str) -> Act {
    Act::Shell { command: Some(command.into()) }
}

/// The denial's code; `allow` if there is none.
pub(crate) fn code(verdict: &Verdict) -> &'static str {
    verdict.denial().map_or("allow", Denial::code)
}

#[track_caller]
pub(crate) fn denied(verdict: &Verdict) -> &Denial {
    verdict.denial().expect("a denial")
}
