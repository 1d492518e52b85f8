use camino::Utf8PathBuf;

use crate::plan::Operation;

/// One tool call of an agent, as what it *does*: the catalogue has looked at the tool's name and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool's name as the agent gave it, for texts.
    pub tool: Box<str>,
    /// The folder that relative targets are looked up from.
    pub cwd: Utf8PathBuf,
    /// What the call does.
    pub act: Act,
}

/// What a tool call does. A call that acts later or elsewhere counts as what it will do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Act {
    /// Reads or searches, and changes nothing.
    Read,
    /// Changes files: every one of them. A call is as bad as its worst target (GATE-9).
    Write {
        /// Files whose content is created, overwritten, edited or appended to.
        content: Vec<Target>,
        /// Files that are removed, moved away, moved to, linked, or whose mode changes.
        altered: Vec<Target>,
    },
    /// Runs a command: in a shell, in a terminal that is open, in another interpreter, now or in the background.
    Shell {
        /// The command; `None` if the call sends none, such as a look at what a terminal shows. A call that hides its
        /// command is [`Unreadable`](Act::Unreadable).
        command: Option<Box<str>>,
    },
    /// The `plan` tool itself.
    Plan(Operation),
    /// Asks the user something.
    Question,
    /// Starts an agent or a team, now or at a set time.
    Spawn,
    /// Sends something to a channel outside.
    Send,
    /// Changes something through a browser.
    Browser,
    /// Nobody has said what this tool does.
    Unknown,
    /// The call cannot be understood: a target that is no path, a patch that does not parse, a key that stands twice.
    Unreadable {
        /// What is wrong, for the denial's text.
        why: Box<str>,
    },
}

/// A path as the call gives it: not resolved, and possibly nonsense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Box<str>);

impl Target {
    /// A path as the call gives it.
    pub fn new(path: impl Into<Box<str>>) -> Self {
        Self(path.into())
    }

    /// The path as the call gives it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
