//! Rule: Plan mode is not a plan yet: before `init` there is no task to start. (TASK-7)
//! Instead: Call `init_checklist` or `import` first, and `start` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::PreInit;

fn start_in_pre_init(plan: Plan<PreInit>, task: TaskRef) {
    let _ = plan.start(task); //~ E0599
}

fn main() {}
