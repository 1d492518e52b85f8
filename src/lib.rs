//! The plan lifecycle engine for coding agents: **plan mode that holds**.
//!
//! An agent first *designs* in a session `.md` that a person approves, or goes straight to a *checklist*. Until then a gate
//! keeps it from changing the project. The plan lives on disk alone: it survives restarts, crashes, compaction and other
//! processes.
//!
//! ```
//! use plangate::model::{Body, TaskDraft, TaskDrafts, TaskRef};
//! use plangate::plan::{Approval, Brief};
//! use plangate::session::Completion;
//! use plangate::{AnyPlan, Engine, SessionId};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let root = camino::Utf8PathBuf::try_from(folder.path().to_path_buf())?;
//! let engine = Engine::at(root).build()?;
//! let session = engine.session(SessionId::new("a1")?);
//!
//! // Four states, four types: each has the methods of its state alone.
//! let AnyPlan::NoPlan(plan) = session.load().wait()? else { return Ok(()) };
//! let plan = plan.enter().wait()?; // Plan<PreInit>
//! let plan = plan.init_design(Brief::new("Swap the cache")?).wait()?; // Plan<Editing>
//!
//! // The agent writes the design; the engine tells what the outline lacks.
//! assert!(!plan.gaps().is_empty());
//! let plan = plan
//!     .write_markdown(Body::new(
//!         "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
//!          - **Intent:** latency\n\n## Implementation steps\n1. Swap it — in cache.rs\n",
//!     )?)
//!     .wait()?;
//!
//! // A person approves the text that they saw.
//! let seen = plan.markdown().digest().ok_or("there is a text")?;
//! let plan = plan.approve(Approval::new("ada", "terminal", seen)).wait()?; // Plan<Active>
//!
//! // The steps become tasks, and the tasks are worked off; the last one archives the plan.
//! let plan = plan.add_tasks(TaskDrafts::new(TaskDraft::new("Swap it", "in cache.rs")?)).wait()?;
//! let plan = plan.start(TaskRef::Implied).wait()?;
//! let Completion::Archived(_, receipt) = plan.complete(TaskRef::Implied, None).wait()? else { return Ok(()) };
//! assert!(receipt.json.is_some_and(|json| json.exists()));
//! # Ok(())
//! # }
//! ```
//!
//! Where to look:
//! - [`session`]: the handles. [`Engine`] gives a [`Session`], a session loads an [`AnyPlan`], and [`Plan`] has the lifecycle
//!   as methods. Everything that touches the disk is a [`Work`]: `.await` it, or run it with `.wait()`.
//! - [`plan`]: the states as data, the table of operations, and every [`Refusal`](plan::Refusal).
//! - [`model`]: ids, texts, tasks and the checklist. [`outline`]: the form of the session `.md`.
//! - [`store`]: where files are, and what can go wrong with them. [`record`]: what is wrong with a damaged one.
//! - [`event`] and [`goal`]: what the engine tells others.
//!
//! Without default features the library is all there is: no runtime is started, and no environment variable, home folder or
//! terminal is looked at.

#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

// The table of the store's proofs is shared with those that run real processes, which know the crate by its name.
#[cfg(all(test, unix))]
extern crate self as plangate;

#[cfg(feature = "agents")]
pub mod agents;
pub mod clock;
pub mod digest;
pub mod event;
pub mod gate;
pub mod goal;
mod json;
pub mod model;
pub mod outline;
pub mod plan;
pub mod record;
mod reminder;
pub mod session;
pub mod store;
pub mod tool;

pub use model::SessionId;
pub use session::{AnyPlan, Engine, Error, Plan, Session, Work};

/// The README's example is compiled and run with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
