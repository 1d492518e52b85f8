//! `plangate discard`.

use plangate::plan::{StateName, StateRef};
use plangate::session::Receipt;
use plangate::{AnyPlan, Error};
use serde::Serialize;

use super::args::Global;
use super::clean::Clean;
use super::confirm::confirm;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::which::Chosen;

#[derive(Serialize)]
struct Answer {
    session: String,
    why: String,
    /// Whether there was anything to discard.
    discarded: bool,
    /// Its name in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<String>,
    /// Its record in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<String>,
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let chosen = Chosen::find(global, environment)?;
    let session = &chosen.session;
    let receipt = match session.load().wait() {
        Ok(plan) if plan.state_name() == StateName::NoPlan => return answer(global, &chosen, false, None),
        Ok(plan) => {
            let text = format!("Session {} ({}): {}", session.id(), chosen.why, describe(&plan));
            confirm("discard this plan", &text, &word(&plan))?;
            plan.discard().wait()?.1
        }
        Err(Error::Load(error)) if error.code() == "damaged" => {
            confirm("discard this damaged plan", &format!("Session {}: {error}", session.id()), "discard")?;
            Some(session.discard_damaged().wait()?)
        }
        Err(error) => return Err(error.into()),
    };
    answer(global, &chosen, true, receipt)
}

/// What has to be typed: the first characters of the record's digest.
fn word(plan: &AnyPlan) -> String {
    plan.revision().map_or_else(|| "discard".to_owned(), |revision| revision.prefix())
}

fn describe(plan: &AnyPlan) -> String {
    match plan.state() {
        StateRef::NoPlan(_) => "no plan".to_owned(),
        StateRef::PreInit(_) => "plan mode is on, without a plan yet".to_owned(),
        StateRef::Editing(state) => format!("the design \"{}\"", Clean(state.header().title())),
        StateRef::Active(state) => {
            let progress = state.checklist().progress();
            format!(
                "the plan \"{}\", {} of {} tasks ended",
                Clean(state.header().title()),
                progress.ended(),
                progress.total()
            )
        }
    }
}

fn answer(global: &Global, chosen: &Chosen, discarded: bool, receipt: Option<Receipt>) -> Result<Exit, Failure> {
    let archive = receipt.as_ref().and_then(|receipt| receipt.archive.as_ref()).map(ToString::to_string);
    let json = receipt.and_then(|receipt| receipt.json).map(|json| json.to_string());
    if global.json {
        let session = chosen.session.id().to_string();
        output::json(&Answer { session, why: chosen.why.to_string(), discarded, archive, json })?;
        return Ok(Exit::Done);
    }
    output::text(&match (discarded, archive) {
        (false, _) => "There is no plan, so there is nothing to discard.\n".to_owned(),
        (true, None) => "Plan mode is off.\n".to_owned(),
        (true, Some(name)) => format!("Discarded. `plangate archive restore {name}` brings it back.\n"),
    })?;
    Ok(Exit::Done)
}
