//! Rule: A plan that is active is not approved again. (LIFE-8)
//! Instead: Work off the checklist with `start` and `complete`; where it is empty, `add_tasks` comes first.

use plangate::Plan;
use plangate::plan::{Active, Approval};

fn approve_in_active(plan: Plan<Active>, approval: Approval) {
    let _ = plan.approve(approval); //~ E0599
}

fn main() {}
