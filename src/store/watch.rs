//! Waits until a session's files are changed by any process.
//!
//! Folders are watched and never files, for a save puts a new file in the place of the old one. A folder that is missing is
//! waited for in the nearest one that is there; nothing is made for the watch's sake. What the system reports says only
//! that it is time to look: the state is read from the files themselves.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Context;
use super::files::Files;
use super::folder::Name;
use super::pin;
use super::watch_error::WatchError;
use crate::model::SessionId;

/// So long nothing more happens before a change counts as finished: a save is several calls.
const QUIET: Duration = Duration::from_millis(50);

/// So long a change is held back at most while more of them follow. An answer is due 500 ms after the last (MIRROR-3).
const LONGEST: Duration = Duration::from_millis(250);

/// Every folder that a session's plan is read from, as things stand now. One that cannot be resolved is left out.
pub(crate) fn folders_of(context: &Context, session: &SessionId, files: &Files) -> Vec<Utf8PathBuf> {
    // A plan that begins in any folder leaves a pointer to it in `home`, so that a new binding is noticed there.
    let home = context.layout.home();
    let project = context.projects.project(session).ok().flatten().map(|slug| context.layout.project(&slug));
    let pinned = pin::read(context, &home, files).ok().flatten();
    let mut folders = vec![home, context.layout.fallback()];
    for folder in project.into_iter().chain(pinned) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// What has happened since the last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Happened {
    /// A file that decides the state, or the `.md`, was made, changed or removed.
    pub(crate) files: bool,
    /// A folder on the way to them came, went or was replaced.
    pub(crate) folders: bool,
}

/// Carries what has happened from the system's thread to the one that looks; however much that is, it takes no more memory.
#[derive(Debug)]
pub(crate) struct Signal {
    files: Files,
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    happened: Happened,
    /// When the first and the last thing happened that nobody has looked at.
    span: Option<(Instant, Instant)>,
    stopped: bool,
    /// The names of all folders on the way to the files. Paths are not compared: some systems report resolved ones.
    folders: HashSet<String>,
}

impl Signal {
    pub(crate) fn new(files: Files) -> Self {
        Self { files, inner: Mutex::default(), changed: Condvar::new() }
    }

    /// Ends the waiting, now and later.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Waits until something has happened and has come to rest, at most `patience` if nothing happens; `None` once stopped.
    pub(crate) fn settled(&self, patience: Option<Duration>) -> Option<Happened> {
        let begun = Instant::now();
        let mut inner = self.lock();
        loop {
            if inner.stopped {
                return None;
            }
            let due = match inner.span {
                Some((first, last)) => Some((last + QUIET).min(first + LONGEST)),
                None => patience.map(|patience| begun + patience),
            };
            let Some(due) = due else {
                inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                inner.span = None;
                return Some(std::mem::take(&mut inner.happened));
            }
            inner = self.changed.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what the system reports.
    fn take(&self, report: notify::Result<notify::Event>) {
        let mut inner = self.lock();
        let happened = match report {
            Ok(event) if !event.need_rescan() => match self.judge(&event, &inner.folders) {
                Some(happened) => happened,
                None => return,
            },
            // Reports were lost.
            Ok(_) | Err(_) => Happened { files: true, folders: true },
        };
        inner.happened.files |= happened.files;
        inner.happened.folders |= happened.folders;
        let now = Instant::now();
        inner.span = Some((inner.span.map_or(now, |(first, _)| first), now));
        drop(inner);
        self.changed.notify_all();
    }

    /// What an event means for the session; `None` if it is none of its business.
    fn judge(&self, event: &notify::Event, folders: &HashSet<String>) -> Option<Happened> {
        let is_change = match event.kind {
            // Something may be different: look, but say nothing if it is not.
            EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Modify(ModifyKind::Metadata(_)) => {
                false
            }
            // Opening and reading, which a look does too.
            EventKind::Access(_) => return None,
            _ => true,
        };
        let decides = [&self.files.json, &self.files.md, &self.files.tombstone];
        let mut judged = None;
        for name in event.paths.iter().filter_map(|path| path.file_name().and_then(OsStr::to_str)) {
            let is_named = |file: &&Name| file.as_str() == name;
            let (files, folders) = (decides.iter().any(is_named), folders.contains(name));
            if files || folders || is_named(&&self.files.pin) {
                let happened = judged.get_or_insert(Happened::default());
                happened.files |= is_change && files;
                happened.folders |= is_change && folders;
            }
        }
        judged
    }
}

/// The watched folders of a session.
#[derive(Debug)]
pub(crate) struct FolderWatch {
    watcher: RecommendedWatcher,
    signal: Arc<Signal>,
    root: Utf8PathBuf,
    /// What is to be watched.
    folders: Vec<Utf8PathBuf>,
    /// What is watched: those folders and the way to them, as far as it is there.
    watched: HashSet<Utf8PathBuf>,
}

impl FolderWatch {
    /// A watch of nothing yet, for the folders below `root`.
    pub(crate) fn new(root: &Utf8Path, signal: &Arc<Signal>) -> Result<Self, WatchError> {
        let ear = Arc::clone(signal);
        let watcher = RecommendedWatcher::new(move |report| ear.take(report), notify::Config::default())
            .map_err(|error| WatchError::TooManyWatchers { source: system_error(error.kind) })?;
        let (folders, watched) = (Vec::new(), HashSet::new());
        Ok(Self { watcher, signal: Arc::clone(signal), root: root.to_owned(), folders, watched })
    }

    /// Watches exactly these folders. What is watched already is left alone, unless it has to be done `anew` since a path
    /// may lead to another folder now. Whoever looks afterwards misses nothing.
    pub(crate) fn follow(&mut self, folders: Vec<Utf8PathBuf>, anew: bool) -> Result<(), WatchError> {
        if !anew && folders == self.folders {
            return Ok(());
        }
        self.signal.lock().folders = folders
            .iter()
            .flat_map(|folder| folder.ancestors())
            .filter_map(Utf8Path::file_name)
            .map(Into::into)
            .collect();
        for path in self.watched.drain() {
            // A folder that is gone is not watched any more.
            let _ = self.watcher.unwatch(path.as_std_path());
        }
        self.folders.clear();
        for folder in &folders {
            self.follow_one(folder)?;
        }
        self.folders = folders;
        Ok(())
    }

    /// Watches a folder and the way to it from the root's parent, from the top: what comes into being meanwhile is reported
    /// by the folder above.
    fn follow_one(&mut self, folder: &Utf8Path) -> Result<(), WatchError> {
        let root = self.root.clone();
        let mut way: Vec<&Utf8Path> = folder.ancestors().take_while(|path| path.starts_with(&root)).collect();
        let mut refused = None;
        for above in root.parent().unwrap_or(&root).ancestors() {
            way.push(above);
            if self.add(above, &mut refused)? {
                break;
            }
        }
        while let Some(path) = way.pop() {
            if !self.add(path, &mut refused)? {
                break;
            }
        }
        refused.map_or(Ok(()), Err)
    }

    /// Watches one folder; `false` if it is not there. One that the user may not list is passed over, unless it is the last
    /// of its way, for what it holds may be watched all the same.
    fn add(&mut self, path: &Utf8Path, refused: &mut Option<WatchError>) -> Result<bool, WatchError> {
        if self.watched.contains(path) {
            *refused = None;
            return Ok(true);
        }
        match self.watcher.watch(path.as_std_path(), RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.watched.insert(path.to_owned());
                *refused = None;
                Ok(true)
            }
            Err(error) => match error.kind {
                ErrorKind::MaxFilesWatch => Err(WatchError::TooManyFolders { folder: path.to_owned() }),
                kind => {
                    let source = system_error(kind);
                    if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
                        return Ok(false);
                    }
                    *refused = Some(WatchError::Folder { folder: path.to_owned(), source });
                    Ok(true)
                }
            },
        }
    }
}

/// The system's own error, without the watching crate's type around it.
fn system_error(kind: ErrorKind) -> io::Error {
    match kind {
        ErrorKind::Io(source) => source,
        ErrorKind::PathNotFound => io::ErrorKind::NotFound.into(),
        ErrorKind::MaxFilesWatch => io::ErrorKind::QuotaExceeded.into(),
        ErrorKind::Generic(text) => io::Error::other(text),
        ErrorKind::WatchNotFound | ErrorKind::InvalidConfig(_) => io::ErrorKind::InvalidInput.into(),
    }
}

#[cfg(test)]
mod tests {
    use notify::Event;
    use notify::event::{CreateKind, DataChange, MetadataKind, RemoveKind, RenameMode};
    use pretty_assertions::assert_eq;

    use super::*;

    const LOOK: Happened = Happened { files: false, folders: false };
    const FILES: Happened = Happened { files: true, folders: false };
    const FOLDERS: Happened = Happened { files: false, folders: true };

    fn signal() -> Signal {
        let signal = Signal::new(Files::of(&SessionId::new("s1").unwrap()).unwrap());
        signal.lock().folders = ["session".to_owned(), "root".to_owned()].into();
        signal
    }

    fn event(kind: EventKind, path: &str) -> Event {
        Event::new(kind).add_path(path.into())
    }

    // spec: MIRROR-3
    #[test]
    fn a_change_that_never_rests_is_not_held_back() {
        let signal = signal();
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                    signal.take(Ok(event(EventKind::Create(CreateKind::File), "/root/session/.opencrabs_plan_s1.md")));
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let begun = Instant::now();
            for _ in 0..3 {
                assert_eq!(signal.settled(None), Some(FILES));
            }
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
            assert!(begun.elapsed() < 20 * LONGEST, "{:?}", begun.elapsed());
            assert!(LONGEST + QUIET < Duration::from_millis(500), "the look itself needs some of it too");
        });
        signal.stop();
        assert_eq!(signal.settled(None), None, "what is stopped stays so");
    }

    #[test]
    fn only_a_change_of_what_decides_the_state_is_one() {
        let signal = signal();
        let judge = |kind, path: &str| signal.judge(&event(kind, path), &signal.lock().folders.clone());
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        for ending in ["json", "md", "tombstone"] {
            let path = format!("/root/session/.opencrabs_plan_s1.{ending}");
            assert_eq!(judge(written, &path), Some(FILES), "{path}");
            assert_eq!(judge(EventKind::Remove(RemoveKind::File), &path), Some(FILES));
            assert_eq!(judge(EventKind::Modify(ModifyKind::Name(RenameMode::To)), &path), Some(FILES));
            assert_eq!(judge(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), &path), Some(LOOK));
            // A look opens and reads them, and must not lead to the next.
            assert_eq!(judge(EventKind::Access(AccessKind::Open(AccessMode::Any)), &path), None);
            assert_eq!(judge(EventKind::Access(AccessKind::Close(AccessMode::Read)), &path), None);
        }
        assert_eq!(judge(written, "/root/session/.opencrabs_plan_s1.pin"), Some(LOOK));
        assert_eq!(judge(EventKind::Remove(RemoveKind::Folder), "/root/session"), Some(FOLDERS));
        for other in ["s1.lock", "s1-2.json", "s1.json.1.tmp", "s1.presence"] {
            assert_eq!(judge(written, &format!("/root/session/.opencrabs_plan_{other}")), None, "{other}");
        }
        assert_eq!(judge(written, "/root/session/archive"), None);
    }

    #[test]
    fn lost_reports_are_taken_for_everything() {
        let signal = signal();
        signal.take(Ok(Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan)));
        assert_eq!(signal.settled(None), Some(Happened { files: true, folders: true }));
        signal.take(Err(notify::Error::generic("gone")));
        assert_eq!(signal.settled(None), Some(Happened { files: true, folders: true }));
        assert_eq!(signal.settled(Some(Duration::ZERO)), Some(LOOK), "nothing is told twice");
    }
}
