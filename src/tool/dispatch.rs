use super::reply::{Done, Reply};
use super::request::Request;
use crate::model::{Task, TaskName, TaskRef, TaskStatus};
use crate::plan::Operation;
use crate::session::{AnyPlan, Completion, Plan, Session, TransitionError, Work};
use crate::{Error, plan};

/// What one operation has led to, before it is put into words.
type Outcome = Result<(AnyPlan, Done), Error>;

impl Session {
    /// Answers one call of the `plan` tool: under the session's lock, or without one for `status`.
    ///
    /// A refusal is an answer, not an error of the program: [`Reply::is_refusal`].
    pub fn answer(&self, request: Request) -> Work<Reply> {
        let session = self.clone();
        Work::new(move || {
            let operation = request.operation();
            if let Request::Status(page) = request {
                return match session.view().wait() {
                    Ok(view) => Reply::status(&view, page),
                    Err(error) => Reply::refused(operation, &Error::Load(error)),
                };
            }
            let outcome = session.exclusive().wait().and_then(|plan| perform(plan, request));
            match outcome {
                Ok((plan, done)) => {
                    let plan = plan.release().wait();
                    Reply::done(&plan, &done)
                }
                Err(error) => Reply::refused(operation, &error),
            }
        })
    }
}

/// Calls the typed method of the state. What a state does not offer is answered from the table.
fn perform(plan: AnyPlan, request: Request) -> Outcome {
    let operation = request.operation();
    match (request, plan) {
        (Request::InitDesign(brief), AnyPlan::NoPlan(plan)) => began(plan.init_design(brief).wait(), Done::Designed),
        (Request::InitDesign(brief), AnyPlan::PreInit(plan)) => began(plan.init_design(brief).wait(), Done::Designed),
        (Request::InitChecklist(brief, tasks), AnyPlan::NoPlan(plan)) => {
            began(plan.init_checklist(brief, tasks).wait(), Done::Listed)
        }
        (Request::InitChecklist(brief, tasks), AnyPlan::PreInit(plan)) => {
            began(plan.init_checklist(brief, tasks).wait(), Done::Listed)
        }
        (Request::Import(file), AnyPlan::NoPlan(plan)) => began(plan.import(file).wait(), Done::Imported),
        (Request::Import(file), AnyPlan::PreInit(plan)) => began(plan.import(file).wait(), Done::Imported),
        (Request::AddTasks(tasks), AnyPlan::Active(plan)) => {
            let count = tasks.len().get();
            began(plan.add_tasks(tasks).wait(), Done::Added(count))
        }
        (Request::Start(task), AnyPlan::Active(plan)) => start(plan, task),
        (Request::Complete(task, output), AnyPlan::Active(plan)) => {
            let named = named(&plan, task);
            ended(plan.complete(task, output).wait()?, Done::Completed(named))
        }
        (Request::Skip(task, reason), AnyPlan::Active(plan)) => {
            let named = named(&plan, task);
            ended(plan.skip(task, reason).wait()?, Done::Skipped(named))
        }
        (Request::Fail(task, output), AnyPlan::Active(plan)) => {
            let named = named(&plan, task);
            began(plan.fail(task, output).wait(), Done::Failed(named))
        }
        (
            Request::InitDesign(_) | Request::InitChecklist(..) | Request::Import(_),
            plan @ (AnyPlan::Editing(_) | AnyPlan::Active(_)),
        )
        | (
            Request::AddTasks(_)
            | Request::Start(_)
            | Request::Complete(..)
            | Request::Skip(..)
            | Request::Fail(..)
            | Request::Status(_),
            plan @ (AnyPlan::NoPlan(_) | AnyPlan::PreInit(_) | AnyPlan::Editing(_)),
        )
        | (Request::Status(_), plan @ AnyPlan::Active(_)) => refuse(plan, operation),
    }
}

/// The table's answer. An operation that the table allows and this tool does not perform changes nothing.
fn refuse(plan: AnyPlan, operation: Operation) -> Outcome {
    match plan.refuse(operation) {
        Some(refusal) => Err(Error::Transition(refusal.into())),
        None => Ok((plan, Done::Nothing)),
    }
}

fn began<S: plan::State, T: plan::State>(plan: Result<Plan<T>, TransitionError<S>>, done: Done) -> Outcome
where
    AnyPlan: From<Plan<T>>,
{
    Ok((plan?.into(), done))
}

fn start(plan: Plan<plan::Active>, task: TaskRef) -> Outcome {
    let before: Vec<u64> = plan.checklist().current().map(Task::number).collect();
    let plan = plan.start(task).wait()?;
    // Which one `start` without a task has chosen: the one that is new among those in progress, else the single one.
    let current: Vec<u64> = plan.checklist().current().map(Task::number).collect();
    let chosen = match task {
        TaskRef::Implied => {
            let new = current.iter().find(|number| !before.contains(number)).or(current.first());
            new.map_or(TaskRef::Implied, |number| TaskRef::Number(*number))
        }
        named => named,
    };
    let named = plan.checklist().get(chosen).map(Into::into);
    Ok((plan.into(), Done::Started(named)))
}

/// The task that an operation is for, as texts name it.
fn named(plan: &Plan<plan::Active>, task: TaskRef) -> Option<TaskName> {
    let checklist = plan.checklist();
    let task = match task {
        TaskRef::Implied => checklist.tasks().find(|task| *task.status() == TaskStatus::InProgress),
        named => checklist.get(named),
    };
    task.map(Into::into)
}

fn ended(completion: Completion, done: Done) -> Outcome {
    Ok(match completion {
        Completion::Continues(plan) => (plan.into(), done),
        Completion::Archived(plan, receipt) => (plan.into(), Done::Archived(receipt)),
    })
}
