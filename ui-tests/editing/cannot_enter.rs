//! Rule: Plan mode is on while a design is written, so it is not entered again. (LIFE-7)
//! Instead: Go on with the design: `write_markdown` or `sync` it, and have a person `approve` it.

use plangate::Plan;
use plangate::plan::Editing;

fn enter_in_editing(plan: Plan<Editing>) {
    let _ = plan.enter(); //~ E0599
}

fn main() {}
