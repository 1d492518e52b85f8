//! How long a verdict takes: the decision alone, and with its paths looked up, beside the bare system calls of the same
//! number on the same paths.

use std::cell::RefCell;
use std::hint::black_box;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use divan::Bencher;
use plangate::gate::{Act, Judged, Look, Policy, Seen, Situation, Surroundings, Target, TheDisk, ToolCall, decide};
use plangate::model::{TaskDraft, TaskDrafts};
use plangate::plan::Brief;
use plangate::{AnyPlan, Engine, Session, SessionId};

fn main() {
    divan::main();
}

struct World {
    _folder: tempfile::TempDir,
    session: Session,
    situation: Situation,
    surroundings: Surroundings,
    project: Utf8PathBuf,
    md: Utf8PathBuf,
}

fn world(is_active: bool) -> World {
    let folder = tempfile::tempdir().unwrap();
    let home = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let project = home.join("project");
    std::fs::create_dir_all(project.join("src")).unwrap();
    std::fs::create_dir_all(project.join(".claude")).unwrap();
    std::fs::write(project.join("src/main.rs"), "").unwrap();
    let session = Engine::at(home.join(".opencrabs")).build().unwrap().session(SessionId::new("bench").unwrap());
    let AnyPlan::NoPlan(plan) = session.load().wait().unwrap() else { panic!() };
    let brief = Brief::new("Swap the cache").unwrap();
    if is_active {
        let tasks = TaskDrafts::new(TaskDraft::new("Swap it", "in cache.rs").unwrap());
        drop(plan.init_checklist(brief, tasks).wait().unwrap());
    } else {
        drop(plan.init_design(brief).wait().unwrap());
    }
    let situation = session.situation().wait();
    let md = situation.md().unwrap().to_owned();
    let surroundings = Surroundings { home: Some(home), project_dir: Some(project.clone()), guarded: Vec::new() };
    World { _folder: folder, session, situation, surroundings, project, md }
}

impl World {
    fn call(&self, act: Act) -> ToolCall {
        ToolCall { tool: "write".into(), cwd: self.project.clone(), act }
    }

    fn write(&self, target: &Utf8Path) -> ToolCall {
        self.call(Act::Write { content: vec![Target::new(target.as_str())], altered: Vec::new() })
    }
}

/// The decision alone.
#[divan::bench(args = ["the .md in Editing", "a project file in Editing", "a command in Active", "start in Active"])]
fn decide_alone(bencher: Bencher<'_, '_>, case: &str) {
    let world = world(case.ends_with("Active"));
    let command =
        "cargo test --workspace --all-features 2>&1 | tee out.txt | grep -n 'test result' && git status --short";
    let call = match case {
        "the .md in Editing" => world.write(&world.md),
        "a project file in Editing" => world.write(Utf8Path::new("src/main.rs")),
        "a command in Active" => world.call(Act::Shell { command: Some(command.into()) }),
        _ => world.call(Act::Plan(plangate::plan::Operation::Start)),
    };
    let judged = Judged::look_up(&call, &world.situation, &world.surroundings);
    let policy = Policy::default();
    bencher.bench(|| decide(black_box(&world.situation), black_box(&judged), &policy));
}

/// Notes the system calls that a look-up makes.
#[derive(Default)]
struct Noted(RefCell<Vec<(Utf8PathBuf, bool)>>);

impl Look for Noted {
    fn look(&self, path: &Utf8Path) -> io::Result<Seen> {
        self.0.borrow_mut().push((path.to_owned(), false));
        TheDisk.look(path)
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.0.borrow_mut().push((path.to_owned(), true));
        TheDisk.read_link(path)
    }
}

const TARGETS: [&str; 3] = ["the .md in Editing", "a project file in Editing", "a project file in Active"];

fn case(case: &str) -> (World, ToolCall) {
    let world = world(case.ends_with("Active"));
    let target = if case.starts_with("the .md") { world.md.clone() } else { world.project.join("src/main.rs") };
    let call = world.write(&target);
    (world, call)
}

/// The paths looked up, and the decision.
#[divan::bench(args = TARGETS)]
fn look_up_and_decide(bencher: Bencher<'_, '_>, name: &str) {
    let (world, call) = case(name);
    let policy = Policy::default();
    bencher.bench(|| {
        let judged = Judged::look_up(black_box(&call), &world.situation, &world.surroundings);
        decide(&world.situation, &judged, &policy)
    });
}

/// The floor: the same system calls on the same paths, and nothing else.
#[divan::bench(args = TARGETS)]
fn bare_system_calls(bencher: Bencher<'_, '_>, name: &str) {
    let (world, call) = case(name);
    let noted = Noted::default();
    let _ = Judged::look_up_on(&noted, &call, &world.situation, &world.surroundings);
    let calls = noted.0.into_inner();
    bencher.bench(|| {
        for (path, is_link) in &calls {
            if *is_link {
                let _ = black_box(std::fs::read_link(path));
            } else {
                let _ = black_box(std::fs::symlink_metadata(path));
            }
        }
    });
}

/// All of it: the record read, the paths looked up, the decision.
#[divan::bench(args = TARGETS)]
fn judge(bencher: Bencher<'_, '_>, name: &str) {
    let (world, call) = case(name);
    let policy = Policy::default();
    bencher.bench(|| world.session.judge(&call, &policy, &world.surroundings).wait());
}
