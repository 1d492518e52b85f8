//! opencode, versions 1 and 2: the second calls some tools otherwise and `filePath` `path`.

use super::tool::{Tool, content, patch, plan, question, read, shell, shell_in, spawn};

const FILE: &[&str] = &["filePath", "path"];

pub(super) const TOOLS: &[Tool] = &[
    plan("plangate_plan"),
    shell_in("bash", &["command"], &["workdir"]),
    shell_in("shell", &["command"], &["workdir"]),
    // A program that calls the other tools.
    shell("execute", &["code"]),
    content("write", FILE),
    content("edit", FILE),
    content("multiedit", FILE),
    patch("apply_patch"),
    patch("patch"),
    read("read"),
    read("glob"),
    read("grep"),
    read("list"),
    read("lsp"),
    read("codesearch"),
    read("webfetch"),
    read("websearch"),
    read("list_mcp_resources"),
    read("list_mcp_resource_templates"),
    read("read_mcp_resource"),
    // The text of a skill.
    read("skill"),
    // The session's own list.
    read("todowrite"),
    read("todoread"),
    // The answer to a call that the model got wrong.
    read("invalid"),
    question("question"),
    // Its own plan mode asks the user, and opens nothing here (GATE-16).
    question("plan_enter"),
    question("plan_exit"),
    spawn("task"),
    spawn("subagent"),
];
