//! A home folder and a project of their own for each test, and the program run there with nothing of the tester's
//! environment.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use plangate::digest::Digest;
use plangate::plan::Approval;
use plangate::{AnyPlan, Engine, Session, SessionId};
use serde_json::Value;

use super::plain::plain;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_plangate");

/// The session of most tests.
pub(crate) const SESSION: &str = "a1";

/// An outline that lacks nothing.
pub(crate) const WHOLE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                         - **Intent:** latency\n\n## Implementation steps\n1. Look — read the callers\n2. Swap — in cache.rs\n";

pub(crate) const INIT_DESIGN: &str = r#"{"operation": "init", "title": "Swap the cache"}"#;

pub(crate) const INIT_CHECKLIST: &str = r#"{"operation": "init", "title": "Swap the cache", "tasks": [
    {"title": "Look", "description": "read the callers"},
    {"title": "Swap", "description": "LRU to ARC", "dependencies": [1], "acceptance_criteria": ["tests pass"]},
    {"title": "Measure", "description": "the hit rate", "dependencies": [2]}]}"#;

/// A home folder with the root folder in it, and a project.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    top: Utf8PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let place = Self { folder, top };
        std::fs::create_dir(place.home()).unwrap();
        std::fs::create_dir(place.project()).unwrap();
        place
    }

    pub(crate) fn home(&self) -> Utf8PathBuf {
        self.top.join("home")
    }

    pub(crate) fn root(&self) -> Utf8PathBuf {
        self.home().join(".opencrabs")
    }

    pub(crate) fn project(&self) -> Utf8PathBuf {
        self.top.join("project")
    }

    /// Any file of the place, by its path from the top.
    pub(crate) fn path(&self, path: &str) -> Utf8PathBuf {
        assert!(self.folder.path().exists());
        self.top.join(path)
    }

    /// The program with these arguments, in the project.
    pub(crate) fn call<'a, A: AsRef<OsStr>>(&'a self, arguments: impl IntoIterator<Item = A>) -> Call<'a> {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(self.project()).env_clear();
        for kept in ["SYSTEMROOT", "TEMP"] {
            command.envs(std::env::var_os(kept).map(|value| (kept, value)));
        }
        command.env("HOME", self.home()).env("PLANGATE_ROOT", self.root()).env("USER", "ada");
        Call { place: self, command, input: None }
    }

    /// A shell script, in the project, that finds the program.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Call<'_> {
        let mut call = self.call([""; 0]);
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).current_dir(self.project()).env_clear();
        shell.envs(call.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let program = Utf8Path::new(PROGRAM).parent().unwrap();
        let others = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned());
        shell.env("PATH", format!("{program}:{others}"));
        call.command = shell;
        call
    }

    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        self.call(arguments).run()
    }

    /// The same for the session of most tests.
    pub(crate) fn a1<'b>(&self, arguments: impl IntoIterator<Item = &'b str>) -> Ran {
        self.call(arguments.into_iter().chain(["--session", SESSION])).run()
    }

    /// The session of most tests, as the library has it.
    pub(crate) fn session(&self) -> Session {
        self.session_called(SESSION)
    }

    pub(crate) fn session_called(&self, id: &str) -> Session {
        let engine = Engine::at(self.root()).build().unwrap();
        engine.session(SessionId::new(id).unwrap()).with_project_dir(self.project())
    }

    pub(crate) fn md(&self) -> Utf8PathBuf {
        self.root().join("session/.opencrabs_plan_a1.md")
    }

    pub(crate) fn json(&self) -> Utf8PathBuf {
        self.md().with_extension("json")
    }

    pub(crate) fn entered(self) -> Self {
        assert_eq!(self.a1(["enter"]).exit, 0);
        self
    }

    pub(crate) fn editing(self) -> Self {
        assert_eq!(self.a1(["tool", INIT_DESIGN]).exit, 0);
        self
    }

    /// A design that lacks nothing.
    pub(crate) fn designed(self) -> Self {
        let place = self.editing();
        std::fs::write(place.md(), WHOLE).unwrap();
        place
    }

    pub(crate) fn approved(self) -> Self {
        let place = self.designed();
        let AnyPlan::Editing(plan) = place.session().load().wait().unwrap() else { panic!() };
        let approval = Approval::new("ada", "test", Digest::of(WHOLE.as_bytes()));
        drop(plan.approve(approval).wait().unwrap());
        place
    }

    pub(crate) fn active(self) -> Self {
        assert_eq!(self.a1(["tool", INIT_CHECKLIST]).exit, 0);
        self
    }

    pub(crate) fn damaged(self) -> Self {
        let place = self.active();
        let record = std::fs::read_to_string(place.json()).unwrap();
        std::fs::write(place.json(), record.replace("\"Active\"", "\"Acitve\"")).unwrap();
        place
    }

    pub(crate) fn unknown(self) -> Self {
        std::fs::create_dir_all(self.json()).unwrap();
        self
    }

    /// All states, each with its name.
    pub(crate) fn each_state() -> Vec<(&'static str, Self)> {
        vec![
            ("NoPlan", Self::new()),
            ("PreInit", Self::new().entered()),
            ("Editing", Self::new().editing()),
            ("Editing, complete", Self::new().designed()),
            ("Active, no tasks", Self::new().approved()),
            ("Active", Self::new().active()),
            ("damaged", Self::new().damaged()),
            ("unknown", Self::new().unknown()),
        ]
    }

    /// A text without what differs from run to run.
    pub(crate) fn plain(&self, text: &str) -> String {
        let text = text.replace(self.root().as_str(), "ROOT").replace(self.project().as_str(), "PROJECT");
        plain(&text.replace(self.top.as_str(), "TOP"))
    }

    /// Every file below the root folder with its content.
    pub(crate) fn files(&self) -> Vec<(Utf8PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        collect(&self.root(), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Utf8Path, files: &mut Vec<(Utf8PathBuf, Vec<u8>)>) {
    for entry in folder.read_dir_utf8().into_iter().flatten() {
        let path = entry.unwrap().into_path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let content = std::fs::read(&path).unwrap();
            files.push((path, content));
        }
    }
}

/// One run of the program.
pub(crate) struct Call<'a> {
    pub(crate) place: &'a Place,
    pub(crate) command: Command,
    input: Option<Vec<u8>>,
}

impl Call<'_> {
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn within(mut self, folder: &Utf8Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn input(mut self, input: &[u8]) -> Self {
        self.input = Some(input.to_vec());
        self
    }

    pub(crate) fn run(mut self) -> Ran {
        let stdin = if self.input.is_some() { Stdio::piped() } else { Stdio::null() };
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), self.input) {
            // The program need not read all of it.
            let _ = stdin.write_all(&input);
        }
        let output = child.wait_with_output().unwrap();
        let text = |bytes| self.place.plain(&String::from_utf8(bytes).unwrap());
        Ran { exit: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// What a run has answered, without what differs from run to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn done(out: &str) -> Self {
        Self { exit: 0, out: out.to_owned(), err: String::new() }
    }

    /// An answer that is no error of the program, with another exit code.
    pub(crate) fn told(exit: i32, out: &str) -> Self {
        Self { exit, out: out.to_owned(), err: String::new() }
    }

    pub(crate) fn failed(exit: i32, err: &str) -> Self {
        Self { exit, out: String::new(), err: err.to_owned() }
    }

    /// The one JSON value of the answer, beside the exit code.
    #[track_caller]
    pub(crate) fn json(&self) -> (i32, Value) {
        assert_eq!(self.err, "");
        (self.exit, serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out)))
    }
}
