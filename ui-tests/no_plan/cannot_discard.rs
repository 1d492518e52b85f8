//! Rule: Without a plan there is nothing to discard. (LIFE-9)
//! Instead: Leave the call out; for a plan whose state is not known, `AnyPlan::discard` succeeds and writes nothing.

use plangate::Plan;
use plangate::plan::NoPlan;

fn discard_in_no_plan(plan: Plan<NoPlan>) {
    let _ = plan.discard(); //~ E0599
}

fn main() {}
