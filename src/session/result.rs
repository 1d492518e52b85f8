use camino::Utf8PathBuf;

use super::Plan;
use crate::plan::{Active, Editing, NoPlan};
use crate::store::ArchiveName;

/// What completing or skipping a task has led to (API-5).
#[derive(Debug)]
#[must_use = "the plan, still active or finished, is in here"]
pub enum Completion {
    /// Open tasks are left.
    Continues(Plan<Active>),
    /// That was the last one: the plan is in the archive and the session has none.
    Archived(Plan<NoPlan>, Receipt),
}

/// Where a plan went that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// Its name in the archive; `None` where there was nothing to keep (a bare PreInit).
    pub archive: Option<ArchiveName>,
    /// Its record in the archive.
    pub json: Option<Utf8PathBuf>,
    /// Where its `.md` is in the archive, if it had one.
    pub md: Option<Utf8PathBuf>,
}

/// A plan that came back from the archive, in the state that it had.
#[derive(Debug)]
#[must_use = "the plan is in here"]
pub enum Restored {
    /// It was being designed.
    Editing(Plan<Editing>),
    /// Its checklist was live.
    Active(Plan<Active>),
}
