//! Rule: A design that no person has approved has no task to complete. (TASK-7)
//! Instead: Have a person approve the design, add its steps with `add_tasks`, and call `complete` then.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::Editing;

fn complete_in_editing(plan: Plan<Editing>, task: TaskRef) {
    let _ = plan.complete(task, None); //~ E0599
}

fn main() {}
