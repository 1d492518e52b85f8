//! `plangate status`.

use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::which::Chosen;
use super::{output, page, wrap};

#[derive(Serialize)]
struct Answer {
    why: String,
    #[serde(flatten)]
    facts: Facts,
}

pub(crate) fn run(global: &Global, environment: &Environment, number: usize) -> Result<Exit, Failure> {
    let Chosen { session, why } = Chosen::find(global, environment)?;
    let view = session.view().wait()?;
    if global.json {
        output::json(&Answer { why: why.to_string(), facts: Facts::of_view(&view, number) })?;
    } else {
        output::text(&page::summary(&view, &why, wrap::screen_width()))?;
    }
    Ok(Exit::Done)
}
