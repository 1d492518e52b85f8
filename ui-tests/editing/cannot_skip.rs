//! Rule: A design that no person has approved has no task to skip. (API-1)
//! Instead: Have a person approve the design, add its steps with `add_tasks`, and call `skip` then.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::Editing;

fn skip_in_editing(plan: Plan<Editing>, task: TaskRef) {
    let _ = plan.skip(task, None); //~ E0599
}

fn main() {}
