use camino::{Utf8Path, Utf8PathBuf};

use crate::model::SessionId;

/// Whose plan it is, and where its `.md` is or will be. Only a path: the `.md` need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    session: SessionId,
    md: Utf8PathBuf,
}

impl Site {
    pub(crate) fn new(session: SessionId, md: Utf8PathBuf) -> Self {
        Self { session, md }
    }

    /// The session.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// The absolute path of the session `.md`.
    pub fn md(&self) -> &Utf8Path {
        &self.md
    }
}
