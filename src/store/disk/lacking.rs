//! Stores that lack something, for tests that must notice: the lock, or the rename.

use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::sync::Arc;

use camino::Utf8Path;

use super::{Dir, Disk, Name, Purpose};

/// What a [`LackingDisk`] does without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// Every lock is given at once.
    Lock,
    /// A file is replaced by writing it anew in its place.
    Rename,
}

/// A disk that lacks something.
#[derive(Debug)]
pub(crate) struct LackingDisk {
    inner: Arc<dyn Disk>,
    lack: Lack,
}

impl LackingDisk {
    pub(crate) fn new(inner: Arc<dyn Disk>, lack: Lack) -> Arc<Self> {
        Arc::new(Self { inner, lack })
    }

    fn write_in_place(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        let source = self.inner.open(from, name, Purpose::Read)?;
        let mut bytes = vec![0; usize::try_from(source.metadata()?.len()).map_err(io::Error::other)?];
        self.inner.read(&source, &mut bytes)?;
        match self.inner.unlink(to, to_name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let target = self.inner.open(to, to_name, Purpose::Create)?;
        let (head, tail) = bytes.split_at(bytes.len() / 2);
        self.inner.write(&target, head)?;
        self.inner.write(&target, tail)?;
        self.inner.unlink(from, name)
    }
}

impl Disk for LackingDisk {
    fn open_path(&self, path: &Utf8Path) -> io::Result<Dir> {
        self.inner.open_path(path)
    }

    fn open_folder(&self, at: &Dir, name: &Name) -> io::Result<Dir> {
        self.inner.open_folder(at, name)
    }

    fn make_folder(&self, at: &Dir, name: &Name) -> io::Result<()> {
        self.inner.make_folder(at, name)
    }

    fn open(&self, at: &Dir, name: &Name, purpose: Purpose) -> io::Result<File> {
        self.inner.open(at, name, purpose)
    }

    fn stat(&self, file: &File) -> io::Result<Metadata> {
        self.inner.stat(file)
    }

    fn read(&self, file: &File, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(file, buffer)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(file, bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.inner.sync(file)
    }

    fn rename(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        match self.lack {
            Lack::Rename => self.write_in_place(from, name, to, to_name),
            Lack::Lock => self.inner.rename(from, name, to, to_name),
        }
    }

    fn rename_new(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.inner.rename_new(from, name, to, to_name)
    }

    fn link(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.inner.link(from, name, to, to_name)
    }

    fn unlink(&self, at: &Dir, name: &Name) -> io::Result<()> {
        self.inner.unlink(at, name)
    }

    fn sync_folder(&self, at: &Dir) -> io::Result<()> {
        self.inner.sync_folder(at)
    }

    fn list(&self, at: &Dir) -> io::Result<Vec<Name>> {
        self.inner.list(at)
    }

    fn try_lock(&self, file: &File) -> Result<(), TryLockError> {
        match self.lack {
            Lack::Lock => Ok(()),
            Lack::Rename => self.inner.try_lock(file),
        }
    }
}
