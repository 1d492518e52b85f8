//! Who drives an agent, as far as its payloads say.

use crate::model::Origin;

/// The origin of a session in that permission mode. Modes that are not known count as ones where nobody is asked.
pub(super) fn of_mode(mode: Option<&str>, subagent: bool) -> Origin {
    match mode {
        _ if subagent => Origin::Subagent,
        None | Some("default" | "acceptEdits" | "plan" | "auto") => Origin::Interactive,
        Some(_) => Origin::Yolo,
    }
}
