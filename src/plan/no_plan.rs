use super::pre_init::design;
use super::{Active, Brief, Editing, Header, Import, PreInit, Refusal, Site, Step};
use crate::model::{Origin, TaskDrafts};

/// No live plan: the gate lets everything pass (LIFE-2).
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(Clone))]
pub struct NoPlan {
    pub(crate) site: Site,
}

impl NoPlan {
    pub(crate) fn new(site: Site) -> Self {
        Self { site }
    }

    pub(crate) fn enter(&self, step: &mut Step<'_>) -> Result<PreInit, Refusal> {
        refuse_headless(step)?;
        Ok(PreInit::new(Header::begin(self.site.clone(), step)))
    }

    pub(crate) fn init_design(&self, brief: &Brief, step: &mut Step<'_>) -> Result<Editing, Refusal> {
        refuse_headless(step)?;
        Ok(design(Header::begin(self.site.clone(), step), brief))
    }

    pub(crate) fn init_checklist(
        &self,
        brief: &Brief,
        tasks: &TaskDrafts,
        step: &mut Step<'_>,
    ) -> Result<Active, Refusal> {
        refuse_subagent(step)?;
        Active::begin(self.site.clone(), brief, tasks, step)
    }

    pub(crate) fn import(&self, import: &Import, step: &mut Step<'_>) -> Result<Active, Refusal> {
        self.init_checklist(&import.brief, &import.tasks, step)
    }
}

/// Planning needs a person who looks at the design (LIFE-10).
fn refuse_headless(step: &Step<'_>) -> Result<(), Refusal> {
    refuse_subagent(step)?;
    match step.caller.origin {
        origin if origin.is_headless() => Err(Refusal::HeadlessDesign { origin }),
        _ => Ok(()),
    }
}

/// A subagent works for its parent's plan and begins none of its own.
pub(super) fn refuse_subagent(step: &Step<'_>) -> Result<(), Refusal> {
    match step.caller.origin {
        Origin::Subagent => Err(Refusal::Subagent),
        _ => Ok(()),
    }
}
