//! What the hooks of known agents send, as a session and a tool call. One file an agent.
//!
//! Bytes in, values out: nothing here reads a file, the environment or a clock. Every quirk that an agent's payloads show is
//! written down in its file. What cannot be read is an error and never a call that may pass (GATE-10, B25).

mod claude;
mod codex;
mod copilot;
mod cursor;
mod error;
mod events;
mod fields;
mod gemini;
mod neutral;
mod opencode;
mod origin;
mod payload;

use camino::Utf8Path;

pub use error::PayloadError;
pub use payload::{Event, Payload, Subagent};

use crate::gate::ToolCall;
use fields::Fields;

/// The longest payload that is read, in bytes. Whoever reads one from a pipe stops one byte after it: what is longer is
/// refused, and no agent's call comes near it.
pub const MAX_PAYLOAD: usize = 32 << 20;

/// An agent whose hooks are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// opencode. It has no hooks that are programs: a plugin sends what its own hooks get.
    OpenCode,
    /// Cursor.
    Cursor,
}

impl Agent {
    /// Every agent.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::GeminiCli, Self::CopilotCli, Self::OpenCode, Self::Cursor];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini",
            Self::CopilotCli => "copilot",
            Self::OpenCode => "opencode",
            Self::Cursor => "cursor",
        }
    }

    /// The agent of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.as_str() == name)
    }

    /// Reads one payload. `event` is the event that the hook was registered for, which some payloads do not name;
    /// `folder` is the folder of a call whose payload names none.
    ///
    /// ```
    /// use camino::Utf8Path;
    /// use plangate::agents::{Agent, Event};
    /// use plangate::gate::Act;
    ///
    /// let bytes = br#"{"session_id":"s1","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{}}"#;
    /// let payload = Agent::ClaudeCode.read(bytes, None, Utf8Path::new("/"))?;
    /// let Event::BeforeCall(call) = payload.event else { panic!("a call") };
    /// assert_eq!(call.act, Act::Read);
    /// # Ok::<(), plangate::agents::PayloadError>(())
    /// ```
    ///
    /// # Errors
    /// [`PayloadError`]: nothing is known of the call then, so a hook that is asked about one should block it.
    pub fn read(self, payload: &[u8], event: Option<&str>, folder: &Utf8Path) -> Result<Payload, PayloadError> {
        let fields = Fields::read(payload)?;
        match self {
            Self::ClaudeCode => claude::read(&fields, event, folder),
            Self::Codex => codex::read(&fields, event, folder),
            Self::GeminiCli => gemini::read(&fields, event, folder),
            Self::CopilotCli => copilot::read(&fields, event, folder),
            Self::OpenCode => opencode::read(&fields, event, folder),
            Self::Cursor => cursor::read(&fields, event, folder),
        }
    }
}

/// Reads a call in the neutral form, for hosts that are none of the known agents: one JSON object.
///
/// | field | meaning |
/// |---|---|
/// | `tool` | the tool's name; required |
/// | `cwd` | the folder that relative paths are under |
/// | `arguments` | the tool's arguments, an object |
/// | `kind` | what the call does: `read`, `write`, `shell`, `plan`, `question`, `spawn`, `send`, `browser`, `unknown` |
/// | `paths` | of a `write`: the files whose content changes |
/// | `altered` | of a `write`: the files that are removed, moved, linked or whose mode changes |
/// | `command` | of a `shell`: the command |
///
/// Without `kind` the tool's name decides, by [`Catalog::Neutral`](crate::gate::Catalog::Neutral); with it the host answers for it.
///
/// ```
/// use camino::Utf8Path;
/// use plangate::gate::Act;
///
/// let bytes = br#"{"tool":"paint","cwd":"/p","kind":"write","paths":["a.png"]}"#;
/// let call = plangate::agents::neutral_call(bytes, Utf8Path::new("/"))?;
/// assert!(matches!(call.act, Act::Write { .. }));
/// # Ok::<(), plangate::agents::PayloadError>(())
/// ```
///
/// # Errors
/// [`PayloadError`].
pub fn neutral_call(call: &[u8], folder: &Utf8Path) -> Result<ToolCall, PayloadError> {
    neutral::read(&Fields::read(call)?, folder)
}
