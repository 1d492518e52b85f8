use serde::Serialize;

use super::excerpt::{excerpt, without_middle};
use crate::digest::Digest;
use crate::model::{Checklist, Progress, Task, TaskStatus, Title};
use crate::plan::{Header, StateRef};
use crate::session::{AnyPlan, PlanPaths, PlanView};

/// How many tasks a page has.
const PAGE: usize = 20;
/// How many tasks in progress are listed.
const CURRENT: usize = 4;
/// How many numbers of a task's dependencies are listed.
const DEPENDENCIES: usize = 8;
/// The longest text of a plan, in characters: an older file may hold any length.
const TEXT: usize = Title::MAX_LENGTH;
/// The longest reason of a blocked task, in characters.
const REASON: usize = 80;
/// How much of a warning's beginning and of its end is told, in characters.
const WARNING: (usize, usize) = (200, 100);
/// The longest path, in characters.
const PATH: usize = 4096;

/// What is to be known of a plan, as data for programs: bounded, however large the plan is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Facts {
    /// The session.
    pub session: String,
    /// NoPlan, PreInit, Editing or Active.
    pub state: &'static str,
    /// The plan's title, once it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The absolute path of the session `.md`, which need not exist.
    pub md: String,
    /// The absolute path of the record, which need not exist.
    pub json: String,
    /// The digest of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub revision: Option<Digest>,
    /// The digest of the session `.md`: what an approval names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub md_digest: Option<Digest>,
    /// The project's real path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_dir: Option<String>,
    /// How the plan came in: interactive, yolo, cron, run, a2a or subagent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<&'static str>,
    /// Whether the host asked a person: person or nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<&'static str>,
    /// Who approved what, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalFact>,
    /// When the design was approved, also where an older program noted nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved_at: Option<String>,
    /// What the outline lacks, while Editing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<MissingFact>>,
    /// How many numbered steps the outline has, while Editing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// How many tasks stand where, while Active.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressFact>,
    /// The first tasks in progress.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub current: Vec<TaskFact>,
    /// The first ready task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<TaskFact>,
    /// One page of the tasks, while Active.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<PageFact>,
    /// What a person should know about the plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Who approved a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ApprovalFact {
    /// Who.
    pub by: String,
    /// Through which channel.
    pub via: String,
    /// When.
    pub at: String,
    /// The digest of the text that they saw.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub digest: Digest,
    /// Whether a gate was in force.
    pub guarded: bool,
}

/// One thing that an outline lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MissingFact {
    /// What is missing.
    pub what: String,
    /// The line of the `.md`, from 1, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// How many tasks stand where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ProgressFact {
    /// All tasks.
    pub total: usize,
    /// Not started.
    pub pending: usize,
    /// Started.
    pub in_progress: usize,
    /// Tried and failed; open.
    pub failed: usize,
    /// Blocked; open.
    pub blocked: usize,
    /// Done.
    pub completed: usize,
    /// Left out on purpose.
    pub skipped: usize,
}

/// A task in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TaskFact {
    /// Its number.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Pending, InProgress, Completed, Skipped, Failed or Blocked.
    pub status: &'static str,
    /// Why it is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_by: Option<String>,
    /// The numbers of the first tasks that it still waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<u64>,
    /// How many acceptance criteria it has.
    #[serde(skip_serializing_if = "is_zero")]
    pub criteria: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One page of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PageFact {
    /// Which page this is, from 1.
    pub page: usize,
    /// How many pages there are, at least 1.
    pub pages: usize,
    /// The tasks of the page.
    pub items: Vec<TaskFact>,
}

impl Facts {
    /// The facts of a view, with a page of its tasks.
    pub fn of_view(view: &PlanView, page: usize) -> Self {
        Self::new(view.state(), view.paths(), view.revision(), page)
    }

    /// The facts of a plan, with a page of its tasks.
    pub fn of_plan(plan: &AnyPlan, page: usize) -> Self {
        Self::new(plan.state(), &plan.paths(), plan.revision(), page)
    }

    fn new(state: StateRef<'_>, paths: &PlanPaths, revision: Option<Digest>, page: usize) -> Self {
        let site = state.site();
        let mut facts = Self {
            session: site.session().to_string(),
            state: state.name().as_str(),
            title: None,
            md: paths.md.to_string(),
            json: paths.json.to_string(),
            revision,
            md_digest: None,
            project_dir: None,
            origin: None,
            asked: None,
            approval: None,
            approved_at: None,
            missing: None,
            steps: None,
            progress: None,
            current: Vec::new(),
            next: None,
            tasks: None,
            warnings: state.warnings().iter().map(|warning| without_middle(warning.to_string(), WARNING)).collect(),
        };
        match state {
            StateRef::NoPlan(_) => {}
            StateRef::PreInit(state) => facts.add_header(state.header()),
            StateRef::Editing(state) => {
                facts.add_header(state.header());
                facts.md_digest = state.markdown().digest();
                let outline = state.outline();
                facts.steps = Some(outline.steps().len());
                let missing = outline.gaps().into_iter();
                facts.missing =
                    Some(missing.map(|gap| MissingFact { line: gap.line(), what: gap.to_string() }).collect());
            }
            StateRef::Active(state) => {
                facts.add_header(state.header());
                facts.md_digest = state.markdown().digest();
                facts.add_checklist(state.checklist(), page);
            }
        }
        facts
    }

    fn add_header(&mut self, header: &Header) {
        self.title = Some(header.title()).filter(|title| !title.is_empty()).map(|title| excerpt(title, TEXT));
        self.project_dir = header.project_dir().map(|path| excerpt(path.as_str(), PATH));
        self.origin = header.origin().map(|origin| origin.as_str());
        self.asked = header.asked().map(|asked| asked.as_str());
        self.approved_at = header.approved_at().map(|at| at.to_string());
        self.approval = header.approval().map(|approval| ApprovalFact {
            by: excerpt(approval.by(), TEXT),
            via: excerpt(approval.via(), TEXT),
            at: approval.at().to_string(),
            digest: approval.digest(),
            guarded: approval.guarded(),
        });
    }

    fn add_checklist(&mut self, checklist: &Checklist, page: usize) {
        let pages = checklist.len().div_ceil(PAGE).max(1);
        let page = page.clamp(1, pages);
        let items = checklist.tasks().skip(page.saturating_sub(1).saturating_mul(PAGE)).take(PAGE);
        self.progress = Some(checklist.progress().into());
        self.current = checklist.current().take(CURRENT).map(|task| TaskFact::new(task, checklist)).collect();
        self.next = checklist.next().map(|task| TaskFact::new(task, checklist));
        self.tasks = Some(PageFact { page, pages, items: items.map(|task| TaskFact::new(task, checklist)).collect() });
    }
}

impl TaskFact {
    fn new(task: &Task, checklist: &Checklist) -> Self {
        Self {
            number: task.number(),
            id: task.id().to_string(),
            title: excerpt(task.title(), TEXT),
            status: task.status().as_str(),
            blocked_by: match task.status() {
                TaskStatus::Blocked(why) => Some(excerpt(why, REASON)),
                _ => None,
            },
            waits_for: checklist.unmet(task).take(DEPENDENCIES).map(Task::number).collect(),
            criteria: task.acceptance_criteria().filter(|text| !text.trim().is_empty()).count(),
        }
    }
}

impl From<Progress> for ProgressFact {
    fn from(progress: Progress) -> Self {
        Self {
            total: progress.total(),
            pending: progress.pending,
            in_progress: progress.in_progress,
            failed: progress.failed,
            blocked: progress.blocked,
            completed: progress.completed,
            skipped: progress.skipped,
        }
    }
}
