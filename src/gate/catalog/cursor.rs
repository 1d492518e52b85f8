//! Cursor, by its documentation. Its `preToolUse` calls the tools of servers `MCP:` and their name, without the server: those
//! are unknown here. `beforeMCPExecution` names the server, and is the event to ask.

use super::tool::{Tool, altered, content, patch, question, read, shell_in, spawn};

const FILE: &[&str] = &["file_path", "path", "target_file", "target_notebook"];
const FOLDER: &[&str] = &["working_directory", "cwd"];

pub(super) const TOOLS: &[Tool] = &[
    shell_in("Shell", &["command"], FOLDER),
    shell_in("run_terminal_cmd", &["command"], FOLDER),
    content("Write", FILE),
    content("Edit", FILE),
    content("MultiEdit", FILE),
    content("StrReplace", FILE),
    content("SearchReplace", FILE),
    content("TabWrite", FILE),
    content("EditNotebook", FILE),
    content("write", FILE),
    content("edit_file", FILE),
    content("search_replace", FILE),
    content("edit_notebook", FILE),
    altered("Delete", FILE),
    altered("delete_file", FILE),
    altered("DeleteDirectory", &["target_directory", "path"]),
    patch("ApplyPatch"),
    patch("apply_patch"),
    read("Read"),
    read("TabRead"),
    read("Grep"),
    read("Glob"),
    read("LS"),
    read("ListDir"),
    read("SemanticSearch"),
    read("ReadLints"),
    read("WebSearch"),
    read("WebFetch"),
    read("FetchMcpResource"),
    read("ListMcpResources"),
    read("read_file"),
    read("list_dir"),
    read("file_search"),
    read("grep_search"),
    read("codebase_search"),
    read("read_lints"),
    read("web_search"),
    // The agent's own list.
    read("TodoWrite"),
    read("TodoRead"),
    read("todo_write"),
    question("AskQuestion"),
    question("ask_question"),
    question("SwitchMode"),
    spawn("Task"),
    spawn("task"),
];
