//! Which tool of which agent does what, as lists, and how a call is read by them.
//!
//! A name that no list has is [`Act::Unknown`], however much it looks like one that a list has (GATE-7). What a call
//! *does* comes from the list and the arguments; what cannot be read is [`Act::Unreadable`] and never a read.

mod arguments;
mod claude;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod neutral;
mod opencode;
mod opencrabs;
mod operation;
mod reading;
mod servers;
mod tool;

use camino::Utf8Path;

use super::{Act, ToolCall};
use reading::Reading;
use tool::{Does, Tool};

/// An agent's tools.
///
/// ```
/// use camino::Utf8Path;
/// use plangate::gate::{Act, Catalog};
///
/// let call = Catalog::ClaudeCode.call("Write", r#"{"file_path":"/p/a.rs","content":""}"#, Utf8Path::new("/p"));
/// assert!(matches!(call.act, Act::Write { .. }));
/// let call = Catalog::ClaudeCode.call("Plan", "{}", Utf8Path::new("/p"));
/// assert_eq!(call.act, Act::Unknown);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Catalog {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// opencode.
    OpenCode,
    /// Cursor.
    Cursor,
    /// OpenCrabs.
    OpenCrabs,
    /// Any other agent: the names that tools commonly have.
    Neutral,
}

/// What an agent's tools make of a path that begins with `~`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tilde {
    /// The user's home.
    Home,
    /// A name like any other.
    Literal,
    /// The one or the other, by version: both count.
    Either,
}

/// The server that `plangate mcp` is set up as, and its tool.
const OUR_SERVER: &str = "plangate";
const OUR_TOOL: &str = "plan";

impl Catalog {
    /// Every catalogue.
    pub const ALL: [Self; 8] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::CopilotCli,
        Self::OpenCode,
        Self::Cursor,
        Self::OpenCrabs,
        Self::Neutral,
    ];

    /// What a call of `tool` does (GATE-7, GATE-9). `arguments` is their JSON text, `cwd` the folder that the agent gives
    /// for the call. Names match exactly.
    pub fn call(self, tool: &str, arguments: &str, cwd: &Utf8Path) -> ToolCall {
        self.read(tool, self.find(tool), arguments, cwd)
    }

    /// As [`Self::call`], of a server's tool that the agent names apart from its server.
    #[cfg_attr(not(feature = "agents"), expect(dead_code, reason = "only payloads name a server apart"))]
    pub(crate) fn call_of_server(
        self,
        tool: &str,
        (server, name): (&str, &str),
        arguments: &str,
        cwd: &Utf8Path,
    ) -> ToolCall {
        let does = match (server, name) {
            (OUR_SERVER, OUR_TOOL) => Some(&Does::Plan),
            _ => of_server(server, name),
        };
        self.read(tool, does, arguments, cwd)
    }

    fn read(self, tool: &str, does: Option<&'static Does>, arguments: &str, cwd: &Utf8Path) -> ToolCall {
        let mut reading = Reading { arguments, cwd: cwd.to_owned(), tilde: self.tilde() };
        let act = does.map_or(Act::Unknown, |does| reading.act(does));
        ToolCall { tool: tool.into(), cwd: reading.cwd, act }
    }

    fn find(self, name: &str) -> Option<&'static Does> {
        let own = self.tools().iter().find(|tool| tool.name == name).map(|tool| &tool.does);
        own.or_else(|| {
            let (before, between) = self.spelling()?;
            let rest = name.strip_prefix(before)?;
            servers::SERVERS.iter().find_map(|server| {
                let tool = server.names.iter().find_map(|name| rest.strip_prefix(name)?.strip_prefix(between))?;
                server.tools.iter().find(|known| known.name == tool).map(|known| &known.does)
            })
        })
    }

    fn tools(self) -> &'static [Tool] {
        match self {
            Self::ClaudeCode => claude::TOOLS,
            Self::Codex => codex::TOOLS,
            Self::GeminiCli => gemini::TOOLS,
            Self::CopilotCli => copilot::TOOLS,
            Self::OpenCode => opencode::TOOLS,
            Self::Cursor => cursor::TOOLS,
            Self::OpenCrabs => opencrabs::TOOLS,
            Self::Neutral => neutral::TOOLS,
        }
    }

    /// How the name of a server's tool is put together: what stands before the server, and what between it and the tool.
    const fn spelling(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::ClaudeCode | Self::Codex | Self::Neutral => Some(("mcp__", "__")),
            Self::GeminiCli => Some(("mcp_", "_")),
            Self::CopilotCli => Some(("", "-")),
            Self::OpenCode => Some(("", "_")),
            Self::Cursor | Self::OpenCrabs => None,
        }
    }

    const fn tilde(self) -> Tilde {
        match self {
            Self::ClaudeCode | Self::OpenCrabs | Self::Neutral => Tilde::Home,
            Self::Codex | Self::GeminiCli => Tilde::Literal,
            Self::CopilotCli | Self::OpenCode | Self::Cursor => Tilde::Either,
        }
    }
}

fn of_server(server: &str, tool: &str) -> Option<&'static Does> {
    let server = servers::SERVERS.iter().find(|known| known.names.contains(&server))?;
    server.tools.iter().find(|known| known.name == tool).map(|known| &known.does)
}
