//! The note that a plan of the fallback folder has ended: its JSON's digest, so that a newer plan there shows again
//! (DISK-4). The fallback folder itself is never written.

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

/// Whether the note in `folder` holds the digest.
pub(super) fn holds(folder: Option<&Folder>, files: &Files, digest: Digest) -> Result<bool, LoadError> {
    let Some(folder) = folder else {
        return Ok(false);
    };
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
    if matches!(holds(Some(folder), files, digest), Ok(true)) {
        return Ok(());
    }
    durable::write(folder, &files.tombstone, format!("{digest}\n").as_bytes())
}
