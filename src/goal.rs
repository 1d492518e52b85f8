//! The host's goal manager: what a started task has to reach is set as the session's goal, and cleared when the task ends.

use std::fmt;

use crate::model::{SessionId, TaskId};
use crate::plan::Goal;

/// Where an embedder keeps the goal of a session.
///
/// The engine calls it after a commit and after the lock is released, on the thread that does the work. A failure changes
/// nothing in the plan and becomes a [`Notice`](crate::session::Notice) on the handle (GOAL-3).
pub trait GoalManager: Send + Sync + fmt::Debug {
    /// A task with acceptance criteria was started (GOAL-1).
    ///
    /// # Errors
    /// [`GoalError`] with the manager's own words.
    fn set_goal(&self, session: &SessionId, goal: &Goal) -> Result<(), GoalError>;

    /// The task that owns the goal was completed or skipped, or its plan was discarded (GOAL-2).
    ///
    /// # Errors
    /// [`GoalError`] with the manager's own words.
    fn clear_goal(&self, session: &SessionId, task: TaskId) -> Result<(), GoalError>;
}

/// For hosts without goals: nothing is kept.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoGoals;

impl GoalManager for NoGoals {
    fn set_goal(&self, _: &SessionId, _: &Goal) -> Result<(), GoalError> {
        Ok(())
    }

    fn clear_goal(&self, _: &SessionId, _: TaskId) -> Result<(), GoalError> {
        Ok(())
    }
}

/// The goal manager failed; the plan's own change stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the goal could not be changed: {0}")]
#[non_exhaustive]
pub struct GoalError(String);

impl GoalError {
    /// An error with the manager's own words.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}
