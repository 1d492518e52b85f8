//! Where a session's plan is: the resolved folder, a pinned one, or the fallback.

use camino::{Utf8Path, Utf8PathBuf};

use super::Context;
use super::error::StoreError;
use super::files::Files;
use super::folder::Folder;
use super::load_error::LoadError;
use super::tombstone;
use crate::digest::Digest;
use crate::model::SessionId;

/// The largest record, read or written: 64 MiB.
pub(crate) const RECORD_LIMIT: u64 = 64 * 1024 * 1024;

/// Which folder a plan was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The session's own folder, where everything is written.
    Resolved,
    /// The folder of older programs, which is never written.
    Fallback,
}

/// What a handle was read from: the folder, and the digest of the JSON there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    /// The folder that is written to.
    pub(crate) folder: Utf8PathBuf,
    pub(crate) source: Source,
    /// `None` if there is no JSON.
    pub(crate) digest: Option<Digest>,
}

/// A session's JSON as it was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) revision: Revision,
    /// The folder that is written to, if it exists.
    pub(crate) folder: Option<Folder>,
    /// The bytes of the JSON; empty where `revision.digest` is `None`.
    pub(crate) bytes: Vec<u8>,
}

/// Finds the JSON of a session. Writes nothing and takes no lock.
///
/// Whoever has the lock gives the folder that it is `held` in. It is not looked up by its path again: in between somebody
/// may have swapped it for a link, and what is read would be another folder's than what is written.
pub(crate) fn find(
    context: &Context,
    session: &SessionId,
    files: &Files,
    held: Option<&Folder>,
) -> Result<Found, LoadError> {
    let in_folder = |path: &Utf8PathBuf| in_folder(open(context, path, held)?, files, path);
    let home = context.layout.home();
    let target = match context.projects.project(session)? {
        Some(slug) => context.layout.project(&slug),
        None => home.clone(),
    };
    if let Some(found) = in_folder(&target)? {
        return Ok(found);
    }
    // A session that was bound to a project, or to another one, in the middle of a plan keeps the plan's folder.
    if target != home
        && let Some(found) = in_folder(&home)?
    {
        return Ok(found);
    }
    let pinned = super::pin::read(context, &home, files)?;
    if let Some(pinned) = pinned.filter(|pinned| *pinned != target)
        && let Some(found) = in_folder(&pinned)?
    {
        return Ok(found);
    }
    let folder = open(context, &target, held)?;
    let mut found = Found {
        revision: Revision { folder: target, source: Source::Resolved, digest: None },
        folder,
        bytes: Vec::new(),
    };
    if let Some(fallback) = Folder::open(&context.disk, &context.layout.fallback())?
        && let Some(bytes) = fallback.read(&files.json, RECORD_LIMIT)?
    {
        let digest = Digest::of(&bytes);
        if !tombstone::holds(context, found.folder.as_ref(), files, digest)? {
            found.revision.source = Source::Fallback;
            found.revision.digest = Some(digest);
            found.bytes = bytes;
        }
    }
    Ok(found)
}

fn open(context: &Context, path: &Utf8Path, held: Option<&Folder>) -> Result<Option<Folder>, StoreError> {
    match held {
        Some(held) if held.path() == path => Ok(Some(held.clone())),
        _ => Folder::open(&context.disk, path),
    }
}

fn in_folder(folder: Option<Folder>, files: &Files, path: &Utf8PathBuf) -> Result<Option<Found>, LoadError> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    let Some(bytes) = folder.read(&files.json, RECORD_LIMIT)? else {
        return Ok(None);
    };
    let digest = Some(Digest::of(&bytes));
    let revision = Revision { folder: path.clone(), source: Source::Resolved, digest };
    Ok(Some(Found { revision, folder: Some(folder), bytes }))
}
