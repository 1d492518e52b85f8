//! The text of a case that is not written yet, composed from the table.

use std::fmt::Write;

use plangate::plan::{Cell, Operation, StateName, StateRefusal};

use super::pair::{Pair, folder};

/// A whole file.
pub(crate) fn case(pair: Pair) -> String {
    let Pair { state, .. } = pair;
    let method = pair.method();
    let call = Call::of(pair.operation);
    let mut text = format!("//! Rule: {} ({})\n//! Instead: {}\n\n", rule(pair), clause(pair), instead(pair));
    for line in call.uses(state) {
        writeln!(text, "{line}").unwrap();
    }
    let parameters: String = call.parameters.iter().map(|(name, kind)| format!(", {name}: {kind}")).collect();
    write!(
        text,
        "\nfn {method}_in_{}(plan: Plan<{state}>{parameters}) {{\n    let _ = plan.{method}({}); //~ E0599\n}}\n\nfn main() {{}}\n",
        folder(state),
        call.arguments
    )
    .unwrap();
    text
}

fn rule(pair: Pair) -> String {
    let Pair { state, operation } = pair;
    match pair.cell() {
        Cell::Refused(StateRefusal::NoPlan) => format!("Without a plan there is {}.", lacking(operation)),
        Cell::Refused(StateRefusal::InitFirst) => {
            format!("Plan mode is not a plan yet: before `init` there is {}.", lacking(operation))
        }
        Cell::Refused(StateRefusal::ApproveFirst) => {
            format!("A design that no person has approved has {}.", lacking(operation))
        }
        Cell::Refused(StateRefusal::DiscardFirst) => format!("{} over {}.", beginning(operation), live(state)),
        Cell::Refused(StateRefusal::AlreadyPlanning) => {
            "Plan mode is on while a design is written, so it is not entered again.".into()
        }
        Cell::Refused(StateRefusal::PlanIsLive) => "Plan mode is not entered over a live checklist.".into(),
        Cell::Refused(StateRefusal::Frozen) => match operation {
            Operation::Sync => "The `.md` of an active plan is frozen, so nothing is synced from it.".into(),
            _ => "The `.md` of an active plan is frozen, so nothing is written to it.".into(),
        },
        Cell::Refused(StateRefusal::AlreadyActive) => "A plan that is active is not approved again.".into(),
        Cell::Idle => match operation {
            Operation::Enter => "Plan mode that is on already is not entered again.".into(),
            _ => format!("Without a plan there is {}.", lacking(operation)),
        },
        cell => panic!("{pair:?} needs a sentence for {cell:?}"),
    }
}

fn instead(pair: Pair) -> String {
    let Pair { state, operation } = pair;
    let method = pair.method();
    match pair.cell() {
        Cell::Refused(StateRefusal::NoPlan | StateRefusal::InitFirst) => match legal_in(operation) {
            StateName::Editing => {
                format!("Call `init_design` first, and `{method}` on the `Plan<Editing>` that it gives.")
            }
            _ => {
                format!("Call `init_checklist` or `import` first, and `{method}` on the `Plan<Active>` that it gives.")
            }
        },
        Cell::Refused(StateRefusal::ApproveFirst) => match operation {
            Operation::AddTasks => {
                "Have a person approve the design, and call `add_tasks` on the `Plan<Active>` that `approve` gives.".into()
            }
            _ => format!("Have a person approve the design, add its steps with `add_tasks`, and call `{method}` then."),
        },
        Cell::Refused(StateRefusal::DiscardFirst) => {
            let end = match state {
                StateName::PreInit => "Have a person leave plan mode with `discard`",
                StateName::Active => "Finish the checklist, or have a person `discard` it",
                _ => "Have a person `discard` the design",
            };
            format!("{end}, and call `{method}` on the `Plan<NoPlan>` that this gives.")
        }
        Cell::Refused(StateRefusal::AlreadyPlanning) => {
            "Go on with the design: `write_markdown` or `sync` it, and have a person `approve` it.".into()
        }
        Cell::Refused(StateRefusal::PlanIsLive) => {
            "Finish the checklist, or have a person `discard` it, and call `enter` on the `Plan<NoPlan>` that this gives.".into()
        }
        Cell::Refused(StateRefusal::Frozen) => {
            "Leave the design as it is, and add what is new to the checklist with `add_tasks`.".into()
        }
        Cell::Refused(StateRefusal::AlreadyActive) => {
            "Work off the checklist with `start` and `complete`; where it is empty, `add_tasks` comes first.".into()
        }
        Cell::Idle => match operation {
            Operation::Enter => "Go on with `init_design`, `init_checklist` or `import`; for a plan whose state is not known, \
                                 `AnyPlan::enter` succeeds and writes nothing."
                .into(),
            _ => format!(
                "Leave the call out; for a plan whose state is not known, `AnyPlan::{method}` succeeds and writes nothing."
            ),
        },
        cell => panic!("{pair:?} needs advice for {cell:?}"),
    }
}

/// The clause that says it most closely.
fn clause(pair: Pair) -> &'static str {
    match (pair.operation, pair.state) {
        (Operation::Enter, _) => "LIFE-7",
        (Operation::Approve, _) => "LIFE-8",
        (Operation::Discard, _) => "LIFE-9",
        (Operation::InitDesign | Operation::InitChecklist | Operation::Import, _) => "INIT-6",
        (Operation::Restore, _) => "LIFE-6",
        (Operation::AddTasks, _) => "TASK-1",
        (Operation::Start | Operation::Complete, _) => "TASK-7",
        (Operation::WriteMarkdown, StateName::Active) => "LIFE-5",
        (Operation::Sync, StateName::Active) => "MIRROR-4",
        _ => "API-1",
    }
}

/// The one state that has the method of an operation on a plan.
fn legal_in(operation: Operation) -> StateName {
    let mut states =
        StateName::ALL.into_iter().filter(|state| matches!(operation.in_state(*state), Cell::Stays | Cell::Leads(_)));
    states.next().unwrap_or_else(|| panic!("no state allows {operation}"))
}

/// What a session without such a plan has not got.
fn lacking(operation: Operation) -> &'static str {
    match operation {
        Operation::WriteMarkdown => "no design to write",
        Operation::Sync => "no design to sync",
        Operation::Approve => "no design to approve",
        Operation::AddTasks => "no checklist to add tasks to",
        Operation::Start => "no task to start",
        Operation::Complete => "no task to complete",
        Operation::Fail => "no task to mark as failed",
        Operation::Skip => "no task to skip",
        Operation::Discard => "nothing to discard",
        operation => panic!("{operation} needs a phrase for what is lacking"),
    }
}

/// What begins a plan, and does not begin it over another.
fn beginning(operation: Operation) -> &'static str {
    match operation {
        Operation::InitDesign => "A design does not begin",
        Operation::InitChecklist => "A checklist does not begin",
        Operation::Import => "A file is not imported",
        Operation::Restore => "An archived plan does not come back",
        operation => panic!("{operation} needs a phrase for what begins"),
    }
}

fn live(state: StateName) -> &'static str {
    match state {
        StateName::NoPlan => "nothing",
        StateName::PreInit => "plan mode",
        StateName::Editing => "a design that is being written",
        StateName::Active => "a live checklist",
    }
}

/// How a method is called: what comes in, and what is handed on.
struct Call {
    parameters: &'static [(&'static str, &'static str)],
    arguments: &'static str,
    model: &'static [&'static str],
    plan: &'static [&'static str],
    store: &'static [&'static str],
}

impl Call {
    fn of(operation: Operation) -> Self {
        const NOTHING: Call = Call { parameters: &[], arguments: "", model: &[], plan: &[], store: &[] };
        match operation {
            Operation::InitDesign => {
                Self { parameters: &[("brief", "Brief")], arguments: "brief", plan: &["Brief"], ..NOTHING }
            }
            Operation::InitChecklist => Self {
                parameters: &[("brief", "Brief"), ("tasks", "TaskDrafts")],
                arguments: "brief, tasks",
                model: &["TaskDrafts"],
                plan: &["Brief"],
                ..NOTHING
            },
            Operation::Import => Self { arguments: "\"plan.json\"", ..NOTHING },
            Operation::WriteMarkdown => {
                Self { parameters: &[("body", "Body")], arguments: "body", model: &["Body"], ..NOTHING }
            }
            Operation::Approve => {
                Self { parameters: &[("approval", "Approval")], arguments: "approval", plan: &["Approval"], ..NOTHING }
            }
            Operation::AddTasks => {
                Self { parameters: &[("tasks", "TaskDrafts")], arguments: "tasks", model: &["TaskDrafts"], ..NOTHING }
            }
            Operation::Start => {
                Self { parameters: &[("task", "TaskRef")], arguments: "task", model: &["TaskRef"], ..NOTHING }
            }
            Operation::Complete | Operation::Fail | Operation::Skip => {
                Self { parameters: &[("task", "TaskRef")], arguments: "task, None", model: &["TaskRef"], ..NOTHING }
            }
            Operation::Restore => {
                Self { parameters: &[("name", "ArchiveName")], arguments: "name", store: &["ArchiveName"], ..NOTHING }
            }
            Operation::Enter | Operation::Sync | Operation::Discard => NOTHING,
            operation => panic!("{operation} needs to say how it is called"),
        }
    }

    fn uses(&self, state: StateName) -> Vec<String> {
        let mut plan = self.plan.to_vec();
        plan.push(state.as_str());
        plan.sort_unstable();
        let modules = [("model", self.model), ("plan", &plan), ("store", self.store)];
        let used = modules.into_iter().filter(|(_, names)| !names.is_empty());
        let lines = used.map(|(module, names)| match names {
            [name] => format!("use plangate::{module}::{name};"),
            names => format!("use plangate::{module}::{{{}}};", names.join(", ")),
        });
        std::iter::once("use plangate::Plan;".to_owned()).chain(lines).collect()
    }
}
