//! `plangate list`.

use std::fmt::Write as _;

use plangate::plan::StateName;
use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::clean::CleanLine;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::style::{DIM, WARN};

/// One session: its facts, or why its state cannot be told.
#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    Live(Box<Facts>),
    Unreadable { session: String, error: Failure },
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let mut rows = Vec::new();
    for session in environment.engine.sessions().wait()? {
        match session.view().wait() {
            Ok(view) if view.state_name() == StateName::NoPlan => {}
            Ok(view) => rows.push(Row::Live(Box::new(Facts::of_view(&view, 1)))),
            Err(error) => rows.push(Row::Unreadable { session: session.id().to_string(), error: error.into() }),
        }
    }
    if global.json {
        #[derive(Serialize)]
        struct Answer {
            sessions: Vec<Row>,
        }
        output::json(&Answer { sessions: rows })?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    if rows.is_empty() {
        out.push_str("No session has a live plan.\n");
    }
    for row in &rows {
        let _ = match row {
            Row::Live(facts) => writeln!(
                out,
                "{}  {}  {}  {DIM}{}{DIM:#}",
                facts.session,
                facts.state,
                CleanLine(facts.title.as_deref().unwrap_or("(no title yet)")),
                CleanLine(facts.project_dir.as_deref().unwrap_or_default())
            ),
            Row::Unreadable { session, error } => {
                writeln!(out, "{session}  {WARN}{}{WARN:#}", CleanLine(&error.message))
            }
        };
    }
    output::text(&out)?;
    Ok(Exit::Done)
}
