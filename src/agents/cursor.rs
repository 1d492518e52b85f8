//! Cursor, by its documentation: no payload of it was captured.
//!
//! - The session is `conversation_id`.
//! - `cwd` may be empty or absent; the first of `workspace_roots` is meant then.
//! - `beforeShellExecution` and `beforeReadFile` have no tool's name; `beforeMCPExecution` has the server's and the tool's, and
//!   its arguments are a text that holds JSON. In `preToolUse` a server's tool lacks the server, so it is unknown there.

use camino::{Utf8Path, Utf8PathBuf};

use super::events::{self, Events, Kind};
use super::fields::Fields;
use super::{Event, Payload, PayloadError, Subagent, origin};
use crate::gate::{Act, Catalog, ToolCall};

const EVENTS: Events = Events {
    before: &["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"],
    after: &["postToolUse", "postToolUseFailure"],
    start: &["sessionStart"],
    prompt: &["beforeSubmitPrompt"],
    subagent: &["subagentStart"],
    others: &[
        "afterAgentResponse",
        "afterAgentThought",
        "afterFileEdit",
        "afterMCPExecution",
        "afterShellExecution",
        "afterTabFileEdit",
        "beforeTabFileRead",
        "preCompact",
        "sessionEnd",
        "stop",
        "subagentStop",
        "workspaceOpen",
    ],
};

pub(super) fn read(fields: &Fields<'_>, event: Option<&str>, folder: &Utf8Path) -> Result<Payload, PayloadError> {
    let name = events::name(fields, "hook_event_name", event)?;
    let cwd = cwd(fields, folder)?;
    let event = match EVENTS.kind(&name) {
        Kind::Before => Event::BeforeCall(call(fields, &name, &cwd)?),
        Kind::After => Event::AfterCall(call(fields, &name, &cwd)?),
        Kind::Start => Event::SessionStart { how: fields.text("source")? },
        Kind::Prompt => Event::Prompt { text: fields.required("prompt")? },
        Kind::Subagent => Event::SubagentStart,
        Kind::Other => Event::Other(name),
        Kind::Unknown => Event::Unknown(name),
    };
    let parent = fields.session("parent_conversation_id")?;
    let kind = fields.text("subagent_type")?;
    let id = fields.text("subagent_id")?;
    let subagent = id.map(|id| Subagent { id, kind, parent });
    let origin = origin::of_mode(None, subagent.is_some());
    Ok(Payload { event, session: fields.required_session("conversation_id")?, subagent, cwd, origin })
}

fn cwd(fields: &Fields<'_>, folder: &Utf8Path) -> Result<Utf8PathBuf, PayloadError> {
    let root = fields.texts("workspace_roots")?.into_iter().next();
    let base = root.map_or_else(|| folder.to_owned(), |root| folder.join(&*root));
    fields.folder("cwd", &base)
}

fn call(fields: &Fields<'_>, event: &str, cwd: &Utf8Path) -> Result<ToolCall, PayloadError> {
    let arguments = fields.arguments("tool_input");
    Ok(match event {
        "beforeShellExecution" => {
            let command = fields.required("command")?;
            ToolCall { tool: "Shell".into(), cwd: cwd.to_owned(), act: Act::Shell { command: Some(command) } }
        }
        "beforeReadFile" => ToolCall { tool: "Read".into(), cwd: cwd.to_owned(), act: Act::Read },
        "beforeMCPExecution" => {
            let tool = fields.required("tool_name")?;
            match fields.text("mcp_server_name")? {
                Some(server) => Catalog::Cursor.call_of_server(&tool, (&server, &tool), arguments, cwd),
                None => ToolCall { tool, cwd: cwd.to_owned(), act: Act::Unknown },
            }
        }
        _ => Catalog::Cursor.call(&fields.required("tool_name")?, arguments, cwd),
    })
}
