use std::io;

use camino::{Utf8Path, Utf8PathBuf};

/// Which file it is, whatever it is called: two paths with one identity are one file (GATE-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId {
    /// The file system.
    pub device: u64,
    /// The file in it.
    pub inode: u64,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, not followed.
    Link,
    /// A device, a FIFO, a socket.
    Other,
}

/// What one look at a path has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Which file it is.
    pub id: FileId,
    /// What it is.
    pub kind: Kind,
    /// How many names it has. More than one: a write through this name changes what another name shows.
    pub links: u64,
}

/// The two looks at a file system that the gate takes. Neither changes anything.
///
/// The seam lets a test be a file system that ignores case, or one that changes between two looks.
pub trait Look {
    /// What stands at an absolute path; the last component's link is not followed.
    ///
    /// # Errors
    /// What the system says; [`NotFound`](io::ErrorKind::NotFound) means that nothing is there.
    fn look(&self, path: &Utf8Path) -> io::Result<Seen>;

    /// Where the link at an absolute path leads.
    ///
    /// # Errors
    /// What the system says; [`InvalidData`](io::ErrorKind::InvalidData) if the text of the link is not UTF-8.
    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf>;
}

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct TheDisk;

impl Look for TheDisk {
    fn look(&self, path: &Utf8Path) -> io::Result<Seen> {
        system::look(path)
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let link = std::fs::read_link(path)?;
        Utf8PathBuf::from_path_buf(link).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::os::unix::fs::MetadataExt as _;

    use camino::Utf8Path;

    use super::{FileId, Kind, Seen};

    pub(super) fn look(path: &Utf8Path) -> io::Result<Seen> {
        let found = std::fs::symlink_metadata(path)?;
        let kind = match found.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        };
        Ok(Seen { id: FileId { device: found.dev(), inode: found.ino() }, kind, links: found.nlink() })
    }
}

#[cfg(windows)]
mod system {
    use std::fs::OpenOptions;
    use std::io;
    use std::os::windows::fs::OpenOptionsExt as _;

    use camino::Utf8Path;
    use winapi_util::file::information;

    use super::{FileId, Kind, Seen};

    // `FILE_FLAG_BACKUP_SEMANTICS` opens folders too, `FILE_FLAG_OPEN_REPARSE_POINT` a link itself.
    const A_FOLDER_TOO: u32 = 0x0200_0000;
    const THE_LINK_ITSELF: u32 = 0x0020_0000;

    pub(super) fn look(path: &Utf8Path) -> io::Result<Seen> {
        // No access is asked for: the attributes can be read even where the content cannot.
        let file = OpenOptions::new().access_mode(0).custom_flags(A_FOLDER_TOO | THE_LINK_ITSELF).open(path)?;
        let kind = match file.metadata()?.file_type() {
            kind if kind.is_symlink() => Kind::Link,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_file() => Kind::File,
            _ => Kind::Other,
        };
        let found = information(&file)?;
        let id = FileId { device: found.volume_serial_number(), inode: found.file_index() };
        Ok(Seen { id, kind, links: found.number_of_links() })
    }
}
