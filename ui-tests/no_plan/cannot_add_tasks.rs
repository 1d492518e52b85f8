//! Rule: Without a plan there is no checklist to add tasks to. (TASK-1)
//! Instead: Call `init_checklist` or `import` first, and `add_tasks` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskDrafts;
use plangate::plan::NoPlan;

fn add_tasks_in_no_plan(plan: Plan<NoPlan>, tasks: TaskDrafts) {
    let _ = plan.add_tasks(tasks); //~ E0599
}

fn main() {}
