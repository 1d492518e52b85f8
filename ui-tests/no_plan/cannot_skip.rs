//! Rule: Without a plan there is no task to skip. (API-1)
//! Instead: Call `init_checklist` or `import` first, and `skip` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::NoPlan;

fn skip_in_no_plan(plan: Plan<NoPlan>, task: TaskRef) {
    let _ = plan.skip(task, None); //~ E0599
}

fn main() {}
