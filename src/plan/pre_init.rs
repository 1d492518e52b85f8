use super::no_plan::refuse_subagent;
use super::{Active, Brief, Editing, Header, Import, Markdown, Refusal, Step};
use crate::model::{Asked, TaskDrafts};
use crate::outline;

/// Plan mode was entered and `init` has not succeeded yet: a flag on disk, no checklist, no session `.md` (LIFE-3).
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(Clone))]
pub struct PreInit {
    pub(crate) header: Header,
}

impl PreInit {
    pub(crate) fn new(header: Header) -> Self {
        Self { header }
    }

    /// What the plan has beside its state.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Upgrades the flag in place: the id and the created time stay (INIT-5), in any origin (LIFE-10).
    #[expect(clippy::unnecessary_wraps, reason = "the same form as every other step")]
    pub(crate) fn init_design(&self, brief: &Brief, step: &mut Step<'_>) -> Result<Editing, Refusal> {
        let mut header = self.header.touched(step.now);
        if let Some(project) = step.project_dir {
            header.extras.project_dir = Some(project.to_owned());
        }
        header.extras.asked = Some(step.caller.asked);
        Ok(design(header, brief))
    }

    /// Replaces the flag by a checklist, with no discard (INIT-5).
    pub(crate) fn init_checklist(
        &self,
        brief: &Brief,
        tasks: &TaskDrafts,
        step: &mut Step<'_>,
    ) -> Result<Active, Refusal> {
        refuse_subagent(step)?;
        // Otherwise the gate that a person shut would open with no person involved (INIT-10).
        if step.caller.asked == Asked::Nobody && !self.header.began_by().origin.is_headless() {
            return Err(Refusal::NobodyAsked);
        }
        let mut active = Active::begin(self.header.site.clone(), brief, tasks, step)?;
        // The flag is replaced; what other programs have noted in it is not theirs to lose (DISK-7).
        active.header.kept = self.header.kept.clone();
        active.header.kept.add(&brief.kept);
        Ok(active)
    }

    pub(crate) fn import(&self, import: &Import, step: &mut Step<'_>) -> Result<Active, Refusal> {
        self.init_checklist(&import.brief, &import.tasks, step)
    }
}

/// The design that `header` becomes: the outline is rendered into the `.md`, and the record mirrors it (INIT-7).
pub(super) fn design(mut header: Header, brief: &Brief) -> Editing {
    let body = outline::render(brief.title.as_str(), &brief.description);
    header.title = brief.title.as_str().into();
    header.description = body.as_str().into();
    header.background = brief.background.clone();
    header.kept.add(&brief.kept);
    Editing::new(header, Markdown::from_bytes(body.into_bytes()))
}
