//! GitHub Copilot CLI.
//!
//! - Its events have two spellings. Registered in camel case, the payload's fields are in camel case and it does not name
//!   its event; registered in Pascal case, the fields are Claude Code's, the event is named (but for the start of a subagent),
//!   and tools have Claude Code's names with Copilot's own arguments.
//! - A subagent has a session of its own. Its calls name it as `agentId` and as the session, and the session that started it
//!   as `parentAgentId`; the events of its start and end come from that session.
//! - The arguments of `apply_patch` are a text.
//! - A subagent's prompt arrives as a user's.

use camino::Utf8Path;

use super::events::{self, Events, Kind};
use super::fields::{Fields, Names};
use super::{Event, Payload, PayloadError, Subagent, origin};
use crate::gate::{Catalog, ToolCall};

const EVENTS: Events = Events {
    before: &["preToolUse", "PreToolUse"],
    after: &["postToolUse", "PostToolUse", "postToolUseFailure", "PostToolUseFailure"],
    start: &["sessionStart", "SessionStart"],
    prompt: &["userPromptSubmitted", "UserPromptSubmit"],
    subagent: &["subagentStart", "SubagentStart"],
    others: &[
        "permissionRequest",
        "PermissionRequest",
        "agentStop",
        "Stop",
        "subagentStop",
        "SubagentStop",
        "preCompact",
        "PreCompact",
        "sessionEnd",
        "SessionEnd",
        "errorOccurred",
        "ErrorOccurred",
        "notification",
        "Notification",
    ],
};

const SESSION: Names = ["sessionId", "session_id"];
const AGENT: Names = ["agentId", "agent_id"];
const AGENT_TYPE: Names = ["agentType", "agent_type"];
const PARENT: Names = ["parentAgentId", "parent_agent_id"];
const TOOL: Names = ["toolName", "tool_name"];
const ARGUMENTS: Names = ["toolArgs", "tool_input"];

pub(super) fn read(fields: &Fields<'_>, event: Option<&str>, folder: &Utf8Path) -> Result<Payload, PayloadError> {
    let name = events::name(fields, fields.one_of(["hookName", "hook_event_name"])?, event)?;
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
    let session = fields.required_session(fields.one_of(SESSION)?)?;
    let subagent = subagent(fields)?;
    let origin = origin::of_mode(None, subagent.is_some());
    Ok(Payload { event, session, subagent, cwd, origin })
}

fn subagent(fields: &Fields<'_>) -> Result<Option<Subagent>, PayloadError> {
    let parent = fields.session(fields.one_of(PARENT)?)?;
    let kind = fields.text(fields.one_of(AGENT_TYPE)?)?;
    match (fields.text(fields.one_of(AGENT)?)?, parent) {
        (Some(id), parent) => Ok(Some(Subagent { id, kind, parent })),
        (None, Some(_)) => Err(PayloadError::Missing("agentId")),
        (None, None) => Ok(None),
    }
}

fn call(fields: &Fields<'_>, cwd: &Utf8Path) -> Result<ToolCall, PayloadError> {
    let tool = fields.required(fields.one_of(TOOL)?)?;
    Ok(Catalog::CopilotCli.call(&tool, fields.arguments(fields.one_of(ARGUMENTS)?), cwd))
}
