//! `plangate completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::exit::Exit;
use super::failure::Failure;

pub(crate) fn run(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "plangate", &mut script);
    super::output::text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
