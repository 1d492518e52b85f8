use super::{Brief, Goal, GoalChange, Header, Markdown, Refusal, Site, Step, Warning};
use crate::model::{Checklist, LongText, Task, TaskDrafts, TaskId, TaskRef, TaskStatus, Timestamp};

/// The checklist is live; the `.md` of the design, if there was one, is frozen (LIFE-5).
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(Clone))]
pub struct Active {
    pub(crate) header: Header,
    pub(crate) checklist: Checklist,
    pub(crate) markdown: Markdown,
}

/// The result of a step that keeps the plan active.
pub(crate) struct Advanced {
    pub(crate) next: Active,
    /// Whether there is anything to write.
    pub(crate) changed: bool,
    pub(crate) goal: Option<GoalChange>,
}

/// The result of a step that may end the plan.
pub(crate) enum Progressed {
    Continues(Advanced),
    /// No open task is left: this is the final record.
    Ends(Advanced),
}

impl Active {
    pub(crate) fn new(header: Header, checklist: Checklist, markdown: Markdown) -> Self {
        Self { header, checklist, markdown }
    }

    /// A plan that begins as a checklist (INIT-8): its id and times are new.
    pub(super) fn begin(site: Site, brief: &Brief, tasks: &TaskDrafts, step: &mut Step<'_>) -> Result<Self, Refusal> {
        let checklist = Checklist::from_drafts(tasks, &mut step.task_ids())?;
        let mut header = Header::begin(site, step);
        header.title = brief.title.as_str().into();
        header.description = brief.description.clone();
        header.background = brief.background.clone();
        header.kept = brief.kept.clone();
        Ok(Self::new(header, checklist, Markdown::Missing))
    }

    /// What the plan has beside its state.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The tasks. Empty after an approval, until the steps of the `.md` have been added.
    pub fn checklist(&self) -> &Checklist {
        &self.checklist
    }

    /// The frozen `.md` as it was found.
    pub fn markdown(&self) -> &Markdown {
        &self.markdown
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let approved = self.header.approval().map(super::ApprovalRecord::digest);
        if approved.is_some() && self.markdown.digest() != approved {
            warnings.push(Warning::FrozenChanged { md: self.header.site.md().to_owned() });
        }
        // Bounded: a file may hold any number of them.
        warnings
            .extend(self.checklist.dangling().take(8).map(|(task, dependency)| Warning::Dangling { task, dependency }));
        warnings.extend(self.checklist.cycle().map(|tasks| Warning::Cycle { tasks }));
        warnings
    }

    pub(crate) fn add_tasks(&self, drafts: &TaskDrafts, step: &mut Step<'_>) -> Result<Advanced, Refusal> {
        let mut checklist = self.checklist.clone();
        checklist.append(drafts, &mut step.task_ids())?;
        Ok(self.advanced(checklist, step.now))
    }

    pub(crate) fn start(&self, task: TaskRef, step: &Step<'_>) -> Result<Advanced, Refusal> {
        self.refuse_without_tasks()?;
        let mut checklist = self.checklist.clone();
        let (id, changed) = checklist.start(task)?;
        let goal = checklist.get(TaskRef::Id(id)).and_then(Goal::of);
        if !changed {
            // The record stays as it is, so the goal is set again only for the task that the record says owns it.
            let goal = goal.filter(|_| self.header.goal_task() == Some(id)).map(GoalChange::Set);
            let next = Self::new(self.header.clone(), self.checklist.clone(), self.markdown.clone());
            return Ok(Advanced { next, changed, goal });
        }
        let mut advanced = self.advanced(checklist, step.now);
        if let Some(goal) = goal {
            advanced.next.header.extras.goal_task = Some(id);
            advanced.goal = Some(GoalChange::Set(goal));
        }
        Ok(advanced)
    }

    pub(crate) fn complete(
        &self,
        task: TaskRef,
        output: Option<&LongText>,
        step: &Step<'_>,
    ) -> Result<Progressed, Refusal> {
        self.refuse_without_tasks()?;
        let mut checklist = self.checklist.clone();
        let ended = checklist.complete(task, output, step.now)?;
        Ok(self.ended(checklist, ended, step.now))
    }

    pub(crate) fn skip(
        &self,
        task: TaskRef,
        reason: Option<&LongText>,
        step: &Step<'_>,
    ) -> Result<Progressed, Refusal> {
        self.refuse_without_tasks()?;
        let mut checklist = self.checklist.clone();
        let ended = checklist.skip(task, reason)?;
        Ok(self.ended(checklist, ended, step.now))
    }

    /// A failed task stays open and keeps its goal (GOAL-2).
    pub(crate) fn fail(&self, task: TaskRef, output: Option<&LongText>, step: &Step<'_>) -> Result<Advanced, Refusal> {
        self.refuse_without_tasks()?;
        let mut checklist = self.checklist.clone();
        checklist.fail(task, output)?;
        Ok(self.advanced(checklist, step.now))
    }

    /// The final record of a plan that a person discards: its goal is cleared with it (GOAL-2).
    pub(crate) fn discard(&self, step: &Step<'_>) -> Advanced {
        let mut advanced = self.advanced(self.checklist.clone(), step.now);
        advanced.clear_goal(self.header.goal_task());
        advanced
    }

    fn refuse_without_tasks(&self) -> Result<(), Refusal> {
        if self.checklist.is_empty() {
            return Err(Refusal::NoTasks { md: self.header.site.md().to_owned() });
        }
        Ok(())
    }

    fn advanced(&self, checklist: Checklist, now: Timestamp) -> Advanced {
        let next = Self { header: self.header.touched(now), checklist, markdown: self.markdown.clone() };
        Advanced { next, changed: true, goal: None }
    }

    fn ended(&self, checklist: Checklist, ended: crate::model::Ended, now: Timestamp) -> Progressed {
        let mut advanced = self.advanced(checklist, now);
        if ended.task.is_some() {
            advanced.clear_goal(ended.task);
        }
        if ended.was_last {
            // No task is left, so none can own a goal any more.
            advanced.clear_goal(self.header.goal_task());
            return Progressed::Ends(advanced);
        }
        Progressed::Continues(advanced)
    }

    /// The first task in progress, for texts that name one.
    pub fn current(&self) -> Option<&Task> {
        self.checklist.tasks().find(|task| *task.status() == TaskStatus::InProgress)
    }
}

impl Advanced {
    /// Clears the goal if `task` owns it; a goal that the plan did not set is never cleared.
    fn clear_goal(&mut self, task: Option<TaskId>) {
        let owner = &mut self.next.header.extras.goal_task;
        if owner.is_some() && *owner == task {
            self.goal = owner.take().map(GoalChange::Clear);
        }
    }
}
