//! The note that a plan of the fallback folder has ended: its JSON's digest, so that a newer plan there shows again
//! (DISK-4). The fallback folder itself is never written.
//!
//! It stands in the session's folder, and in the folder of sessions without a project too: a session that is bound
//! otherwise than when its plan ended finds it there.

use super::Context;
use super::durable;
use super::error::{StoreError, WriteError};
use super::files::Files;
use super::find::RECORD_LIMIT;
use super::folder::Folder;
use super::load_error::LoadError;
use crate::digest::Digest;

/// A digest is 65 bytes; a note of more than a few is none of ours.
const LIMIT: u64 = 4096;

/// Whether a note about the session holds the digest; `folder` is the session's own, if it exists.
pub(super) fn holds(
    context: &Context,
    folder: Option<&Folder>,
    files: &Files,
    digest: Digest,
) -> Result<bool, LoadError> {
    if let Some(folder) = folder
        && in_folder(folder, files, digest)?
    {
        return Ok(true);
    }
    let home = context.layout.home();
    if folder.is_some_and(|folder| *folder.path() == home) {
        return Ok(false);
    }
    Folder::open(&context.disk, &home)?.map_or(Ok(false), |home| in_folder(&home, files, digest))
}

fn in_folder(folder: &Folder, files: &Files, digest: Digest) -> Result<bool, LoadError> {
    let Some(bytes) = folder.read(&files.tombstone, LIMIT)? else {
        return Ok(false);
    };
    let noted: Option<Digest> = std::str::from_utf8(&bytes).ok().and_then(|text| text.trim().parse().ok());
    noted.map(|noted| noted == digest).ok_or_else(|| LoadError::Tombstone { file: folder.path_of(&files.tombstone) })
}

/// Notes whatever JSON the fallback folder has for the session as ended. Does nothing where there is none.
pub(super) fn cover(context: &Context, folder: &Folder, files: &Files) -> Result<(), WriteError> {
    let shadowed = || -> Result<Option<Digest>, StoreError> {
        let Some(fallback) = Folder::open(&context.disk, &context.layout.fallback())? else {
            return Ok(None);
        };
        Ok(fallback.read(&files.json, RECORD_LIMIT)?.map(|bytes| Digest::of(&bytes)))
    };
    let Some(digest) = shadowed().map_err(WriteError::NotWritten)? else {
        return Ok(());
    };
    let home = context.layout.home();
    if *folder.path() != home {
        let home = context.make_home().map_err(WriteError::NotWritten)?;
        // The session's own note is what counts here; this one lasts before it is written.
        note(&home, files, digest).map_err(|error| WriteError::NotWritten(error.into_store_error()))?;
    }
    note(folder, files, digest)
}

fn note(folder: &Folder, files: &Files, digest: Digest) -> Result<(), WriteError> {
    if matches!(in_folder(folder, files, digest), Ok(true)) {
        // Whoever wrote it may not have come to the flush, or it failed.
        return folder.sync().map_err(WriteError::Unsettled);
    }
    durable::write(folder, &files.tombstone, format!("{digest}\n").as_bytes())
}
