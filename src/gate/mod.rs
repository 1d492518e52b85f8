//! The gate: given a session's state and one tool call of an agent, allow it, or deny it with a reason that helps.
//!
//! [`Judged`] looks a call's targets up as files, [`decide`] is the table, pure and without I/O, and a [`Verdict`] comes
//! out. [`Session::judge`](crate::Session::judge) does the three in one. Nothing here writes, and whatever cannot be told
//! is answered as if it were the worst.
//!
//! ```text
//! ToolCall --Judged::look_up--> Judged --decide(Situation, Policy)--> Verdict
//! ```

mod call;
mod catalog;
mod command;
mod look;
mod patch;
mod paths;
mod place;
mod policy;
mod policy_file;
mod settings;
mod situation;
mod spelling;
mod texts;
mod verdict;
mod walk;

pub use call::{Act, Target, ToolCall};
pub use catalog::Catalog;
pub use look::{FileId, Kind, Look, Seen, TheDisk};
pub use patch::{PatchError, PatchTargets, patch_targets};
pub use paths::{Judged, Surroundings};
pub use place::{Control, Place, Twin, Unresolved};
pub use policy::{Policy, ShellRule, UnknownTools, decide};
pub use policy_file::PolicyError;
pub use settings::{SETTINGS, Settings};
pub use situation::{Situation, Standing};
pub use verdict::{Denial, Verdict};

pub(crate) use policy_file::POLICY_FILE;
pub(crate) use situation::Places;
