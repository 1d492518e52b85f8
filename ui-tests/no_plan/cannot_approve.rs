//! Rule: Without a plan there is no design to approve. (LIFE-8)
//! Instead: Call `init_design` first, and `approve` on the `Plan<Editing>` that it gives.

use plangate::Plan;
use plangate::plan::{Approval, NoPlan};

fn approve_in_no_plan(plan: Plan<NoPlan>, approval: Approval) {
    let _ = plan.approve(approval); //~ E0599
}

fn main() {}
