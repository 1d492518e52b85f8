//! Rule: Plan mode is not a plan yet: before `init` there is no checklist to add tasks to. (TASK-1)
//! Instead: Call `init_checklist` or `import` first, and `add_tasks` on the `Plan<Active>` that it gives.

use plangate::Plan;
use plangate::model::TaskDrafts;
use plangate::plan::PreInit;

fn add_tasks_in_pre_init(plan: Plan<PreInit>, tasks: TaskDrafts) {
    let _ = plan.add_tasks(tasks); //~ E0599
}

fn main() {}
