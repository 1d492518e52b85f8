//! A model of what a power cut leaves: the real disk, with a book of what has been flushed.
//!
//! A file's bytes last once the file has been flushed, and a name in a folder lasts once the folder has been flushed; until
//! then a cut may take them or leave them. A rename is one step, as file systems with a journal make it. The model is given
//! the folder as it is, all of it flushed, and keeps to what its own calls do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::sync::{Arc, Mutex, PoisonError};

use camino::Utf8Path;

use super::{Dir, Disk, Name, Purpose};

/// A folder by its inode, and a name in it.
type Place = (u64, String);

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder(u64),
    /// A number of the model: file systems use an inode again at once.
    File(usize),
}

/// One change of names, whole or not at all.
#[derive(Debug, Clone)]
struct Change(Vec<(Place, Option<Node>)>);

impl Change {
    fn is_in(&self, folder: u64) -> bool {
        self.0.iter().any(|((at, _), _)| *at == folder)
    }

    fn apply(&self, names: &mut BTreeMap<Place, Node>) {
        for (place, node) in &self.0 {
            match node {
                Some(node) => names.insert(place.clone(), *node),
                None => names.remove(place),
            };
        }
    }
}

#[derive(Debug, Default, Clone)]
struct Content {
    now: Vec<u8>,
    /// What the last flush has made to last.
    flushed: Vec<u8>,
    /// A flush failed: the system may have dropped the bytes, and a later success means nothing.
    lost: bool,
}

#[derive(Debug, Default)]
struct Book {
    root: u64,
    names: BTreeMap<Place, Node>,
    flushed: BTreeMap<Place, Node>,
    /// What a cut may undo, in order.
    pending: Vec<Change>,
    files: Vec<Content>,
    /// The files that are open, or were, by inode.
    by_inode: BTreeMap<u64, usize>,
}

/// Which flush is left out, and answered with success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Omit {
    Nothing,
    FileSync,
    FolderSync,
}

/// Files, by their path from the root.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A disk that can tell what a power cut would leave.
#[derive(Debug)]
pub(crate) struct LosingDisk {
    inner: Arc<dyn Disk>,
    omit: Omit,
    book: Mutex<Book>,
}

impl LosingDisk {
    /// A model over `inner`, of the folder `root` and all below it.
    pub(crate) fn new(inner: Arc<dyn Disk>, root: &Utf8Path, omit: Omit) -> Arc<Self> {
        let mut book = Book { root: fs::metadata(root).unwrap().ino(), ..Book::default() };
        book.walk(root, book.root);
        book.flushed = book.names.clone();
        Arc::new(Self { inner, omit, book: Mutex::new(book) })
    }

    /// Every state that a power cut at this moment may leave: of the names that have not been flushed, those up to any
    /// point or any one alone; of the bytes that have not been flushed, all or none.
    pub(crate) fn cuts(&self) -> Vec<Files> {
        let book = self.book();
        let count = book.pending.len();
        let upto = (0..=count).map(|end| (0..end).collect());
        let alone = (0..count).map(|one| book.with_those_before([one].into()));
        let mut cuts = Vec::new();
        for kept in upto.chain(alone).collect::<BTreeSet<BTreeSet<usize>>>() {
            let mut names = book.flushed.clone();
            for change in kept.iter().filter_map(|at| book.pending.get(*at)) {
                change.apply(&mut names);
            }
            for keeps_bytes in [false, true] {
                let mut files = Files::new();
                book.collect(&names, book.root, "", keeps_bytes, &mut files);
                cuts.push(files);
            }
        }
        cuts
    }

    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    /// Takes in what is there from the beginning.
    fn walk(&mut self, at: &Utf8Path, folder: u64) {
        for entry in at.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            let inode = entry.metadata().unwrap().ino();
            let node = if entry.file_type().unwrap().is_dir() {
                self.walk(entry.path(), inode);
                Node::Folder(inode)
            } else {
                let bytes = fs::read(entry.path()).unwrap();
                self.file(inode, Content { now: bytes.clone(), flushed: bytes, lost: false })
            };
            self.names.insert((folder, entry.file_name().to_owned()), node);
        }
    }

    fn file(&mut self, inode: u64, content: Content) -> Node {
        self.files.push(content);
        self.by_inode.insert(inode, self.files.len() - 1);
        Node::File(self.files.len() - 1)
    }

    fn content(&mut self, file: &File) -> &mut Content {
        let inode = file.metadata().unwrap().ino();
        let at = self.by_inode[&inode];
        &mut self.files[at]
    }

    fn change(&mut self, change: Vec<(Place, Option<Node>)>) {
        let change = Change(change);
        change.apply(&mut self.names);
        self.pending.push(change);
    }

    /// These changes, and the earlier ones of the same names: a journal never makes the later one alone.
    fn with_those_before(&self, mut kept: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut places: BTreeSet<&Place> = BTreeSet::new();
        for (at, change) in self.pending.iter().enumerate().rev() {
            if kept.contains(&at) || change.0.iter().any(|(place, _)| places.contains(place)) {
                kept.insert(at);
                places.extend(change.0.iter().map(|(place, _)| place));
            }
        }
        kept
    }

    fn flush_folder(&mut self, folder: u64) {
        let touched = (0..self.pending.len()).filter(|at| self.pending[*at].is_in(folder)).collect();
        let kept = self.with_those_before(touched);
        let (mut at, flushed) = (0, &mut self.flushed);
        self.pending.retain(|change| {
            let is_kept = kept.contains(&at);
            if is_kept {
                change.apply(flushed);
            }
            at += 1;
            !is_kept
        });
    }

    fn collect(&self, names: &BTreeMap<Place, Node>, folder: u64, path: &str, keeps_bytes: bool, into: &mut Files) {
        for ((at, name), node) in names {
            match node {
                _ if *at != folder => {}
                Node::Folder(inner) => self.collect(names, *inner, &format!("{path}{name}/"), keeps_bytes, into),
                Node::File(file) => {
                    let content = &self.files[*file];
                    let bytes = if keeps_bytes { &content.now } else { &content.flushed };
                    into.insert(format!("{path}{name}"), bytes.clone());
                }
            }
        }
    }
}

fn place(at: &Dir, name: &Name) -> Place {
    (at.inode(), name.as_str().to_owned())
}

impl Disk for LosingDisk {
    fn open_path(&self, path: &Utf8Path) -> io::Result<Dir> {
        self.inner.open_path(path)
    }

    fn open_folder(&self, at: &Dir, name: &Name) -> io::Result<Dir> {
        self.inner.open_folder(at, name)
    }

    fn make_folder(&self, at: &Dir, name: &Name) -> io::Result<()> {
        self.inner.make_folder(at, name)?;
        let made = super::RealDisk.open_folder(at, name)?.inode();
        self.book().change(vec![(place(at, name), Some(Node::Folder(made)))]);
        Ok(())
    }

    fn open(&self, at: &Dir, name: &Name, purpose: Purpose) -> io::Result<File> {
        let file = self.inner.open(at, name, purpose)?;
        let mut book = self.book();
        if purpose != Purpose::Read && !book.names.contains_key(&place(at, name)) {
            let node = book.file(file.metadata()?.ino(), Content::default());
            book.change(vec![(place(at, name), Some(node))]);
        }
        Ok(file)
    }

    fn stat(&self, file: &File) -> io::Result<Metadata> {
        self.inner.stat(file)
    }

    fn read(&self, file: &File, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(file, buffer)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(file, bytes)?;
        self.book().content(file).now.extend(&bytes[..count]);
        Ok(count)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        let synced = self.inner.sync(file);
        let mut book = self.book();
        let content = book.content(file);
        content.lost |= synced.is_err();
        if self.omit != Omit::FileSync && !content.lost {
            content.flushed = content.now.clone();
        }
        synced
    }

    fn rename(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.inner.rename(from, name, to, to_name)?;
        self.renamed(place(from, name), place(to, to_name));
        Ok(())
    }

    fn rename_new(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.inner.rename_new(from, name, to, to_name)?;
        self.renamed(place(from, name), place(to, to_name));
        Ok(())
    }

    fn link(&self, from: &Dir, name: &Name, to: &Dir, to_name: &Name) -> io::Result<()> {
        self.inner.link(from, name, to, to_name)?;
        let mut book = self.book();
        let node = book.names[&place(from, name)];
        book.change(vec![(place(to, to_name), Some(node))]);
        Ok(())
    }

    fn unlink(&self, at: &Dir, name: &Name) -> io::Result<()> {
        self.inner.unlink(at, name)?;
        self.book().change(vec![(place(at, name), None)]);
        Ok(())
    }

    fn sync_folder(&self, at: &Dir) -> io::Result<()> {
        self.inner.sync_folder(at)?;
        if self.omit != Omit::FolderSync {
            self.book().flush_folder(at.inode());
        }
        Ok(())
    }

    fn list(&self, at: &Dir) -> io::Result<Vec<Name>> {
        self.inner.list(at)
    }

    fn try_lock(&self, file: &File) -> Result<(), TryLockError> {
        self.inner.try_lock(file)
    }
}

impl LosingDisk {
    fn renamed(&self, from: Place, to: Place) {
        let mut book = self.book();
        let node = book.names[&from];
        book.change(vec![(from, None), (to, Some(node))]);
    }
}
