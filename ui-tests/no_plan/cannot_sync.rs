//! Rule: Without a plan there is no design to sync. (API-1)
//! Instead: Call `init_design` first, and `sync` on the `Plan<Editing>` that it gives.

use plangate::Plan;
use plangate::plan::NoPlan;

fn sync_in_no_plan(plan: Plan<NoPlan>) {
    let _ = plan.sync(); //~ E0599
}

fn main() {}
