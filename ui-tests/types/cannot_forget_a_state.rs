//! Rule: A `match` on `AnyPlan` deals with every state, so that a new one breaks the build and not the program. (API-6)
//! Instead: Write an arm for each state, and answer what a state does not offer with `AnyPlan::refuse`.

use plangate::AnyPlan;

fn says(plan: &AnyPlan) -> &'static str {
    match plan { //~ E0004
        AnyPlan::NoPlan(_) => "nothing to do",
        AnyPlan::PreInit(_) => "planning",
        AnyPlan::Active(_) => "working",
    }
}

fn main() {}
