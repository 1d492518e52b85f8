//! Which operation of the plan a call of the `plan` tool is (INIT-1, INIT-4).

use super::arguments::{Unreadable, string};
use crate::plan::Operation;
use crate::record::Object;

/// The operation that the arguments ask for. Whether they are complete is for the tool to say.
pub(super) fn operation(arguments: &Object<'_>) -> Result<Operation, Unreadable> {
    const NAMES: &str = "`operation` is none of init, add_tasks, add_task, start, complete, skip, fail, status";
    let Some(name) = arguments.get("operation") else {
        return Err(NAMES.into());
    };
    Ok(match string("operation", name)?.as_ref() {
        "init" => init(arguments)?,
        "add_tasks" | "add_task" => Operation::AddTasks,
        "start" => Operation::Start,
        "complete" => Operation::Complete,
        "fail" => Operation::Fail,
        "skip" => Operation::Skip,
        "status" => Operation::View,
        _ => return Err(NAMES.into()),
    })
}

fn init(arguments: &Object<'_>) -> Result<Operation, Unreadable> {
    if arguments.get("file_path").is_some() {
        return Ok(Operation::Import);
    }
    let mode = arguments.get("mode").map(|mode| string("mode", mode)).transpose()?;
    match mode.as_deref() {
        Some("design") => Ok(Operation::InitDesign),
        Some("checklist") => Ok(Operation::InitChecklist),
        Some(_) => Err("`mode` is neither design nor checklist".into()),
        None => {
            let empty = |tasks: &str| tasks.bytes().filter(|byte| !byte.is_ascii_whitespace()).eq(*b"[]");
            Ok(match arguments.get("tasks").is_some_and(|tasks| !empty(tasks.get())) {
                true => Operation::InitChecklist,
                false => Operation::InitDesign,
            })
        }
    }
}
