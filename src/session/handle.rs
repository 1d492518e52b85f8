use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::engine::Shared;
use super::held::Held;
use super::result::Receipt;
use super::{AnyPlan, Error, PlanPaths, PlanView, Work};
use crate::event::PlanEvent;
use crate::model::{Caller, SessionId};
use crate::plan::{Site, StateName};
use crate::store::{
    self, Archived, CommitError, Files, Folder, LoadError, LockError, Locked, Revision, Snapshot, StoreError,
};

/// One agent session, whose plan lives on disk alone: any number of processes may have a handle (LIFE-12).
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
    id: SessionId,
    caller: Caller,
    project_dir: Option<Utf8PathBuf>,
}

/// How often the folder is resolved again because a plan began elsewhere in between.
const TRIES: usize = 3;

impl Session {
    pub(super) fn new(shared: Arc<Shared>, id: SessionId) -> Self {
        Self { shared, id, caller: Caller::INTERACTIVE, project_dir: None }
    }

    /// The same session, called by somebody else. Default: [`Caller::INTERACTIVE`].
    #[must_use]
    pub fn with_caller(mut self, caller: Caller) -> Self {
        self.caller = caller;
        self
    }

    /// The same session, in a project: a plan that begins here records the folder's real path.
    #[must_use]
    pub fn with_project_dir(mut self, project_dir: impl Into<Utf8PathBuf>) -> Self {
        self.project_dir = Some(project_dir.into());
        self
    }

    /// The id.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Who calls.
    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// The project's real path, if it was given.
    pub fn project_dir(&self) -> Option<&Utf8Path> {
        self.project_dir.as_deref()
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The state, without a lock and without a change: for gates, status lines and every other reader (LEG-7).
    ///
    /// # Errors
    /// [`LoadError`] if the state cannot be told. That never means NoPlan.
    pub fn view(&self) -> Work<Result<PlanView, LoadError>> {
        let session = self.clone();
        Work::new(move || Ok(PlanView::new(&session, session.read()?)))
    }

    /// The plan. Tidies up what an older program or an interrupted one has left (rule N); where the lock is busy or the
    /// disk read-only, that is left for later. A later transition of this handle may answer
    /// [`Stale`](super::Reason::Stale).
    ///
    /// # Errors
    /// [`Error::Load`] if the state cannot be told.
    pub fn load(&self) -> Work<Result<AnyPlan, Error>> {
        let session = self.clone();
        Work::new(move || {
            let found = session.read()?;
            if found.pending.is_none() {
                return Ok(AnyPlan::new(session, found, None));
            }
            // Whoever has the lock now is likely to do the same: a reader does not wait for that.
            let normal = match session.lock_within(&found.revision.folder, Duration::ZERO) {
                Ok(held) => session.normalise(&held),
                Err(LockError::Busy { .. }) => Ok(found),
                Err(error) if error.is_read_only() => Ok(found),
                Err(error) => Err(error.into()),
            }?;
            Ok(AnyPlan::new(session, normal, None))
        })
    }

    /// Normalises under the lock; what the disk refuses is left pending.
    fn normalise(&self, held: &Held) -> Result<Snapshot, Error> {
        let found = self.read()?;
        match &held.locked {
            Some(locked) if locked.covers(&found.revision) => match self.normal(locked) {
                Err(CommitError::Load(error)) => Err(error.into()),
                Err(_) => Ok(self.read()?),
                Ok(normal) => Ok(normal),
            },
            _ => Ok(found),
        }
    }

    /// Normalises under the lock; a change of the record is a commit like any other (MIRROR-3).
    pub(super) fn normal(&self, locked: &Locked) -> Result<Snapshot, CommitError> {
        let found = locked.read()?;
        let before = found.revision.clone();
        let normal = locked.normalise(found)?;
        if normal.revision != before {
            self.changed(normal.state.as_ref().name(), &normal.revision);
        }
        Ok(normal)
    }

    /// Tells subscribers of a commit.
    pub(super) fn changed(&self, state: StateName, revision: &Revision) {
        self.shared.events.send(PlanEvent { session: self.id.clone(), state, revision: revision.digest });
    }

    /// The plan, with the session's lock: it moves along the transitions and is released when the last handle is dropped
    /// or [released](super::Plan::release). Do not wait for a model, a person or the network while holding it.
    ///
    /// # Errors
    /// [`Error::Lock`] if the lock is not free in time; [`Error::Load`] if the state cannot be told.
    pub fn exclusive(&self) -> Work<Result<AnyPlan, Error>> {
        let session = self.clone();
        Work::new(move || {
            let mut folder = session.find_folder()?;
            for _ in 0..TRIES {
                let held = session.lock(&folder)?;
                let Some(locked) = &held.locked else { break };
                let normal = session.normal(locked)?;
                if locked.covers(&normal.revision) {
                    return Ok(AnyPlan::new(session, normal, Some(Box::new(held))));
                }
                // The session was bound to another project in between.
                folder = normal.revision.folder;
            }
            Err(LockError::Busy { file: folder, waited: Duration::ZERO }.into())
        })
    }

    /// Moves a damaged record to the archive, marked; the session is NoPlan afterwards. A person's act.
    ///
    /// # Errors
    /// [`Error::NotDamaged`] if the plan can be loaded; [`Error::Load`] if the state is unknown rather than damaged.
    pub fn discard_damaged(&self) -> Work<Result<Receipt, Error>> {
        let session = self.clone();
        Work::new(move || {
            let held = session.lock(&session.find_folder()?)?;
            let Some(locked) = &held.locked else { return Err(Error::NotDamaged) };
            match locked.read() {
                Ok(_) => return Err(Error::NotDamaged),
                Err(LoadError::Damaged { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            let found = locked.find()?;
            let closed = locked.discard_damaged(session.shared.context.clock.now(), &found.revision)?;
            session.shared.events.send(PlanEvent {
                session: session.id.clone(),
                state: StateName::NoPlan,
                revision: None,
            });
            Ok(Receipt::of(&closed))
        })
    }

    /// The session's archive, oldest first; never another session's.
    ///
    /// # Errors
    /// [`Error::Load`] if the folder cannot be resolved or read.
    pub fn archive(&self) -> Work<Result<Vec<Archived>, Error>> {
        let session = self.clone();
        Work::new(move || {
            let paths = session.resolve()?;
            let folder = paths.json.parent().unwrap_or(&paths.json);
            let site = Site::new(session.id.clone(), paths.md.clone());
            match Folder::open(&session.shared.context.disk, folder)? {
                Some(folder) => Ok(store::list_archive(&folder, &site)?),
                None => Ok(Vec::new()),
            }
        })
    }

    /// Where the session's files are, or will be (DISK-2, DISK-14).
    ///
    /// # Errors
    /// [`LoadError`] if the folder cannot be resolved.
    pub fn paths(&self) -> Work<Result<PlanPaths, LoadError>> {
        let session = self.clone();
        Work::new(move || session.resolve())
    }

    fn resolve(&self) -> Result<PlanPaths, LoadError> {
        let found = store::find(&self.shared.context, &self.id, &self.files()?, None)?;
        Ok(PlanPaths::of(self, &found.revision))
    }

    pub(super) fn find_folder(&self) -> Result<Utf8PathBuf, LoadError> {
        Ok(store::find(&self.shared.context, &self.id, &self.files()?, None)?.revision.folder)
    }

    pub(super) fn read(&self) -> Result<Snapshot, LoadError> {
        store::read(&self.shared.context, &self.id, &self.files()?, None)
    }

    pub(super) fn files(&self) -> Result<Files, StoreError> {
        Files::of(&self.id)
    }

    pub(super) fn lock(&self, folder: &Utf8Path) -> Result<Held, LockError> {
        self.lock_within(folder, self.shared.context.patience)
    }

    fn lock_within(&self, folder: &Utf8Path, patience: Duration) -> Result<Held, LockError> {
        let locked = self.lock_folder(folder, patience)?;
        Ok(Held::new(Arc::clone(&self.shared), self.id.clone(), locked))
    }

    pub(super) fn lock_folder(&self, folder: &Utf8Path, patience: Duration) -> Result<Locked, LockError> {
        Locked::acquire(&self.shared.context, &self.id, &self.files()?, folder, patience)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).field("caller", &self.caller).finish_non_exhaustive()
    }
}
