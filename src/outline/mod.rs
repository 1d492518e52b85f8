//! Template B: the outline of a session `.md`.
//!
//! While a plan is being designed its `.md` follows a small fixed outline: a title, a `## Context` with
//! labels, and `## Implementation steps` with numbered steps. This module renders an empty outline
//! ([`render()`]), renders one for a plan of an older generation ([`render_legacy`]), scans what was
//! written ([`Outline::scan`]) and names what approval still lacks ([`Outline::gaps`]).
//!
//! Everything here is pure: text in, text or values out. The structure is read by a CommonMark parser,
//! so code fences, HTML comments, CRLF and a byte order mark mean here what they mean in any viewer.
//! Clauses: INIT-7, LIFE-11, MIRROR-5, MIRROR-6, REM-5.
//!
//! # Example
//! ```
//! use plangate::outline::{self, Gap, Outline};
//!
//! let fresh = outline::render("Faster start-up", "");
//! assert!(!Outline::scan(&fresh).is_complete());
//!
//! let written = [
//!     "## Context",
//!     "- **Problem:** start-up takes two seconds",
//!     "- **Target state:** start-up takes 200 ms",
//!     "- **Intent:**",
//!     "",
//!     "## Implementation steps",
//!     "1. Load lazily — read the index on first use",
//!     "   - Done when: the start-up test passes",
//! ];
//! let outline = Outline::scan(&written.join("\n"));
//! assert_eq!(outline.gaps(), [Gap::IntentBlank { line: Some(4) }]);
//! assert_eq!(outline.steps()[0].title, "Load lazily");
//! assert_eq!(outline.steps()[0].done_when, ["the start-up test passes"]);
//! ```

mod escape;
mod found;
mod gap;
mod part;
mod prose;
mod render;
mod scan;
mod source;
mod template;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use found::Outline;
pub use gap::Gap;
pub use part::{Part, Step};
pub use render::{LegacyOutline, LegacyStep, render, render_legacy};
pub use template::{REQUIRED_PARTS, template};

pub(crate) use scan::without_comments;
pub(crate) use source::{Lines, normalise};
