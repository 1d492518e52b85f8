use std::sync::Arc;

use super::engine::Shared;
use crate::goal::GoalError;
use crate::model::SessionId;
use crate::plan::GoalChange;
use crate::store::{Locked, StoreError};

/// Something that should be known beside a change that stands.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// The goal manager failed (GOAL-3).
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The plan has ended, and moving its files to the archive is not finished; the next load finishes it.
    #[error("the plan has ended, and moving its files to the archive is not finished: {0}. The next load finishes it.")]
    CleanUp(StoreError),
    /// An imported file says something that the plan has no place for; one notice for each thing, and a number for what goes
    /// beyond a bounded list (INIT-4).
    #[error("left out: {what}")]
    LeftOut {
        /// What, in a few words.
        what: String,
    },
}

/// A session's lock, and the goal changes that wait for its release.
///
/// The goal manager is never called under the lock: it may call the engine. So the calls of an exclusive handle wait until
/// the lock is released, by [`release`](super::Plan::release) or by dropping the handle.
pub(super) struct Held {
    pub(super) locked: Option<Locked>,
    shared: Arc<Shared>,
    session: SessionId,
    waiting: Vec<GoalChange>,
}

impl Held {
    pub(super) fn new(shared: Arc<Shared>, session: SessionId, locked: Locked) -> Self {
        Self { locked: Some(locked), shared, session, waiting: Vec::new() }
    }

    pub(super) fn after_release(&mut self, change: GoalChange) {
        self.waiting.push(change);
    }

    /// Releases the lock, then makes the goal calls that waited for it.
    pub(super) fn release(&mut self) -> Vec<Notice> {
        self.locked = None;
        self.waiting.drain(..).filter_map(|change| call(&self.shared, &self.session, &change).err()).collect()
    }
}

fn call(shared: &Shared, session: &SessionId, change: &GoalChange) -> Result<(), Notice> {
    match change {
        GoalChange::Set(goal) => shared.goals.set_goal(session, goal)?,
        GoalChange::Clear(task) => shared.goals.clear_goal(session, *task)?,
    }
    Ok(())
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nobody is left who could be told of a failure.
        self.release();
    }
}
