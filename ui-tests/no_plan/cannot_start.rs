//! Rule: Without a plan there is no task to start. (TASK-7)
//! Instead: Call `init_checklist` or `import` first, and `start` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::NoPlan;

fn start_in_no_plan(plan: Plan<NoPlan>, task: TaskRef) {
    let _ = plan.start(task); //~ E0599
}

fn main() {}
