//! `plangate check`.

use std::fmt::Write as _;

use plangate::plan::{Operation, StateRef, Warning};
use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::style::{GOOD, WARN};
use super::which::Chosen;

#[derive(Serialize)]
struct Answer {
    why: String,
    complete: bool,
    #[serde(flatten)]
    facts: Facts,
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let Chosen { session, why } = Chosen::find(global, environment)?;
    let view = session.view().wait()?;
    let StateRef::Editing(state) = view.state() else {
        // The same answer that an approval would get here.
        let refusal = view.state().refuse(Operation::Approve);
        return Err(refusal.map_or_else(
            || Failure::new(Exit::Refused, "no-design", "there is no design to check"),
            |refusal| Failure::new(Exit::Refused, refusal.code(), refusal.to_string()),
        ));
    };
    let gaps = state.gaps();
    let complete = gaps.is_empty() && state.markdown().text().is_some();
    let exit = if complete { Exit::Done } else { Exit::Refused };
    if global.json {
        output::json(&Answer { why: why.to_string(), complete, facts: Facts::of_view(&view, 1) })?;
        return Ok(exit);
    }
    let md = view.paths().md.clone();
    let mut out = String::new();
    if complete {
        let _ = writeln!(out, "{GOOD}{md}: complete, {} steps{GOOD:#}", state.outline().steps().len());
    }
    for warning in view.warnings() {
        let line = match &warning {
            Warning::Outline(gap) => gap.line(),
            _ => None,
        };
        let _ = match line {
            Some(line) => writeln!(out, "{WARN}{md}:{line}: {warning}{WARN:#}"),
            None => writeln!(out, "{WARN}{md}: {warning}{WARN:#}"),
        };
    }
    output::text(&out)?;
    Ok(exit)
}
