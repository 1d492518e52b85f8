//! Rule: The `.md` of an active plan is frozen, so nothing is synced from it. (MIRROR-4)
//! Instead: Leave the design as it is, and add what is new to the checklist with `add_tasks`.

use plangate::Plan;
use plangate::plan::Active;

fn sync_in_active(plan: Plan<Active>) {
    let _ = plan.sync(); //~ E0599
}

fn main() {}
