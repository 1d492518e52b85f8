//! Rule: A checklist does not begin over a live checklist. (INIT-6)
//! Instead: Finish the checklist, or have a person `discard` it, and call `init_checklist` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::model::TaskDrafts;
use plangate::plan::{Active, Brief};

fn init_checklist_in_active(plan: Plan<Active>, brief: Brief, tasks: TaskDrafts) {
    let _ = plan.init_checklist(brief, tasks); //~ E0599
}

fn main() {}
