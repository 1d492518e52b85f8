//! Rule: Plan mode that is on already is not entered again. (LIFE-7)
//! Instead: Go on with `init_design`, `init_checklist` or `import`; for a plan whose state is not known, `AnyPlan::enter` succeeds and writes nothing.

use plangate::Plan;
use plangate::plan::PreInit;

fn enter_in_pre_init(plan: Plan<PreInit>) {
    let _ = plan.enter(); //~ E0599
}

fn main() {}
