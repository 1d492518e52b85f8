//! `plangate man`.

use clap::CommandFactory;

use super::args::Cli;
use super::exit::Exit;
use super::failure::Failure;

pub(crate) fn run() -> Result<Exit, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    super::output::text(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
