//! Rule: An archived plan does not come back over a live checklist. (LIFE-6)
//! Instead: Finish the checklist, or have a person `discard` it, and call `restore` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::Active;
use plangate::store::ArchiveName;

fn restore_in_active(plan: Plan<Active>, name: ArchiveName) {
    let _ = plan.restore(name); //~ E0599
}

fn main() {}
