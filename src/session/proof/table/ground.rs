use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use plangate::clock::Clock;
use plangate::model::Timestamp;
use plangate::session::EngineBuilder;
use plangate::store::{LookupError, ProjectLookup, Slug};
use plangate::{Engine, Session, SessionId};

/// The session that is acted on. Ids contain `-`: its neighbours' names begin and end like its own.
pub(crate) const SESSION: &str = "s-1";
const NEIGHBOURS: [&str; 2] = ["s", "s-1-1"];

/// Files, by their path from the root.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// The files below `root` but for the lock files, which are empty and stay.
pub(crate) fn tree(root: &Utf8Path) -> Tree {
    let mut files = whole_tree(root);
    files.retain(|name, _| !name.ends_with(".lock"));
    files
}

/// Every file below `root`.
pub(crate) fn whole_tree(root: &Utf8Path) -> Tree {
    fn walk(at: &Utf8Path, root: &Utf8Path, into: &mut Tree) {
        for entry in at.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                walk(entry.path(), root, into);
            } else {
                let name = entry.path().strip_prefix(root).unwrap().to_string();
                into.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut into = Tree::new();
    walk(root, root, &mut into);
    into
}

/// A new folder for a test; in memory where the system has such a place, for a flush costs nothing there.
pub(crate) fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    match tempfile::tempdir_in(memory) {
        Ok(folder) => folder,
        Err(_) => tempfile::tempdir().unwrap(),
    }
}

/// A clock whose answers repeat: one moment, and ids that count up and can be wound back.
#[derive(Debug, Clone)]
pub(crate) struct Ticks {
    hour: u64,
    given: Arc<AtomicU64>,
}

impl Ticks {
    pub(crate) fn at(hour: u64) -> Self {
        Self { hour, given: Arc::default() }
    }

    /// The ids begin again, so that a repeated operation gives what the first would have given.
    pub(crate) fn rewind(&self) {
        self.given.store(0, Ordering::Relaxed);
    }
}

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        format!("2026-07-20T{:02}:00:00Z", self.hour).parse().unwrap()
    }

    fn fresh_id(&self) -> [u8; 16] {
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        (u128::from(self.hour) << 64 | u128::from(number)).to_be_bytes()
    }
}

/// Binds every session to one project, or to none.
#[derive(Debug)]
struct Binding(Option<&'static str>);

impl ProjectLookup for Binding {
    fn project(&self, session: &SessionId) -> Result<Option<Slug>, LookupError> {
        self.0.map(Slug::new).transpose().map_err(|error| LookupError::new(session, error.to_string()))
    }
}

/// A root folder with a session in it, and whom the session is bound to.
#[derive(Debug, Clone)]
pub(crate) struct Ground {
    root: Utf8PathBuf,
    project: Option<&'static str>,
}

impl Ground {
    pub(crate) fn new(root: impl AsRef<Path>, project: Option<&'static str>) -> Self {
        Self { root: Utf8PathBuf::from_path_buf(root.as_ref().to_owned()).unwrap(), project }
    }

    pub(crate) fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// An engine for this root.
    pub(crate) fn engine(&self, clock: &Ticks) -> EngineBuilder {
        let projects = Binding(self.project);
        Engine::at(self.root.clone()).projects(projects).clock(clock.clone()).patience(Duration::ZERO)
    }

    /// The session, by a new engine on the real disk.
    pub(crate) fn session(&self, clock: &Ticks) -> Session {
        self.engine(clock).build().unwrap().session(SessionId::new(SESSION).unwrap())
    }

    pub(crate) fn file(&self, name: &str) -> Utf8PathBuf {
        self.root.join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let file = self.file(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    /// The same root, with the session bound otherwise.
    pub(crate) fn bound_to(&self, project: Option<&'static str>) -> Self {
        Self { root: self.root.clone(), project }
    }

    /// A file of the session in its own folder.
    pub(crate) fn put_own(&self, ending: &str, text: &str) {
        let folder = self.project.map_or("session".into(), |slug| format!("projects/{slug}/session"));
        self.put(&format!("{folder}/.opencrabs_plan_{SESSION}.{ending}"), text);
    }

    /// A file of the session in the folder of older programs.
    pub(crate) fn put_fallback(&self, ending: &str, text: &str) {
        self.put(&format!("agents/session/.opencrabs_plan_{SESSION}.{ending}"), text);
    }

    /// Plans of other sessions, in the folders that are there.
    pub(crate) fn put_neighbours(&self) {
        for folder in ["session", "agents/session", "projects/a/session"] {
            for id in NEIGHBOURS.iter().filter(|_| self.file(folder).exists()) {
                self.put(&format!("{folder}/.opencrabs_plan_{id}.json"), id);
                self.put(&format!("{folder}/.opencrabs_plan_{id}.json.7-0-00000000000000ff.tmp"), id);
                self.put(&format!("{folder}/archive/opencrabs_plan_{id}-20260720T100000Z.json"), id);
            }
        }
    }

    /// Whether a file belongs to the session and is not read-only to it.
    pub(crate) fn is_own(name: &str) -> bool {
        let file = name.rsplit('/').next().unwrap();
        let id = |prefix: &str| file.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(SESSION));
        let live = id(".opencrabs_plan_").is_some_and(|rest| rest.starts_with('.'));
        let archived = id("opencrabs_plan_").is_some_and(|rest| rest.starts_with("-20"));
        (live || archived) && !name.starts_with("agents/")
    }
}
