//! Claude Code.
//!
//! - A subagent's call has the main session's id, and `agent_id` and `agent_type` as marks.
//! - A call of a server's tool names the server in `mcp_server` too.
//! - Paths come absolute, whatever the model wrote.
//! - A scheduled wake-up and a task's notification arrive as `UserPromptSubmit`, like typed prompts.

use camino::Utf8Path;

use super::events::{self, Events, Kind};
use super::fields::Fields;
use super::{Event, Payload, PayloadError, Subagent, origin};
use crate::gate::{Act, Catalog, ToolCall};

const EVENTS: Events = Events {
    before: &["PreToolUse"],
    after: &["PostToolUse", "PostToolUseFailure"],
    start: &["SessionStart"],
    prompt: &["UserPromptSubmit"],
    subagent: &["SubagentStart"],
    others: &[
        "PermissionRequest",
        "PermissionDenied",
        "UserPromptExpansion",
        "Notification",
        "Stop",
        "StopFailure",
        "SubagentStop",
        "PreCompact",
        "PostCompact",
        "SessionEnd",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
        "ConfigChange",
        "InstructionsLoaded",
        "CwdChanged",
        "FileChanged",
        "WorktreeCreate",
        "WorktreeRemove",
        "Setup",
        "Elicitation",
        "ElicitationResult",
    ],
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
    let subagent = subagent(fields)?;
    let origin = origin::of_mode(fields.text("permission_mode")?.as_deref(), subagent.is_some());
    Ok(Payload { event, session: fields.required_session("session_id")?, subagent, cwd, origin })
}

/// The marks of a subagent's call. It is part of the session that it is sent with.
pub(super) fn subagent(fields: &Fields<'_>) -> Result<Option<Subagent>, PayloadError> {
    let kind = fields.text("agent_type")?;
    Ok(fields.text("agent_id")?.map(|id| Subagent { id, kind, parent: None }))
}

fn call(fields: &Fields<'_>, cwd: &Utf8Path) -> Result<ToolCall, PayloadError> {
    let tool = fields.required("tool_name")?;
    let mut call = Catalog::ClaudeCode.call(&tool, fields.arguments("tool_input"), cwd);
    if let Some(server) = fields.object("mcp_server")? {
        // The name alone would do for a server whose own name ends like ours.
        let server = server.required("name")?;
        let of_server = tool.strip_prefix("mcp__").and_then(|rest| rest.strip_prefix(&*server));
        if !of_server.is_some_and(|rest| rest.starts_with("__")) {
            call.act = Act::Unknown;
        }
    }
    Ok(call)
}
