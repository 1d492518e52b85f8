//! `plangate doctor`: is everything in order?

use std::fmt::Write as _;

use plangate::SessionId;
use serde::Serialize;

use super::args::Global;
use super::clean::CleanLine;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::style::{GOOD, WARN};

/// One thing that was looked at.
#[derive(Serialize)]
struct Check {
    what: &'static str,
    ok: bool,
    found: String,
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let checks = [version(), root(environment), locks(environment)?, policy(environment), plans(environment)];
    let ok = checks.iter().all(|check| check.ok);
    if global.json {
        #[derive(Serialize)]
        struct Answer<'a> {
            ok: bool,
            checks: &'a [Check],
        }
        output::json(&Answer { ok, checks: &checks })?;
    } else {
        let mut out = String::new();
        for Check { what, ok, found } in &checks {
            let (mark, style) = if *ok { ("ok  ", GOOD) } else { ("look", WARN) };
            let _ = writeln!(out, "{style}{mark}{style:#} {what}: {}", CleanLine(found));
        }
        output::text(&out)?;
    }
    Ok(if ok { Exit::Done } else { Exit::Failed })
}

fn version() -> Check {
    Check { what: "version", ok: true, found: env!("CARGO_PKG_VERSION").to_owned() }
}

fn root(environment: &Environment) -> Check {
    let root = environment.engine.root();
    let found = match std::fs::metadata(root) {
        Ok(metadata) if metadata.is_dir() => (true, root.to_string()),
        Ok(_) => (false, format!("{root} is no folder: move it away, or name another with --root")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            (true, format!("{root} is not there yet; the first plan makes it"))
        }
        Err(error) => (false, format!("{root} cannot be looked at: {error}")),
    };
    Check { what: "root folder", ok: found.0, found: found.1 }
}

/// Takes the lock of a session of its own, which has no plan.
fn locks(environment: &Environment) -> Result<Check, Failure> {
    let id =
        SessionId::new("plangate-doctor").map_err(|error| Failure::new(Exit::Failed, "doctor", error.to_string()))?;
    if !environment.engine.root().exists() {
        let found = "not tried: there is no root folder yet".to_owned();
        return Ok(Check { what: "locks", ok: true, found });
    }
    let taken = environment.engine.session(id).exclusive().wait();
    let (ok, found) = match taken {
        Ok(_) => (true, "can be taken; plans can be written".to_owned()),
        Err(error) => (false, error.to_string()),
    };
    Ok(Check { what: "locks", ok, found })
}

fn policy(environment: &Environment) -> Check {
    let policy = environment.engine.policy().wait();
    match policy.broken() {
        Some(why) => {
            Check { what: "policy", ok: false, found: format!("{why}; until it is mended the strictest policy holds") }
        }
        None => Check { what: "policy", ok: true, found: "read, or the default".to_owned() },
    }
}

fn plans(environment: &Environment) -> Check {
    let mut unreadable = Vec::new();
    let sessions = environment.engine.sessions().wait().unwrap_or_else(|error| {
        unreadable.push(error.to_string());
        Vec::new()
    });
    for session in &sessions {
        if let Err(error) = session.view().wait() {
            unreadable.push(format!("session {}: {error}", session.id()));
        }
    }
    let found = match unreadable.len() {
        0 => format!("{} with a plan file, all readable", sessions.len()),
        _ => unreadable.join("; "),
    };
    Check { what: "sessions", ok: unreadable.is_empty(), found }
}
