//! Where an agent's session works: a small mark that its hook leaves, so that a person at a terminal finds the session of
//! the folder they are in. It says nothing of a plan.

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::Context;
use super::durable;
use super::error::{StoreError, WriteError};
use super::files::{Files, session_of_presence};
use super::folder::{Folder, Name};
use crate::model::{SessionId, Timestamp};

/// A path and two words; more is none of ours.
const LIMIT: u64 = 64 * 1024;

/// An agent's session that was seen in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Presence {
    /// The session.
    pub session: SessionId,
    /// The folder's real path.
    pub folder: Utf8PathBuf,
    /// The agent's name.
    pub agent: String,
    /// When it made its last call.
    pub at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct Mark {
    folder: Utf8PathBuf,
    agent: String,
    at: String,
}

/// Leaves or renews the mark of a session.
pub(crate) fn mark(
    context: &Context,
    files: &Files,
    folder: &Utf8Path,
    agent: &str,
    at: Timestamp,
) -> Result<(), WriteError> {
    let home = Folder::create(&context.disk, &context.layout.home()).map_err(WriteError::NotWritten)?;
    let mark = Mark { folder: folder.to_owned(), agent: agent.to_owned(), at: at.to_string() };
    let Ok(bytes) = serde_json::to_vec(&mark) else { return Ok(()) };
    durable::write(&home, &files.presence, &bytes)
}

/// Removes the mark of a session.
pub(crate) fn forget(context: &Context, files: &Files) -> Result<(), WriteError> {
    match Folder::open(&context.disk, &context.layout.home()).map_err(WriteError::NotWritten)? {
        Some(home) => durable::remove(&home, &files.presence).map(|_| ()),
        None => Ok(()),
    }
}

/// The sessions that were seen in a folder, the latest call first. A mark that is none is left out.
pub(crate) fn present_in(context: &Context, folder: &Utf8Path) -> Result<Vec<Presence>, StoreError> {
    let Some(home) = Folder::open(&context.disk, &context.layout.home())? else {
        return Ok(Vec::new());
    };
    let mut present: Vec<Presence> =
        home.names()?.iter().filter_map(|name| read(&home, name)).filter(|mark| mark.folder == folder).collect();
    present.sort_by(|one, other| (other.at, &one.session).cmp(&(one.at, &other.session)));
    Ok(present)
}

fn read(home: &Folder, name: &Name) -> Option<Presence> {
    let session = session_of_presence(name)?;
    let mark: Mark = serde_json::from_slice(&home.read(name, LIMIT).ok()??).ok()?;
    Some(Presence { session, folder: mark.folder, agent: mark.agent, at: mark.at.parse().ok()? })
}
