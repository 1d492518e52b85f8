use camino::Utf8Path;
use uuid::Uuid;

use super::PlanId;
use crate::model::{Caller, TaskId, Timestamp};

/// What a step needs from outside: the time, fresh ids, and who calls.
pub(crate) struct Step<'a> {
    pub(crate) now: Timestamp,
    pub(crate) caller: Caller,
    /// The project's real path, so that a terminal finds the plan of its folder.
    pub(crate) project_dir: Option<&'a Utf8Path>,
    pub(crate) fresh: &'a mut dyn FnMut() -> Uuid,
}

impl Step<'_> {
    pub(super) fn plan_id(&mut self) -> PlanId {
        PlanId::from_uuid((self.fresh)())
    }

    pub(super) fn task_ids(&mut self) -> impl FnMut() -> TaskId + '_ {
        || TaskId::from_uuid((self.fresh)())
    }
}
