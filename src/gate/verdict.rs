use std::fmt;

use super::Standing;

/// The gate's answer to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a verdict that nobody looks at stops nothing"]
pub enum Verdict {
    /// The call may run.
    Allow,
    /// The call must not run.
    Deny(Denial),
}

impl Verdict {
    /// Whether the call may run.
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allow)
    }

    /// The denial, if it is one.
    pub const fn denial(&self) -> Option<&Denial> {
        match self {
            Self::Allow => None,
            Self::Deny(denial) => Some(denial),
        }
    }
}

/// Why a call must not run, and what to do instead (GATE-11).
///
/// The same call in the same state gives the same bytes. Its `Display` is the whole text for the model: for a plan
/// operation exactly that of the `plan` tool (GATE-17), for everything else the state, the rule, the reason and one next
/// step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    pub(super) code: &'static str,
    pub(super) standing: Standing,
    pub(super) rule: &'static str,
    pub(super) reason: Box<str>,
    /// Empty where the reason says it itself: it is the `plan` tool's text then.
    pub(super) next: Box<str>,
}

impl Denial {
    /// The stable code (`docs/gate.md`).
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// How the session stands.
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// The clause that decides, `GATE-3` for one (`docs/spec.md`).
    pub const fn rule(&self) -> &'static str {
        self.rule
    }

    /// What is denied, and why.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The one thing to do instead; `None` where the text is the `plan` tool's own and says it in its last sentence.
    pub fn next(&self) -> Option<&str> {
        (!self.next.is_empty()).then_some(&*self.next)
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { standing, rule, reason, next, .. } = self;
        if next.is_empty() {
            return f.write_str(reason);
        }
        write!(f, "Denied in {standing} ({rule}): {reason} {next}")
    }
}
