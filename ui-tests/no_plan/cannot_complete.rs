//! Rule: Without a plan there is no task to complete. (TASK-7)
//! Instead: Call `init_checklist` or `import` first, and `complete` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::NoPlan;

fn complete_in_no_plan(plan: Plan<NoPlan>, task: TaskRef) {
    let _ = plan.complete(task, None); //~ E0599
}

fn main() {}
