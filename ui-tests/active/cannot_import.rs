//! Rule: A file is not imported over a live checklist. (INIT-6)
//! Instead: Finish the checklist, or have a person `discard` it, and call `import` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::Active;

fn import_in_active(plan: Plan<Active>) {
    let _ = plan.import("plan.json"); //~ E0599
}

fn main() {}
