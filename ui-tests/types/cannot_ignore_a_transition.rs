//! Rule: A transition that nobody waits for has not happened, and the compiler says so. (API-2)
//! Instead: Await it (`.await`) or run it (`.wait()`), and take the plan that it gives.

#![deny(unused_must_use)]

use plangate::Plan;
use plangate::plan::Editing;

fn forget(plan: Plan<Editing>) {
    plan.sync(); //~ unused_must_use
}

fn main() {}
