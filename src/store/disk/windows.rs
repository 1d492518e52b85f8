//! The calls on Windows, by path, with the standard library alone.
//!
//! It promises less than on Unix. A folder is a path, looked up at each call, so somebody who can swap the folder can send
//! a write elsewhere; files and folders get the rights they inherit, not their owner's alone; and the names in a folder
//! cannot be flushed, so how far a rename lasts through a power cut is up to NTFS and its journal. Links in the last place
//! are not followed here either, and a new name never replaces an old one.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::windows::fs::OpenOptionsExt as _;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Disk, Name, Purpose};

/// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a link itself, which then is no regular file.
const OPEN_THE_LINK_ITSELF: u32 = 0x0020_0000;

/// A folder that was there when it was opened.
#[derive(Debug)]
pub(crate) struct Dir(Utf8PathBuf);

impl Dir {
    fn at(&self, name: &Name) -> Utf8PathBuf {
        self.0.join(name.as_str())
    }
}

/// The file system itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RealDisk;

impl Disk for RealDisk {
    fn open_path(&self, path: &Utf8Path) -> io::Result<Dir> {
        if fs::metadata(path)?.is_dir() { Ok(Dir(path.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    fn open_folder(&self, at: &Dir, name: &Name) -> io::Result<Dir> {
        let path = at.at(name);
        if fs::symlink_metadata(&path)?.is_dir() { Ok(Dir(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    fn make_folder(&self, at: &Dir, name: &Name) -> io::Result<()> {
        fs::create_dir(at.at(name))
    }

    fn open(&self, at: &Dir, name: &Name, purpose: Purpose) -> io::Result<File> {
        let mut options = OpenOptions::new();
        match purpose {
            Purpose::Read => options.read(true),
            Purpose::Create => options.write(true).create_new(true),
            Purpose::Lock => options.read(true).write(true).create(true).truncate(false),
        };
        options.custom_flags(OPEN_THE_LINK_ITSELF).open(at.at(name))
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

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        fs::rename(from.at(name), to.at(to_name))
    }

    // The standard library's rename replaces; a second name followed by removing the first does not.
    fn rename_new(&self, _: &Dir, _: &Name, _: &Dir, _: &Name) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        fs::hard_link(from.at(name), to.at(to_name))
    }

    fn unlink(&self, at: &Dir, name: &Name) -> io::Result<()> {
        fs::remove_file(at.at(name))
    }

    // The system has no call for it.
    fn sync_folder(&self, _: &Dir) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, at: &Dir) -> io::Result<Vec<Name>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&at.0)? {
            names.extend(entry?.file_name().to_str().and_then(|name| Name::new(name).ok()));
        }
        Ok(names)
    }

    fn try_lock(&self, file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }
}
