//! `plangate tool`: one call of the `plan` tool.

use plangate::model::{Asked, Caller, Origin};
use plangate::tool::{Reply, Request};

use super::args::{Global, ToolCall};
use super::environment::Environment;
use super::exit::Exit;
use super::failure::{Failure, exit_of};
use super::which::{Chosen, Why};
use super::{clean::Clean, input, output};

pub(crate) fn run(global: &Global, environment: &Environment, call: &ToolCall) -> Result<Exit, Failure> {
    let arguments = input::read(&call.arguments)?;
    let reply = match Request::parse(&arguments) {
        Err(error) => Reply::from(&error),
        Ok(request) => {
            let Chosen { session, why } = Chosen::find(global, environment)?;
            if why != Why::Folder {
                // A person may have entered plan mode for this folder before the session was known.
                drop(session.claim(&environment.engine.folder_session(&environment.folder)).wait()?);
            }
            session.with_caller(caller(call)?).answer(request).wait()
        }
    };
    if global.json {
        output::json(&reply)?;
    } else {
        let mut text = format!("{}\n", Clean(&reply.message));
        for notice in &reply.notices {
            text.push_str(&format!("Note: {}\n", Clean(notice)));
        }
        output::text(&text)?;
    }
    Ok(if reply.ok { Exit::Done } else { exit_of(reply.code) })
}

/// Who calls: as the command line says; a call that an agent's variables accompany was approved by nobody.
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
        None if Environment::agent().is_some() || origin != Origin::Interactive => Asked::Nobody,
        None => Asked::Person,
        Some(name) => Asked::from_name(name).ok_or_else(|| usage("--asked", name, "person, nobody"))?,
    };
    Ok(Caller { origin, asked })
}
