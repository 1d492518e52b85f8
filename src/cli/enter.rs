//! `plangate enter`.

use plangate::AnyPlan;
use plangate::model::{Caller, Origin};
use plangate::plan::StateName;
use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::which::{Chosen, Why};
use super::{output, wrap};

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
    let asked = Environment::asked(Origin::Interactive);
    let plan = session.with_caller(Caller { origin: Origin::Interactive, asked }).exclusive().wait()?;
    let entered = plan.state_name() == StateName::NoPlan;
    let plan: AnyPlan = plan.enter().wait()?;
    let facts = Facts::of_plan(&plan, 1);
    let why = match why {
        Why::Folder { unreadable: 0 } => Why::Entered,
        why => why,
    };
    if global.json {
        output::json(&Answer { why: why.to_string(), entered, facts })?;
        return Ok(Exit::Done);
    }
    let head = if entered { "Plan mode is on" } else { "Plan mode was on already" };
    let text = format!(
        "{head} for session {} ({why}).\nThe agent looks around and calls init. The design will be in {}",
        facts.session, facts.md
    );
    output::text(&(wrap::fill(&text, wrap::screen_width()).join("\n") + "\n"))?;
    Ok(Exit::Done)
}
