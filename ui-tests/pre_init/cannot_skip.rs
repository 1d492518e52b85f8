//! Rule: Plan mode is not a plan yet: before `init` there is no task to skip. (API-1)
//! Instead: Call `init_checklist` or `import` first, and `skip` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::PreInit;

fn skip_in_pre_init(plan: Plan<PreInit>, task: TaskRef) {
    let _ = plan.skip(task, None); //~ E0599
}

fn main() {}
