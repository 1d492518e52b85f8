//! Rule: Plan mode is not a plan yet: before `init` there is no task to complete. (TASK-7)
//! Instead: Call `init_checklist` or `import` first, and `complete` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::PreInit;

fn complete_in_pre_init(plan: Plan<PreInit>, task: TaskRef) {
    let _ = plan.complete(task, None); //~ E0599
}

fn main() {}
