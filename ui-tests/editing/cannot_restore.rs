//! Rule: An archived plan does not come back over a design that is being written. (LIFE-6)
//! Instead: Have a person `discard` the design, and call `restore` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::Editing;
use plangate::store::ArchiveName;

fn restore_in_editing(plan: Plan<Editing>, name: ArchiveName) {
    let _ = plan.restore(name); //~ E0599
}

fn main() {}
