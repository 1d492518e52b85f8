//! Rule: Plan mode is not entered over a live checklist. (LIFE-7)
//! Instead: Finish the checklist, or have a person `discard` it, and call `enter` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::Active;

fn enter_in_active(plan: Plan<Active>) {
    let _ = plan.enter(); //~ E0599
}

fn main() {}
