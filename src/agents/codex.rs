//! Codex.
//!
//! - `cwd` is the call's own work folder, not the session's.
//! - A subagent's call has the main session's id, and `agent_id` and `agent_type` as marks; in its first version a subagent's
//!   prompt arrives as `UserPromptSubmit`.
//! - In code mode the program itself is no call; each tool that it calls is one, with an id that begins with `exec-`.
//! - `write_stdin` asks no hook.

use camino::Utf8Path;

use super::events::{self, Events, Kind};
use super::fields::Fields;
use super::{Event, Payload, PayloadError, claude, origin};
use crate::gate::{Catalog, ToolCall};

const EVENTS: Events = Events {
    before: &["PreToolUse"],
    after: &["PostToolUse"],
    start: &["SessionStart"],
    prompt: &["UserPromptSubmit"],
    subagent: &["SubagentStart"],
    others: &["PermissionRequest", "Stop", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd"],
};

pub(super) fn read(fields: &Fields<'_>, event: Option<&str>, folder: &Utf8Path) -> Result<Payload, PayloadError> {
    let name = events::name(fields, "hook_event_name", event)?;
    let cwd = fields.folder("cwd", folder)?;
    let event = match EVENTS.kind(&name) {
        Kind::Before => Event::BeforeCall(call(fields, &cwd)?),
        Kind::After => Event::AfterCall(call(fields, &cwd)?),
        Kind::Start => Event::SessionStart { how: fields.text("source")? },
        Kind::Prompt => Event::Prompt { text: fields.required("prompt")? },
        Kind::Subagent => Event::SubagentStart,
        Kind::Other => Event::Other(name),
        Kind::Unknown => Event::Unknown(name),
    };
    let subagent = claude::subagent(fields)?;
    let origin = origin::of_mode(fields.text("permission_mode")?.as_deref(), subagent.is_some());
    Ok(Payload { event, session: fields.required_session("session_id")?, subagent, cwd, origin })
}

fn call(fields: &Fields<'_>, cwd: &Utf8Path) -> Result<ToolCall, PayloadError> {
    Ok(Catalog::Codex.call(&fields.required("tool_name")?, fields.arguments("tool_input"), cwd))
}
