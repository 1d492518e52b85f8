//! The command line program. It uses the library's public interface and nothing else.

mod approve;
mod archive;
mod args;
mod check;
mod clean;
mod completions;
mod confirm;
mod discard;
mod doctor;
mod enter;
mod environment;
mod exit;
mod failure;
mod gate;
mod input;
mod list;
mod man;
mod markdown;
mod output;
mod page;
mod schema;
mod show;
mod status;
mod style;
mod tool;
mod watch;
mod which;
mod wrap;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command, Global};
use environment::Environment;
use exit::Exit;
use failure::{Answer, Failure};

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let Cli { global, command } = Cli::parse();
    match execute(&global, command) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            tell(&global, &failure);
            failure.exit.into()
        }
    }
}

fn execute(global: &Global, command: Command) -> Result<Exit, Failure> {
    let environment = || Environment::read(global);
    match command {
        Command::Enter => enter::run(global, &environment()?),
        Command::Status { page } => status::run(global, &environment()?, page),
        Command::Show => show::run(global, &environment()?),
        Command::Check => check::run(global, &environment()?),
        Command::Approve => approve::run(global, &environment()?),
        Command::Discard => discard::run(global, &environment()?),
        Command::Watch => watch::run(global, &environment()?),
        Command::Archive(command) => archive::run(global, &environment()?, command),
        Command::List => list::run(global, &environment()?),
        Command::Tool(call) => tool::run(global, &environment()?, &call),
        Command::Gate { call } => gate::run(global, &environment()?, &call),
        Command::Doctor => doctor::run(global, &environment()?),
        Command::Schema { side } => schema::run(side),
        Command::Completions { shell } => completions::run(shell),
        Command::Man => man::run(),
    }
}

/// Says what went wrong: as JSON on the standard output where JSON was asked for, else as text on the standard error.
fn tell(global: &Global, failure: &Failure) {
    if failure.is_unheard() {
        return;
    }
    if global.json {
        let _ = output::json(&Answer { error: failure });
        return;
    }
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "plangate: {}", clean::Clean(&failure.message));
    for choice in &failure.choices {
        let _ = writeln!(err, "  {}", clean::Clean(choice));
    }
}
