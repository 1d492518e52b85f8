use std::fmt;

use super::held::{Held, Notice};
use super::result::Receipt;
use super::{Error, Plan, Reason, Session, Work};
use crate::plan::{AnyState, EndingHow, GoalChange, Markdown, State, StateName, Step};
use crate::record::StateToWrite;
use crate::store::{ARCHIVE_FOLDER, ArchiveName, Closed, Locked, Revision};
use uuid::Uuid;

/// Work that takes a plan in the state `S` to something else, or gives it back with the reason.
pub type Transition<S, T> = Work<Result<T, TransitionError<S>>>;

/// A transition that did not happen: the plan and the reason (API-4).
pub struct TransitionError<S: State>(Box<(Option<Plan<S>>, Reason)>);

impl<S: State> TransitionError<S> {
    fn new(plan: Option<Plan<S>>, reason: Reason) -> Self {
        Self(Box::new((plan, reason)))
    }

    /// Why it did not happen.
    pub fn reason(&self) -> &Reason {
        &self.0.1
    }

    /// The plan as it was; `None` where it is not known which state will last
    /// ([`Unsettled`](Reason::Unsettled)): load it again.
    pub fn into_plan(self) -> Option<Plan<S>> {
        self.0.0
    }

    /// The plan and the reason.
    pub fn into_parts(self) -> (Option<Plan<S>>, Reason) {
        *self.0
    }
}

impl<S: State> fmt::Debug for TransitionError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransitionError").field("plan", &self.0.0).field("reason", &self.0.1).finish()
    }
}

impl<S: State> fmt::Display for TransitionError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.1.fmt(f)
    }
}

impl<S: State> std::error::Error for TransitionError<S> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.1)
    }
}

impl<S: State> From<TransitionError<S>> for Error {
    fn from(error: TransitionError<S>) -> Self {
        Self::Transition(error.0.1)
    }
}

/// One transition under the session's lock.
pub(super) struct Desk<'a> {
    session: &'a Session,
    locked: &'a Locked,
    from: Revision,
    /// What the goal manager is asked once the lock is released.
    pub(super) goal: Option<GoalChange>,
    notices: Vec<Notice>,
}

impl Desk<'_> {
    /// Does a pure step with the present time and the session's caller.
    pub(super) fn step<T>(&self, step: impl FnOnce(&mut Step<'_>) -> T) -> T {
        let clock = &self.session.shared().context.clock;
        step(&mut Step {
            now: clock.now(),
            caller: self.session.caller(),
            project_dir: self.session.project_dir(),
            fresh: &mut || Uuid::from_bytes(clock.fresh_id()),
        })
    }

    /// The revision that the transition began from.
    pub(super) fn from(&self) -> Revision {
        self.from.clone()
    }

    /// The `.md` as it is now.
    pub(super) fn markdown(&self) -> Result<Markdown, Reason> {
        Ok(self.locked.markdown(self.from.source)?)
    }

    /// The lock, for what only one operation needs.
    pub(super) fn locked(&self) -> &Locked {
        self.locked
    }

    /// Notes what the holder of the next handle should know.
    pub(super) fn note(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// Commits a plan that goes on.
    pub(super) fn save<'s, S: State>(&mut self, state: &'s S, body: Option<&str>) -> Result<Revision, Reason>
    where
        StateToWrite<'s>: From<&'s S>,
    {
        let revision = self.locked.save(state.into(), body, &self.from)?;
        self.changed(S::NAME, &revision);
        Ok(revision)
    }

    /// Commits a plan that begins.
    pub(super) fn begin<'s, S: State>(&mut self, state: &'s S, body: Option<&str>) -> Result<Revision, Reason>
    where
        StateToWrite<'s>: From<&'s S>,
    {
        let now = self.session.shared().context.clock.now();
        let revision = self.locked.begin(state.into(), body, now)?;
        self.changed(S::NAME, &revision);
        Ok(revision)
    }

    /// Commits a plan that comes back from the archive.
    pub(super) fn restore<'s, S: State>(&mut self, state: &'s S, name: &ArchiveName) -> Result<Revision, Reason>
    where
        StateToWrite<'s>: From<&'s S>,
    {
        let now = self.session.shared().context.clock.now();
        let revision = self.locked.restore(state.into(), name, now)?;
        self.changed(S::NAME, &revision);
        Ok(revision)
    }

    /// Commits the end of a plan.
    pub(super) fn end(&mut self, state: StateToWrite<'_>, how: EndingHow) -> Result<(Revision, Receipt), Reason> {
        let now = self.session.shared().context.clock.now();
        let closed = self.locked.end(state, how, now, &self.from)?;
        Ok(self.closed(closed))
    }

    /// Commits the end of a bare PreInit.
    pub(super) fn drop_sidecar(&mut self) -> Result<(Revision, Receipt), Reason> {
        let closed = self.locked.drop_sidecar(&self.from)?;
        Ok(self.closed(closed))
    }

    fn closed(&mut self, closed: Closed) -> (Revision, Receipt) {
        let receipt = Receipt::of(&closed);
        self.changed(StateName::NoPlan, &closed.revision);
        if let Some(error) = closed.unfinished
            && let Reason::Store(error) | Reason::Unsettled { source: error, .. } = Reason::from(error)
        {
            self.notices.push(Notice::CleanUp(error));
        }
        (closed.revision, receipt)
    }

    fn changed(&mut self, state: StateName, revision: &Revision) {
        self.session.changed(state, revision);
    }
}

impl Receipt {
    pub(super) fn of(closed: &Closed) -> Self {
        let archive = closed.revision.folder.join(ARCHIVE_FOLDER);
        let file = |name: &ArchiveName, ending: &str| archive.join(format!("{name}.{ending}"));
        Self {
            json: closed.archive.as_ref().map(|name| file(name, "json")),
            md: closed.archive.as_ref().filter(|_| closed.has_md).map(|name| file(name, "md")),
            archive: closed.archive.clone(),
        }
    }
}

/// What the next handle is made of.
pub(super) struct Landing {
    session: Session,
    held: Option<Box<Held>>,
    notices: Vec<Notice>,
}

impl Landing {
    /// The next handle.
    pub(super) fn plan<S: State>(self, state: S, revision: Revision) -> Plan<S> {
        // The clean-up of an ended plan that could not be finished is left to the next holder of the lock.
        let pending = S::NAME == StateName::NoPlan && revision.digest.is_some();
        Plan {
            state: Box::new(state),
            session: self.session,
            revision,
            pending,
            held: self.held,
            notices: self.notices,
        }
    }
}

impl<S: State> Plan<S>
where
    S: TryFrom<AnyState>,
{
    /// A transition: `act` does the pure step and commits it under the lock; `land` makes the next handle of the result.
    pub(super) fn transition<Out: 'static, T: Send + 'static>(
        self,
        act: impl FnOnce(&mut Desk<'_>, &S) -> Result<Out, Reason> + Send + 'static,
        land: impl FnOnce(Landing, Out) -> T + Send + 'static,
    ) -> Transition<S, T> {
        Work::new(move || self.run(act, land))
    }

    fn run<Out, T>(
        mut self,
        act: impl FnOnce(&mut Desk<'_>, &S) -> Result<Out, Reason>,
        land: impl FnOnce(Landing, Out) -> T,
    ) -> Result<T, TransitionError<S>> {
        let is_exclusive = self.held.is_some();
        let mut held = match self.held.take() {
            Some(held) => held,
            None => match self.session.lock(&self.revision.folder) {
                Ok(held) => Box::new(held),
                Err(error) => return Err(TransitionError::new(Some(self), error.into())),
            },
        };
        let outcome = match &held.locked {
            Some(locked) => self.act(locked, act),
            // The lock of an exclusive handle goes with the handle.
            None => Err(self.stale()),
        };
        let keep = |held: Box<Held>| if is_exclusive { Some(held) } else { None };
        match outcome {
            Err(reason) => {
                self.held = keep(held);
                let plan = if matches!(reason, Reason::Unsettled { .. }) { None } else { Some(self) };
                Err(TransitionError::new(plan, reason))
            }
            Ok((out, goal, mut notices)) => {
                if let Some(goal) = goal {
                    held.after_release(goal);
                }
                if !is_exclusive {
                    notices.extend(held.release());
                }
                let held = keep(held);
                Ok(land(Landing { session: self.session, held, notices }, out))
            }
        }
    }

    /// Compares, normalises if that is still to be done, and acts.
    fn act<Out>(
        &mut self,
        locked: &Locked,
        act: impl FnOnce(&mut Desk<'_>, &S) -> Result<Out, Reason>,
    ) -> Result<(Out, Option<GoalChange>, Vec<Notice>), Reason> {
        if locked.find()?.revision != self.revision {
            return Err(self.stale());
        }
        if self.pending {
            let normal = self.session.normal(locked)?;
            let state = S::try_from(normal.state).map_err(|_| self.stale())?;
            (*self.state, self.revision, self.pending) = (state, normal.revision, normal.pending.is_some());
        }
        let mut desk =
            Desk { session: &self.session, locked, from: self.revision.clone(), goal: None, notices: Vec::new() };
        let out = act(&mut desk, &self.state)?;
        Ok((out, desk.goal, desk.notices))
    }

    fn stale(&self) -> Reason {
        Reason::Stale { file: self.paths().json }
    }
}
