//! Rule: A checklist does not begin over a design that is being written. (INIT-6)
//! Instead: Have a person `discard` the design, and call `init_checklist` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::model::TaskDrafts;
use plangate::plan::{Brief, Editing};

fn init_checklist_in_editing(plan: Plan<Editing>, brief: Brief, tasks: TaskDrafts) {
    let _ = plan.init_checklist(brief, tasks); //~ E0599
}

fn main() {}
