//! Rule: A file is not imported over a design that is being written. (INIT-6)
//! Instead: Have a person `discard` the design, and call `import` on the `Plan<NoPlan>` that this gives.

use plangate::Plan;
use plangate::plan::Editing;

fn import_in_editing(plan: Plan<Editing>) {
    let _ = plan.import("plan.json"); //~ E0599
}

fn main() {}
