//! Rule: There are four states, and nobody adds a fifth from outside. (API-3)
//! Instead: Keep what you know beyond the plan's state beside the plan, in a type of your own.

use plangate::plan::{Site, State, StateName, StateRef};

struct Done(Site);

impl State for Done { //~ E0277
    const NAME: StateName = StateName::Active;

    fn site(&self) -> &Site {
        &self.0
    }

    fn as_any(&self) -> StateRef<'_> {
        unreachable!()
    }
}

fn main() {}
