//! opencode.
//!
//! Its hooks are functions of a plugin, so what is read here is what a plugin sends: `{"input": …, "output": …}` with the two
//! arguments of its hook, and beside them the folder of the plugin's context as `directory`.
//!
//! - A subagent has a session of its own, and its calls do not say so: only the event `session.created` names its parent.
//! - The arguments of a call are in `output` before it runs and in `input` after it.
//! - An event of the bus is an `input` with its own `type`.

use camino::Utf8Path;

use super::events::{self, Events, Kind};
use super::fields::Fields;
use super::{Event, Payload, PayloadError, Subagent, origin};
use crate::gate::Catalog;
use crate::model::SessionId;

const EVENTS: Events = Events {
    before: &["tool.execute.before"],
    after: &["tool.execute.after"],
    start: &["session.created"],
    prompt: &["chat.message"],
    subagent: &[],
    others: &[
        "chat.params",
        "chat.headers",
        "command.execute.before",
        "command.executed",
        "experimental.session.compacting",
        "file.edited",
        "message.part.updated",
        "message.updated",
        "permission.ask",
        "permission.asked",
        "permission.replied",
        "session.compacted",
        "session.deleted",
        "session.diff",
        "session.error",
        "session.idle",
        "session.status",
        "session.updated",
        "shell.env",
        "todo.updated",
    ],
};

pub(super) fn read(fields: &Fields<'_>, event: Option<&str>, folder: &Utf8Path) -> Result<Payload, PayloadError> {
    let input = fields.object("input")?.ok_or(PayloadError::Missing("input"))?;
    let registered = event.filter(|event| *event != "event");
    let name = match events::name(fields, "event", registered) {
        Err(PayloadError::NoEvent) => events::name(&input, "type", None)?,
        name => name?,
    };
    let mut cwd = fields.folder("directory", folder)?;
    let output = || fields.object("output")?.ok_or(PayloadError::Missing("output"));
    let mut subagent = None;
    let session;
    let event = match EVENTS.kind(&name) {
        Kind::Before => {
            session = input.required_session("sessionID")?;
            let tool = input.required("tool")?;
            Event::BeforeCall(Catalog::OpenCode.call(&tool, output()?.arguments("args"), &cwd))
        }
        Kind::After => {
            session = input.required_session("sessionID")?;
            Event::AfterCall(Catalog::OpenCode.call(&input.required("tool")?, input.arguments("args"), &cwd))
        }
        Kind::Prompt => {
            session = input.required_session("sessionID")?;
            let mut text = String::new();
            for part in output()?.objects("parts")? {
                text.push_str(&part.text("text")?.unwrap_or_default());
            }
            Event::Prompt { text: text.into() }
        }
        Kind::Start => {
            session = bus_session(&input)?;
            let info = match input.object("properties")? {
                Some(properties) => properties.object("info")?,
                None => None,
            };
            if let Some(info) = info {
                cwd = info.folder("directory", &cwd)?;
                let parent = info.session("parentID")?;
                let kind = info.text("agent")?;
                subagent = parent.map(|parent| Subagent { id: session.as_str().into(), kind, parent: Some(parent) });
            }
            Event::SessionStart { how: None }
        }
        Kind::Subagent => {
            session = bus_session(&input)?;
            Event::SubagentStart
        }
        Kind::Other => {
            session = bus_session(&input)?;
            Event::Other(name)
        }
        Kind::Unknown => {
            session = bus_session(&input)?;
            Event::Unknown(name)
        }
    };
    let origin = origin::of_mode(None, subagent.is_some());
    Ok(Payload { event, session, subagent, cwd, origin })
}

/// The session of a hook or of an event of the bus.
fn bus_session(input: &Fields<'_>) -> Result<SessionId, PayloadError> {
    match (input.session("sessionID")?, input.object("properties")?) {
        (Some(session), _) => Ok(session),
        (None, Some(properties)) => properties.required_session("sessionID"),
        (None, None) => Err(PayloadError::Missing("sessionID")),
    }
}
