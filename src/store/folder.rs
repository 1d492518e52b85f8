//! [`Folder`]: an open folder, and the files in it by their bare names.

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::disk::{Dir, Disk, Purpose};
use super::error::{Action, Found, StoreError};

/// How long a name may be, in bytes: what common file systems take.
const NAME_LIMIT: usize = 255;

/// The name of a file in a folder: one component, never a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(String);

impl Name {
    /// Checks a name. The separators of every system are refused on every system, so that a folder can be carried over.
    pub(crate) fn new(name: impl Into<String>) -> Result<Self, StoreError> {
        let name = name.into();
        let problem = if name.is_empty() {
            "it is empty"
        } else if name == "." || name == ".." {
            "it is a folder's own name or its parent's"
        } else if name.len() > NAME_LIMIT {
            "it is longer than 255 bytes"
        } else if name.contains(['/', '\\', '\0']) {
            "it has a separator or a NUL in it"
        } else if cfg!(windows) && name.contains(':') {
            "it has a `:` in it, which names a hidden stream of another file"
        } else {
            return Ok(Self(name));
        };
        Err(StoreError::Name { file: name.into(), problem })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An open folder: on Unix a descriptor, so that it stays the same folder when its path is moved or swapped for a symlink.
/// The path serves messages alone. A clone is the same open folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    disk: Arc<dyn Disk>,
    dir: Arc<Dir>,
    path: Utf8PathBuf,
}

impl Folder {
    /// Opens the folder at `path`, symlinks in the path followed; `None` if nothing is there.
    pub(crate) fn open(disk: &Arc<dyn Disk>, path: &Utf8Path) -> Result<Option<Self>, StoreError> {
        Self::opened(disk, path, disk.open_path(path))
    }

    /// Opens the folder at `path` and makes what is missing on the way to it, each folder 0700 and made to last before the
    /// next. Folders that are there keep their mode.
    pub(crate) fn create(disk: &Arc<dyn Disk>, path: &Utf8Path) -> Result<Self, StoreError> {
        let mut missing = Vec::new();
        let mut at = path;
        let mut folder = loop {
            if let Some(folder) = Self::open(disk, at)? {
                break folder;
            }
            let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
                let source = io::ErrorKind::NotFound.into();
                return Err(StoreError::System { action: Action::OpenFolder, file: path.to_owned(), source });
            };
            missing.push(Name::new(name)?);
            at = if parent.as_str().is_empty() { Utf8Path::new(".") } else { parent };
        };
        while let Some(name) = missing.pop() {
            folder = folder.create_subfolder(&name)?;
        }
        Ok(folder)
    }

    /// Makes the folders on the way to this one last, from `top`'s own name down. Whoever made them may have died before the
    /// flush, or the flush failed; nobody can see that later.
    pub(crate) fn settle(&self, top: &Utf8Path) -> Result<(), StoreError> {
        for ancestor in self.path.ancestors().skip(1) {
            match Self::open(&self.disk, ancestor) {
                // What this user may not read, this user's programs have hardly made.
                Err(error) if error.is_read_only() => {}
                folder => folder?.map_or(Ok(()), |folder| folder.sync())?,
            }
            if Some(ancestor) == top.parent() {
                break;
            }
        }
        Ok(())
    }

    /// Opens a folder in this one; `None` if nothing is there. A symlink is refused: within the store nobody needs one.
    pub(crate) fn subfolder(&self, name: &Name) -> Result<Option<Self>, StoreError> {
        Self::opened(&self.disk, &self.path_of(name), self.disk.open_folder(&self.dir, name))
    }

    /// Opens a folder in this one, made (0700) and made to last if it is missing.
    pub(crate) fn create_subfolder(&self, name: &Name) -> Result<Self, StoreError> {
        if let Some(folder) = self.subfolder(name)? {
            return Ok(folder);
        }
        match self.disk.make_folder(&self.dir, name) {
            // Another process was faster; it may not have come to the flush yet.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(|error| self.refused(Action::MakeFolder, name, error))?,
        }
        self.sync()?;
        self.subfolder(name)?.ok_or_else(|| self.refused(Action::OpenFolder, name, io::ErrorKind::NotFound.into()))
    }

    /// The bytes of a file; `None` if nothing is there. Takes no lock, follows no symlink, waits for no FIFO, and reads no
    /// more than `limit` bytes.
    pub(crate) fn read(&self, name: &Name, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let Some((file, length)) = self.open_regular(name)? else {
            return Ok(None);
        };
        let too_large = || StoreError::TooLarge { file: self.path_of(name), limit };
        let limit = usize::try_from(limit).unwrap_or(usize::MAX - 1);
        let length = usize::try_from(length).ok().filter(|length| *length <= limit).ok_or_else(too_large)?;
        // One byte more than the length, so that the end is seen without growing.
        let mut bytes = vec![0; length + 1];
        let mut filled = 0;
        loop {
            match self.read_some(name, &file, bytes.get_mut(filled..).unwrap_or_default())? {
                0 => break,
                count => filled += count,
            }
            if filled > limit {
                return Err(too_large());
            }
            if filled == bytes.len() {
                bytes.resize(filled.saturating_mul(2).min(limit + 1), 0);
            }
        }
        bytes.truncate(filled);
        Ok(Some(bytes))
    }

    /// Whether anything has the name, of whatever kind.
    pub(crate) fn has(&self, name: &Name) -> Result<bool, StoreError> {
        match self.disk.open(&self.dir, name, Purpose::Read) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) if Found::by_error(&error).is_some() => Ok(true),
            Err(error) => Err(self.refused(Action::Open, name, error)),
        }
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> Result<Vec<Name>, StoreError> {
        self.disk.list(&self.dir).map_err(|source| self.refused_here(Action::List, source))
    }

    /// Where the folder was when it was opened.
    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Where a file of the folder is, for messages and for people.
    pub(crate) fn path_of(&self, name: &Name) -> Utf8PathBuf {
        self.path.join(name.as_str())
    }

    /// The calls that the folder is worked on with.
    pub(super) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// The open folder itself.
    pub(super) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Opens a file that must be regular, and tells its length; `None` if nothing is there.
    pub(super) fn open_regular(&self, name: &Name) -> Result<Option<(File, u64)>, StoreError> {
        match self.open_file(name, Purpose::Read, Action::Open) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Opens a file for a purpose, refuses it if it is not regular, and tells its length.
    pub(super) fn open_file(&self, name: &Name, purpose: Purpose, action: Action) -> Result<(File, u64), StoreError> {
        let irregular = |found| StoreError::NotRegular { file: self.path_of(name), found };
        let file = self.disk.open(&self.dir, name, purpose).map_err(|error| match Found::by_error(&error) {
            Some(found) => irregular(found),
            None => self.refused(action, name, error),
        })?;
        let metadata = self.disk.stat(&file).map_err(|error| self.refused(action, name, error))?;
        match Found::by_type(metadata.file_type()) {
            Some(found) => Err(irregular(found)),
            None => Ok((file, metadata.len())),
        }
    }

    /// Reads some bytes of an open file; 0 is the end.
    pub(super) fn read_some(&self, name: &Name, file: &File, buffer: &mut [u8]) -> Result<usize, StoreError> {
        loop {
            match self.disk.read(file, buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| self.refused(Action::Read, name, error)),
            }
        }
    }

    /// Makes the names in the folder last.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.disk.sync_folder(&self.dir).map_err(|source| self.refused_here(Action::SyncFolder, source))
    }

    /// The error for what the system refused about a file of the folder.
    pub(super) fn refused(&self, action: Action, name: &Name, source: io::Error) -> StoreError {
        StoreError::System { action, file: self.path_of(name), source }
    }

    fn refused_here(&self, action: Action, source: io::Error) -> StoreError {
        StoreError::System { action, file: self.path.clone(), source }
    }

    fn opened(disk: &Arc<dyn Disk>, path: &Utf8Path, dir: io::Result<Dir>) -> Result<Option<Self>, StoreError> {
        let file = path.to_owned();
        match dir {
            Ok(dir) => Ok(Some(Self { disk: Arc::clone(disk), dir: Arc::new(dir), path: file })),
            Err(source) => match source.kind() {
                io::ErrorKind::NotFound => Ok(None),
                io::ErrorKind::NotADirectory => Err(StoreError::NotAFolder { file }),
                _ if Found::by_error(&source) == Some(Found::Symlink) => Err(StoreError::NotAFolder { file }),
                _ => Err(StoreError::System { action: Action::OpenFolder, file, source }),
            },
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
