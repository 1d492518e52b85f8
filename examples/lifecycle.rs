//! The whole life of a plan, as a program that embeds the engine sees it: `cargo run --example lifecycle`.

use plangate::model::{Body, TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Approval, Brief};
use plangate::session::Completion;
use plangate::{AnyPlan, Engine, SessionId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let root = camino::Utf8PathBuf::try_from(folder.path().to_path_buf())?;
    let engine = Engine::at(root).build()?;
    let session = engine.session(SessionId::new("example")?);

    // A person enters plan mode; the agent begins a design.
    let AnyPlan::NoPlan(plan) = session.load().wait()? else { return Err("a new session has no plan".into()) };
    let plan = plan.enter().wait()?;
    let plan = plan.init_design(Brief::new("Swap the cache")?).wait()?;
    println!("design: {}", plan.paths().md.file_name().unwrap_or_default());
    for warning in plan.warnings() {
        println!("  lacks: {warning}");
    }

    // The agent fills in the outline, the person looks at it and approves what they saw.
    let body = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                - **Intent:** latency\n\n## Implementation steps\n1. Swap it — in cache.rs\n   - Done when: benches pass\n";
    let plan = plan.write_markdown(Body::new(body)?).wait()?;
    let seen = plan.markdown().digest().ok_or("the design has a text")?;
    let plan = plan.approve(Approval::new("ada", "example", seen)).wait()?;
    println!("approved, {} tasks", plan.checklist().len());

    // The agent adds the steps as tasks and works them off.
    let steps = TaskDrafts::new(TaskDraft::new("Swap it", "in cache.rs")?.criterion("benches pass")?)
        .and(TaskDraft::new("Tell the users", "a line in the change log")?.depends_on(1));
    let mut plan = plan.add_tasks(steps).wait()?;
    loop {
        plan = plan.start(TaskRef::Implied).wait()?;
        println!("{}", plan.reminder());
        match plan.complete(TaskRef::Implied, None).wait()? {
            Completion::Continues(next) => plan = next,
            Completion::Archived(_, receipt) => {
                println!("archived: {}", receipt.archive.is_some());
                return Ok(());
            }
        }
    }
}
