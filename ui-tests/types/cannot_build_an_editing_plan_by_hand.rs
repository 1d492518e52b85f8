//! Rule: A design begins with `init_design`, never by being written down as one. (API-3)
//! Instead: Call `init_design` on a `Plan<NoPlan>` or a `Plan<PreInit>`.

use plangate::Plan;
use plangate::plan::Editing;

fn with_another_state(plan: Plan<Editing>, state: Box<Editing>) -> Plan<Editing> {
    Plan { state, ..plan } //~ E0451
}

fn main() {}
