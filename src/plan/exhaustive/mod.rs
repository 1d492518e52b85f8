//! Every sequence of operations up to a length, on the pure steps, against a simple model of a plan: the same answer and the
//! same plan after each.

#[allow(dead_code, reason = "a test of the whole store uses what this one does not")]
mod life;

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use uuid::Uuid;

use self::life::{Act, Draft, GoalCall, Life, Outcome, Phase, Status, Text, Which, Who};
use super::{
    Advanced, AnyState, Approval, Brief, Cell, GoalChange, Import, Markdown, NoPlan, Operation, Progressed, Refusal,
    Site, Step,
};
use crate::digest::Digest;
use crate::model::{Caller, Dependency, Origin, SessionId, Task, TaskDraft, TaskDrafts, TaskId, TaskRef, Timestamp};
use crate::outline;

const TITLE: &str = "Swap the cache";
const WHOLE: &str = "# Swap the cache\n## Context\n- **Problem:** a\n- **Target state:** b\n- **Intent:** c\n\
                     ## Implementation steps\n1. Swap it\n";

fn body(text: Text) -> Vec<u8> {
    match text {
        Text::Fresh => outline::render(TITLE, "").into_bytes(),
        Text::Empty => Vec::new(),
        Text::Gaps => WHOLE.replace(" c\n", "\n").into_bytes(),
        Text::Whole => WHOLE.into(),
        Text::Other => format!("{WHOLE}2. Tell the users\n").into_bytes(),
        Text::Garbage => vec![b'#', 0xff],
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
        let new = if draft.has_criteria { new.criterion("done").unwrap() } else { new };
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

fn operation(act: Act) -> Operation {
    match act {
        Act::Enter(_) => Operation::Enter,
        Act::Design(_) => Operation::InitDesign,
        Act::Checklist(..) => Operation::InitChecklist,
        Act::Import(..) => Operation::Import,
        Act::Write(_) => Operation::WriteMarkdown,
        Act::Approve(_) => Operation::Approve,
        Act::Add(_) => Operation::AddTasks,
        Act::Start(_) => Operation::Start,
        Act::Complete(_) => Operation::Complete,
        Act::Fail(_) => Operation::Fail,
        Act::Skip(_) => Operation::Skip,
        Act::Discard => Operation::Discard,
        Act::ByHand(_) | Act::Sync | Act::Restore(_) => panic!("no pure step: {act:?}"),
    }
}

/// A state after a step.
struct Next {
    state: AnyState,
    outcome: Outcome,
    goal: Option<GoalChange>,
}

impl Next {
    fn done(state: AnyState) -> Self {
        Self { state, outcome: Outcome::Done, goal: None }
    }

    fn advanced(Advanced { next, changed, goal }: Advanced) -> Self {
        let outcome = if changed { Outcome::Done } else { Outcome::Idle };
        Self { state: AnyState::Active(next), outcome, goal }
    }

    fn progressed(progressed: Progressed) -> Self {
        match progressed {
            Progressed::Continues(advanced) => Self::advanced(advanced),
            Progressed::Ends(Advanced { next, goal, .. }) => {
                assert!(next.checklist.all_ended());
                Self { goal, ..Self::done(AnyState::NoPlan(NoPlan::new(next.header.site))) }
            }
        }
    }
}

/// The engine's pure steps, with the ids and times that they need.
struct Engine {
    fresh: u128,
}

impl Engine {
    fn now() -> Timestamp {
        "2026-07-20T09:00:00Z".parse().unwrap()
    }

    fn step<T>(&mut self, who: Who, step: impl FnOnce(&mut Step<'_>) -> T) -> T {
        let mut fresh = || {
            self.fresh += 1;
            Uuid::from_u128(self.fresh)
        };
        step(&mut Step { now: Self::now(), caller: caller(who), project_dir: None, fresh: &mut fresh })
    }

    /// Does the step that `state` has for `act`; without one, the table answers.
    fn act(&mut self, state: &AnyState, act: Act) -> Result<Next, Refusal> {
        let brief = || Brief::new(TITLE).unwrap();
        let import = |list| Import { brief: brief(), tasks: drafts(list, 0), left_out: Vec::new() };
        let no_plan = || Next::done(AnyState::NoPlan(NoPlan::new(state.as_ref().site().clone())));
        Ok(match (state, act) {
            (AnyState::NoPlan(state), Act::Enter(who)) => {
                Next::done(AnyState::PreInit(self.step(who, |step| state.enter(step))?))
            }
            (AnyState::NoPlan(state), Act::Design(who)) => {
                Next::done(AnyState::Editing(self.step(who, |step| state.init_design(&brief(), step))?))
            }
            (AnyState::PreInit(state), Act::Design(who)) => {
                Next::done(AnyState::Editing(self.step(who, |step| state.init_design(&brief(), step))?))
            }
            (AnyState::NoPlan(state), Act::Checklist(who, list)) => {
                let tasks = drafts(list, 0);
                Next::done(AnyState::Active(self.step(who, |step| state.init_checklist(&brief(), &tasks, step))?))
            }
            (AnyState::PreInit(state), Act::Checklist(who, list)) => {
                let tasks = drafts(list, 0);
                Next::done(AnyState::Active(self.step(who, |step| state.init_checklist(&brief(), &tasks, step))?))
            }
            (AnyState::NoPlan(state), Act::Import(who, list)) => {
                Next::done(AnyState::Active(self.step(who, |step| state.import(&import(list), step))?))
            }
            (AnyState::PreInit(state), Act::Import(who, list)) => {
                Next::done(AnyState::Active(self.step(who, |step| state.import(&import(list), step))?))
            }
            (AnyState::Editing(state), Act::Write(text)) => {
                let markdown = Markdown::from_bytes(body(text));
                Next::done(AnyState::Editing(self.step(Who::Person, |step| state.with_markdown(markdown, step))))
            }
            (AnyState::Editing(state), Act::Approve(seen)) => {
                let approval = Approval::new("ada", "terminal", Digest::of(&body(seen)));
                Next::done(AnyState::Active(self.step(Who::Person, |step| state.approve(&approval, step))?))
            }
            (AnyState::Active(state), Act::Add(list)) => {
                let tasks = drafts(list, state.checklist.len());
                Next::advanced(self.step(Who::Person, |step| state.add_tasks(&tasks, step))?)
            }
            (AnyState::Active(state), Act::Start(which)) => {
                Next::advanced(self.step(Who::Person, |step| state.start(task(which), step))?)
            }
            (AnyState::Active(state), Act::Complete(which)) => {
                Next::progressed(self.step(Who::Person, |step| state.complete(task(which), None, step))?)
            }
            (AnyState::Active(state), Act::Skip(which)) => {
                Next::progressed(self.step(Who::Person, |step| state.skip(task(which), None, step))?)
            }
            (AnyState::Active(state), Act::Fail(which)) => {
                Next::advanced(self.step(Who::Person, |step| state.fail(task(which), None, step))?)
            }
            (AnyState::PreInit(_) | AnyState::Editing(_), Act::Discard) => no_plan(),
            (AnyState::Active(state), Act::Discard) => {
                let Advanced { next, goal, .. } = self.step(Who::Person, |step| state.discard(step));
                assert_eq!((next.header.goal_task(), &next.checklist), (None, &state.checklist));
                Next { goal, ..no_plan() }
            }
            (state, act) => {
                let operation = operation(act);
                let state_name = state.as_ref().name();
                match state.as_ref().refuse(operation) {
                    Some(refusal) => return Err(refusal),
                    None => assert_eq!(operation.in_state(state_name), Cell::Idle, "{operation} in {state_name}"),
                }
                Next { state: state.clone(), outcome: Outcome::Idle, goal: None }
            }
        })
    }
}

/// The number of a task of the checklist, before it may have ended with its plan.
fn number(state: &AnyState, id: TaskId) -> usize {
    let AnyState::Active(state) = state else { panic!("only a checklist has goals") };
    usize::try_from(state.checklist.get(TaskRef::Id(id)).unwrap().number()).unwrap()
}

fn goal_call(before: &AnyState, goal: Option<GoalChange>) -> Option<GoalCall> {
    goal.map(|change| match change {
        GoalChange::Set(goal) => GoalCall::Set(number(before, goal.task())),
        GoalChange::Clear(id) => GoalCall::Clear(number(before, id)),
    })
}

/// Panics unless the engine's state is the plan of the model.
fn same(state: &AnyState, life: &Life) {
    let plan = &life.plan;
    match (state, plan.phase) {
        (AnyState::NoPlan(_), Phase::NoPlan) | (AnyState::PreInit(_), Phase::PreInit) => {}
        (AnyState::Editing(state), Phase::Editing) => {
            let text = plan.mirrored.map(body).unwrap_or_default();
            assert_eq!(state.header.description().as_bytes(), text);
            assert_eq!((state.header.approved_at(), state.header.approval()), (None, None));
        }
        (AnyState::Active(state), Phase::Active) => {
            assert_eq!(state.header.approved_at().is_some(), plan.approved);
            assert_eq!(state.header.approval().is_some(), plan.approved);
            assert_eq!(state.header.goal_task().map(|id| number_of(state.checklist.tasks(), id)), plan.goal);
            assert_eq!(state.checklist.len(), plan.tasks.len());
            for (number, (found, expected)) in (1..).zip(state.checklist.tasks().zip(&plan.tasks)) {
                assert_eq!((found.number(), found.status().as_str()), (number, expected.status.as_str()));
                let waits_for = found.dependencies().iter().map(|on| match on {
                    Dependency::Id(id) => number_of(state.checklist.tasks(), *id),
                    Dependency::Number(_) => panic!("every dependency has a target"),
                });
                assert!(waits_for.eq(expected.waits_for.iter().copied()));
            }
        }
        (state, phase) => panic!("{} is not {phase:?}", state.as_ref().name()),
    }
}

fn number_of<'a>(mut tasks: impl Iterator<Item = &'a Task>, id: TaskId) -> usize {
    1 + tasks.position(|task| task.id() == id).unwrap()
}

/// A walk over all sequences of `acts`.
///
/// A step borrows the state, so that after a refusal it is the same one. What follows a refusal is then what follows
/// without it, and a shorter sequence tells it: such a sequence is counted and not walked again, unless `thorough`.
struct Walk<'a> {
    engine: Engine,
    acts: &'a [Act],
    thorough: bool,
    sequences: u64,
    steps: u64,
    refused: BTreeMap<&'static str, u64>,
    path: Vec<Act>,
}

impl<'a> Walk<'a> {
    fn over(acts: &'a [Act]) -> Self {
        let engine = Engine { fresh: 0 };
        Self { engine, acts, thorough: false, sequences: 0, steps: 0, refused: BTreeMap::new(), path: Vec::new() }
    }

    /// How many sequences of 1 to `length` operations there are.
    fn count(&self, length: u32) -> u64 {
        (1..=length).map(|length| (self.acts.len() as u64).pow(length)).sum()
    }

    fn walk(&mut self, state: &AnyState, life: &Life, length: u32) {
        let Some(rest) = length.checked_sub(1) else { return };
        for act in self.acts {
            self.path.push(*act);
            self.sequences += 1;
            let mut next_life = life.clone();
            let (outcome, goal) = next_life.act(*act);
            match self.engine.act(state, *act) {
                Err(refusal) => {
                    assert_eq!(Outcome::Refused(refusal.code()), outcome, "{:?}: {refusal}", self.path);
                    assert_eq!(next_life, *life, "the model changes nothing either");
                    *self.refused.entry(refusal.code()).or_default() += 1;
                    if self.thorough {
                        self.walk(state, life, rest);
                    } else {
                        self.sequences += self.count(rest);
                    }
                }
                Ok(next) => {
                    assert_eq!((next.outcome, goal_call(state, next.goal)), (outcome, goal), "{:?}", self.path);
                    same(&next.state, &next_life);
                    self.steps += 1;
                    self.walk(&next.state, &next_life, rest);
                }
            }
            self.path.pop();
        }
    }

    fn report(&self, what: &str) {
        let Self { sequences, steps, refused, .. } = self;
        println!("{what}: {sequences} sequences; {steps} steps done, and refused {refused:?}");
    }
}

fn no_plan() -> AnyState {
    let md = Utf8PathBuf::from("/root/session/.opencrabs_plan_s.md");
    AnyState::NoPlan(NoPlan::new(Site::new(SessionId::new("s").unwrap(), md)))
}

/// The state and the model after `acts`, all of which are done.
fn after(acts: &[Act]) -> (AnyState, Life) {
    let mut engine = Engine { fresh: 1 << 64 };
    let mut life = Life::NEW;
    let mut state = no_plan();
    for act in acts {
        assert_eq!(life.act(*act).0, Outcome::Done);
        let Ok(next) = engine.act(&state, *act) else { panic!("{act:?} is refused") };
        state = next.state;
    }
    (state, life)
}

const FIRST: Which = Which::Number(1);
const SECOND: Which = Which::Number(2);

const TASK_ACTS: [Act; 12] = [
    Act::Start(FIRST),
    Act::Start(SECOND),
    Act::Start(Which::Implied),
    Act::Complete(FIRST),
    Act::Complete(SECOND),
    Act::Complete(Which::Implied),
    Act::Fail(FIRST),
    Act::Fail(SECOND),
    Act::Fail(Which::Implied),
    Act::Skip(FIRST),
    Act::Skip(SECOND),
    Act::Skip(Which::Implied),
];

// spec: LIFE-1, LIFE-6, LIFE-7, LIFE-8, LIFE-10, LIFE-11, INIT-5, INIT-6, INIT-8, INIT-10, TASK-1, TASK-4, TASK-5, TASK-7
#[test]
fn every_sequence_of_up_to_five_operations() {
    let acts: Vec<Act> = [
        Act::Enter(Who::Person),
        Act::Enter(Who::Yolo),
        Act::Design(Who::Person),
        Act::Design(Who::Cron),
        Act::Checklist(Who::Person, life::CHAIN),
        Act::Checklist(Who::Yolo, life::PAIR),
        Act::Checklist(Who::Subagent, life::ONE),
        Act::Import(Who::Person, life::FORWARD),
        Act::Write(Text::Whole),
        Act::Write(Text::Gaps),
        Act::Approve(Text::Whole),
        Act::Approve(Text::Other),
        Act::Add(life::ONE),
        Act::Add(life::CHAIN),
        Act::Add(life::AFTER_FIRST),
        Act::Add(life::NOWHERE),
        Act::Add(life::CIRCLE),
        Act::Discard,
    ]
    .into_iter()
    .chain(TASK_ACTS)
    .collect();
    let mut walk = Walk::over(&acts);
    walk.walk(&no_plan(), &Life::NEW, 5);
    assert_eq!(walk.sequences, walk.count(5));
    walk.report("up to five operations");
    let mut walk = Walk { thorough: true, ..Walk::over(&acts) };
    walk.walk(&no_plan(), &Life::NEW, 3);
    assert_eq!(walk.sequences, walk.count(3));
    walk.report("up to three, also after a refusal");
}

// spec: TASK-6, TASK-7, TASK-8, TASK-9, TASK-10, GOAL-1, GOAL-2
#[test]
fn every_sequence_of_up_to_five_operations_on_two_tasks() {
    let acts: Vec<Act> =
        TASK_ACTS.into_iter().chain([Act::Start(Which::Number(0)), Act::Skip(Which::Number(3))]).collect();
    for list in [life::CHAIN, life::PAIR, life::FORWARD] {
        let (state, life) = after(&[Act::Checklist(Who::Person, list)]);
        let mut walk = Walk::over(&acts);
        walk.walk(&state, &life, 5);
        walk.report("on two tasks");
    }
}

// spec: LIFE-6, LIFE-7, LIFE-10, INIT-10
#[test]
fn every_origin_in_every_state() {
    let all = [Who::Person, Who::Unasked, Who::Yolo, Who::Cron, Who::Run, Who::A2a, Who::Subagent];
    let acts: Vec<Act> = all
        .into_iter()
        .flat_map(|who| {
            [Act::Enter(who), Act::Design(who), Act::Checklist(who, life::ONE), Act::Import(who, life::ONE)]
        })
        .chain([Act::Discard, Act::Write(Text::Whole), Act::Approve(Text::Whole)])
        .collect();
    let mut walk = Walk::over(&acts);
    walk.walk(&no_plan(), &Life::NEW, 3);
    walk.report("every origin");
}

// spec: TASK-8
#[test]
fn a_checklist_whose_tasks_have_all_ended_is_archived_by_complete_alone() {
    let (state, mut life) = after(&[Act::Checklist(Who::Person, life::PAIR)]);
    let AnyState::Active(mut active) = state else { panic!() };
    for (number, task) in (1..).zip(&mut life.plan.tasks) {
        task.status = Status::Skipped;
        active.checklist.skip(TaskRef::Number(number), None).unwrap();
    }
    let mut walk = Walk::over(&TASK_ACTS);
    walk.walk(&AnyState::Active(active), &life, 1);
    assert_eq!(walk.steps, 1, "complete without a task");
    walk.report("all ended");
}
