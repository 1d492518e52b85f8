//! Rule: A plan is one value, so that no copy of the old state outlives a transition. (API-2)
//! Instead: Load the plan again where a second handle is meant; the slower of the two is told that it is stale.

use plangate::Plan;
use plangate::plan::Editing;

fn twice(plan: &Plan<Editing>) -> Plan<Editing> {
    plan.clone() //~ E0308
}

fn main() {}
