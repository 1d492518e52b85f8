//! The command line.

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::exit;

/// Plan mode that holds: an agent designs, a person approves, a checklist is worked off.
#[derive(Debug, Parser)]
#[command(name = "plangate", version, after_help = exit::HELP, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The heading of the options that every command takes.
const EVERYWHERE: &str = "Options of every command";

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The agent session that is meant. Else PLANGATE_SESSION, else the agent's own variable, else the session of this folder
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The folder that plans live in. Else PLANGATE_ROOT, else ~/.opencrabs
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "DIR")]
    pub(crate) root: Option<Utf8PathBuf>,
    /// A named profile
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// The slug of the project that the session is bound to
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "SLUG")]
    pub(crate) project: Option<String>,
    /// Answer with one JSON value
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Enter plan mode: from now on the gate keeps the agent's hands off the project
    #[command(after_help = "Example:\n  plangate enter")]
    Enter,
    /// Tell the state of the plan in a few lines
    #[command(after_help = "Examples:\n  plangate status\n  plangate status --json --session a1")]
    Status {
        /// Which page of the tasks to list, from 1
        #[arg(long, default_value_t = 1, value_name = "N")]
        page: usize,
    },
    /// Show the design and the checklist
    #[command(after_help = "Example:\n  plangate show | less -R")]
    Show,
    /// Tell what the design's outline lacks, with line numbers
    #[command(after_help = "Example:\n  plangate check && plangate approve")]
    Check,
    /// Approve the design that you have read. Asks at the terminal; an agent cannot do it
    #[command(after_help = "Example:\n  plangate approve")]
    Approve,
    /// Discard the plan; it goes to the archive. Asks at the terminal; an agent cannot do it
    #[command(after_help = "Example:\n  plangate discard")]
    Discard,
    /// Keep the plan on the screen and follow every change, of any process. Ends with Ctrl-C
    #[command(after_help = "Examples:\n  plangate watch\n  plangate watch --json | jq .state")]
    Watch,
    /// Look at the plans that have ended
    #[command(subcommand)]
    Archive(Archive),
    /// List all sessions that have a live plan
    #[command(after_help = "Example:\n  plangate list --json")]
    List,
    /// Answer one call of the `plan` tool
    #[command(
        after_help = "Examples:\n  plangate tool '{\"operation\": \"init\", \"title\": \"Swap the cache\"}'\n  echo '{\"operation\": \"status\"}' | plangate tool -"
    )]
    Tool(ToolCall),
    /// Tell whether the gate lets one tool call through
    #[command(
        after_help = "Examples:\n  plangate gate '{\"tool\": \"write\", \"kind\": \"write\", \"paths\": [\"src/main.rs\"]}'\n  plangate gate '{\"tool\": \"bash\", \"arguments\": {\"command\": \"ls\"}}'"
    )]
    Gate {
        /// The call as one JSON object (docs/cli.md), or - for the standard input
        #[arg(value_name = "JSON")]
        call: String,
    },
    /// Look whether everything is in order
    #[command(after_help = "Example:\n  plangate doctor")]
    Doctor,
    /// Print the JSON Schema of the `plan` tool
    #[command(after_help = "Examples:\n  plangate schema\n  plangate schema output")]
    Schema {
        /// Which side of the tool
        #[arg(default_value = "input")]
        side: Side,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  plangate completions bash > ~/.local/share/bash-completion/completions/plangate"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example:\n  plangate man | man -l -")]
    Man,
}

/// A side of the `plan` tool.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Side {
    /// Its arguments
    Input,
    /// Its answers
    Output,
}

/// One call of the `plan` tool.
#[derive(Debug, Args)]
pub(crate) struct ToolCall {
    /// The arguments as one JSON object, or - for the standard input
    #[arg(value_name = "JSON")]
    pub(crate) arguments: String,
    /// How the call comes in: interactive, yolo, cron, run, a2a or subagent [default: interactive]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Whether a person was asked before an init: person or nobody [default: nobody under an agent, else person]
    #[arg(long, value_name = "WHO")]
    pub(crate) asked: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Archive {
    /// List the session's ended plans, oldest first
    #[command(after_help = "Example:\n  plangate archive list")]
    List,
    /// Show one of them: the design and the record
    #[command(
        after_help = "Examples:\n  plangate archive show\n  plangate archive show opencrabs_plan_a1-20260720T090100Z"
    )]
    Show {
        /// Its name, as `archive list` gives it [default: the one that ended last]
        name: Option<String>,
    },
    /// Bring a discarded plan back as it was. Asks at the terminal; an agent cannot do it
    #[command(after_help = "Example:\n  plangate archive restore opencrabs_plan_a1-20260720T090100Z-discarded")]
    Restore {
        /// Its name, as `archive list` gives it
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
        let parsed = Cli::try_parse_from(["plangate", "tool", "{}", "--json"]).unwrap();
        assert!(parsed.global.json, "the option and the argument of `tool` are two things");
    }
}
