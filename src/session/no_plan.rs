use std::path::PathBuf;

use camino::Utf8PathBuf;

use super::result::Restored;
use super::{Notice, Plan, Reason, Transition};
use crate::model::TaskDrafts;
use crate::plan::{Active, Brief, Editing, Import, NoPlan, PreInit, Refusal};
use crate::record::{self, Live};
use crate::store::{ArchiveName, Mark, Revision, read_outside};

/// Without a plan: enter plan mode, begin a design or a checklist, import one, or bring a discarded plan back.
impl Plan<NoPlan> {
    /// Enters plan mode: from now on the gate keeps the project as it is (LIFE-6).
    ///
    /// # Errors
    /// `headless-design` where nobody is there who could look at a design (LIFE-10).
    pub fn enter(self) -> Transition<NoPlan, Plan<PreInit>> {
        self.transition(
            |desk, state| {
                let next = desk.step(|step| state.enter(step))?;
                let revision = desk.begin(&next, None)?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Begins a design: writes the outline to the session `.md` (INIT-7).
    ///
    /// # Errors
    /// `headless-design` where nobody is there who could look at it (LIFE-10).
    pub fn init_design(self, brief: Brief) -> Transition<NoPlan, Plan<Editing>> {
        self.transition(
            move |desk, state| {
                let next = desk.step(|step| state.init_design(&brief, step))?;
                let revision = desk.begin(&next, next.markdown().text())?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Begins a checklist: it is active at once, without an approval (INIT-8).
    ///
    /// # Errors
    /// A bad dependency (TASK-5); `subagent` for a subagent.
    pub fn init_checklist(self, brief: Brief, tasks: TaskDrafts) -> Transition<NoPlan, Plan<Active>> {
        self.transition(
            move |desk, state| {
                let next = desk.step(|step| state.init_checklist(&brief, &tasks, step))?;
                let revision = desk.begin(&next, None)?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Begins a checklist from a file: any readable regular file that holds a plan with at least one task (INIT-4). A
    /// relative path is looked up from the process's current folder. `docs/json-spec.md` says which forms are read; what a
    /// plan has no place for is listed in the [`notices`](Self::notices).
    ///
    /// # Errors
    /// `import-unreadable`, `import-malformed`, `import-invalid`, `import-empty`; a bad dependency; `subagent`.
    pub fn import(self, file: impl Into<PathBuf>) -> Transition<NoPlan, Plan<Active>> {
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

    /// Brings a discarded plan back as it was, in the state that it had. The archive keeps its copy. A person's act.
    ///
    /// # Errors
    /// `completed` if the plan was not discarded; `not-archived` if the archive has none of that name.
    pub fn restore(self, name: ArchiveName) -> Transition<NoPlan, Restored> {
        self.transition(
            move |desk, state| {
                let not_archived = || Reason::NotArchived { name: name.to_string() };
                if name.session() != state.site.session() {
                    return Err(not_archived());
                }
                let archived = desk.locked().archived(&state.site, &name)?.ok_or_else(not_archived)?;
                if name.mark() != Mark::Discarded {
                    return Err(Refusal::Completed { archive: name.to_string().into() }.into());
                }
                match archived.state {
                    Live::Editing(mut next) => {
                        let revision = desk.restore(&next, &name)?;
                        next.markdown = desk.markdown()?;
                        Ok(Back::Editing(next, revision))
                    }
                    Live::Active(mut next) => {
                        let revision = desk.restore(&next, &name)?;
                        next.markdown = desk.markdown()?;
                        Ok(Back::Active(next, revision))
                    }
                    // A flag alone is never archived.
                    Live::PreInit(_) => Err(not_archived()),
                }
            },
            |landing, back| match back {
                Back::Editing(next, revision) => Restored::Editing(landing.plan(next, revision)),
                Back::Active(next, revision) => Restored::Active(landing.plan(next, revision)),
            },
        )
    }
}

/// A plan that has come back, committed.
enum Back {
    Editing(Editing, Revision),
    Active(Active, Revision),
}

/// Reads and parses the file of an import.
pub(super) fn read_import(file: PathBuf) -> Result<Import, Reason> {
    let name =
        || Utf8PathBuf::from_path_buf(file.clone()).unwrap_or_else(|path| path.to_string_lossy().into_owned().into());
    let bytes = read_outside(&file).map_err(|error| Reason::ImportUnreadable { file: name(), kind: error.kind() })?;
    record::import(&bytes, name().file_name().unwrap_or_default())
        .map_err(|problem| Reason::Import { file: name(), problem })
}
