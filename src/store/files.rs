use super::error::StoreError;
use super::folder::Name;
use crate::model::SessionId;

/// The names of a session's files in its folder.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    pub(crate) json: Name,
    pub(crate) md: Name,
    pub(crate) lock: Name,
    /// Says which plans of the fallback folder have ended.
    pub(crate) tombstone: Name,
    /// Says which project's folder a live plan is in.
    pub(crate) pin: Name,
    /// Says in which folder an agent of this session works.
    pub(crate) presence: Name,
}

/// What comes before and after the session's id in the name of a record.
const RECORD: (&str, &str) = (".opencrabs_plan_", ".json");
/// The same for the name of a presence mark.
const PRESENCE: (&str, &str) = (".opencrabs_plan_", ".presence");

impl Files {
    pub(crate) fn of(session: &SessionId) -> Result<Self, StoreError> {
        let name = |ending: &str| Name::new(format!(".opencrabs_plan_{session}.{ending}"));
        Ok(Self {
            json: name("json")?,
            md: name("md")?,
            lock: name("lock")?,
            tombstone: name("tombstone")?,
            pin: name("pin")?,
            presence: name("presence")?,
        })
    }

    /// Whether a temporary file for `target` is this session's.
    pub(crate) fn owns(&self, target: &str) -> bool {
        [&self.json, &self.md, &self.tombstone, &self.pin, &self.presence]
            .into_iter()
            .any(|name| name.as_str() == target)
    }
}

/// The session whose record has this name.
pub(crate) fn session_of_record(name: &Name) -> Option<SessionId> {
    session_between(name, RECORD)
}

/// The session whose presence mark has this name.
pub(crate) fn session_of_presence(name: &Name) -> Option<SessionId> {
    session_between(name, PRESENCE)
}

fn session_between(name: &Name, (before, after): (&str, &str)) -> Option<SessionId> {
    SessionId::new(name.as_str().strip_prefix(before)?.strip_suffix(after)?).ok()
}
