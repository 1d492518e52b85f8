//! All sessions that have a record somewhere under the root.

use std::collections::BTreeSet;

use super::Context;
use super::error::StoreError;
use super::files::session_of_record;
use super::folder::Folder;
use crate::model::SessionId;

/// The ids of the sessions that have a record in a folder of this profile, of a project, or of older programs. Whether
/// there is a live plan in it is for a reader of the session to tell.
pub(crate) fn with_a_record(context: &Context) -> Result<BTreeSet<SessionId>, StoreError> {
    let mut folders = vec![context.layout.home(), context.layout.fallback()];
    let projects = context.layout.projects();
    if let Some(projects) = Folder::open(&context.disk, &projects)? {
        folders.extend(projects.names()?.iter().map(|slug| projects.path_of(slug).join("session")));
    }
    let mut sessions = BTreeSet::new();
    for folder in folders {
        // A file among the projects is none of them.
        if let Ok(Some(folder)) = Folder::open(&context.disk, &folder) {
            sessions.extend(folder.names()?.iter().filter_map(session_of_record));
        }
    }
    Ok(sessions)
}
