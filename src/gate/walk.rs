//! Where a path leads, step by step, as the file system would resolve it.

use std::io;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::{FileId, Kind, Look, Seen, Unresolved};

/// How many links a path may lead through: what Linux allows.
const MOST_LINKS: u32 = 40;

/// Where a path leads.
#[derive(Debug)]
pub(super) struct Walk {
    /// Every folder, link and file on the way, the last one included; not what a `..` has left again.
    pub(super) passed: Vec<FileId>,
    /// The name itself: a link in the last place is not followed.
    pub(super) entry: Entry,
    /// What a write through the name would change: every link is followed.
    pub(super) end: Entry,
    /// The path of `end`, free of links.
    pub(super) path: Utf8PathBuf,
}

/// A name in a folder, whether something has it or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The deepest folder that is there.
    pub(super) folder: FileId,
    /// The name in it; several with `/` between them where folders are missing.
    pub(super) name: Box<str>,
    /// What has the name.
    pub(super) seen: Option<Seen>,
}

impl Walk {
    /// Follows an absolute path.
    pub(super) fn along(look: &dyn Look, path: &Utf8Path) -> Result<Self, Unresolved> {
        let mut walker = Walker {
            look,
            at: Utf8PathBuf::with_capacity(path.as_str().len()),
            folders: Vec::with_capacity(16),
            passed: Vec::with_capacity(16),
            links: 0,
            missing: String::new(),
            file: None,
            entry: None,
        };
        walker.follow(path, true)?;
        walker.arrived()
    }

    /// Whether the path, its link followed or not, has this file.
    pub(super) fn meets(&self, id: FileId) -> bool {
        self.seen().any(|seen| seen.id == id)
    }

    /// What stands there: the link and what it leads to, or the same twice.
    pub(super) fn seen(&self) -> impl Iterator<Item = Seen> {
        self.entry.seen.into_iter().chain(self.end.seen)
    }
}

struct Walker<'a> {
    look: &'a dyn Look,
    /// The folder that has been reached, free of links.
    at: Utf8PathBuf,
    /// That folder and all above it, the root first.
    folders: Vec<FileId>,
    passed: Vec<FileId>,
    links: u32,
    /// Names below `at` that nothing has.
    missing: String,
    /// The file in `at` that has been reached; a path cannot go on from there.
    file: Option<(Box<str>, Seen)>,
    entry: Option<Entry>,
}

impl Walker<'_> {
    /// Goes along a path from where the walker stands; `last`: nothing follows it.
    fn follow(&mut self, path: &Utf8Path, last: bool) -> Result<(), Unresolved> {
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            let last = last && parts.as_path().as_str().is_empty();
            self.step(part, last)?;
        }
        // The iterator leaves out what says that the last name is a folder's.
        let text = path.as_str();
        let of_a_folder = text.ends_with('/') || text.ends_with("/.") || (cfg!(windows) && text.ends_with('\\'));
        if of_a_folder && (self.file.is_some() || !self.missing.is_empty()) {
            return Err(Unresolved::NoWay);
        }
        Ok(())
    }

    fn step(&mut self, part: Utf8Component<'_>, last: bool) -> Result<(), Unresolved> {
        if self.file.is_some() {
            return Err(Unresolved::NoWay);
        }
        match part {
            Utf8Component::Prefix(prefix) => {
                self.at = Utf8PathBuf::from(prefix.as_str());
                self.folders.clear();
                Ok(())
            }
            Utf8Component::RootDir => self.enter_root(),
            Utf8Component::CurDir => Ok(()),
            Utf8Component::ParentDir if !self.missing.is_empty() => Err(Unresolved::NoWay),
            Utf8Component::ParentDir => {
                // The root is its own parent.
                if self.folders.len() > 1 {
                    self.folders.pop();
                    self.at.pop();
                }
                // What was left again is no place on the way.
                self.passed.clone_from(&self.folders);
                Ok(())
            }
            Utf8Component::Normal(name) => self.enter_name(name, last),
        }
    }

    fn enter_root(&mut self) -> Result<(), Unresolved> {
        if cfg!(not(windows)) {
            self.at.clear();
        }
        self.at.push(Utf8Component::RootDir);
        let seen = self.look.look(&self.at).map_err(|error| Unresolved::Refused(error.kind()))?;
        self.missing.clear();
        self.folders.clear();
        self.folders.push(seen.id);
        self.passed.push(seen.id);
        Ok(())
    }

    fn enter_name(&mut self, name: &str, last: bool) -> Result<(), Unresolved> {
        if !self.missing.is_empty() {
            self.missing.push('/');
            self.missing.push_str(name);
            return Ok(());
        }
        self.at.push(name);
        let seen = match self.look.look(&self.at) {
            Ok(seen) => seen,
            Err(error) => {
                self.at.pop();
                return match error.kind() {
                    io::ErrorKind::NotFound => {
                        self.missing.push_str(name);
                        Ok(())
                    }
                    io::ErrorKind::NotADirectory => Err(Unresolved::NoWay),
                    kind => Err(Unresolved::Refused(kind)),
                };
            }
        };
        self.passed.push(seen.id);
        match seen.kind {
            Kind::Folder => {
                self.folders.push(seen.id);
                Ok(())
            }
            Kind::Link => {
                if self.at.starts_with("/proc") {
                    return Err(Unresolved::OwnOfAProcess);
                }
                self.links += 1;
                if self.links > MOST_LINKS {
                    return Err(Unresolved::Circle);
                }
                let target = self.look.read_link(&self.at).map_err(|error| Unresolved::Refused(error.kind()))?;
                self.at.pop();
                if last && self.entry.is_none() {
                    self.entry = Some(Entry { folder: self.folder()?, name: name.into(), seen: Some(seen) });
                }
                self.follow(&target, last)
            }
            Kind::File | Kind::Other => {
                self.at.pop();
                self.file = Some((name.into(), seen));
                Ok(())
            }
        }
    }

    fn folder(&self) -> Result<FileId, Unresolved> {
        self.folders.last().copied().ok_or(Unresolved::NoFolder)
    }

    fn arrived(mut self) -> Result<Walk, Unresolved> {
        let end = if let Some((name, seen)) = self.file.take() {
            self.at.push(&*name);
            Entry { folder: self.folder()?, name, seen: Some(seen) }
        } else if !self.missing.is_empty() {
            self.at.push(&self.missing);
            Entry { folder: self.folder()?, name: std::mem::take(&mut self.missing).into(), seen: None }
        } else {
            let id = self.folder()?;
            // The folder that is reached, as a name in the one above it.
            let above = self.folders.iter().rev().nth(1).copied().unwrap_or(id);
            let seen = Seen { id, kind: Kind::Folder, links: 1 };
            Entry { folder: above, name: self.at.file_name().unwrap_or_default().into(), seen: Some(seen) }
        };
        let entry = self.entry.take().unwrap_or_else(|| end.clone());
        Ok(Walk { passed: self.passed, entry, end, path: self.at })
    }
}
