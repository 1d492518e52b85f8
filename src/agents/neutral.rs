//! A call as a host tells it that is none of the known agents.

use camino::Utf8Path;

use super::PayloadError;
use super::fields::Fields;
use crate::gate::{Act, Catalog, Target, ToolCall};

const KIND: PayloadError = PayloadError::WrongType {
    field: "kind",
    expected: "one of read, write, shell, plan, question, spawn, send, browser, unknown",
};

pub(super) fn read(fields: &Fields<'_>, folder: &Utf8Path) -> Result<ToolCall, PayloadError> {
    let tool = fields.required("tool")?;
    let cwd = fields.folder("cwd", folder)?;
    let arguments = fields.arguments("arguments");
    let Some(kind) = fields.text("kind")? else {
        return Ok(Catalog::Neutral.call(&tool, arguments, &cwd));
    };
    let act = match &*kind {
        "read" => Act::Read,
        "write" => write(fields)?,
        "shell" => match fields.text("command")? {
            Some(command) => Act::Shell { command: Some(command) },
            None => return Err(PayloadError::Missing("command")),
        },
        "plan" => return Ok(Catalog::Neutral.call("plan", arguments, &cwd)),
        "question" => Act::Question,
        "spawn" => Act::Spawn,
        "send" => Act::Send,
        "browser" => Act::Browser,
        "unknown" => Act::Unknown,
        _ => return Err(KIND),
    };
    Ok(ToolCall { tool, cwd, act })
}

fn write(fields: &Fields<'_>) -> Result<Act, PayloadError> {
    let targets = |name| Ok(fields.texts(name)?.into_iter().map(Target::new).collect::<Vec<_>>());
    let (content, altered) = (targets("paths")?, targets("altered")?);
    match content.is_empty() && altered.is_empty() {
        true => Err(PayloadError::Missing("paths")),
        false => Ok(Act::Write { content, altered }),
    }
}
