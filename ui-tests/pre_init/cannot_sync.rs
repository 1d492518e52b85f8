//! Rule: Plan mode is not a plan yet: before `init` there is no design to sync. (API-1)
//! Instead: Call `init_design` first, and `sync` on the `Plan<Editing>` that it gives.

use plangate::Plan;
use plangate::plan::PreInit;

fn sync_in_pre_init(plan: Plan<PreInit>) {
    let _ = plan.sync(); //~ E0599
}

fn main() {}
