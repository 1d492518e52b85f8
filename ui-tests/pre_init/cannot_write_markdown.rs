//! Rule: Plan mode is not a plan yet: before `init` there is no design to write. (API-1)
//! Instead: Call `init_design` first, and `write_markdown` on the `Plan<Editing>` that it gives.

use plangate::Plan;
use plangate::model::Body;
use plangate::plan::PreInit;

fn write_markdown_in_pre_init(plan: Plan<PreInit>, body: Body) {
    let _ = plan.write_markdown(body); //~ E0599
}

fn main() {}
