//! Rule: A design that no person has approved has no task to start. (TASK-7)
//! Instead: Have a person approve the design, add its steps with `add_tasks`, and call `start` then.

use plangate::Plan;
use plangate::model::TaskRef;
use plangate::plan::Editing;

fn start_in_editing(plan: Plan<Editing>, task: TaskRef) {
    let _ = plan.start(task); //~ E0599
}

fn main() {}
