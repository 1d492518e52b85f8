//! Rule: A transition takes the plan by value, so the old state is gone. (API-2)
//! Instead: Go on with the plan that the transition gives, or with the one that its error gives back.

use plangate::plan::{Approval, Editing};
use plangate::{Error, Plan};

fn discard_what_was_approved(plan: Plan<Editing>, approval: Approval) -> Result<(), Error> {
    let active = plan.approve(approval).wait()?;
    drop(active);
    let _ = plan.discard(); //~ E0382
    Ok(())
}

fn main() {}
