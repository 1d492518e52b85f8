//! `plangate enter`.

use plangate::AnyPlan;
use plangate::plan::StateName;
use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::which::Chosen;

#[derive(Serialize)]
struct Answer {
    why: String,
    /// Whether plan mode was entered now; not if it was on already.
    entered: bool,
    #[serde(flatten)]
    facts: Facts,
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let Chosen { session, why } = Chosen::find(global, environment)?;
    let plan = session.exclusive().wait()?;
    let entered = plan.state_name() == StateName::NoPlan;
    let plan: AnyPlan = plan.enter().wait()?;
    let facts = Facts::of_plan(&plan, 1);
    if global.json {
        output::json(&Answer { why: why.to_string(), entered, facts })?;
        return Ok(Exit::Done);
    }
    let head = if entered { "Plan mode is on" } else { "Plan mode was on already" };
    output::text(&format!(
        "{head} for session {} ({why}).\nThe agent may look around and call init; the design will be in {}.\n",
        facts.session, facts.md
    ))?;
    Ok(Exit::Done)
}
