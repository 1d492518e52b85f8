//! Rule: A design does not begin over a live checklist. (INIT-6)
//! Instead: Finish the checklist, or have a person `discard` it, and call `init_design` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::{Active, Brief};

fn init_design_in_active(plan: Plan<Active>, brief: Brief) {
    let _ = plan.init_design(brief); //~ E0599
}

fn main() {}
