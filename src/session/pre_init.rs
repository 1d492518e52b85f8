use std::path::PathBuf;

use super::no_plan::read_import;
use super::result::Receipt;
use super::{Notice, Plan, Transition};
use crate::model::TaskDrafts;
use crate::plan::{Active, Brief, Editing, NoPlan, PreInit};

/// In plan mode before `init`: begin a design or a checklist, import one, or discard.
impl Plan<PreInit> {
    /// Begins the design: the flag becomes a plan, its id and created time stay (INIT-5).
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse.
    pub fn init_design(self, brief: Brief) -> Transition<PreInit, Plan<Editing>> {
        self.transition(
            move |desk, state| {
                let next = desk.step(|step| state.init_design(&brief, step))?;
                let revision = desk.begin(&next, next.markdown().text())?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Begins a checklist instead: it replaces the flag and is active at once (INIT-5).
    ///
    /// # Errors
    /// A bad dependency (TASK-5); `subagent` for a subagent; `nobody-asked` where a person entered plan mode and nobody was
    /// asked about leaving it (INIT-10).
    pub fn init_checklist(self, brief: Brief, tasks: TaskDrafts) -> Transition<PreInit, Plan<Active>> {
        self.transition(
            move |desk, state| {
                let next = desk.step(|step| state.init_checklist(&brief, &tasks, step))?;
                let revision = desk.begin(&next, None)?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Begins a checklist from a file; see [`Plan::<NoPlan>::import`].
    ///
    /// # Errors
    /// As for [`Plan::<NoPlan>::import`], and `nobody-asked`. The flag stays then (INIT-9).
    pub fn import(self, file: impl Into<PathBuf>) -> Transition<PreInit, Plan<Active>> {
        let file = file.into();
        self.transition(
            move |desk, state| {
                let import = read_import(file)?;
                let next = desk.step(|step| state.import(&import, step))?;
                let revision = desk.begin(&next, None)?;
                for what in import.left_out {
                    desk.note(Notice::LeftOut { what });
                }
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Leaves plan mode: the flag is removed, and there is nothing to archive (LIFE-9). A person's act.
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse.
    pub fn discard(self) -> Transition<PreInit, (Plan<NoPlan>, Receipt)> {
        self.transition(
            |desk, state| {
                let (revision, receipt) = desk.drop_sidecar()?;
                Ok((NoPlan::new(state.header().site().clone()), revision, receipt))
            },
            |landing, (next, revision, receipt)| (landing.plan(next, revision), receipt),
        )
    }
}
