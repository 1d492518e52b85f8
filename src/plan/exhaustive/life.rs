//! What a plan does, told as simply as it can be: one value and one function, written from `docs/lifecycle.md` and not from
//! the engine, of which it uses nothing. Tests hold the engine against it.

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// A person's session, whose host asks before an `init`.
    Person,
    /// A person's session, whose host cannot ask.
    Unasked,
    Yolo,
    Cron,
    Run,
    A2a,
    Subagent,
}

/// The state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    NoPlan,
    PreInit,
    Editing,
    Active,
}

/// What can stand in the session `.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// The outline as a design `init` writes it.
    Fresh,
    /// No text at all.
    Empty,
    /// An outline with a blank label.
    Gaps,
    /// A complete outline.
    Whole,
    /// Another complete outline.
    Other,
    /// Bytes that are no UTF-8.
    Garbage,
}

/// A task of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) waits_for: &'static [On],
    pub(crate) has_criteria: bool,
}

/// What a draft waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    /// The task with this number in the whole checklist.
    Number(usize),
    /// The task at this position of the same call, from 1.
    Call(usize),
}

impl On {
    /// The number in a checklist that had `before` tasks.
    pub(crate) fn number(self, before: usize) -> usize {
        match self {
            Self::Number(number) => number,
            Self::Call(position) => before + position,
        }
    }
}

pub(crate) const ONE: &[Draft] = &[Draft { waits_for: &[], has_criteria: true }];
/// Two tasks, of which the second waits for the first.
pub(crate) const CHAIN: &[Draft] =
    &[Draft { waits_for: &[], has_criteria: true }, Draft { waits_for: &[On::Call(1)], has_criteria: false }];
/// Two tasks that wait for nothing.
pub(crate) const PAIR: &[Draft] =
    &[Draft { waits_for: &[], has_criteria: false }, Draft { waits_for: &[], has_criteria: true }];
/// Two tasks, of which the first waits for the second, named twice.
pub(crate) const FORWARD: &[Draft] = &[
    Draft { waits_for: &[On::Call(2), On::Call(2)], has_criteria: false },
    Draft { waits_for: &[], has_criteria: false },
];
/// A task that waits for task 1, which is itself where the checklist is empty.
pub(crate) const AFTER_FIRST: &[Draft] = &[Draft { waits_for: &[On::Number(1)], has_criteria: false }];
/// A good task and one that waits for nobody's number.
pub(crate) const NOWHERE: &[Draft] =
    &[Draft { waits_for: &[], has_criteria: false }, Draft { waits_for: &[On::Number(99)], has_criteria: false }];
/// Two tasks that wait for each other.
pub(crate) const CIRCLE: &[Draft] = &[
    Draft { waits_for: &[On::Call(2)], has_criteria: false },
    Draft { waits_for: &[On::Call(1)], has_criteria: false },
];

/// Which task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Number(usize),
    Implied,
}

/// Something that is done to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Enter(Who),
    Design(Who),
    Checklist(Who, &'static [Draft]),
    Import(Who, &'static [Draft]),
    Write(Text),
    /// Somebody changes the `.md` without the engine; `None` removes it.
    ByHand(Option<Text>),
    Sync,
    /// A person approves the text that they saw.
    Approve(Text),
    Add(&'static [Draft]),
    Start(Which),
    Complete(Which),
    Fail(Which),
    Skip(Which),
    Discard,
    /// A person restores the entry at this position of the archive.
    Restore(usize),
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was done and written.
    Done,
    /// It succeeded, and there was nothing to write.
    Idle,
    /// It was refused with this code, and nothing changed.
    Refused(&'static str),
}

/// What the goal manager is asked; tasks by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalCall {
    Set(usize),
    Clear(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Pending,
    InProgress,
    Failed,
    Completed,
    Skipped,
}

impl Status {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::InProgress => "InProgress",
            Self::Failed => "Failed",
            Self::Completed => "Completed",
            Self::Skipped => "Skipped",
        }
    }

    fn ended(self) -> bool {
        matches!(self, Self::Completed | Self::Skipped)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) status: Status,
    pub(crate) waits_for: Vec<usize>,
    pub(crate) has_criteria: bool,
}

/// The plan itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) phase: Phase,
    /// What the record says is in the `.md`.
    pub(crate) mirrored: Option<Text>,
    pub(crate) approved: bool,
    pub(crate) tasks: Vec<Task>,
    /// The number of the task whose goal is set.
    pub(crate) goal: Option<usize>,
}

impl Plan {
    const NONE: Self = Self { phase: Phase::NoPlan, mirrored: None, approved: false, tasks: Vec::new(), goal: None };

    fn all_ended(&self) -> bool {
        self.tasks.iter().all(|task| task.status.ended())
    }
}

/// Why something is in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Completed,
    Discarded,
    Orphan,
}

/// Something in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) why: Kept,
    /// The plan as it was before it ended; none for a `.md` alone.
    pub(crate) plan: Option<Plan>,
    pub(crate) md: Option<Text>,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Life {
    pub(crate) plan: Plan,
    /// What is in the `.md`.
    pub(crate) md: Option<Text>,
    pub(crate) archive: Vec<Entry>,
}

type Told = (Outcome, Option<GoalCall>);

const fn refused(code: &'static str) -> Told {
    (Outcome::Refused(code), None)
}

const DONE: Told = (Outcome::Done, None);
const IDLE: Told = (Outcome::Idle, None);

impl Life {
    pub(crate) const NEW: Self = Self { plan: Plan::NONE, md: None, archive: Vec::new() };

    /// Does `act`, or refuses it.
    pub(crate) fn act(&mut self, act: Act) -> Told {
        use Phase::{Active, Editing, NoPlan, PreInit};
        let phase = self.plan.phase;
        match (act, phase) {
            (Act::ByHand(text), _) => {
                self.md = text;
                IDLE
            }

            (Act::Enter(Who::Person | Who::Unasked), NoPlan) => {
                self.plan.phase = PreInit;
                DONE
            }
            (Act::Enter(Who::Subagent) | Act::Design(Who::Subagent), NoPlan) => refused("subagent"),
            (Act::Enter(_), NoPlan) => refused("headless-design"),
            (Act::Enter(_), PreInit) => IDLE,
            (Act::Enter(_), Editing) => refused("already-planning"),
            (Act::Enter(_), Active) => refused("plan-is-live"),

            (Act::Design(who), NoPlan) if !matches!(who, Who::Person | Who::Unasked) => refused("headless-design"),
            (Act::Design(_), NoPlan | PreInit) => {
                self.put_orphan();
                self.md = Some(Text::Fresh);
                self.plan = Plan { phase: Editing, mirrored: self.md, ..Plan::NONE };
                DONE
            }

            (Act::Checklist(who, drafts) | Act::Import(who, drafts), NoPlan | PreInit) => {
                match who {
                    Who::Subagent => return refused("subagent"),
                    // Whoever is in PreInit was sent there by a person.
                    Who::Person => {}
                    _ if phase == PreInit => return refused("nobody-asked"),
                    _ => {}
                }
                let tasks = match appended(&[], drafts) {
                    Ok(tasks) => tasks,
                    Err(code) => return refused(code),
                };
                self.put_orphan();
                self.plan = Plan { phase: Active, tasks, ..Plan::NONE };
                DONE
            }

            (Act::Design(_) | Act::Checklist(..) | Act::Import(..) | Act::Restore(_), Editing | Active)
            | (Act::Restore(_), PreInit) => refused("discard-first"),

            (Act::Write(_) | Act::Sync | Act::Approve(_), NoPlan) => refused("no-plan"),
            (Act::Write(_) | Act::Sync | Act::Approve(_), PreInit) => refused("init-first"),
            (Act::Write(_) | Act::Sync, Active) => refused("frozen"),
            (Act::Approve(_), Active) => refused("already-active"),
            (Act::Write(text), Editing) => {
                self.md = Some(text);
                self.plan.mirrored = self.md;
                DONE
            }
            (Act::Sync, Editing) => match self.md {
                None | Some(Text::Garbage) => IDLE,
                text if text == self.plan.mirrored => IDLE,
                text => {
                    self.plan.mirrored = text;
                    DONE
                }
            },
            (Act::Approve(seen), Editing) => match self.md {
                Some(text @ (Text::Whole | Text::Other)) if text == seen => {
                    self.plan = Plan { phase: Active, approved: true, mirrored: self.md, ..Plan::NONE };
                    DONE
                }
                Some(Text::Whole | Text::Other) => refused("digest-changed"),
                _ => refused("outline-incomplete"),
            },

            (Act::Add(_) | Act::Start(_) | Act::Complete(_) | Act::Fail(_) | Act::Skip(_), NoPlan) => {
                refused("no-plan")
            }
            (Act::Add(_) | Act::Start(_) | Act::Complete(_) | Act::Fail(_) | Act::Skip(_), PreInit) => {
                refused("init-first")
            }
            (Act::Add(_) | Act::Start(_) | Act::Complete(_) | Act::Fail(_) | Act::Skip(_), Editing) => {
                refused("approve-first")
            }
            (Act::Add(drafts), Active) => match appended(&self.plan.tasks, drafts) {
                Ok(tasks) => {
                    self.plan.tasks = tasks;
                    DONE
                }
                Err(code) => refused(code),
            },
            (Act::Start(_) | Act::Complete(_) | Act::Fail(_) | Act::Skip(_), Active) if self.plan.tasks.is_empty() => {
                refused("no-tasks")
            }
            (Act::Start(which), Active) => self.start(which),
            (Act::Complete(Which::Implied), Active) if self.plan.all_ended() => self.end(Kept::Completed, None),
            (Act::Complete(which), Active) => self.finish(which, Status::Completed),
            (Act::Fail(which), Active) => self.finish(which, Status::Failed),
            (Act::Skip(which), Active) => self.finish(which, Status::Skipped),

            (Act::Discard, NoPlan) => IDLE,
            (Act::Discard, PreInit) => {
                self.plan = Plan::NONE;
                DONE
            }
            (Act::Discard, Editing | Active) => {
                if phase == Editing {
                    // The record is saved, and that syncs what is there.
                    self.act(Act::Sync);
                }
                self.end(Kept::Discarded, self.plan.goal)
            }
            (Act::Restore(position), NoPlan) => match self.archive.get(position).cloned() {
                Some(Entry { why: Kept::Discarded, plan: Some(plan), md }) => {
                    self.put_orphan();
                    // Its goal was cleared when it was discarded.
                    self.plan = Plan { goal: None, ..plan };
                    self.md = md;
                    DONE
                }
                Some(Entry { why: Kept::Completed, .. }) => refused("completed"),
                _ => refused("not-archived"),
            },
        }
    }

    fn put_orphan(&mut self) {
        if let Some(text) = self.md.take() {
            self.archive.push(Entry { why: Kept::Orphan, plan: None, md: Some(text) });
        }
    }

    fn end(&mut self, why: Kept, clear: Option<usize>) -> Told {
        let plan = std::mem::replace(&mut self.plan, Plan::NONE);
        self.archive.push(Entry { why, plan: Some(plan), md: self.md.take() });
        (Outcome::Done, clear.map(GoalCall::Clear))
    }

    fn start(&mut self, which: Which) -> Told {
        let tasks = &mut self.plan.tasks;
        let ended = |number: &usize| tasks.get(number - 1).is_none_or(|task| task.status.ended());
        let ready = |task: &Task| task.status == Status::Pending && task.waits_for.iter().all(ended);
        let mut running = (1..).zip(tasks.iter()).filter(|(_, task)| task.status == Status::InProgress);
        let number = match which {
            Which::Number(number) => number,
            Which::Implied => match (running.next(), running.next()) {
                (Some((single, _)), None) => single,
                _ => match tasks.iter().position(ready) {
                    Some(position) => position + 1,
                    None if self.plan.all_ended() => return refused("already-ended"),
                    None => return refused("unmet-dependencies"),
                },
            },
        };
        let Some(task) = number.checked_sub(1).and_then(|position| tasks.get(position)) else {
            return refused("unknown-task");
        };
        let has_criteria = task.has_criteria;
        match task.status {
            Status::Completed | Status::Skipped => refused("already-ended"),
            Status::InProgress => {
                let owns = self.plan.goal == Some(number);
                (Outcome::Idle, owns.then_some(GoalCall::Set(number)))
            }
            Status::Pending if !ready(task) => refused("unmet-dependencies"),
            Status::Pending | Status::Failed => {
                tasks[number - 1].status = Status::InProgress;
                if has_criteria {
                    self.plan.goal = Some(number);
                }
                (Outcome::Done, has_criteria.then_some(GoalCall::Set(number)))
            }
        }
    }

    fn finish(&mut self, which: Which, with: Status) -> Told {
        let tasks = &mut self.plan.tasks;
        let running: Vec<usize> =
            (1..).zip(tasks.iter()).filter(|(_, task)| task.status == Status::InProgress).map(|(at, _)| at).collect();
        let number = match (which, &running[..]) {
            (Which::Number(number), _) => number,
            (Which::Implied, [single]) => *single,
            (Which::Implied, []) if self.plan.all_ended() => return refused("already-ended"),
            (Which::Implied, []) => return refused("not-started"),
            (Which::Implied, _) => return refused("several-in-progress"),
        };
        let Some(task) = number.checked_sub(1).and_then(|position| tasks.get_mut(position)) else {
            return refused("unknown-task");
        };
        match task.status {
            Status::Completed | Status::Skipped => return refused("already-ended"),
            Status::Pending | Status::Failed if with != Status::Skipped => return refused("not-started"),
            _ => task.status = with,
        }
        let clear = self.plan.goal.filter(|owner| *owner == number && with != Status::Failed);
        if clear.is_some() {
            self.plan.goal = None;
        }
        if self.plan.all_ended() {
            return self.end(Kept::Completed, clear);
        }
        (Outcome::Done, clear.map(GoalCall::Clear))
    }
}

/// The tasks with the drafts behind them, or the code of the first refusal.
fn appended(tasks: &[Task], drafts: &[Draft]) -> Result<Vec<Task>, &'static str> {
    let mut all = tasks.to_vec();
    let total = tasks.len() + drafts.len();
    for draft in drafts {
        let own = all.len() + 1;
        let mut waits_for = Vec::new();
        for on in draft.waits_for {
            match on.number(tasks.len()) {
                number if number == own => return Err("self-dependency"),
                number if number == 0 || number > total => return Err("unknown-dependency"),
                number if waits_for.contains(&number) => {}
                number => waits_for.push(number),
            }
        }
        all.push(Task { status: Status::Pending, waits_for, has_criteria: draft.has_criteria });
    }
    // Whoever can be put before all that wait for it goes; a circle is what is left.
    let mut left: Vec<usize> = (1..=total).collect();
    loop {
        let before = left.len();
        let waiting = left.clone();
        left.retain(|number| all[number - 1].waits_for.iter().any(|on| waiting.contains(on)));
        match left.len() {
            0 => return Ok(all),
            after if after == before => return Err("dependency-cycle"),
            _ => {}
        }
    }
}
