//! Rule: Whether a task was the last one, and the plan is archived now, shows in the result and is not passed over. (API-5)
//! Instead: Match on `Completion`: it holds the plan that goes on, or the `Plan<NoPlan>` and where the old one went.

#![deny(unused_must_use)]

use plangate::model::TaskRef;
use plangate::plan::Active;
use plangate::{Error, Plan};

fn complete(plan: Plan<Active>, task: TaskRef) -> Result<(), Error> {
    plan.complete(task, None).wait()?; //~ unused_must_use
    Ok(())
}

fn main() {}
