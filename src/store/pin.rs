//! Where a live plan of a project is: a pointer in the folder of sessions without a project. A session that becomes bound
//! to another project in the middle of a plan finds its plan by it; it never silently reads as NoPlan.

use camino::{Utf8Path, Utf8PathBuf};

use super::Context;
use super::commit_error::CommitError;
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
    let home = context.make_home().map_err(WriteError::NotWritten)?;
    durable::write(&home, &files.pin, format!("{slug}\n").as_bytes())
}

/// Writes the pointer to `folder` if there is none yet: a plan that was copied up, or begun by an older program, has none.
pub(super) fn keep(context: &Context, folder: &Utf8Path, files: &Files) -> Result<(), CommitError> {
    let home = context.layout.home();
    if *folder == home || read(context, &home, files)?.is_some_and(|pinned| pinned == folder) {
        return Ok(());
    }
    set(context, folder, files).map_err(|error| {
        if let WriteError::Unsettled(_) = error {
            // The next attempt would take it for one that lasts.
            let _ = clear(context, files);
        }
        CommitError::before(error)
    })
}

/// Removes the pointer of a plan that has ended, or that did not begin.
pub(super) fn clear(context: &Context, files: &Files) -> Result<(), WriteError> {
    if let Some(home) = Folder::open(&context.disk, &context.layout.home()).map_err(WriteError::NotWritten)?
        && home.has(&files.pin).map_err(WriteError::NotWritten)?
    {
        durable::remove(&home, &files.pin)?;
    }
    Ok(())
}
