//! `plangate approve`.

use std::fmt::Write as _;

use plangate::AnyPlan;
use plangate::plan::{Approval, Operation, Refusal};
use plangate::session::Reason;
use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::clean::Clean;
use super::confirm::confirm;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::which::Chosen;

/// How many lines of the design are shown before the question.
const HEAD: usize = 24;

#[derive(Serialize)]
struct Answer {
    why: String,
    #[serde(flatten)]
    facts: Facts,
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let Chosen { session, why } = Chosen::find(global, environment)?;
    // Not exclusive: no lock is held while a person reads.
    let plan = match session.load().wait()? {
        AnyPlan::Editing(plan) => plan,
        other => {
            let refusal = other.refuse(Operation::Approve);
            return Err(refusal.map_or_else(
                || Failure::new(Exit::Refused, "no-design", "there is no design to approve"),
                |refusal| Failure::from(&Reason::from(refusal)),
            ));
        }
    };
    let md = plan.paths().md;
    let gaps = plan.gaps();
    let (Some(text), Some(digest)) = (plan.markdown().text(), plan.markdown().digest()) else {
        return Err(Failure::from(&Reason::from(Refusal::MarkdownMissing { md })));
    };
    if !gaps.is_empty() {
        return Err(Failure::from(&Reason::from(Refusal::OutlineIncomplete { md, gaps })));
    }
    let mut shown = String::new();
    let _ = writeln!(shown, "{md} (session {}, {why})\n", session.id());
    for line in text.lines().take(HEAD) {
        let _ = writeln!(shown, "  {}", Clean(line));
    }
    let rest = text.lines().count().saturating_sub(HEAD);
    if rest > 0 {
        let _ = writeln!(shown, "  … and {rest} more lines: `plangate show` has them all");
    }
    let steps = plan.outline().steps().len();
    let _ = writeln!(shown, "\n{steps} steps, digest {digest}");
    confirm("approve this design", &shown, &digest.prefix())?;
    let approved = plan.approve(Approval::new(Environment::person(), "terminal", digest)).wait()?;
    let facts = Facts::of_plan(&approved.into(), 1);
    if global.json {
        output::json(&Answer { why: why.to_string(), facts })?;
    } else {
        output::text("Approved. The agent adds the steps as tasks and starts.\n")?;
    }
    Ok(Exit::Done)
}
