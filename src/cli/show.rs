//! `plangate show`.

use plangate::tool::Facts;
use serde::Serialize;

use super::args::Global;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::which::Chosen;
use super::{output, page, wrap};
use plangate::plan::StateRef;

#[derive(Serialize)]
struct Answer<'a> {
    why: String,
    #[serde(flatten)]
    facts: Facts,
    /// The whole text of the session `.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
}

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let Chosen { session, why } = Chosen::find(global, environment)?;
    let view = session.view().wait()?;
    if global.json {
        let body = match view.state() {
            StateRef::Editing(state) => state.markdown().text(),
            StateRef::Active(state) => state.markdown().text(),
            StateRef::NoPlan(_) | StateRef::PreInit(_) => None,
        };
        output::json(&Answer { why: why.to_string(), facts: Facts::of_view(&view, 1), body })?;
        return Ok(Exit::Done);
    }
    let width = wrap::screen_width();
    let parts =
        [page::summary(&view, &why, width), page::design(view.state(), width), page::checklist(view.state(), width)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    output::text(&parts.join("\n"))?;
    Ok(Exit::Done)
}
