//! Rule: A design that no person has approved has no task to mark as failed. (API-1)
//! Instead: Have a person approve the design, add its steps with `add_tasks`, and call `fail` then.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::Editing;

fn fail_in_editing(plan: Plan<Editing>, task: TaskRef) {
    let _ = plan.fail(task, None); //~ E0599
}

fn main() {}
