//! The calls on Unix, each relative to an open folder descriptor.

use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;

use camino::Utf8Path;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::retry_on_intr;

use super::{Disk, Name, Purpose};

/// An open folder. It stays the same folder whatever happens to its path.
#[derive(Debug)]
pub(crate) struct Dir(File);

impl From<OwnedFd> for Dir {
    fn from(descriptor: OwnedFd) -> Self {
        Self(descriptor.into())
    }
}

#[cfg(test)]
impl Dir {
    /// What tells this folder from others of its file system.
    pub(super) fn inode(&self) -> u64 {
        use std::os::unix::fs::MetadataExt as _;
        self.0.metadata().unwrap().ino()
    }
}

/// The file system itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RealDisk;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

impl Disk for RealDisk {
    fn open_path(&self, path: &Utf8Path) -> io::Result<Dir> {
        let open = || rustix::fs::open(path.as_std_path(), FOLDER, Mode::empty());
        Ok(retry_on_intr(open)?.into())
    }

    fn open_folder(&self, at: &Dir, name: &Name) -> io::Result<Dir> {
        let open = || rustix::fs::openat(&at.0, name.as_str(), FOLDER | OFlags::NOFOLLOW, Mode::empty());
        Ok(retry_on_intr(open)?.into())
    }

    fn make_folder(&self, at: &Dir, name: &Name) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&at.0, name.as_str(), Mode::RWXU)?)
    }

    fn open(&self, at: &Dir, name: &Name, purpose: Purpose) -> io::Result<File> {
        let flags = match purpose {
            Purpose::Read => OFlags::RDONLY,
            Purpose::Create => OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL,
            // A lock over NFS takes a descriptor that can write.
            Purpose::Lock => OFlags::RDWR | OFlags::CREATE,
        } | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let open = || rustix::fs::openat(&at.0, name.as_str(), flags, Mode::RUSR | Mode::WUSR);
        Ok(retry_on_intr(open)?.into())
    }

    fn stat(&self, file: &File) -> io::Result<Metadata> {
        file.metadata()
    }

    fn read(&self, mut file: &File, buffer: &mut [u8]) -> io::Result<usize> {
        file.read(buffer)
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    // The standard library's call reaches the disk itself on Apple systems, where a plain `fsync` does not.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        Ok(rustix::fs::renameat(&from.0, name.as_str(), &to.0, to_name.as_str())?)
    }

    #[cfg(any(target_vendor = "apple", target_os = "linux", target_os = "android"))]
    fn rename_new(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;

        renameat_with(&from.0, name.as_str(), &to.0, to_name.as_str(), RenameFlags::NOREPLACE).map_err(|error| {
            match error {
                // Linux says "invalid" where a file system, NFS for one, does not know the flag.
                Errno::INVAL | Errno::NOSYS | Errno::NOTSUP => io::ErrorKind::Unsupported.into(),
                other => other.into(),
            }
        })
    }

    #[cfg(not(any(target_vendor = "apple", target_os = "linux", target_os = "android")))]
    fn rename_new(&self, _: &Dir, _: &Name, _: &Dir, _: &Name) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        Ok(rustix::fs::linkat(&from.0, name.as_str(), &to.0, to_name.as_str(), AtFlags::empty())?)
    }

    fn unlink(&self, at: &Dir, name: &Name) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&at.0, name.as_str(), AtFlags::empty())?)
    }

    fn sync_folder(&self, at: &Dir) -> io::Result<()> {
        at.0.sync_all()
    }

    fn list(&self, at: &Dir) -> io::Result<Vec<Name>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&at.0)? {
            names.extend(entry?.file_name().to_str().ok().and_then(|name| Name::new(name).ok()));
        }
        Ok(names)
    }

    fn try_lock(&self, file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }
}
