//! `plangate tool`: one call of the `plan` tool.

use plangate::Session;
use plangate::model::{Asked, Caller, Origin};
use plangate::plan::StateName;
use plangate::tool::{Reply, Request};

use super::args::{Global, ToolCall};
use super::environment::Environment;
use super::exit::Exit;
use super::failure::{Failure, exit_of};
use super::which::Chosen;
use super::{clean::Clean, input, output};

pub(crate) fn run(global: &Global, environment: &Environment, call: &ToolCall) -> Result<Exit, Failure> {
    let arguments = input::read(&call.arguments)?;
    let caller = caller(call)?;
    let reply = match Request::parse(&arguments) {
        Err(error) => Reply::from(&error),
        Ok(request) => {
            let chosen = Chosen::find(global, environment)?;
            let folder = chosen.session_of_folder(environment);
            let session = acting(chosen.session, folder)?;
            session.with_caller(caller).answer(request).wait()
        }
    };
    if global.json {
        output::json(&reply)?;
    } else {
        let mut text = format!("{}\n", Clean(&reply.message));
        // An import says in its message what it has left out.
        for notice in reply.notices.iter().filter(|_| reply.code != "imported") {
            text.push_str(&format!("Note: {}\n", Clean(notice)));
        }
        output::text(&text)?;
    }
    Ok(if reply.ok { Exit::Done } else { exit_of(reply.code) })
}

/// The session whose plan the call is about. A person may have entered plan mode for the folder before the session was
/// known: the first session that makes a call there takes it over. The gate is as strict (`gate::judge`).
fn acting(session: Session, folder: Option<Session>) -> Result<Session, Failure> {
    let Some(folder) = folder else { return Ok(session) };
    if !matches!(session.view().wait(), Ok(view) if view.state_name() == StateName::NoPlan) {
        return Ok(session);
    }
    match folder.view().wait() {
        Ok(view) if view.state_name() == StateName::PreInit => {
            drop(session.claim(&folder).wait()?);
            Ok(session)
        }
        Ok(_) => Ok(session),
        // It may be that plan mode was entered: nothing goes past that. The answer names the file.
        Err(_) => Ok(folder),
    }
}

/// Who calls: as the command line says.
fn caller(call: &ToolCall) -> Result<Caller, Failure> {
    let usage = |argument: &str, found: &str, allowed: &str| {
        Failure::new(Exit::Usage, "argument", format!("{argument} {found:?}: use one of {allowed}"))
    };
    let origins = Origin::ALL.map(Origin::as_str).join(", ");
    let origin = match &call.origin {
        None => Origin::Interactive,
        Some(name) => Origin::from_name(name).ok_or_else(|| usage("--origin", name, &origins))?,
    };
    let asked = match &call.asked {
        None => Environment::asked(origin),
        Some(name) => Asked::from_name(name).ok_or_else(|| usage("--asked", name, "person, nobody"))?,
    };
    Ok(Caller { origin, asked })
}
