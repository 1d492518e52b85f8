use super::{Active, Editing, NoPlan, PreInit, Site, StateName, StateRef};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::NoPlan {}
    impl Sealed for super::PreInit {}
    impl Sealed for super::Editing {}
    impl Sealed for super::Active {}
}

/// A state of a plan. Sealed: there are four, and nobody outside this crate can add one (API-3).
pub trait State: sealed::Sealed + Send + Sync + 'static + Sized {
    /// The state's name.
    const NAME: StateName;

    /// Whose plan it is.
    fn site(&self) -> &Site;

    /// The state by its name, borrowed.
    fn as_any(&self) -> StateRef<'_>;
}

macro_rules! state {
    ($state:ident, $site:expr) => {
        impl State for $state {
            const NAME: StateName = StateName::$state;

            fn site(&self) -> &Site {
                let site: fn(&$state) -> &Site = $site;
                site(self)
            }

            fn as_any(&self) -> StateRef<'_> {
                StateRef::$state(self)
            }
        }
    };
}

state!(NoPlan, |state| &state.site);
state!(PreInit, |state| state.header.site());
state!(Editing, |state| state.header.site());
state!(Active, |state| state.header.site());
