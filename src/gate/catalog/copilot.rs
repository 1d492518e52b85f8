//! Copilot CLI. With events in camel case its tools have their own names, with events in Pascal case Claude Code's; the
//! arguments are its own either way.

use super::tool::{Does, Files, Tool, altered, by, content, patch, plan, question, read, send, shell, shell_in, spawn};

const SQL: Does = Does::Sql { key: "query" };
const EDITOR: Does = Does::Content(Files { keys: &["path"], every: false, under: None });
const FOLDER: &[&str] = &["cwd", "workdir"];

const LOOKING_UP: &[(&str, Does)] = &[
    ("documentSymbol", Does::Read),
    ("findReferences", Does::Read),
    ("goToDefinition", Does::Read),
    ("goToImplementation", Does::Read),
    ("hover", Does::Read),
    ("incomingCalls", Does::Read),
    ("outgoingCalls", Does::Read),
    ("prepareCallHierarchy", Does::Read),
    ("workspaceSymbol", Does::Read),
];

pub(super) const TOOLS: &[Tool] = &[
    plan("plangate-plan"),
    plan("plangate/plan"),
    shell_in("bash", &["command"], FOLDER),
    shell_in("Bash", &["command"], FOLDER),
    shell_in("powershell", &["command"], FOLDER),
    shell_in("PowerShell", &["command"], FOLDER),
    shell_in("local_shell", &["command"], FOLDER),
    // Into a shell that is open.
    shell("write_bash", &["input"]),
    shell("write_powershell", &["input"]),
    read("read_bash"),
    read("stop_bash"),
    read("list_bash"),
    read("read_powershell"),
    read("stop_powershell"),
    read("list_powershell"),
    content("create", &["path"]),
    content("edit", &["path", "file_path"]),
    content("str_replace", &["path"]),
    content("Write", &["path", "file_path"]),
    content("Edit", &["path", "file_path"]),
    content("MultiEdit", &["path", "file_path"]),
    by("str_replace_editor", "command", &[("view", Does::Read)], &EDITOR),
    altered("delete", &["path"]),
    patch("apply_patch"),
    read("view"),
    read("Read"),
    read("show_file"),
    read("grep"),
    read("rg"),
    read("glob"),
    read("Grep"),
    read("Glob"),
    // What it looks up; that it may rename as well is for another version to say.
    by("lsp", "operation", LOOKING_UP, &Does::Folder),
    read("web_fetch"),
    read("web_search"),
    read("WebFetch"),
    read("WebSearch"),
    read("fetch_copilot_cli_documentation"),
    read("tool_search_tool_regex"),
    // The text of a skill.
    read("skill"),
    // The agent's own notes.
    read("report_intent"),
    read("think"),
    read("update_todo"),
    read("TodoWrite"),
    read("task_complete"),
    // The to-do list is a database of the session's own, and SQL can reach files outside it.
    Tool { name: "sql", does: SQL },
    question("ask_user"),
    question("AskUserQuestion"),
    question("exit_plan_mode"),
    question("ExitPlanMode"),
    spawn("task"),
    spawn("Task"),
    spawn("Agent"),
    spawn("write_agent"),
    read("read_agent"),
    read("list_agents"),
    // Kept by a service that others read.
    send("store_memory"),
    send("vote_memory"),
];
