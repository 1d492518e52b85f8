//! Any bytes as a hook's payload of every agent, and as a neutral call, judged in every state.
//!
//! Nothing panics, and what a verdict says of a write holds in every state: without a plan it passes, and before `init` it
//! does not.
#![no_main]

use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use libfuzzer_sys::fuzz_target;
use plangate::agents::{Agent, Event, neutral_call};
use plangate::gate::{Act, Policy, Surroundings, ToolCall};
use plangate::model::{TaskDraft, TaskDrafts};
use plangate::plan::{Brief, StateName};
use plangate::{AnyPlan, Engine, Session, SessionId};

/// A session in each state, laid once.
struct World {
    _folder: tempfile::TempDir,
    project: Utf8PathBuf,
    sessions: [(StateName, Session); 4],
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Utf8Path::from_path(folder.path()).expect("the path is UTF-8").to_owned();
    let project = root.join("project");
    std::fs::create_dir_all(&project).expect("the project is made");
    let engine = Engine::at(root.join("plans")).build().expect("the root is absolute");
    let sessions = StateName::ALL.map(|state| {
        let session = engine.session(SessionId::new(state.as_str()).expect("an id"));
        let AnyPlan::NoPlan(plan) = session.load().wait().expect("a new session loads") else { unreachable!("it is new") };
        let brief = Brief::new("T").expect("a title");
        match state {
            StateName::NoPlan => drop(plan),
            StateName::PreInit => drop(plan.enter().wait().expect("plan mode is entered")),
            StateName::Editing => drop(plan.init_design(brief).wait().expect("a design begins")),
            StateName::Active => {
                let tasks = TaskDrafts::new(TaskDraft::new("A", "a").expect("a draft"));
                drop(plan.init_checklist(brief, tasks).wait().expect("a checklist begins"));
            }
        }
        (state, session)
    });
    World { _folder: folder, project, sessions }
});

fn judge(call: &ToolCall) {
    let surroundings = Surroundings { home: Some("/home/dev".into()), ..Surroundings::default() };
    for (state, session) in &WORLD.sessions {
        let verdict = session.judge(call, &Policy::default(), &surroundings).wait();
        match (state, &call.act) {
            (StateName::NoPlan, _) => assert!(verdict.is_allowed()),
            (StateName::PreInit, Act::Write { .. }) => assert!(!verdict.is_allowed()),
            (StateName::PreInit | StateName::Editing, Act::Unknown | Act::Unreadable { .. }) => {
                assert!(!verdict.is_allowed());
            }
            _ => {}
        }
        if let Some(denial) = verdict.denial() {
            assert!(!denial.to_string().is_empty());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let project = WORLD.project.as_path();
    for agent in Agent::ALL {
        for event in [None, Some("PreToolUse"), Some("preToolUse"), Some("BeforeTool")] {
            if let Ok(payload) = agent.read(bytes, event, project)
                && let Event::BeforeCall(call) = payload.event
            {
                judge(&call);
            }
        }
    }
    if let Ok(call) = neutral_call(bytes, project) {
        judge(&call);
    }
});
