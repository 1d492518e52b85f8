use std::fmt;

use plangate::digest::Digest;
use plangate::model::{Body, TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Approval, Brief};
use plangate::session::{Completion, Reason, Refused, Restored};
use plangate::store::ArchiveName;
use plangate::{AnyPlan, Error, Session};

use super::ground::{Ground, SESSION, Ticks};

/// A transition: what is on disk, and what is done.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The project that the session is bound to before, and in the transition.
    pub(crate) projects: [Option<&'static str>; 2],
    lay: fn(&Ground),
    pub(crate) act: Act,
    /// Whether the new `.md` may stand beside the old JSON: where it is written first.
    pub(crate) md_first: bool,
}

/// What is done.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// A load that has something to tidy up.
    Load,
    /// A transition of the loaded plan.
    Step(Step),
    /// A person discards what is damaged.
    DiscardDamaged,
}

type Step = fn(AnyPlan, &Ground) -> Result<AnyPlan, Refused>;

/// How the plan is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    Load,
    Exclusive,
}

/// Where a transition stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The plan was not loaded.
    Load(Error),
    /// The plan was loaded, and the transition answered this.
    Step(Refused),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::Step(refused) => refused.fmt(f),
        }
    }
}

impl Failure {
    pub(crate) fn is_unsettled(&self) -> bool {
        let reason = match self {
            Self::Load(Error::Transition(reason)) => reason,
            Self::Load(_) => return false,
            Self::Step(refused) => refused.reason(),
        };
        matches!(reason, Reason::Unsettled { .. })
    }
}

impl Scenario {
    /// Lays what is on disk before.
    pub(crate) fn lay(&self, root: &camino::Utf8Path) {
        let ground = Ground::new(root, self.projects[0]);
        (self.lay)(&ground);
        ground.put_neighbours();
    }

    /// The ground as the transition sees it.
    pub(crate) fn ground(&self, root: impl AsRef<std::path::Path>) -> Ground {
        Ground::new(root, self.projects[1])
    }

    /// Does it. `None` where there is no plan to go on with.
    pub(crate) fn run(&self, session: &Session, ground: &Ground, entry: Entry) -> Result<Option<AnyPlan>, Failure> {
        if let Act::DiscardDamaged = self.act {
            return session.discard_damaged().wait().map(|_| None).map_err(Failure::Load);
        }
        let plan = match entry {
            Entry::Load => session.load().wait(),
            Entry::Exclusive => session.exclusive().wait(),
        };
        let plan = plan.map_err(Failure::Load)?;
        match self.act {
            Act::Step(step) => step(plan, ground).map(Some).map_err(Failure::Step),
            Act::Load | Act::DiscardDamaged => Ok(Some(plan)),
        }
    }
}

/// The scenario of that name.
pub(crate) fn named(name: &str) -> &'static Scenario {
    SCENARIOS.iter().find(|scenario| scenario.name == name).unwrap_or_else(|| panic!("no scenario {name}"))
}

const PLAIN: Scenario = Scenario { name: "", projects: [None, None], lay: nothing, act: Act::Load, md_first: false };

const fn step(name: &'static str, lay: fn(&Ground), step: Step) -> Scenario {
    Scenario { name, lay, act: Act::Step(step), ..PLAIN }
}

const fn load(name: &'static str, lay: fn(&Ground)) -> Scenario {
    Scenario { name, lay, ..PLAIN }
}

const fn in_project(mut scenario: Scenario, before: &'static str, now: &'static str) -> Scenario {
    scenario.projects = [Some(before), Some(now)];
    scenario
}

const fn md_first(mut scenario: Scenario) -> Scenario {
    scenario.md_first = true;
    scenario
}

const fn discard_damaged(name: &'static str, lay: fn(&Ground)) -> Scenario {
    Scenario { name, lay, act: Act::DiscardDamaged, ..PLAIN }
}

/// Every transition, each from every state of the disk that changes its order of writes.
pub(crate) const SCENARIOS: &[Scenario] = &[
    step("enter", nothing, enter),
    step("enter beside an orphan", orphan, enter),
    step("design", nothing, init_design),
    step("design over an orphan", orphan, init_design),
    step("design from PreInit", entered, init_design),
    step("design from PreInit over an orphan", entered_orphan, init_design),
    step("checklist", nothing, init_checklist),
    step("checklist over an orphan", orphan, init_checklist),
    step("checklist from PreInit over an orphan", entered_orphan, init_checklist),
    step("import", importable, import),
    step("import from PreInit over an orphan", importable_over_orphan, import),
    step("approve", designed, approve),
    step("approve what an editor wrote", edited, approve),
    md_first(step("write the markdown", designed, write_markdown)),
    step("sync", edited, sync),
    step("add tasks", listed, add_tasks),
    step("start", listed, start),
    step("complete one of two", started, complete),
    step("skip one of two", started, skip),
    step("fail", started, fail),
    step("complete the last", last, complete),
    step("complete the last of a design", last_of_design, complete),
    step("complete the last over a fallback plan", last_over_fallback, complete),
    step("complete the last where the archive's name is taken", last_with_taken_name, complete),
    step("skip the last", last_of_design, skip),
    step("discard PreInit", entered, discard),
    step("discard PreInit over a fallback plan", entered_over_fallback, discard),
    step("discard Editing", designed, discard),
    step("discard Active", last_of_design, discard),
    step("discard Active over a fallback plan", last_over_fallback, discard),
    step("restore a design", discarded_design, restore),
    step("restore a design over an orphan", discarded_design_orphan, restore),
    step("restore a checklist", discarded_list, restore),
    step("copy up by a start", fallback_active, start),
    step("copy up where both have a markdown", fallback_active_two, start),
    step("copy up by an approval", fallback_editing, approve),
    md_first(step("copy up by a written markdown", fallback_editing, write_markdown)),
    step("copy up by the last task", fallback_last, complete),
    step("copy up by a discard", fallback_editing, discard),
    step("discard PreInit of the fallback", fallback_entered, discard),
    load("load: completed", legacy_completed),
    load("load: completed over a fallback plan", legacy_completed_over_fallback),
    load("load: cancelled", legacy_cancelled),
    md_first(load("load: a design with tasks", legacy_tasks)),
    load("load: a design with tasks and a markdown", legacy_tasks_md),
    load("load: completed in the fallback", fallback_completed),
    load("load: cancelled in the fallback", fallback_cancelled),
    md_first(load("load: a design with tasks in the fallback", fallback_tasks)),
    load("load: a design with tasks and a markdown in the fallback", fallback_tasks_md),
    load("load: ended, not moved", ending),
    load("load: ended, half moved", ending_half_moved),
    load("load: ended over a fallback plan", ending_over_fallback),
    discard_damaged("discard what is damaged", damaged),
    discard_damaged("discard what is damaged over a fallback plan", damaged_over_fallback),
    discard_damaged("discard what is damaged in the fallback", fallback_damaged),
    in_project(step("project: enter", nothing, enter), "a", "a"),
    in_project(step("project: design over an orphan", orphan, init_design), "a", "a"),
    in_project(step("project: start", listed, start), "a", "a"),
    in_project(step("project: start of an older plan", older, start), "a", "a"),
    in_project(step("project: complete the last", last_of_design, complete), "a", "a"),
    in_project(step("project: discard PreInit", entered, discard), "a", "a"),
    in_project(step("project: copy up by a start", fallback_active, start), "a", "a"),
    in_project(step("project: copy up by the last task", fallback_last, complete), "a", "a"),
    in_project(md_first(load("project: load a design with tasks", legacy_tasks)), "a", "a"),
    in_project(step("another project: start", listed, start), "a", "b"),
    in_project(step("another project: complete the last", last_of_design, complete), "a", "b"),
    in_project(load("another project: load what has ended", ending), "a", "b"),
    Scenario {
        projects: [None, Some("a")],
        ..step("bound meanwhile: complete the last", last_over_fallback, complete)
    },
];

// What is done.

const OUTLINE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                       - **Intent:** latency\n\n## Implementation steps\n1. Swap it — in cache.rs\n";
const OTHER_OUTLINE: &str = "# Swap the cache again\n\n## Context\n- **Problem:** ARC thrashes\n\
                             - **Target state:** LFU in place\n- **Intent:** latency\n\n## Implementation steps\n\
                             1. Swap it — in cache.rs\n";
const ORPHAN: &str = "# Left over from something else\n";
const IMPORT: &str = "outside/import.json";

fn drafts() -> TaskDrafts {
    let draft = |title| TaskDraft::new(title, "do it").unwrap();
    TaskDrafts::new(draft("First").criterion("it is done").unwrap()).and(draft("Second").depends_on(1))
}

fn brief() -> Brief {
    Brief::new("Swap the cache").unwrap()
}

fn enter(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    plan.enter().wait()
}

fn discard(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    Ok(plan.discard().wait()?.0.into())
}

fn init_design(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    match plan {
        AnyPlan::NoPlan(plan) => Ok(plan.init_design(brief()).wait()?.into()),
        AnyPlan::PreInit(plan) => Ok(plan.init_design(brief()).wait()?.into()),
        plan => panic!("{plan:?}"),
    }
}

fn init_checklist(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    match plan {
        AnyPlan::NoPlan(plan) => Ok(plan.init_checklist(brief(), drafts()).wait()?.into()),
        AnyPlan::PreInit(plan) => Ok(plan.init_checklist(brief(), drafts()).wait()?.into()),
        plan => panic!("{plan:?}"),
    }
}

fn import(plan: AnyPlan, ground: &Ground) -> Result<AnyPlan, Refused> {
    match plan {
        AnyPlan::NoPlan(plan) => Ok(plan.import(ground.file(IMPORT)).wait()?.into()),
        AnyPlan::PreInit(plan) => Ok(plan.import(ground.file(IMPORT)).wait()?.into()),
        plan => panic!("{plan:?}"),
    }
}

fn approve(plan: AnyPlan, ground: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Editing(plan) = plan else { panic!("{plan:?}") };
    // The person looks at the file, which the engine may have failed to read.
    let fallback = ground.file(&format!("agents/session/.opencrabs_plan_{SESSION}.md"));
    let shown = std::fs::read(plan.paths().md).or_else(|_| std::fs::read(fallback)).unwrap();
    let seen = Digest::of(&shown);
    Ok(plan.approve(Approval::new("ada", "proof", seen)).wait()?.into())
}

fn write_markdown(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Editing(plan) = plan else { panic!("{plan:?}") };
    Ok(plan.write_markdown(Body::new(OTHER_OUTLINE).unwrap()).wait()?.into())
}

fn sync(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Editing(plan) = plan else { panic!("{plan:?}") };
    Ok(plan.sync().wait()?.into())
}

fn add_tasks(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
    Ok(plan.add_tasks(drafts()).wait()?.into())
}

fn start(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
    Ok(plan.start(TaskRef::Implied).wait()?.into())
}

fn fail(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
    Ok(plan.fail(TaskRef::Implied, None).wait()?.into())
}

fn complete(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
    Ok(after(plan.complete(TaskRef::Implied, None).wait()?))
}

fn skip(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::Active(plan) = plan else { panic!("{plan:?}") };
    Ok(after(plan.skip(TaskRef::Implied, None).wait()?))
}

fn after(completion: Completion) -> AnyPlan {
    match completion {
        Completion::Continues(plan) => plan.into(),
        Completion::Archived(plan, _) => plan.into(),
    }
}

fn restore(plan: AnyPlan, _: &Ground) -> Result<AnyPlan, Refused> {
    let AnyPlan::NoPlan(plan) = plan else { panic!("{plan:?}") };
    let name = ArchiveName::parse(plan.session().id(), "opencrabs_plan_s-1-20260720T090000Z-discarded").unwrap();
    match plan.restore(name).wait()? {
        Restored::Editing(plan) => Ok(plan.into()),
        Restored::Active(plan) => Ok(plan.into()),
    }
}

// What is on disk.

impl Ground {
    fn after(&self, steps: &[Step]) {
        let clock = Ticks::at(9);
        for step in steps {
            drop(step(self.session(&clock).load().wait().unwrap(), self).unwrap());
        }
    }
}

fn nothing(_: &Ground) {}

fn orphan(ground: &Ground) {
    ground.put_own("md", ORPHAN);
}

fn entered(ground: &Ground) {
    ground.after(&[enter]);
}

fn entered_orphan(ground: &Ground) {
    entered(ground);
    orphan(ground);
}

fn entered_over_fallback(ground: &Ground) {
    entered(ground);
    fallback_active(ground);
}

fn importable(ground: &Ground) {
    ground.put(IMPORT, r#"{"title": "Add a login", "description": "and a logout", "tasks": [{"title": "Research", "description": "look"}]}"#);
}

fn importable_over_orphan(ground: &Ground) {
    importable(ground);
    entered_orphan(ground);
}

fn designed(ground: &Ground) {
    ground.after(&[init_design]);
    ground.put_own("md", OUTLINE);
    ground.after(&[sync]);
}

fn edited(ground: &Ground) {
    designed(ground);
    ground.put_own("md", OTHER_OUTLINE);
}

fn listed(ground: &Ground) {
    ground.after(&[init_checklist]);
}

fn started(ground: &Ground) {
    ground.after(&[init_checklist, start]);
}

fn last(ground: &Ground) {
    ground.after(&[init_checklist, start, complete, start]);
}

fn last_of_design(ground: &Ground) {
    designed(ground);
    ground.after(&[approve, add_tasks, start, complete, start]);
}

fn last_over_fallback(ground: &Ground) {
    last_of_design(ground);
    fallback_active(ground);
}

fn last_with_taken_name(ground: &Ground) {
    last_of_design(ground);
    ground.put("session/archive/opencrabs_plan_s-1-20260720T100000Z.md", "an earlier one of the same second");
}

fn discarded_design(ground: &Ground) {
    designed(ground);
    ground.after(&[discard]);
}

fn discarded_design_orphan(ground: &Ground) {
    discarded_design(ground);
    orphan(ground);
}

fn discarded_list(ground: &Ground) {
    started(ground);
    ground.after(&[discard]);
}

/// A record of an older program: two tasks, the first ended, the second as `task` says.
fn record(status: &str, task: &str) -> String {
    format!(
        r#"{{
  "session_id": "s-1",
  "title": "Swap the cache",
  "description": "LRU to ARC",
  "context": "two callers",
  "status": "{status}",
  "updated_at": "2026-04-20T09:05:00Z",
  "a_field_of_its_own": 1e400,
  "tasks": [
    {{"title": "First", "description": "do it", "order": 1, "status": "Completed"}},
    {{"title": "Second", "description": "do it", "order": 2, "status": "{task}", "acceptance_criteria": ["it is done"]}}
  ]
}}"#
    )
}

fn older(ground: &Ground) {
    ground.put_own("json", &record("InProgress", "Pending"));
}

fn fallback_active(ground: &Ground) {
    ground.put_fallback("json", &record("InProgress", "Pending"));
    ground.put_fallback("md", OUTLINE);
}

fn fallback_active_two(ground: &Ground) {
    fallback_active(ground);
    ground.put_own("md", OTHER_OUTLINE);
}

fn fallback_last(ground: &Ground) {
    ground.put_fallback("json", &record("InProgress", "InProgress"));
    ground.put_fallback("md", OUTLINE);
}

fn fallback_editing(ground: &Ground) {
    ground.put_fallback("json", r#"{"status": "Editing", "title": "Swap the cache", "tasks": []}"#);
    ground.put_fallback("md", OUTLINE);
}

fn fallback_entered(ground: &Ground) {
    ground.put_fallback("json", r#"{"pre_init_editing": true}"#);
}

fn fallback_completed(ground: &Ground) {
    ground.put_fallback("json", &record("Completed", "Completed"));
    ground.put_fallback("md", OUTLINE);
}

fn fallback_cancelled(ground: &Ground) {
    ground.put_fallback("json", &record("Cancelled", "Pending"));
}

fn fallback_tasks(ground: &Ground) {
    ground.put_fallback("json", &record("Draft", "Pending"));
}

fn fallback_tasks_md(ground: &Ground) {
    fallback_tasks(ground);
    ground.put_fallback("md", OUTLINE);
}

fn fallback_damaged(ground: &Ground) {
    ground.put_fallback("json", "{");
}

fn legacy_completed(ground: &Ground) {
    ground.put_own("json", &record("Completed", "Completed"));
    ground.put_own("md", OUTLINE);
}

fn legacy_completed_over_fallback(ground: &Ground) {
    legacy_completed(ground);
    fallback_active(ground);
}

fn legacy_cancelled(ground: &Ground) {
    ground.put_own("json", &record("Cancelled", "Pending"));
}

fn legacy_tasks(ground: &Ground) {
    ground.put_own("json", &record("PendingApproval", "Pending"));
}

fn legacy_tasks_md(ground: &Ground) {
    legacy_tasks(ground);
    ground.put_own("md", OUTLINE);
}

/// A plan that has ended and whose files are still there.
fn ending(ground: &Ground) {
    last_of_design(ground);
    let json = ground.session(&Ticks::at(9)).paths().wait().unwrap().json;
    let record = std::fs::read_to_string(&json).unwrap().replace("InProgress", "Completed");
    let (record, _) = record.rsplit_once('}').unwrap();
    let mark = r#""how": "completed", "at": "2026-07-20T09:00:00Z", "archive": "opencrabs_plan_s-1-20260720T090000Z""#;
    ground.put_own("json", &format!("{}, \"ending\": {{{mark}}}}}", record.trim_end()));
}

fn ending_half_moved(ground: &Ground) {
    ending(ground);
    let paths = ground.session(&Ticks::at(9)).paths().wait().unwrap();
    std::fs::create_dir_all(&paths.archive).unwrap();
    std::fs::rename(paths.md, paths.archive.join("opencrabs_plan_s-1-20260720T090000Z.md")).unwrap();
}

fn ending_over_fallback(ground: &Ground) {
    ending(ground);
    fallback_active(ground);
}

fn damaged(ground: &Ground) {
    ground.put_own("json", "{\"status\": \"Edit");
    ground.put_own("md", OUTLINE);
}

fn damaged_over_fallback(ground: &Ground) {
    damaged(ground);
    fallback_active(ground);
}
