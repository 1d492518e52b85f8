use super::{AnyPlan, Error, Session, Work};
use crate::plan::{AnyState, PreInit, StateName};
use crate::store::{self, Locked};

/// A plan that was entered for a folder, and the agent's session that takes it over.
impl Session {
    /// Takes over the plan mode that a person entered for a folder: the flag is written for this session, then the folder's
    /// is removed. A session that has a plan of its own claims nothing, and neither does anybody where the folder has none.
    ///
    /// A crash in between leaves both in PreInit; the next claim finishes it.
    ///
    /// # Errors
    /// [`Error::Lock`] and [`Error::Load`] as for [`exclusive`](Self::exclusive), for either session.
    pub fn claim(&self, folder: &Self) -> Work<Result<AnyPlan, Error>> {
        let (session, folder) = (self.clone(), folder.clone());
        Work::new(move || {
            if session.id() == folder.id() {
                return session.load().wait();
            }
            // Always in the order of the ids, so that two claims cannot wait for each other.
            let (mine, theirs) = if session.id() < folder.id() {
                let mine = session.lock_resolved()?;
                (mine, folder.lock_resolved()?)
            } else {
                let theirs = folder.lock_resolved()?;
                (session.lock_resolved()?, theirs)
            };
            let own = session.normal(&mine)?;
            let armed = folder.normal(&theirs)?;
            let AnyState::PreInit(flag) = &armed.state else {
                return Ok(AnyPlan::new(session, own, None));
            };
            match &own.state {
                AnyState::NoPlan(none) => {
                    let mut header = flag.header().clone();
                    header.site = none.site.clone();
                    let claimed = PreInit::new(header);
                    let now = session.shared().context.clock.now();
                    let revision = mine.begin((&claimed).into(), None, now)?;
                    session.changed(StateName::PreInit, &revision);
                }
                // The same plan twice: an earlier claim was interrupted.
                AnyState::PreInit(own) if own.header().id() == flag.header().id() => {}
                AnyState::PreInit(_) | AnyState::Editing(_) | AnyState::Active(_) => {
                    return Ok(AnyPlan::new(session, own, None));
                }
            }
            let closed = theirs.drop_sidecar(&armed.revision)?;
            folder.changed(StateName::NoPlan, &closed.revision);
            let claimed = mine.read()?;
            Ok(AnyPlan::new(session, claimed, None))
        })
    }

    fn lock_resolved(&self) -> Result<Locked, Error> {
        Ok(self.lock_folder(&self.find_folder()?, self.shared().context.patience)?)
    }

    /// Leaves or renews this session's mark: an agent of that name works in the session's project folder. Does nothing for a
    /// session without one.
    ///
    /// # Errors
    /// [`Error::Store`] if the mark cannot be written.
    pub fn mark_present(&self, agent: impl Into<String>) -> Work<Result<(), Error>> {
        let (session, agent) = (self.clone(), agent.into());
        Work::new(move || {
            let (Some(folder), context) = (session.project_dir(), &session.shared().context) else { return Ok(()) };
            store::mark_presence(context, &session.files()?, folder, &agent, context.clock.now())
                .map_err(|error| Error::Store(error.into_store_error()))
        })
    }

    /// Removes this session's mark.
    ///
    /// # Errors
    /// [`Error::Store`] if the mark cannot be removed.
    pub fn forget_presence(&self) -> Work<Result<(), Error>> {
        let session = self.clone();
        Work::new(move || {
            store::forget_presence(&session.shared().context, &session.files()?)
                .map_err(|error| Error::Store(error.into_store_error()))
        })
    }
}
