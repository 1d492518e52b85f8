//! Rule: Every legal pair of a state and a method compiles, and leads where the table says. (API-7)

use std::collections::HashSet;
use std::error::Error;

use camino::Utf8PathBuf;
use plangate::model::{Body, TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Active, Approval, Brief, Cell, Editing, NoPlan, Operation, PreInit, State, StateName};
use plangate::session::{Completion, Restored};
use plangate::{AnyPlan, Engine, Plan, SessionId};

type Done<T = ()> = Result<T, Box<dyn Error>>;

/// A walk through the states that keeps a list of its steps.
struct Walk {
    engine: Engine,
    sessions: u32,
    steps: HashSet<(StateName, Operation, StateName)>,
}

impl Walk {
    /// A new session, which has no plan.
    fn begin(&mut self) -> Done<Plan<NoPlan>> {
        self.sessions += 1;
        let session = self.engine.session(SessionId::new(format!("walk-{}", self.sessions))?);
        let AnyPlan::NoPlan(plan) = session.load().wait()? else { return Err("a new session has a plan".into()) };
        Ok(plan)
    }

    /// Notes that the operation led from the state `From` to the state `To`, which is also what another reader sees.
    fn step<From: State, To: State>(&mut self, operation: Operation, plan: Plan<To>) -> Done<Plan<To>> {
        self.steps.insert((From::NAME, operation, To::NAME));
        let seen = plan.session().view().wait()?.state_name();
        assert_eq!(seen, To::NAME, "{operation} in {}", From::NAME);
        self.steps.insert((seen, Operation::View, seen));
        Ok(plan)
    }

    fn enter(&mut self) -> Done<Plan<PreInit>> {
        let plan = self.begin()?;
        self.step::<NoPlan, PreInit>(Operation::Enter, plan.enter().wait()?)
    }

    fn design(&mut self) -> Done<Plan<Editing>> {
        let plan = self.begin()?;
        self.step::<NoPlan, Editing>(Operation::InitDesign, plan.init_design(brief()?).wait()?)
    }

    fn checklist(&mut self) -> Done<Plan<Active>> {
        let plan = self.begin()?;
        self.step::<NoPlan, Active>(Operation::InitChecklist, plan.init_checklist(brief()?, two_tasks()?).wait()?)
    }

    fn through_plan_mode(&mut self) -> Done {
        let plan = self.enter()?.init_design(brief()?).wait()?;
        self.step::<PreInit, Editing>(Operation::InitDesign, plan)?;

        let plan = self.enter()?.init_checklist(brief()?, two_tasks()?).wait()?;
        self.step::<PreInit, Active>(Operation::InitChecklist, plan)?;

        let plan = self.enter()?;
        let file = self.file()?;
        self.step::<PreInit, Active>(Operation::Import, plan.import(file).wait()?)?;

        let (plan, _) = self.enter()?.discard().wait()?;
        self.step::<PreInit, NoPlan>(Operation::Discard, plan)?;
        Ok(())
    }

    fn through_a_design(&mut self) -> Done {
        let plan = self.design()?.write_markdown(Body::new(OUTLINE)?).wait()?;
        let plan = self.step::<Editing, Editing>(Operation::WriteMarkdown, plan)?;

        std::fs::write(plan.paths().md, OUTLINE.replace("latency", "throughput"))?;
        let plan = self.step::<Editing, Editing>(Operation::Sync, plan.sync().wait()?)?;
        assert_eq!(plan.outline().intent().map(|intent| intent.text()), Some("throughput"));

        let seen = plan.markdown().digest().ok_or("the design has a text")?;
        let plan = plan.approve(Approval::new("ada", "terminal", seen)).wait()?;
        let plan = self.step::<Editing, Active>(Operation::Approve, plan)?;

        let plan = self.step::<Active, Active>(Operation::AddTasks, plan.add_tasks(two_tasks()?).wait()?)?;
        assert_eq!(plan.checklist().len(), 2);
        Ok(())
    }

    fn through_a_checklist(&mut self) -> Done {
        let plan = self.checklist()?;
        let plan = self.step::<Active, Active>(Operation::Start, plan.start(TaskRef::Number(1)).wait()?)?;
        let plan = self.step::<Active, Active>(Operation::Fail, plan.fail(TaskRef::Implied, None).wait()?)?;
        let plan = self.step::<Active, Active>(Operation::Start, plan.start(TaskRef::Number(1)).wait()?)?;

        let Completion::Continues(plan) = plan.complete(TaskRef::Implied, None).wait()? else {
            return Err("one task is left".into());
        };
        let plan = self.step::<Active, Active>(Operation::Complete, plan)?;
        let plan = self.step::<Active, Active>(Operation::Start, plan.start(TaskRef::Implied).wait()?)?;
        let Completion::Archived(plan, receipt) = plan.complete(TaskRef::Implied, None).wait()? else {
            return Err("no task is left".into());
        };
        assert!(receipt.json.is_some_and(|json| json.exists()));
        self.step::<Active, NoPlan>(Operation::Complete, plan)?;

        let Completion::Continues(plan) = self.checklist()?.skip(TaskRef::Number(1), None).wait()? else {
            return Err("one task is left".into());
        };
        let plan = self.step::<Active, Active>(Operation::Skip, plan)?;
        let Completion::Archived(plan, _) = plan.skip(TaskRef::Number(2), None).wait()? else {
            return Err("no task is left".into());
        };
        self.step::<Active, NoPlan>(Operation::Skip, plan)?;
        Ok(())
    }

    fn through_the_archive(&mut self) -> Done {
        let (plan, receipt) = self.design()?.discard().wait()?;
        let plan = self.step::<Editing, NoPlan>(Operation::Discard, plan)?;
        let name = receipt.archive.ok_or("a discarded design is archived")?;
        let Restored::Editing(plan) = plan.restore(name).wait()? else { return Err("it was a design".into()) };
        self.step::<NoPlan, Editing>(Operation::Restore, plan)?;

        let (plan, receipt) = self.checklist()?.discard().wait()?;
        let plan = self.step::<Active, NoPlan>(Operation::Discard, plan)?;
        let name = receipt.archive.ok_or("a discarded checklist is archived")?;
        let Restored::Active(plan) = plan.restore(name).wait()? else { return Err("it was a checklist".into()) };
        self.step::<NoPlan, Active>(Operation::Restore, plan)?;
        Ok(())
    }

    fn through_a_file(&mut self) -> Done {
        let plan = self.begin()?;
        let file = self.file()?;
        self.step::<NoPlan, Active>(Operation::Import, plan.import(file).wait()?)?;
        Ok(())
    }

    /// A file to import.
    fn file(&self) -> Done<Utf8PathBuf> {
        let file = self.engine.root().join("plan.json");
        std::fs::write(&file, r#"{"title":"t","description":"d","tasks":[{"title":"Look","description":"at it"}]}"#)?;
        Ok(file)
    }
}

const OUTLINE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                       - **Intent:** latency\n\n## Implementation steps\n1. Swap it\n   - Done when: benches pass\n";

fn brief() -> Done<Brief> {
    Ok(Brief::new("Swap the cache")?)
}

fn two_tasks() -> Done<TaskDrafts> {
    Ok(TaskDrafts::new(TaskDraft::new("Swap it", "in cache.rs")?)
        .and(TaskDraft::new("Tell", "the users")?.depends_on(1)))
}

/// Every step that the table allows the typed plans. A cell that only the dynamic form has is none of them.
fn table() -> HashSet<(StateName, Operation, StateName)> {
    let cells = StateName::ALL.into_iter().flat_map(|from| Operation::ALL.map(|operation| (from, operation)));
    cells
        .flat_map(|(from, operation)| {
            let to = match operation.in_state(from) {
                Cell::Leads(states) => states.to_vec(),
                Cell::Stays => vec![from],
                Cell::Idle | Cell::Refused(_) => Vec::new(),
            };
            to.into_iter().map(move |to| (from, operation, to))
        })
        .collect()
}

pub(crate) fn main() -> Done {
    let folder = tempfile::tempdir()?;
    let engine = Engine::at(Utf8PathBuf::try_from(folder.path().to_path_buf())?).build()?;
    let mut walk = Walk { engine, sessions: 0, steps: HashSet::new() };
    let plan = walk.begin()?;
    assert_eq!(plan.session().view().wait()?.state_name(), StateName::NoPlan);
    walk.through_plan_mode()?;
    walk.through_a_design()?;
    walk.through_a_checklist()?;
    walk.through_the_archive()?;
    walk.through_a_file()?;
    assert_eq!(walk.steps, table());
    Ok(())
}
