//! The public handles: an [`Engine`] gives a [`Session`], a session loads an [`AnyPlan`], and a [`Plan`] in a state has the
//! methods of that state alone.
//!
//! Every method that touches the disk gives a [`Work`]: `.await` it, or run it with `.wait()` in a program without a
//! runtime.

mod active;
mod any_plan;
mod claim;
mod editing;
mod engine;
mod error;
mod handle;
mod held;
mod judge;
mod no_plan;
mod plan;
mod pre_init;
#[cfg(all(test, unix))]
mod proof;
mod result;
mod transition;
mod view;
#[cfg(feature = "watch")]
mod watch;
mod work;

pub use any_plan::{AnyPlan, AnyTransition, Refused, WrongState};
pub use engine::{Engine, EngineBuilder, InvalidRoot};
pub use error::{Error, Reason};
pub use handle::Session;
pub use held::Notice;
pub use plan::Plan;
pub use result::{Completion, Receipt, Restored};
pub use transition::{Transition, TransitionError};
pub use view::{PlanPaths, PlanView};
#[cfg(feature = "watch")]
pub use watch::Watch;
pub use work::{Work, Working};
