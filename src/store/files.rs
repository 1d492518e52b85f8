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
}

impl Files {
    pub(crate) fn of(session: &SessionId) -> Result<Self, StoreError> {
        let name = |ending: &str| Name::new(format!(".opencrabs_plan_{session}.{ending}"));
        Ok(Self {
            json: name("json")?,
            md: name("md")?,
            lock: name("lock")?,
            tombstone: name("tombstone")?,
            pin: name("pin")?,
        })
    }

    /// Whether a temporary file for `target` is this session's.
    pub(crate) fn owns(&self, target: &str) -> bool {
        [&self.json, &self.md, &self.tombstone, &self.pin].into_iter().any(|name| name.as_str() == target)
    }
}
