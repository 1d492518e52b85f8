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
    let md = &view.paths().md;
    let mut out = String::new();
    for warning in view.warnings() {
        let line = match &warning {
            Warning::Outline(gap) => gap.line(),
            _ => None,
        };
        let text = warning.to_string();
        let _ = match line {
            // The place as compilers give it, so that an editor can go there.
            Some(line) => {
                let text = text.trim_end_matches(&format!(" (line {line})"));
                writeln!(out, "{WARN}{md}:{line}: {text}{WARN:#}")
            }
            None => writeln!(out, "{WARN}{text}{WARN:#}"),
        };
    }
    out.push_str(&match (complete, state.outline().steps().len()) {
        (false, _) => "Fill that in, then check again.\n".to_owned(),
        (true, 1) => format!("{GOOD}The outline is complete: 1 step.{GOOD:#} Next: `plangate approve`.\n"),
        (true, steps) => format!("{GOOD}The outline is complete: {steps} steps.{GOOD:#} Next: `plangate approve`.\n"),
    });
    output::text(&out)?;
    Ok(exit)
}
