//! Rule: An archived plan does not come back over plan mode. (LIFE-6)
//! Instead: Have a person leave plan mode with `discard`, and call `restore` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::PreInit;
use plangate::store::ArchiveName;

fn restore_in_pre_init(plan: Plan<PreInit>, name: ArchiveName) {
    let _ = plan.restore(name); //~ E0599
}

fn main() {}
