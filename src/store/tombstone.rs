//! The note that a plan of the fallback folder has ended: its JSON's digest, so that a newer plan there shows again
//! (DISK-4). The fallback folder itself is never written.

use super::Context;
use super::durable;
use super::error::WriteError;
use super::files::Files;
use super::find::RECORD_LIMIT;
use super::folder::Folder;
use super::load_error::LoadError;
use crate::digest::Digest;

/// A digest is 65 bytes; a note of more than a few is none of ours.
const LIMIT: u64 = 4096;

/// Whether a note holds the digest: in `folder`, or in the folder of sessions without a project. Both are looked at, so
/// that binding a session to another project brings nothing back.
pub(super) fn holds(
    context: &Context,
    folder: Option<&Folder>,
    files: &Files,
    digest: Digest,
) -> Result<bool, LoadError> {
    if let Some(folder) = folder
        && noted(folder, files)? == Some(digest)
    {
        return Ok(true);
    }
    let home = context.layout.home();
    if folder.is_some_and(|folder| *folder.path() == home) {
        return Ok(false);
    }
    match Folder::open(&context.disk, &home)? {
        Some(home) => Ok(noted(&home, files)? == Some(digest)),
        None => Ok(false),
    }
}

fn noted(folder: &Folder, files: &Files) -> Result<Option<Digest>, LoadError> {
    let Some(bytes) = folder.read(&files.tombstone, LIMIT)? else {
        return Ok(None);
    };
    let digest = std::str::from_utf8(&bytes).ok().and_then(|text| text.trim().parse().ok());
    digest.map(Some).ok_or_else(|| LoadError::Tombstone { file: folder.path_of(&files.tombstone) })
}

/// Notes whatever JSON the fallback folder has for the session as ended. Does nothing where there is none.
pub(super) fn cover(context: &Context, folder: &Folder, files: &Files) -> Result<(), WriteError> {
    let not_written = WriteError::NotWritten;
    let Some(fallback) = Folder::open(&context.disk, &context.layout.fallback()).map_err(not_written)? else {
        return Ok(());
    };
    let Some(bytes) = fallback.read(&files.json, RECORD_LIMIT).map_err(not_written)? else {
        return Ok(());
    };
    let digest = Digest::of(&bytes);
    let note = |folder: &Folder| match noted(folder, files) {
        Ok(Some(noted)) if noted == digest => Ok(()),
        _ => durable::write(folder, &files.tombstone, format!("{digest}\n").as_bytes()),
    };
    let home = context.layout.home();
    if *folder.path() != home {
        note(&Folder::create(&context.disk, &home).map_err(not_written)?)?;
    }
    note(folder)
}
