//! Writes, moves and removals that last: a reader, and a reader after a crash at any call, sees the old bytes or the new.
//!
//! The order is always the same: the bytes under a temporary name in the target's own folder, flush, rename, flush the
//! folder. A flush that failed is never repeated on its descriptor, for the system may have dropped the bytes and then
//! report success; the file is abandoned instead. Whoever changes files of a session holds its lock.

use std::fmt;
use std::fs::File;
use std::io;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use uuid::Uuid;

use super::disk::Purpose;
use super::error::{Action, MoveError, StoreError, WriteError};
use super::folder::{Folder, Name};

/// How many bytes a copy or a comparison holds at a time.
const CHUNK: usize = 64 * 1024;

/// Gives `name` the new bytes, whether it exists or not. A symlink of that name is replaced, not followed.
///
/// The caller has checked how many bytes there are.
pub(crate) fn write(folder: &Folder, name: &Name, bytes: &[u8]) -> Result<(), WriteError> {
    write_through(folder, &Temporary::of(name), name, bytes)
}

fn write_through(folder: &Folder, temporary: &Temporary, name: &Name, bytes: &[u8]) -> Result<(), WriteError> {
    Unpublished::make(folder, temporary, name, |file| write_all(folder, name, file, bytes))
        .and_then(|made| made.replace(name))
        .map_err(WriteError::NotWritten)?;
    folder.sync().map_err(WriteError::Unsettled)
}

/// Removes a file; `false` if nothing was there. The same call again settles an earlier one.
pub(crate) fn remove(folder: &Folder, name: &Name) -> Result<bool, WriteError> {
    let removed = match folder.disk().unlink(folder.dir(), name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => {
            let error = folder.refused(Action::Remove, name, error);
            return Err(WriteError::NotWritten(error));
        }
        Ok(()) => true,
    };
    folder.sync().map_err(WriteError::Unsettled)?;
    Ok(removed)
}

/// What a move or a copy found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The target was made now.
    Now,
    /// An earlier attempt had made the target; what it had left open is done now.
    Before,
    /// There is neither a source nor a target.
    Nothing,
}

/// Moves a file to a new name, also across file systems, and never over another file.
///
/// A move that was interrupted is finished by the same call: a target with the source's bytes, or without a source, counts
/// as moved. What is moved need not be a regular file, as long as it stays on its file system.
pub(crate) fn move_into(from: &Folder, name: &Name, to: &Folder, to_name: &Name) -> Result<Moved, MoveError> {
    let moved = match shift(from, name, to, to_name) {
        Ok(Source::Gone) => {
            to.sync().and_then(|()| from.sync()).map_err(WriteError::Unsettled)?;
            return Ok(Moved::Now);
        }
        Ok(Source::Left) => {
            to.sync().map_err(WriteError::Unsettled)?;
            Moved::Now
        }
        Err(error) => match error.kind() {
            io::ErrorKind::CrossesDevices | io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound => {
                copy_into(from, name, to, to_name)?
            }
            _ => {
                let error = from.refused(Action::Move, name, error);
                return Err(WriteError::NotWritten(error).into());
            }
        },
    };
    if moved != Moved::Nothing {
        // The target has the bytes, so whatever happens to the source now, the change is made.
        remove(from, name).map_err(|error| WriteError::Unsettled(error.into_store_error()))?;
    }
    Ok(moved)
}

/// Copies a regular file to a new name, never over another file; the source stays.
///
/// A target with the source's bytes, or without a source, counts as copied.
pub(crate) fn copy_into(from: &Folder, name: &Name, to: &Folder, to_name: &Name) -> Result<Moved, MoveError> {
    let source = from.open_regular(name).map_err(WriteError::NotWritten)?;
    let target = to.open_regular(to_name).map_err(WriteError::NotWritten)?;
    let exists = || MoveError::Exists { file: to.path_of(to_name) };
    let moved = match (source, target) {
        (None, None) => return Ok(Moved::Nothing),
        (None, Some(_)) => Moved::Before,
        (Some((source, _)), Some((target, _))) => {
            let source = Chunks::of(from, name, &source);
            let target = Chunks::of(to, to_name, &target);
            if !same_bytes(source, target).map_err(WriteError::NotWritten)? {
                return Err(exists());
            }
            Moved::Before
        }
        (Some((source, _)), None) => {
            let made = Unpublished::make(to, &Temporary::of(to_name), to_name, |file| {
                let mut source = Chunks::of(from, name, &source);
                while let Some(chunk) = source.next()? {
                    write_all(to, to_name, file, chunk)?;
                }
                Ok(())
            });
            let made = made.map_err(WriteError::NotWritten)?;
            made.place(to_name).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => exists(),
                _ => WriteError::NotWritten(to.refused(Action::Move, to_name, error)).into(),
            })?;
            Moved::Now
        }
    };
    to.sync().map_err(WriteError::Unsettled)?;
    Ok(moved)
}

/// Removes temporary files that dead processes left, and says how many: those of the names that `owns` accepts.
///
/// The caller holds the lock under which those names are written, so that none of the files is in use. The whole name of
/// the target decides: with a prefix, session `a` would take the files of session `a-1`. Every file is tried; the first
/// error is the answer then.
pub(crate) fn sweep(folder: &Folder, owns: impl Fn(&str) -> bool) -> Result<usize, StoreError> {
    let mut removed = 0;
    let mut answer = Ok(());
    for name in folder.names()? {
        if !Temporary::parse(name.as_str()).is_some_and(|temporary| owns(&temporary.target)) {
            continue;
        }
        match folder.disk().unlink(folder.dir(), &name) {
            Ok(()) => removed += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => answer = answer.and(Err(folder.refused(Action::Remove, &name, error))),
        }
    }
    answer.map(|()| removed)
}

/// Whether a rename that never replaces took the old name away.
enum Source {
    Gone,
    Left,
}

/// Gives a file a name that nothing has. Where the system has no call that does it, a second name is given, and the old one
/// is the caller's to remove.
fn shift(from: &Folder, name: &Name, to: &Folder, to_name: &Name) -> io::Result<Source> {
    match from.disk().rename_new(from.dir(), name, to.dir(), to_name) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            from.disk().link(from.dir(), name, to.dir(), to_name)?;
            Ok(Source::Left)
        }
        renamed => renamed.map(|()| Source::Gone),
    }
}

fn write_all(folder: &Folder, name: &Name, file: &File, mut bytes: &[u8]) -> Result<(), StoreError> {
    while !bytes.is_empty() {
        let error = match folder.disk().write(file, bytes) {
            Ok(0) => io::ErrorKind::WriteZero.into(),
            Ok(count) => {
                bytes = bytes.get(count..).unwrap_or_default();
                continue;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => error,
        };
        return Err(folder.refused(Action::Write, name, error));
    }
    Ok(())
}

fn same_bytes(mut one: Chunks<'_>, mut other: Chunks<'_>) -> Result<bool, StoreError> {
    loop {
        match (one.next()?, other.next()?) {
            (None, None) => return Ok(true),
            (one, other) if one != other => return Ok(false),
            _ => {}
        }
    }
}

/// An open file in pieces that are full but for the last, so that a file of any size can be copied and compared.
struct Chunks<'a> {
    folder: &'a Folder,
    name: &'a Name,
    file: &'a File,
    buffer: Vec<u8>,
}

impl<'a> Chunks<'a> {
    fn of(folder: &'a Folder, name: &'a Name, file: &'a File) -> Self {
        Self { folder, name, file, buffer: Vec::new() }
    }

    fn next(&mut self) -> Result<Option<&[u8]>, StoreError> {
        self.buffer.resize(CHUNK, 0);
        let mut filled = 0;
        while let Some(rest) = self.buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.folder.read_some(self.name, self.file, rest)? {
                0 => break,
                count => filled += count,
            }
        }
        self.buffer.truncate(filled);
        Ok(Some(self.buffer.as_slice()).filter(|chunk| !chunk.is_empty()))
    }
}

/// A flushed file under its temporary name. Dropped without a new name, it is removed, as far as the disk allows.
struct Unpublished<'a> {
    folder: &'a Folder,
    temporary: Name,
    published: bool,
}

impl<'a> Unpublished<'a> {
    /// Makes the file. Errors name the target, which people know, unless the temporary name itself is in the way.
    fn make(
        folder: &'a Folder,
        temporary: &Temporary,
        target: &Name,
        fill: impl FnOnce(&File) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let temporary = Name::new(temporary.to_string())?;
        let file = folder.disk().open(folder.dir(), &temporary, Purpose::Create);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => folder.refused(Action::Create, &temporary, error),
            _ => folder.refused(Action::Create, target, error),
        })?;
        let made = Self { folder, temporary, published: false };
        fill(&file)?;
        let synced = folder.disk().sync(&file);
        synced.map_err(|error| folder.refused(Action::Sync, target, error))?;
        Ok(made)
    }

    /// Puts the file in the place of whatever has the name.
    fn replace(mut self, name: &Name) -> Result<(), StoreError> {
        let Self { folder, temporary, .. } = &self;
        let renamed = folder.disk().rename(folder.dir(), temporary, folder.dir(), name);
        renamed.map_err(|error| folder.refused(Action::Replace, name, error))?;
        self.published = true;
        Ok(())
    }

    /// Gives the file a name that nothing has.
    fn place(mut self, name: &Name) -> io::Result<()> {
        let Self { folder, temporary, .. } = &self;
        self.published = matches!(shift(folder, temporary, folder, name)?, Source::Gone);
        Ok(())
    }
}

impl Drop for Unpublished<'_> {
    fn drop(&mut self) {
        if !self.published {
            // What cannot be removed now is swept by the next holder of the lock.
            let _ = self.folder.disk().unlink(self.folder.dir(), &self.temporary);
        }
    }
}

/// A temporary name: `{target}.{pid}-{n}-{random}.tmp`. Process and number make it unique on this machine; the random part
/// also where a folder is shared between machines, and nobody can plant a file under a name that cannot be guessed.
#[derive(Debug, PartialEq, Eq)]
struct Temporary {
    target: String,
    process: u32,
    number: u32,
    random: u64,
}

impl Temporary {
    fn of(target: &Name) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        Self {
            target: target.to_string(),
            process: process::id(),
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            random: Uuid::new_v4().as_u64_pair().0,
        }
    }

    /// Reads a name, if it is one that [`of`](Self::of) can have made, to the letter.
    fn parse(name: &str) -> Option<Self> {
        let (target, mark) = name.strip_suffix(".tmp")?.rsplit_once('.')?;
        let (process, mark) = mark.split_once('-')?;
        let (number, random) = mark.split_once('-')?;
        let temporary = Self {
            target: target.to_owned(),
            process: process.parse().ok()?,
            number: number.parse().ok()?,
            random: u64::from_str_radix(random, 16).ok()?,
        };
        // Number parsers also take `+1`, `01` and capital digits.
        Some(temporary).filter(|temporary| temporary.to_string() == name)
    }
}

impl fmt::Display for Temporary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, process, number, random } = self;
        write!(f, "{target}.{process}-{number}-{random:016x}.tmp")
    }
}

#[cfg(all(test, unix))]
mod tests;
