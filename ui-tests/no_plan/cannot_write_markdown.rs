//! Rule: Without a plan there is no design to write. (API-1)
//! Instead: Call `init_design` first, and `write_markdown` on the `Plan<Editing>` that it gives.

use plangate::Plan;
use plangate::model::Body;
use plangate::plan::NoPlan;

fn write_markdown_in_no_plan(plan: Plan<NoPlan>, body: Body) {
    let _ = plan.write_markdown(body); //~ E0599
}

fn main() {}
