//! Rule: A design that no person has approved has no checklist to add tasks to. (TASK-1)
//! Instead: Have a person approve the design, and call `add_tasks` on the `Plan<Active>` that `approve` gives.

use plangate::Plan;
use plangate::model::TaskDrafts;
use plangate::plan::Editing;

fn add_tasks_in_editing(plan: Plan<Editing>, tasks: TaskDrafts) {
    let _ = plan.add_tasks(tasks); //~ E0599
}

fn main() {}
