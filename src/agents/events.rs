//! The events of an agent by name.

use super::PayloadError;
use super::fields::Fields;

/// The names of an agent's events.
#[derive(Debug)]
pub(super) struct Events {
    /// Asks whether a call may run.
    pub(super) before: &'static [&'static str],
    /// Tells that a call has run.
    pub(super) after: &'static [&'static str],
    pub(super) start: &'static [&'static str],
    pub(super) prompt: &'static [&'static str],
    pub(super) subagent: &'static [&'static str],
    pub(super) others: &'static [&'static str],
}

/// What an event's name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Before,
    After,
    Start,
    Prompt,
    Subagent,
    Other,
    Unknown,
}

impl Events {
    pub(super) fn kind(&self, name: &str) -> Kind {
        let lists = [
            (self.before, Kind::Before),
            (self.after, Kind::After),
            (self.start, Kind::Start),
            (self.prompt, Kind::Prompt),
            (self.subagent, Kind::Subagent),
            (self.others, Kind::Other),
        ];
        lists.into_iter().find(|(names, _)| names.contains(&name)).map_or(Kind::Unknown, |(_, kind)| kind)
    }
}

/// The event's name: the payload's own, or the one that the hook was registered for. Where both are there they are one; some
/// agents begin it with a capital on one side only.
pub(super) fn name<'a>(
    fields: &'a Fields<'_>,
    own: &'static str,
    registered: Option<&'a str>,
) -> Result<Box<str>, PayloadError> {
    match (fields.text(own)?, registered) {
        (Some(name), Some(registered)) if !name.eq_ignore_ascii_case(registered) => {
            Err(PayloadError::OtherEvent { registered: registered.into() })
        }
        (Some(name), _) => Ok(name),
        (None, Some(registered)) => Ok(registered.into()),
        (None, None) => Err(PayloadError::NoEvent),
    }
}
