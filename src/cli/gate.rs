//! `plangate gate`: the gate's answer to one call, told in the neutral form.

use plangate::agents::neutral_call;
use plangate::gate::{Act, Denial, Surroundings, ToolCall, Verdict};
use plangate::plan::StateName;
use serde::Serialize;

use super::args::Global;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::which::Chosen;
use super::{clean::Clean, input, output};

#[derive(Serialize)]
struct Answer<'a> {
    session: &'a str,
    why: String,
    /// allow or deny.
    decision: &'static str,
    tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    denial: Option<Told<'a>>,
}

#[derive(Serialize)]
struct Told<'a> {
    code: &'static str,
    state: &'static str,
    rule: &'static str,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'a str>,
    /// The whole text for the model.
    message: String,
}

pub(crate) fn run(global: &Global, environment: &Environment, call: &str) -> Result<Exit, Failure> {
    let bytes = input::read(call)?;
    let call = neutral_call(&bytes, &environment.folder).map_err(|error| {
        Failure::new(Exit::Usage, "bad-call", format!("the call cannot be understood, so it counts as denied: {error}"))
    })?;
    let chosen = Chosen::find(global, environment)?;
    let verdict = judge(environment, &chosen, &call);
    let denial = verdict.denial();
    if global.json {
        output::json(&Answer {
            session: chosen.session.id().as_str(),
            why: chosen.why.to_string(),
            decision: if denial.is_none() { "allow" } else { "deny" },
            tool: &call.tool,
            denial: denial.map(told),
        })?;
    } else {
        output::text(&match denial {
            None => "allow\n".to_owned(),
            Some(denial) => format!("{}\n", Clean(&denial.to_string())),
        })?;
    }
    Ok(if denial.is_none() { Exit::Done } else { Exit::Refused })
}

/// The stricter of two answers: the session's, and that of a plan which a person entered for the folder and no session
/// has claimed yet. The `plan` tool acts on the session's own plan, where it has one.
fn judge(environment: &Environment, chosen: &Chosen, call: &ToolCall) -> Verdict {
    let policy = environment.engine.policy().wait();
    let surroundings = Surroundings {
        home: Environment::home(),
        project_dir: Some(environment.folder.clone()),
        guarded: Environment::guarded(),
    };
    let own = chosen.session.judge(call, &policy, &surroundings).wait();
    let Some(folder) = chosen.session_of_folder(environment).filter(|_| own.is_allowed()) else { return own };
    if matches!(call.act, Act::Plan(_))
        && !matches!(chosen.session.view().wait(), Ok(view) if view.state_name() == StateName::NoPlan)
    {
        return own;
    }
    folder.judge(call, &policy, &surroundings).wait()
}

fn told(denial: &Denial) -> Told<'_> {
    Told {
        code: denial.code(),
        state: denial.standing().as_str(),
        rule: denial.rule(),
        reason: denial.reason(),
        next: denial.next(),
        message: denial.to_string(),
    }
}
