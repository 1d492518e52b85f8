//! Gemini CLI.
//!
//! - Subagents are not marked: their calls look like the session's own.
//! - A call of a server's tool names server and tool in `mcp_context`.
//! - Paths stay as the model wrote them.

use camino::Utf8Path;

use super::events::{self, Events, Kind};
use super::fields::Fields;
use super::{Event, Payload, PayloadError, origin};
use crate::gate::{Catalog, ToolCall};

const EVENTS: Events = Events {
    before: &["BeforeTool"],
    after: &["AfterTool"],
    start: &["SessionStart"],
    prompt: &["BeforeAgent"],
    subagent: &[],
    others: &[
        "AfterAgent",
        "BeforeModel",
        "AfterModel",
        "BeforeToolSelection",
        "PreCompress",
        "SessionEnd",
        "Notification",
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
    let origin = origin::of_mode(None, false);
    Ok(Payload { event, session: fields.required_session("session_id")?, subagent: None, cwd, origin })
}

fn call(fields: &Fields<'_>, cwd: &Utf8Path) -> Result<ToolCall, PayloadError> {
    let tool = fields.required("tool_name")?;
    let arguments = fields.arguments("tool_input");
    Ok(match fields.object("mcp_context")? {
        // Server and tool part an underscore, and both may have one.
        Some(context) => {
            let (server, name) = (context.required("server_name")?, context.required("tool_name")?);
            Catalog::GeminiCli.call_of_server(&tool, (&server, &name), arguments, cwd)
        }
        None => Catalog::GeminiCli.call(&tool, arguments, cwd),
    })
}
