//! `plangate schema`.

use plangate::tool::{input_schema, output_schema};

use super::args::Side;
use super::exit::Exit;
use super::failure::Failure;

pub(crate) fn run(side: Side) -> Result<Exit, Failure> {
    let schema = match side {
        Side::Input => input_schema(),
        Side::Output => output_schema(),
    };
    super::output::text(&format!("{schema}\n"))?;
    Ok(Exit::Done)
}
