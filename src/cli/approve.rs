//! `plangate approve`.

use std::fmt::Write as _;

use plangate::AnyPlan;
use plangate::plan::{Approval, Operation, Refusal};
use plangate::session::Reason;
use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::confirm::confirm;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::which::Chosen;
use super::{output, wrap};

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
    let mut shown = format!("{md} (session {}, {why})\n\n{}", session.id(), head(text, wrap::screen_width()));
    let steps = match plan.outline().steps().len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let _ = writeln!(shown, "\n{steps}, digest {digest}");
    confirm("approve this design", &shown, &digest.prefix())?;
    let mut approval = Approval::new(Environment::person(), "terminal", digest);
    // Only a hook leaves a mark: without one, nobody has seen a gate at work in this session.
    let marks = environment.engine.present_in(environment.folder.clone()).wait()?;
    if !marks.iter().any(|mark| mark.session == *session.id()) {
        approval = approval.unguarded();
    }
    let approved = plan.approve(approval).wait()?;
    let facts = Facts::of_plan(&approved.into(), 1);
    if global.json {
        output::json(&Answer { why: why.to_string(), facts })?;
    } else {
        output::text("Approved. The agent adds the steps as tasks and starts.\n")?;
    }
    Ok(Exit::Done)
}

/// The first lines of a design as they are, those that are wider than the screen broken.
fn head(text: &str, width: usize) -> String {
    let width = width.saturating_sub(2);
    let rows = text.lines().flat_map(|line| match wrap::rows(line, width) {
        1 => vec![line.to_owned()],
        _ => wrap::wrap(line, width),
    });
    let rows: Vec<String> = rows.collect();
    let mut head: String = rows.iter().take(HEAD).map(|row| format!("  {row}\n")).collect();
    if let Some(rest @ 1..) = rows.len().checked_sub(HEAD) {
        let _ = writeln!(head, "  … and {rest} more lines: `plangate show` has them all");
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_design_is_bounded_and_says_what_it_leaves_out() {
        assert_eq!(head("# T\n\n  - a\n", 80), "  # T\n  \n    - a\n");
        let long = "word ".repeat(1000);
        let head = head(&long, 42);
        assert_eq!(head.lines().count(), HEAD + 1);
        assert!(head.ends_with("more lines: `plangate show` has them all\n"), "{head}");
    }
}
