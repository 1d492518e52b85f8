//! The file system with one fault in it, for tests.

use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use camino::Utf8Path;
use rustix::io::Errno;

use super::{Dir, Disk, Name, Purpose, RealDisk};

/// What goes wrong. Calls are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: the calls are logged.
    None,
    /// This one call fails; those after it work.
    Fail { call: usize, with: Errno },
    /// The process dies before this call: neither it nor anything after it, clean-up included, reaches the disk.
    Stop { call: usize },
}

/// What kind of file system it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirk {
    /// The one that is there.
    None,
    /// A write takes this many bytes at most, as on a disk that is nearly full.
    ShortWrites(usize),
    /// Two folders are on two file systems.
    Apart,
    /// No rename but the one that replaces.
    NoRenameNew,
    /// Files are read and nothing is changed, with this error; whether locks can still be taken is another matter.
    ReadOnly { with: Errno, locks: bool },
}

/// The real disk, with a fault and a quirk, and with a log of the calls.
#[derive(Debug)]
pub(crate) struct FaultyDisk {
    fault: Fault,
    quirk: Quirk,
    log: Mutex<Vec<&'static str>>,
}

impl FaultyDisk {
    pub(crate) fn new(fault: Fault, quirk: Quirk) -> Arc<Self> {
        Arc::new(Self { fault, quirk, log: Mutex::default() })
    }

    /// The names of the calls so far, the failed ones included.
    pub(crate) fn log(&self) -> Vec<&'static str> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The name of the call that the fault came to. `None` ends a loop over the calls: there are no more.
    pub(crate) fn fired(&self) -> Option<&'static str> {
        match self.fault {
            Fault::None => None,
            Fault::Fail { call, .. } | Fault::Stop { call } => self.log().get(call).copied(),
        }
    }

    fn count(&self, name: &'static str) -> io::Result<()> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let this = log.len();
        log.push(name);
        match self.fault {
            Fault::Fail { call, with } if this == call => Err(with.into()),
            Fault::Stop { call } if this >= call => Err(io::Error::other("the process is dead")),
            _ => self.allow(name),
        }
    }

    fn allow(&self, name: &str) -> io::Result<()> {
        match (self.quirk, name) {
            (Quirk::ReadOnly { with, .. }, "make_folder" | "create" | "rename" | "rename_new" | "link" | "unlink")
            | (Quirk::ReadOnly { with, locks: false }, "open_lock") => Err(with.into()),
            _ => Ok(()),
        }
    }

    /// Two handles are taken for two file systems, for a move within one folder has one handle.
    fn reach(&self, from: &Dir, to: &Dir) -> io::Result<()> {
        if self.quirk == Quirk::Apart && !ptr::eq(from, to) { Err(Errno::XDEV.into()) } else { Ok(()) }
    }
}

impl Disk for FaultyDisk {
    fn open_path(&self, path: &Utf8Path) -> io::Result<Dir> {
        self.count("open_path")?;
        RealDisk.open_path(path)
    }

    fn open_folder(&self, at: &Dir, name: &Name) -> io::Result<Dir> {
        self.count("open_folder")?;
        RealDisk.open_folder(at, name)
    }

    fn make_folder(&self, at: &Dir, name: &Name) -> io::Result<()> {
        self.count("make_folder")?;
        RealDisk.make_folder(at, name)
    }

    fn open(&self, at: &Dir, name: &Name, purpose: Purpose) -> io::Result<File> {
        self.count(match purpose {
            Purpose::Read => "open",
            Purpose::Create => "create",
            Purpose::Lock => "open_lock",
        })?;
        RealDisk.open(at, name, purpose)
    }

    fn stat(&self, file: &File) -> io::Result<Metadata> {
        self.count("stat")?;
        RealDisk.stat(file)
    }

    fn read(&self, file: &File, buffer: &mut [u8]) -> io::Result<usize> {
        self.count("read")?;
        RealDisk.read(file, buffer)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        self.count("write")?;
        let longest = if let Quirk::ShortWrites(longest) = self.quirk { longest } else { usize::MAX };
        RealDisk.write(file, bytes.get(..longest).unwrap_or(bytes))
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.count("sync")?;
        RealDisk.sync(file)
    }

    fn rename(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.count("rename")?;
        RealDisk.rename(from, name, to, to_name)
    }

    fn rename_new(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.count("rename_new")?;
        self.reach(from, to)?;
        if self.quirk == Quirk::NoRenameNew {
            return Err(io::ErrorKind::Unsupported.into());
        }
        RealDisk.rename_new(from, name, to, to_name)
    }

    fn link(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.count("link")?;
        self.reach(from, to)?;
        RealDisk.link(from, name, to, to_name)
    }

    fn unlink(&self, at: &Dir, name: &Name) -> io::Result<()> {
        self.count("unlink")?;
        RealDisk.unlink(at, name)
    }

    fn sync_folder(&self, at: &Dir) -> io::Result<()> {
        self.count("sync_folder")?;
        RealDisk.sync_folder(at)
    }

    fn list(&self, at: &Dir) -> io::Result<Vec<Name>> {
        self.count("list")?;
        RealDisk.list(at)
    }

    fn try_lock(&self, file: &File) -> Result<(), TryLockError> {
        self.count("try_lock").map_err(TryLockError::Error)?;
        RealDisk.try_lock(file)
    }
}
