//! Rule: The `.md` of an active plan is frozen, so nothing is written to it. (LIFE-5)
//! Instead: Leave the design as it is, and add what is new to the checklist with `add_tasks`.

use plangate::Plan;
use plangate::model::Body;
use plangate::plan::Active;

fn write_markdown_in_active(plan: Plan<Active>, body: Body) {
    let _ = plan.write_markdown(body); //~ E0599
}

fn main() {}
