use std::fmt;

/// How a call came in: who or what drives the agent. The origin never weakens the gate and never approves (LIFE-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// A person works with the agent. The library's default.
    Interactive,
    /// The agent runs with its permission checks switched off.
    Yolo,
    /// A scheduled job.
    Cron,
    /// A one-shot run without a person.
    Run,
    /// Another agent calls.
    A2a,
    /// A subagent of a session calls.
    Subagent,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Self; 6] = [Self::Interactive, Self::Yolo, Self::Cron, Self::Run, Self::A2a, Self::Subagent];

    /// Whether nobody is there who could look at a design: such an origin never enters planning (LIFE-10).
    pub const fn is_headless(self) -> bool {
        !matches!(self, Self::Interactive)
    }

    /// The name in records and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Yolo => "yolo",
            Self::Cron => "cron",
            Self::Run => "run",
            Self::A2a => "a2a",
            Self::Subagent => "subagent",
        }
    }

    /// The origin of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == name)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether the host asked a person before it let an `init` through (INIT-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Asked {
    /// The host's tool approval asked a person, who agreed.
    Person,
    /// Nobody was asked, or nobody could be.
    Nobody,
}

impl Asked {
    /// The name in records and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Nobody => "nobody",
        }
    }

    /// The value of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Person, Self::Nobody].into_iter().find(|asked| asked.as_str() == name)
    }
}

/// Who calls, and whether a person was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Caller {
    /// How the call came in.
    pub origin: Origin,
    /// Whether the host asked a person.
    pub asked: Asked,
}

impl Caller {
    /// A person's own session whose host asks before an `init`: the default of the library.
    pub const INTERACTIVE: Self = Self { origin: Origin::Interactive, asked: Asked::Person };

    /// A caller of that origin where nobody is asked.
    pub const fn unasked(origin: Origin) -> Self {
        Self { origin, asked: Asked::Nobody }
    }
}

impl Default for Caller {
    fn default() -> Self {
        Self::INTERACTIVE
    }
}
