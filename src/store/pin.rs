//! Where a live plan of a project is: a pointer in the folder of sessions without a project. A session that becomes bound
//! to another project in the middle of a plan finds its plan by it; it never silently reads as NoPlan.

use camino::{Utf8Path, Utf8PathBuf};

use super::Context;
use super::durable;
use super::error::WriteError;
use super::files::Files;
use super::folder::Folder;
use super::layout::Slug;
use super::load_error::LoadError;

const LIMIT: u64 = 4096;

/// The folder that the pointer names, if there is a pointer.
pub(super) fn read(context: &Context, home: &Utf8Path, files: &Files) -> Result<Option<Utf8PathBuf>, LoadError> {
    let Some(folder) = Folder::open(&context.disk, home)? else {
        return Ok(None);
    };
    let Some(bytes) = folder.read(&files.pin, LIMIT)? else {
        return Ok(None);
    };
    let slug = std::str::from_utf8(&bytes).ok().and_then(|text| Slug::new(text.trim()).ok());
    let slug = slug.ok_or_else(|| LoadError::Pin { file: folder.path_of(&files.pin) })?;
    Ok(Some(context.layout.project(&slug)))
}

/// Writes the pointer to `folder` before a plan begins there. A plan outside of any project needs none.
pub(super) fn set(context: &Context, folder: &Utf8Path, files: &Files) -> Result<(), WriteError> {
    let home = context.layout.home();
    if *folder == home {
        return Ok(());
    }
    let Some(slug) = folder.parent().and_then(Utf8Path::file_name) else {
        return Ok(());
    };
    let home = Folder::create(&context.disk, &home).map_err(WriteError::NotWritten)?;
    durable::write(&home, &files.pin, format!("{slug}\n").as_bytes())
}

/// Removes the pointer once the plan has ended.
pub(super) fn clear(context: &Context, folder: &Utf8Path, files: &Files) -> Result<(), WriteError> {
    let home = context.layout.home();
    if *folder == home {
        return Ok(());
    }
    match Folder::open(&context.disk, &home).map_err(WriteError::NotWritten)? {
        Some(home) => durable::remove(&home, &files.pin).map(|_| ()),
        None => Ok(()),
    }
}
