//! Rule: Plan mode is not a plan yet: before `init` there is no task to mark as failed. (API-1)
//! Instead: Call `init_checklist` or `import` first, and `fail` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::PreInit;

fn fail_in_pre_init(plan: Plan<PreInit>, task: TaskRef) {
    let _ = plan.fail(task, None); //~ E0599
}

fn main() {}
