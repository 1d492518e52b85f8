//! Long random lives of a plan through the real store: after each operation the answer, the goal calls, the events and every
//! file on disk are what a simple model of a plan says.
// spec: LIFE-1, LIFE-2, LIFE-3, LIFE-4, LIFE-5, LIFE-6, LIFE-7, LIFE-9, LIFE-12, API-4, DISK-1, DISK-5, DISK-6, DISK-8
// spec: DISK-13, INIT-5, INIT-6, INIT-8, INIT-9, TASK-4, TASK-8, GOAL-1, GOAL-2, MIRROR-1, MIRROR-2, MIRROR-3

#[allow(dead_code, reason = "the test of the pure steps uses what this one does not")]
#[path = "../src/plan/exhaustive/life.rs"]
mod life;
mod support;

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use life::{Act, Draft, GoalCall, Kept, Life, Outcome, Phase, Text, Which, Who};
use plangate::digest::Digest;
use plangate::event::{Event, Subscription};
use plangate::model::{Body, Caller, Origin, TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Approval, Brief, Operation, State, StateName};
use plangate::session::{Completion, Notice, Refused, Restored, TransitionError};
use plangate::store::{ArchiveName, Mark};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId, outline};
use pretty_assertions::assert_eq;
use proptest::prelude::*;
use serde_json::Value;
use support::{Asked, Files, Goals, SESSION, Ticking, WHOLE};

const TITLE: &str = "Swap the cache";

fn body(text: Text) -> Vec<u8> {
    match text {
        Text::Fresh => outline::render(TITLE, "").into_bytes(),
        Text::Empty => Vec::new(),
        Text::Gaps => WHOLE.replace("latency", "").into_bytes(),
        Text::Whole => WHOLE.into(),
        Text::Other => WHOLE.replace('\n', "\r\n").into_bytes(),
        Text::Garbage => b"# Swap\xff\n".to_vec(),
    }
}

fn caller(who: Who) -> Caller {
    match who {
        Who::Person => Caller::INTERACTIVE,
        Who::Unasked => Caller::unasked(Origin::Interactive),
        Who::Yolo => Caller::unasked(Origin::Yolo),
        Who::Cron => Caller::unasked(Origin::Cron),
        Who::Run => Caller::unasked(Origin::Run),
        Who::A2a => Caller::unasked(Origin::A2a),
        Who::Subagent => Caller::unasked(Origin::Subagent),
    }
}

fn drafts(drafts: &[Draft], before: usize) -> TaskDrafts {
    let draft = |draft: &Draft| {
        let new = TaskDraft::new("T", "d").unwrap();
        let new = if draft.has_criteria { new.criterion("it is done").unwrap() } else { new };
        draft.waits_for.iter().fold(new, |new, on| new.depends_on(on.number(before) as u64))
    };
    drafts.iter().map(draft).collect::<Vec<_>>().try_into().unwrap()
}

fn task(which: Which) -> TaskRef {
    match which {
        Which::Number(number) => TaskRef::Number(number as u64),
        Which::Implied => TaskRef::Implied,
    }
}

fn state_name(phase: Phase) -> StateName {
    match phase {
        Phase::NoPlan => StateName::NoPlan,
        Phase::PreInit => StateName::PreInit,
        Phase::Editing => StateName::Editing,
        Phase::Active => StateName::Active,
    }
}

/// One of two programs that work on the same session.
struct Program {
    engine: Engine,
    events: Subscription,
    goals: Goals,
}

struct World {
    folder: tempfile::TempDir,
    programs: [Program; 2],
    life: Life,
    /// The names of the archive's entries, in the order of the model's.
    archive: Vec<ArchiveName>,
}

impl World {
    fn new() -> Self {
        let folder = support::folder_in_memory();
        let clock = Ticking::default();
        let programs = [(); 2].map(|()| {
            let goals = Goals::default();
            let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
            let engine = Engine::at(root).clock(clock.clone()).goals(goals.clone()).build().unwrap();
            Program { events: engine.subscribe(), engine, goals }
        });
        std::fs::create_dir(folder.path().join("session")).unwrap();
        Self { folder, programs, life: Life::NEW, archive: Vec::new() }
    }

    fn live(&self, ending: &str) -> std::path::PathBuf {
        self.folder.path().join(format!("session/.opencrabs_plan_{SESSION}.{ending}"))
    }

    /// Everything in the session folder but the lock file.
    fn files(&self) -> Files {
        let mut files = Files::new();
        for folder in ["session", "session/archive"] {
            for entry in std::fs::read_dir(self.folder.path().join(folder)).into_iter().flatten() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                if entry.path().is_file() && !name.ends_with(".lock") {
                    let content = (std::fs::read(entry.path()).unwrap(), entry.metadata().unwrap().modified().unwrap());
                    files.insert(format!("{folder}/{name}"), content);
                }
            }
        }
        files
    }

    fn record(&self) -> Option<Value> {
        let bytes = std::fs::read(self.live("json")).ok()?;
        Some(serde_json::from_slice(&bytes).unwrap())
    }

    /// Does `act` in one of the programs and in the model, and compares.
    fn act(&mut self, act: Act, program: usize, exclusive: bool) {
        if let Act::ByHand(text) = act {
            self.life.act(act);
            let _ = std::fs::remove_file(self.live("md"));
            if let Some(text) = text {
                std::fs::write(self.live("md"), body(text)).unwrap();
            }
            return self.compare();
        }
        let (files, record) = (self.files(), self.record());
        let before = self.life.clone();
        let (outcome, goal) = self.life.act(act);

        let session = self.programs[program].engine.session(SessionId::new(SESSION).unwrap());
        let session = match act {
            Act::Enter(who) | Act::Design(who) | Act::Checklist(who, _) | Act::Import(who, _) => {
                session.with_caller(caller(who))
            }
            _ => session,
        };
        let plan = if exclusive { session.exclusive() } else { session.load() }.wait().unwrap();
        assert_eq!(plan.state_name(), state_name(before.plan.phase));
        match self.dispatch(plan, act, before.plan.tasks.len()) {
            Ok(plan) => {
                assert!(!matches!(outcome, Outcome::Refused(_)), "{act:?} was to be {outcome:?}");
                assert_eq!(plan.state_name(), state_name(self.life.plan.phase));
                let is_expected = |notice: &Notice| matches!((act, notice), (Act::Import(..), Notice::LeftOut { .. }));
                assert!(plan.release().wait().notices().iter().all(is_expected));
            }
            Err(refused) => {
                let (plan, code) = *refused;
                assert_eq!(Outcome::Refused(code), outcome, "{act:?}");
                // The plan comes back as it was.
                assert_eq!(plan.state_name(), state_name(before.plan.phase));
                let view = session.view().wait().unwrap();
                assert_eq!(plan.state(), view.state());
            }
        }
        if outcome != Outcome::Done {
            assert_eq!(self.files(), files, "{act:?} is {outcome:?} and changes nothing on disk");
        }
        self.note_archive(&session);
        self.compare_calls(goal, record.as_ref(), program);
        self.compare_events(outcome, program);
        self.compare_identity(act, &before, record.as_ref());
        self.compare();
    }

    /// What `act` is for a program that knows the state at run time alone.
    fn dispatch(&self, plan: AnyPlan, act: Act, tasks: usize) -> Answer {
        let brief = Brief::new(TITLE).unwrap();
        match (plan, act) {
            (plan, Act::Enter(_)) => dynamic(plan.enter().wait()),
            (plan, Act::Discard) => dynamic(plan.discard().wait().map(|(plan, _)| plan.into())),
            (AnyPlan::NoPlan(plan), Act::Design(_)) => typed(plan.init_design(brief).wait()),
            (AnyPlan::PreInit(plan), Act::Design(_)) => typed(plan.init_design(brief).wait()),
            (AnyPlan::NoPlan(plan), Act::Checklist(_, list)) => {
                typed(plan.init_checklist(brief, drafts(list, 0)).wait())
            }
            (AnyPlan::PreInit(plan), Act::Checklist(_, list)) => {
                typed(plan.init_checklist(brief, drafts(list, 0)).wait())
            }
            (AnyPlan::NoPlan(plan), Act::Import(_, list)) => typed(plan.import(self.import_file(list)).wait()),
            (AnyPlan::PreInit(plan), Act::Import(_, list)) => typed(plan.import(self.import_file(list)).wait()),
            (AnyPlan::NoPlan(plan), Act::Restore(position)) => {
                typed(plan.restore(self.archived(position)).wait().map(|restored| match restored {
                    Restored::Editing(plan) => AnyPlan::from(plan),
                    Restored::Active(plan) => AnyPlan::from(plan),
                }))
            }
            (AnyPlan::Editing(plan), Act::Write(text)) => {
                let body = Body::new(String::from_utf8(body(text)).unwrap()).unwrap();
                typed(plan.write_markdown(body).wait())
            }
            (AnyPlan::Editing(plan), Act::Sync) => typed(plan.sync().wait()),
            (AnyPlan::Editing(plan), Act::Approve(seen)) => {
                typed(plan.approve(Approval::new("ada", "terminal", Digest::of(&body(seen)))).wait())
            }
            (AnyPlan::Active(plan), Act::Add(list)) => typed(plan.add_tasks(drafts(list, tasks)).wait()),
            (AnyPlan::Active(plan), Act::Start(which)) => typed(plan.start(task(which)).wait()),
            (AnyPlan::Active(plan), Act::Fail(which)) => typed(plan.fail(task(which), None).wait()),
            (AnyPlan::Active(plan), Act::Complete(which)) => {
                typed(plan.complete(task(which), None).wait().map(completed))
            }
            (AnyPlan::Active(plan), Act::Skip(which)) => typed(plan.skip(task(which), None).wait().map(completed)),
            // What the state has no method for, the table answers.
            (plan, act) => {
                let refusal = plan.refuse(operation(act)).unwrap_or_else(|| panic!("{act:?} has no answer"));
                Err(Box::new((plan, refusal.code())))
            }
        }
    }

    /// A plan to import, with the tasks of `drafts` and with what an import must not take over.
    fn import_file(&self, drafts: &[Draft]) -> std::path::PathBuf {
        let task = |draft: &Draft| {
            let criteria: &[&str] = if draft.has_criteria { &["it is done"] } else { &[] };
            serde_json::json!({
                "title": "T", "description": "d", "acceptance_criteria": criteria, "status": "InProgress",
                "dependencies": draft.waits_for.iter().map(|on| on.number(0)).collect::<Vec<_>>(),
            })
        };
        let plan = serde_json::json!({
            "title": TITLE, "description": "d", "tasks": drafts.iter().map(task).collect::<Vec<_>>(),
            "approved_at": "2026-01-01T00:00:00Z", "pre_init_editing": true, "goal_task": "0",
        });
        let file = self.folder.path().join("import.json");
        std::fs::write(&file, plan.to_string()).unwrap();
        file
    }

    fn archived(&self, position: usize) -> ArchiveName {
        self.archive.get(position).cloned().unwrap_or_else(|| {
            let unknown = format!("opencrabs_plan_{SESSION}-20260101T000000Z-discarded");
            ArchiveName::parse(&SessionId::new(SESSION).unwrap(), &unknown).unwrap()
        })
    }

    /// Puts the names that have come to the archive behind those that were there.
    fn note_archive(&mut self, session: &Session) {
        let listed = session.archive().wait().unwrap();
        let mut new: Vec<_> =
            listed.iter().map(|entry| entry.name.clone()).filter(|name| !self.archive.contains(name)).collect();
        // One act puts an orphan there at most, and that before the plan.
        new.sort_by_key(|name| name.mark() != Mark::Orphan);
        self.archive.extend(new);
        assert_eq!(self.archive.len(), listed.len(), "nothing leaves the archive");
    }

    fn compare_calls(&self, expected: Option<GoalCall>, record: Option<&Value>, program: usize) {
        let id = |number: usize| record.unwrap()["tasks"][number - 1]["id"].as_str().unwrap().parse().unwrap();
        let expected = expected.map(|call| match call {
            GoalCall::Set(number) => Asked::Set(id(number), vec!["it is done".into()]),
            GoalCall::Clear(number) => Asked::Clear(id(number)),
        });
        assert_eq!(self.programs[program].goals.take(), Vec::from_iter(expected));
        assert_eq!(self.programs[1 - program].goals.take(), []);
    }

    fn compare_events(&mut self, outcome: Outcome, program: usize) {
        let revision = std::fs::read(self.live("json")).ok().map(|bytes| Digest::of(&bytes));
        let state = state_name(self.life.plan.phase);
        for (at, program_at) in self.programs.iter_mut().enumerate() {
            if at == program && outcome == Outcome::Done {
                let Some(Event::Changed(event)) = program_at.events.try_next() else { panic!("no event") };
                assert_eq!((event.session.as_str(), event.state, event.revision), (SESSION, state, revision));
            }
            assert_eq!(program_at.events.try_next(), None);
        }
    }

    /// The id and the times of a plan are its own from beginning to end.
    fn compare_identity(&self, act: Act, before: &Life, old: Option<&Value>) {
        let (Some(old), Some(new)) = (old, self.record()) else { return };
        let begins = matches!(act, Act::Checklist(..) | Act::Import(..)) && before.plan.phase != self.life.plan.phase;
        assert_eq!(old["id"] == new["id"], !begins, "{act:?}");
        assert_eq!(old["created_at"] == new["created_at"], !begins, "{act:?}");
        if before.plan.approved {
            assert_eq!((&old["approved_at"], &old["approval"]), (&new["approved_at"], &new["approval"]));
        }
    }

    /// Holds everything in the session folder against the model.
    fn compare(&self) {
        let mut files = self.files();
        let mut file = |name: String| files.remove(&name).map(|(bytes, _)| bytes);
        let json = file(format!("session/.opencrabs_plan_{SESSION}.json"));
        assert_eq!(json.is_some(), self.life.plan.phase != Phase::NoPlan);
        if let Some(json) = json {
            compare_record(&self.life.plan, &serde_json::from_slice(&json).unwrap(), false);
        }
        assert_eq!(file(format!("session/.opencrabs_plan_{SESSION}.md")), self.life.md.map(body));
        assert_eq!(self.archive.len(), self.life.archive.len());
        for (name, entry) in self.archive.iter().zip(&self.life.archive) {
            let mark = match entry.why {
                Kept::Completed => Mark::Completed,
                Kept::Discarded => Mark::Discarded,
                Kept::Orphan => Mark::Orphan,
            };
            assert_eq!(name.mark(), mark);
            let json = file(format!("session/archive/{name}.json"));
            assert_eq!(json.is_some(), entry.plan.is_some());
            if let (Some(json), Some(plan)) = (json, &entry.plan) {
                let json: Value = serde_json::from_slice(&json).unwrap();
                compare_record(plan, &json, true);
                assert_eq!(json["ending"]["how"], mark.as_str());
                assert_eq!(json["ending"]["archive"], name.to_string());
            }
            assert_eq!(file(format!("session/archive/{name}.md")), entry.md.map(body));
        }
        assert_eq!(files.keys().collect::<Vec<_>>(), [""; 0], "nothing else is there");
    }
}

/// Holds a record against the model's plan.
fn compare_record(plan: &life::Plan, json: &Value, ended: bool) {
    assert_eq!(json["session_id"], SESSION);
    assert_eq!(json.get("ending").is_some(), ended);
    let flag = (plan.phase == Phase::PreInit).then_some(&Value::Bool(true));
    assert_eq!(json.get("pre_init_editing"), flag);
    assert_eq!(json["status"], if plan.phase == Phase::Active { "Active" } else { "Editing" });
    assert_eq!(json["approved_at"].is_string(), plan.approved);
    assert_eq!(json["approval"].is_object(), plan.approved);
    match plan.phase {
        Phase::PreInit => assert_eq!(json.get("description"), None),
        Phase::Editing => {
            assert_eq!(json["description"].as_str().unwrap().as_bytes(), body(plan.mirrored.unwrap()));
        }
        _ => assert_eq!(json["title"], TITLE),
    }
    let tasks = json["tasks"].as_array().unwrap();
    let ids: BTreeMap<&str, usize> = tasks.iter().map(|task| task["id"].as_str().unwrap()).zip(1..).collect();
    let numbers = |ids_of: &Value| -> Vec<usize> {
        ids_of.as_array().unwrap().iter().map(|id| ids[id.as_str().unwrap()]).collect()
    };
    assert_eq!(tasks.len(), plan.tasks.len());
    for (number, (task, expected)) in (1..).zip(tasks.iter().zip(&plan.tasks)) {
        assert_eq!((&task["order"], &task["status"]), (&number.into(), &expected.status.as_str().into()));
        assert_eq!(numbers(&task["dependencies"]), expected.waits_for);
    }
    assert_eq!(json.get("goal_task").map(|id| ids[id.as_str().unwrap()]), if ended { None } else { plan.goal });
}

/// What came of an operation: the next plan, or the plan as it was and the code of the refusal.
type Answer = Result<AnyPlan, Box<(AnyPlan, &'static str)>>;

fn typed<P: Into<AnyPlan>, S: State>(done: Result<P, TransitionError<S>>) -> Answer
where
    AnyPlan: From<Plan<S>>,
{
    done.map(P::into).map_err(|error| {
        let code = error.reason().code();
        Box::new((error.into_plan().unwrap().into(), code))
    })
}

fn dynamic(done: Result<AnyPlan, Refused>) -> Answer {
    done.map_err(|refused| {
        let code = refused.reason().code();
        Box::new((refused.into_plan().unwrap(), code))
    })
}

fn completed(completion: Completion) -> AnyPlan {
    match completion {
        Completion::Continues(plan) => plan.into(),
        Completion::Archived(plan, receipt) => {
            assert!(receipt.json.unwrap().exists());
            plan.into()
        }
    }
}

fn operation(act: Act) -> Operation {
    match act {
        Act::Enter(_) => Operation::Enter,
        Act::Design(_) => Operation::InitDesign,
        Act::Checklist(..) => Operation::InitChecklist,
        Act::Import(..) => Operation::Import,
        Act::Write(_) => Operation::WriteMarkdown,
        Act::Sync => Operation::Sync,
        Act::Approve(_) => Operation::Approve,
        Act::Add(_) => Operation::AddTasks,
        Act::Start(_) => Operation::Start,
        Act::Complete(_) => Operation::Complete,
        Act::Fail(_) => Operation::Fail,
        Act::Skip(_) => Operation::Skip,
        Act::Discard => Operation::Discard,
        Act::Restore(_) => Operation::Restore,
        Act::ByHand(_) => panic!("nobody asks the engine"),
    }
}

fn acts() -> impl Strategy<Value = Act> {
    use prop::sample::select;
    let who = || {
        let rest = vec![Who::Unasked, Who::Yolo, Who::Cron, Who::Run, Who::A2a, Who::Subagent];
        prop_oneof![3 => Just(Who::Person), 1 => select(rest)]
    };
    let list = || {
        prop_oneof![
            3 => select(vec![life::ONE, life::CHAIN, life::PAIR, life::FORWARD]),
            1 => select(vec![life::AFTER_FIRST, life::NOWHERE, life::CIRCLE]),
        ]
    };
    let text =
        || prop_oneof![3 => Just(Text::Whole), 1 => select(vec![Text::Fresh, Text::Empty, Text::Gaps, Text::Other])];
    let by_hand = select(vec![
        None,
        Some(Text::Empty),
        Some(Text::Gaps),
        Some(Text::Whole),
        Some(Text::Other),
        Some(Text::Garbage),
    ]);
    let which = || prop_oneof![2 => Just(Which::Implied), 3 => (0..5usize).prop_map(Which::Number)];
    prop_oneof![
        2 => who().prop_map(Act::Enter),
        3 => who().prop_map(Act::Design),
        2 => (who(), list()).prop_map(|(who, list)| Act::Checklist(who, list)),
        1 => (who(), list()).prop_map(|(who, list)| Act::Import(who, list)),
        2 => text().prop_map(Act::Write),
        1 => by_hand.prop_map(Act::ByHand),
        1 => Just(Act::Sync),
        3 => text().prop_map(Act::Approve),
        3 => list().prop_map(Act::Add),
        6 => which().prop_map(Act::Start),
        5 => which().prop_map(Act::Complete),
        1 => which().prop_map(Act::Fail),
        3 => which().prop_map(Act::Skip),
        1 => Just(Act::Discard),
        3 => (0..6usize).prop_map(Act::Restore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_life_is_that_of_the_model(
        steps in prop::collection::vec((acts(), 0..2usize, any::<bool>()), 1..=40),
    ) {
        let mut world = World::new();
        for (act, program, exclusive) in steps {
            world.act(act, program, exclusive);
        }
    }
}
