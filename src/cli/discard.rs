//! `plangate discard`.

use plangate::plan::{StateName, StateRef};
use plangate::session::Receipt;
use plangate::{AnyPlan, Error};
use serde::Serialize;

use super::args::Global;
use super::clean::CleanLine;
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

/// What there was.
enum Found {
    Nothing,
    Plan(Option<Receipt>),
    Damaged(Receipt),
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let chosen = Chosen::find(global, environment)?;
    let session = &chosen.session;
    let found = match session.load().wait() {
        Ok(plan) if plan.state_name() == StateName::NoPlan => Found::Nothing,
        Ok(plan) => {
            let text = format!("Session {} ({}): {}", session.id(), chosen.why, describe(&plan));
            confirm("discard this plan", &text, &word(&plan))?;
            Found::Plan(plan.discard().wait()?.1)
        }
        Err(Error::Load(error)) if error.code() == "damaged" => {
            let text = format!("Session {} ({}): {error}", session.id(), chosen.why);
            confirm("discard this damaged plan", &text, "discard")?;
            Found::Damaged(session.discard_damaged().wait()?)
        }
        Err(error) => return Err(error.into()),
    };
    answer(global, &chosen, found)
}

/// What has to be typed: the first characters of the record's digest.
fn word(plan: &AnyPlan) -> String {
    plan.revision().map_or_else(|| "discard".to_owned(), |revision| revision.prefix())
}

fn describe(plan: &AnyPlan) -> String {
    match plan.state() {
        StateRef::NoPlan(_) => "no plan".to_owned(),
        StateRef::PreInit(_) => "plan mode is on, without a plan yet".to_owned(),
        StateRef::Editing(state) => format!("the design \"{}\"", CleanLine(state.header().title())),
        StateRef::Active(state) => {
            let progress = state.checklist().progress();
            format!(
                "the plan \"{}\", {} of {} tasks ended",
                CleanLine(state.header().title()),
                progress.ended(),
                progress.total()
            )
        }
    }
}

fn answer(global: &Global, chosen: &Chosen, found: Found) -> Result<Exit, Failure> {
    let id = chosen.session.id();
    let (discarded, damaged, receipt) = match found {
        Found::Nothing => (false, false, None),
        Found::Plan(receipt) => (true, false, receipt),
        Found::Damaged(receipt) => (true, true, Some(receipt)),
    };
    let archive = receipt.as_ref().and_then(|receipt| receipt.archive.as_ref()).map(ToString::to_string);
    if global.json {
        let json = receipt.and_then(|receipt| receipt.json).map(|json| json.to_string());
        let (session, why) = (id.to_string(), chosen.why.to_string());
        output::json(&Answer { session, why, discarded, archive, json })?;
        return Ok(Exit::Done);
    }
    output::text(&match archive {
        _ if !discarded => format!("Session {id} has no plan, so there is nothing to discard.\n"),
        None => "Plan mode is off.\n".to_owned(),
        Some(name) if damaged => format!("The damaged plan is in the archive, as {name}\n"),
        // The folder does not lead to the session any more once its plan is gone.
        Some(name) => {
            format!("Discarded. To bring it back:\n  plangate archive restore {name} --session {id}\n")
        }
    })?;
    Ok(Exit::Done)
}
