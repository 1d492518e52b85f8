use camino::Utf8PathBuf;

use crate::gate::ToolCall;
use crate::model::{Origin, SessionId};

/// What a hook was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// What happens.
    pub event: Event,
    /// The session as the agent names it: in some agents a subagent's own.
    pub session: SessionId,
    /// The mark of a subagent, where the agent sends one.
    pub subagent: Option<Subagent>,
    /// The folder that the agent is in. A call may have another one.
    pub cwd: Utf8PathBuf,
    /// Who drives the agent, as far as it says so. It never weakens the gate (GATE-16).
    pub origin: Origin,
}

/// What an agent says of a subagent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subagent {
    /// Its own id. It is the session's id too where the agent gives subagents their own sessions.
    pub id: Box<str>,
    /// What kind it is.
    pub kind: Option<Box<str>>,
    /// The session that started it, where the payload's session is another one.
    pub parent: Option<SessionId>,
}

impl Payload {
    /// The session whose plan counts (GATE-15): the parent's where the payload names one. A parent that is itself a
    /// subagent's session, and an agent that names parents only when a session begins, are for the caller to follow.
    pub fn counts_for(&self) -> &SessionId {
        self.subagent.as_ref().and_then(|subagent| subagent.parent.as_ref()).unwrap_or(&self.session)
    }
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The agent asks whether this call may run.
    BeforeCall(ToolCall),
    /// This call has run.
    AfterCall(ToolCall),
    /// The session begins or goes on.
    SessionStart {
        /// The agent's word for how, such as `startup`, `resume` or `compact`.
        how: Option<Box<str>>,
    },
    /// A prompt was submitted: by a person, or by what only looks like one.
    Prompt {
        /// Its text.
        text: Box<str>,
    },
    /// A subagent begins.
    SubagentStart,
    /// An event that the agent is known to have, and that nothing here depends on.
    Other(Box<str>),
    /// An event that is not known: it may ask about a call.
    Unknown(Box<str>),
}
