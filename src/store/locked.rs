//! A session under its lock: everything that changes its files.

use std::sync::Arc;
use std::time::Duration;

use camino::Utf8Path;

use super::archive::{self, ArchiveName, Mark};
use super::commit_error::CommitError;
use super::durable::Moved;
use super::error::{LockError, MoveError, StoreError, WriteError};
use super::files::Files;
use super::find::{Found, RECORD_LIMIT, Revision, Source, find};
use super::folder::{Folder, Name};
use super::load_error::LoadError;
use super::lock::Lock;
use super::snapshot::{self, Pending, Snapshot};
use super::{Context, durable, pin, tombstone};
use crate::digest::Digest;
use crate::model::{Checklist, Kept, SessionId, Timestamp};
use crate::outline::{self, LegacyOutline, LegacyStep};
use crate::plan::{AnyState, Editing, Ending, EndingHow, Header, Markdown, Site};
use crate::record::{self, Archived, EndedHow, EndedRecord, StateToWrite};

/// The lock of a session, and the folder that it is for. Dropping it releases the lock.
#[derive(Debug)]
pub(crate) struct Locked {
    context: Arc<Context>,
    session: SessionId,
    files: Files,
    folder: Folder,
    _lock: Lock,
}

/// What has become of a plan that has ended.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) revision: Revision,
    pub(crate) archive: Option<ArchiveName>,
    /// Whether the archive has a `.md` of the plan.
    pub(crate) has_md: bool,
    /// Why the clean-up is not finished; a later load finishes it.
    pub(crate) unfinished: Option<CommitError>,
}

impl Locked {
    /// Takes the lock of a session whose plan is, or will be, in `folder`. Makes the folder if it is missing.
    pub(crate) fn acquire(
        context: &Arc<Context>,
        session: &SessionId,
        files: &Files,
        folder: &Utf8Path,
        patience: Duration,
    ) -> Result<Self, LockError> {
        let folder = Folder::create(&context.disk, folder)?;
        if !folder.has(&files.lock)? {
            // The lock file stays: who finds it need not look after the folders.
            folder.settle(context.layout.root())?;
        }
        let lock = Lock::acquire(&folder, &files.lock, patience)?;
        Ok(Self { context: Arc::clone(context), session: session.clone(), files: files.clone(), folder, _lock: lock })
    }

    /// The session's JSON as it is now.
    pub(crate) fn find(&self) -> Result<Found, LoadError> {
        find(&self.context, &self.session, &self.files, Some(&self.folder))
    }

    /// The session's state as it is now.
    pub(crate) fn read(&self) -> Result<Snapshot, LoadError> {
        snapshot::read(&self.context, &self.session, &self.files, Some(&self.folder))
    }

    /// Whether this is the lock of the folder that `revision` is about.
    pub(crate) fn covers(&self, revision: &Revision) -> bool {
        *self.folder.path() == revision.folder
    }

    /// The `.md` as it is now.
    pub(crate) fn markdown(&self, source: Source) -> Result<Markdown, LoadError> {
        snapshot::markdown(&self.context, &self.files, Some(&self.folder), source)
    }

    /// Brings the disk in line with the state that a reader reports, and reads again (rule N).
    pub(crate) fn normalise(&self, found: Snapshot) -> Result<Snapshot, CommitError> {
        self.sweep()?;
        let normal = match found.pending {
            None => found,
            Some(Pending::CleanUp(ended)) => {
                self.sweep_archive()?;
                self.clean_up(&ended, found.revision.source)?;
                self.read()?
            }
            Some(Pending::LegacyTasks) => {
                if let AnyState::Editing(editing) = found.state {
                    self.archive_legacy_tasks(editing, &found.bytes, found.revision.source)?;
                }
                self.read()?
            }
        };
        if matches!(normal.state, AnyState::NoPlan(_)) && self.covers(&normal.revision) {
            // One that was written for a plan that did not begin, or left by one that has ended.
            pin::clear(&self.context, &self.files).map_err(CommitError::before)?;
        }
        Ok(normal)
    }

    /// Removes the temporary files of dead processes.
    fn sweep(&self) -> Result<(), StoreError> {
        durable::sweep(&self.folder, |target| self.files.owns(target))?;
        let home = self.context.layout.home();
        if *self.folder.path() != home
            && let Some(home) = Folder::open(&self.context.disk, &home)?
        {
            let written_there = [&self.files.pin, &self.files.tombstone];
            durable::sweep(&home, |target| written_there.iter().any(|name| name.as_str() == target))?;
        }
        Ok(())
    }

    /// Writes a plan: the `.md` first if there is a new one, then the JSON, which is the commit point.
    pub(crate) fn save(
        &self,
        state: StateToWrite<'_>,
        body: Option<&str>,
        from: &Revision,
    ) -> Result<Revision, CommitError> {
        let bytes = encode(state, None)?;
        self.copy_up_markdown(from, body.is_some())?;
        pin::keep(&self.context, self.folder.path(), &self.files)?;
        if let Some(body) = body {
            // The commit point of an edit: from here on the new text counts, and a sync heals the record (MIRROR-4).
            durable::write(&self.folder, &self.files.md, body.as_bytes())
                .map_err(|error| CommitError::at(error, from.digest))?;
        }
        self.commit(&bytes)
    }

    /// Writes a plan that begins now: an orphan `.md` goes to the archive first.
    pub(crate) fn begin(
        &self,
        state: StateToWrite<'_>,
        body: Option<&str>,
        at: Timestamp,
    ) -> Result<Revision, CommitError> {
        let bytes = encode(state, None)?;
        if !matches!(state, StateToWrite::PreInit(_)) {
            self.put_orphan(&self.folder, at, durable::move_into)?;
        }
        pin::set(&self.context, self.folder.path(), &self.files).map_err(CommitError::before)?;
        if let Some(body) = body {
            durable::write(&self.folder, &self.files.md, body.as_bytes()).map_err(CommitError::before)?;
        }
        self.commit(&bytes)
    }

    /// Brings an archived plan back: an orphan `.md` goes to the archive, then a copy of the archived `.md` and the record
    /// come back. The archive keeps its own.
    pub(crate) fn restore(
        &self,
        state: StateToWrite<'_>,
        name: &ArchiveName,
        at: Timestamp,
    ) -> Result<Revision, CommitError> {
        let bytes = encode(state, None)?;
        self.put_orphan(&self.folder, at, durable::move_into)?;
        pin::set(&self.context, self.folder.path(), &self.files).map_err(CommitError::before)?;
        let archive = archive::open(&self.folder)?;
        match durable::copy_into(&archive, &name.md()?, &self.folder, &self.files.md) {
            // Nothing had to come back, or somebody was faster by a hair: the JSON alone is the state.
            Ok(_) | Err(MoveError::Exists { .. }) => {}
            Err(MoveError::Write(error)) => return Err(CommitError::before(error)),
        }
        self.commit(&bytes)
    }

    /// The record of an archived plan.
    pub(crate) fn archived(&self, site: &Site, name: &ArchiveName) -> Result<Option<Archived>, LoadError> {
        archive::load(&self.folder, site, name)
    }

    fn commit(&self, bytes: &[u8]) -> Result<Revision, CommitError> {
        let digest = Some(Digest::of(bytes));
        durable::write(&self.folder, &self.files.json, bytes).map_err(|error| CommitError::at(error, digest))?;
        Ok(self.revision(digest))
    }

    fn revision(&self, digest: Option<Digest>) -> Revision {
        Revision { folder: self.folder.path().to_owned(), source: Source::Resolved, digest }
    }

    /// Ends a plan: its final record with `ending` is the commit point, the rest is clean-up.
    pub(crate) fn end(
        &self,
        state: StateToWrite<'_>,
        how: EndingHow,
        at: Timestamp,
        from: &Revision,
    ) -> Result<Closed, CommitError> {
        self.sweep_archive()?;
        let archive = archive::open(&self.folder)?;
        let name = archive::free_name(&archive, &self.session, at, how.into())?;
        let ending = Ending { how, at, archive: name.to_string().into(), kept: Kept::default() };
        let bytes = encode(state, Some(&ending))?;
        self.copy_up_markdown(from, false)?;
        let has_md = self.folder.has(&self.files.md)?;
        let committed = self.commit(&bytes)?;
        Ok(match self.finish(&ending) {
            Ok(()) => Closed { revision: self.revision(None), archive: Some(name), has_md, unfinished: None },
            Err(error) => Closed { revision: committed, archive: Some(name), has_md, unfinished: Some(error) },
        })
    }

    /// Removes a bare sidecar; its unlink is the commit point. One in the fallback folder is noted as ended.
    pub(crate) fn drop_sidecar(&self, from: &Revision) -> Result<Closed, CommitError> {
        match from.source {
            Source::Resolved => {
                tombstone::cover(&self.context, &self.folder, &self.files).map_err(CommitError::before)?;
                durable::remove(&self.folder, &self.files.json).map_err(|error| CommitError::at(error, None))?;
            }
            Source::Fallback => {
                tombstone::cover(&self.context, &self.folder, &self.files)
                    .map_err(|error| CommitError::at(error, None))?;
            }
        }
        let unfinished = pin::clear(&self.context, &self.files).err().map(CommitError::before);
        Ok(Closed { revision: self.revision(None), archive: None, has_md: false, unfinished })
    }

    /// Moves a damaged JSON and its `.md` to the archive, marked.
    pub(crate) fn discard_damaged(&self, at: Timestamp, from: &Revision) -> Result<Closed, CommitError> {
        self.sweep_archive()?;
        let has_md = self.folder.has(&self.files.md)?;
        let archive = match from.source {
            Source::Fallback => {
                tombstone::cover(&self.context, &self.folder, &self.files)
                    .map_err(|error| CommitError::at(error, None))?;
                None
            }
            Source::Resolved => {
                tombstone::cover(&self.context, &self.folder, &self.files).map_err(CommitError::before)?;
                self.move_pair(self.names(at, Mark::Damaged)).map_err(|error| CommitError::at(error, None))?
            }
        };
        let unfinished = pin::clear(&self.context, &self.files).err().map(CommitError::before);
        Ok(Closed { revision: self.revision(None), has_md: has_md && archive.is_some(), archive, unfinished })
    }

    /// Removes what an interrupted copy into the archive has left. The archive grows, so that it is looked through only
    /// before something is put into it.
    fn sweep_archive(&self) -> Result<(), StoreError> {
        if let Some(archive) = self.folder.subfolder(&Name::new(archive::FOLDER)?)? {
            durable::sweep(&archive, |target| {
                target.rsplit_once('.').is_some_and(|(stem, _)| ArchiveName::parse(&self.session, stem).is_some())
            })?;
        }
        Ok(())
    }

    /// Finishes the clean-up of a plan that has ended. Every step may have been done before.
    fn clean_up(&self, ended: &EndedRecord, source: Source) -> Result<(), CommitError> {
        let at = ended.updated_at.unwrap_or_else(|| self.context.clock.now());
        match (&ended.how, source) {
            (EndedHow::Marked(ending), Source::Resolved) => return self.finish(ending),
            (EndedHow::LegacyCompleted, Source::Resolved) => {
                self.move_ended(self.names(at, Mark::Completed))?;
            }
            (EndedHow::LegacyCancelled, Source::Resolved) => {
                self.move_ended(self.names(at, Mark::Cancelled))?;
            }
            (EndedHow::LegacyCancelled, Source::Fallback) => {}
            (EndedHow::LegacyCompleted | EndedHow::Marked(_), Source::Fallback) => {
                let mark = match &ended.how {
                    EndedHow::Marked(ending) => ending.how.into(),
                    EndedHow::LegacyCompleted | EndedHow::LegacyCancelled => Mark::Completed,
                };
                self.copy_fallback_pair(self.names(at, mark))?;
            }
        }
        tombstone::cover(&self.context, &self.folder, &self.files).map_err(CommitError::before)?;
        pin::clear(&self.context, &self.files).map_err(CommitError::before)
    }

    fn finish(&self, ending: &Ending) -> Result<(), CommitError> {
        let chosen = ArchiveName::parse(&self.session, &ending.archive);
        // The chosen name first; another one if a foreign file has taken it since.
        self.move_ended(chosen.into_iter().chain(self.names(ending.at, ending.how.into())))?;
        pin::clear(&self.context, &self.files).map_err(CommitError::before)
    }

    /// Moves what is left of an ended plan to the archive. A shadowed fallback plan is covered before its shadow goes.
    fn move_ended(&self, names: impl Iterator<Item = ArchiveName>) -> Result<(), CommitError> {
        tombstone::cover(&self.context, &self.folder, &self.files).map_err(CommitError::before)?;
        self.move_pair(names).map_err(CommitError::before)?;
        Ok(())
    }

    /// Moves `.md`, then JSON, to the archive under one name.
    fn move_pair(&self, names: impl Iterator<Item = ArchiveName>) -> Result<Option<ArchiveName>, WriteError> {
        self.put_pair(&self.folder, names, durable::move_into)
    }

    /// Copies a pair of the fallback folder into the session's own archive, once.
    fn copy_fallback_pair(&self, names: impl Iterator<Item = ArchiveName>) -> Result<(), CommitError> {
        if let Some(fallback) = Folder::open(&self.context.disk, &self.context.layout.fallback())? {
            self.put_pair(&fallback, names, durable::copy_into).map_err(CommitError::before)?;
        }
        Ok(())
    }

    /// Puts a pair into the archive under the first name that no other pair has, `.md` first. What was interrupted is
    /// finished under the name that it had begun with.
    fn put_pair(
        &self,
        from: &Folder,
        names: impl Iterator<Item = ArchiveName>,
        put: fn(&Folder, &Name, &Folder, &Name) -> Result<Moved, MoveError>,
    ) -> Result<Option<ArchiveName>, WriteError> {
        let archive = archive::open(&self.folder).map_err(WriteError::NotWritten)?;
        let Some(live) = from.read(&self.files.json, RECORD_LIMIT).map_err(WriteError::NotWritten)? else {
            return Ok(None);
        };
        for name in names {
            let json = name.json().map_err(WriteError::NotWritten)?;
            match archive.read(&json, RECORD_LIMIT) {
                Ok(None) => {
                    let md = name.md().map_err(WriteError::NotWritten)?;
                    match put(from, &self.files.md, &archive, &md) {
                        Ok(_) => {}
                        Err(MoveError::Exists { .. }) => continue,
                        // The record is still where it was, and it alone is the state.
                        Err(MoveError::Write(error)) => return Err(WriteError::NotWritten(error.into_store_error())),
                    }
                }
                Ok(Some(there)) if there == live => {}
                // Another plan's, or no record at all: either way the name is taken.
                Ok(Some(_)) | Err(StoreError::NotRegular { .. } | StoreError::TooLarge { .. }) => continue,
                // The next name would not be read either.
                Err(error) => return Err(WriteError::NotWritten(error)),
            }
            match put(from, &self.files.json, &archive, &json) {
                Ok(_) => return Ok(Some(name)),
                Err(MoveError::Exists { .. }) => {}
                Err(MoveError::Write(error)) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Before the first change of a plan in the fallback folder: its `.md` comes to the session's own folder. Where both
    /// have one and they differ, the own one stays and the other goes to the archive.
    fn copy_up_markdown(&self, from: &Revision, replaced: bool) -> Result<(), CommitError> {
        if from.source == Source::Resolved {
            return Ok(());
        }
        let Some(fallback) = Folder::open(&self.context.disk, &self.context.layout.fallback())? else {
            return Ok(());
        };
        let markdown = snapshot::told(&fallback, &self.files)?;
        if markdown == Markdown::Missing {
            return Ok(());
        }
        let own = snapshot::told(&self.folder, &self.files)?;
        if own == Markdown::Missing && !replaced {
            match durable::copy_into(&fallback, &self.files.md, &self.folder, &self.files.md) {
                // Somebody has just put one here: it is the own one, which wins.
                Ok(_) | Err(MoveError::Exists { .. }) => {}
                Err(MoveError::Write(error)) => return Err(CommitError::before(error)),
            }
        } else if own != Markdown::Missing && own != markdown {
            self.put_orphan(&fallback, self.context.clock.now(), durable::copy_into)?;
        }
        Ok(())
    }

    /// Puts a `.md` that belongs to no plan into the archive, if there is one.
    fn put_orphan(
        &self,
        from: &Folder,
        at: Timestamp,
        put: fn(&Folder, &Name, &Folder, &Name) -> Result<Moved, MoveError>,
    ) -> Result<(), CommitError> {
        if !from.has(&self.files.md)? {
            return Ok(());
        }
        self.sweep_archive()?;
        let archive = archive::open(&self.folder)?;
        for name in self.names(at, Mark::Orphan) {
            match put(from, &self.files.md, &archive, &name.md()?) {
                Ok(_) => break,
                Err(MoveError::Exists { .. }) => {}
                Err(MoveError::Write(error)) => return Err(CommitError::before(error)),
            }
        }
        Ok(())
    }

    /// The original of an older plan in Editing goes to the archive; its tasks stand as steps in the `.md` from then on.
    fn archive_legacy_tasks(&self, editing: Editing, original: &[u8], source: Source) -> Result<(), CommitError> {
        let at = editing.header.updated_at.unwrap_or_else(|| self.context.clock.now());
        let from = Revision { source, ..self.revision(None) };
        self.keep_original(original, at)?;
        self.copy_up_markdown(&from, false)?;
        let mut markdown = snapshot::told(&self.folder, &self.files)?;
        if markdown == Markdown::Missing {
            let body = legacy_outline(&editing.header, &editing.legacy_tasks);
            durable::write(&self.folder, &self.files.md, body.as_bytes()).map_err(CommitError::before)?;
            markdown = Markdown::from_bytes(body.into_bytes());
        }
        let mut header = editing.header;
        if let Some(text) = markdown.text() {
            header.description = text.into();
        }
        let bytes = encode((&Editing::new(header, markdown)).into(), None)?;
        pin::set(&self.context, self.folder.path(), &self.files).map_err(CommitError::before)?;
        self.commit(&bytes)?;
        Ok(())
    }

    /// Keeps the bytes of an older record in the archive; once, also if this was interrupted before.
    fn keep_original(&self, original: &[u8], at: Timestamp) -> Result<(), CommitError> {
        self.sweep_archive()?;
        let archive = archive::open(&self.folder)?;
        for name in self.names(at, Mark::Legacy) {
            let json = name.json()?;
            match archive.read(&json, RECORD_LIMIT)? {
                Some(there) if there == original => return Ok(archive.sync()?),
                Some(_) => {}
                None => return durable::write(&archive, &json, original).map_err(CommitError::before),
            }
        }
        Ok(())
    }

    fn names(&self, at: Timestamp, mark: Mark) -> impl Iterator<Item = ArchiveName> + use<> {
        ArchiveName::candidates(&self.session, at, mark)
    }
}

/// The bytes of a record, if they are within the limit.
fn encode(state: StateToWrite<'_>, ending: Option<&Ending>) -> Result<Vec<u8>, CommitError> {
    let bytes = record::write(state, ending);
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= RECORD_LIMIT => Ok(bytes),
        _ => Err(CommitError::TooLarge { bytes: bytes.len() }),
    }
}

/// The outline of an older plan: its tasks as steps, and Intent blank, so that a person or the agent fills it in.
fn legacy_outline(header: &Header, tasks: &Checklist) -> String {
    let criteria: Vec<Vec<String>> =
        tasks.tasks().map(|task| task.acceptance_criteria().map(str::to_owned).collect()).collect();
    let steps = tasks
        .tasks()
        .zip(&criteria)
        .map(|(task, done_when)| LegacyStep { title: task.title(), description: task.description(), done_when })
        .collect();
    outline::render_legacy(&LegacyOutline {
        title: header.title(),
        problem: &header.background().context,
        target_state: header.description(),
        steps,
    })
}
