use super::result::{Completion, Receipt};
use super::transition::{Desk, Landing};
use super::{Plan, Reason, Transition};
use crate::model::{LongText, TaskDrafts, TaskRef};
use crate::plan::{Active, Advanced, EndingHow, NoPlan, Progressed};
use crate::store::Revision;

/// While the checklist is live: add tasks and work them off, or discard.
impl Plan<Active> {
    /// Appends all `tasks` or none (TASK-1, TASK-4).
    ///
    /// # Errors
    /// A bad dependency, with the tasks named (TASK-5).
    pub fn add_tasks(self, tasks: TaskDrafts) -> Transition<Active, Plan<Active>> {
        self.transition(
            move |desk, state| {
                let advanced = desk.step(|step| state.add_tasks(&tasks, step))?;
                advance(desk, advanced)
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Starts a task whose dependencies have ended. One that is in progress stays as it is; nothing is written then.
    ///
    /// # Errors
    /// `no-tasks`, `unknown-task`, `unmet-dependencies`, `already-ended`.
    pub fn start(self, task: TaskRef) -> Transition<Active, Plan<Active>> {
        self.transition(
            move |desk, state| {
                let advanced = desk.step(|step| state.start(task, step))?;
                advance(desk, advanced)
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Completes a task in progress. If it was the last open one, the plan is archived (TASK-8).
    ///
    /// # Errors
    /// `no-tasks`, `unknown-task`, `not-started`, `already-ended`, `several-in-progress`.
    pub fn complete(self, task: TaskRef, output: Option<LongText>) -> Transition<Active, Completion> {
        self.transition(
            move |desk, state| {
                let progressed = desk.step(|step| state.complete(task, output.as_ref(), step))?;
                Outcome::of(desk, progressed)
            },
            |landing, outcome| outcome.land(landing),
        )
    }

    /// Skips an open task; skipped counts as ended. If it was the last open one, the plan is archived (TASK-8).
    ///
    /// # Errors
    /// `no-tasks`, `unknown-task`, `already-ended`; without a task also `not-started` and `several-in-progress`.
    pub fn skip(self, task: TaskRef, reason: Option<LongText>) -> Transition<Active, Completion> {
        self.transition(
            move |desk, state| {
                let progressed = desk.step(|step| state.skip(task, reason.as_ref(), step))?;
                Outcome::of(desk, progressed)
            },
            |landing, outcome| outcome.land(landing),
        )
    }

    /// Marks a task in progress as failed: it stays open, holds the plan and keeps its goal.
    ///
    /// # Errors
    /// `no-tasks`, `unknown-task`, `not-started`, `already-ended`, `several-in-progress`.
    pub fn fail(self, task: TaskRef, output: Option<LongText>) -> Transition<Active, Plan<Active>> {
        self.transition(
            move |desk, state| {
                let advanced = desk.step(|step| state.fail(task, output.as_ref(), step))?;
                advance(desk, advanced)
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Discards the plan: `.md` and record go to the archive, marked (LIFE-9). A person's act.
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse.
    pub fn discard(self) -> Transition<Active, (Plan<NoPlan>, Receipt)> {
        self.transition(
            |desk, state| {
                let Advanced { next, goal, .. } = desk.step(|step| state.discard(step));
                let (revision, receipt) = desk.end((&next).into(), EndingHow::Discarded)?;
                desk.goal = goal;
                Ok((NoPlan::new(state.header().site().clone()), revision, receipt))
            },
            |landing, (next, revision, receipt)| (landing.plan(next, revision), receipt),
        )
    }
}

/// Commits a step that keeps the plan active.
fn advance(desk: &mut Desk<'_>, advanced: Advanced) -> Result<(Active, Revision), Reason> {
    let Advanced { next, changed, goal } = advanced;
    let revision = if changed { desk.save(&next, None)? } else { desk.from() };
    desk.goal = goal;
    Ok((next, revision))
}

/// The result of a step that may end the plan, committed.
enum Outcome {
    Continues(Box<Active>, Revision),
    Archived(NoPlan, Revision, Receipt),
}

impl Outcome {
    fn of(desk: &mut Desk<'_>, progressed: Progressed) -> Result<Self, Reason> {
        match progressed {
            Progressed::Continues(advanced) => {
                let (next, revision) = advance(desk, advanced)?;
                Ok(Self::Continues(Box::new(next), revision))
            }
            Progressed::Ends(Advanced { next, goal, .. }) => {
                let (revision, receipt) = desk.end((&next).into(), EndingHow::Completed)?;
                desk.goal = goal;
                Ok(Self::Archived(NoPlan::new(next.header().site().clone()), revision, receipt))
            }
        }
    }

    fn land(self, landing: Landing) -> Completion {
        match self {
            Self::Continues(next, revision) => Completion::Continues(landing.plan(*next, revision)),
            Self::Archived(next, revision, receipt) => Completion::Archived(landing.plan(next, revision), receipt),
        }
    }
}
