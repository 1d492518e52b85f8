//! Rule: Plan mode is not a plan yet: before `init` there is no design to approve. (LIFE-8)
//! Instead: Call `init_design` first, and `approve` on the `Plan<Editing>` that it gives.

use plangate::Plan;
use plangate::plan::{Approval, PreInit};

fn approve_in_pre_init(plan: Plan<PreInit>, approval: Approval) {
    let _ = plan.approve(approval); //~ E0599
}

fn main() {}
