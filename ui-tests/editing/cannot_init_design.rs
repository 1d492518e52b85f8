//! Rule: A design does not begin over a design that is being written. (INIT-6)
//! Instead: Have a person `discard` the design, and call `init_design` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::{Brief, Editing};

fn init_design_in_editing(plan: Plan<Editing>, brief: Brief) {
    let _ = plan.init_design(brief); //~ E0599
}

fn main() {}
