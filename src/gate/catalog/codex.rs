//! Codex. Its hooks call every shell tool `Bash` and send its work folder as the call's; the tools' own names are here for
//! versions that do not.

use super::tool::{Tool, patch, plan, question, read, shell, shell_in, shell_or_none, spawn};

const FOLDER: &[&str] = &["workdir"];

pub(super) const TOOLS: &[Tool] = &[
    plan("mcp__plangate__plan"),
    shell_in("Bash", &["command", "cmd"], FOLDER),
    shell_in("shell", &["command"], FOLDER),
    shell_in("shell_command", &["command"], FOLDER),
    shell_in("exec_command", &["cmd", "command"], FOLDER),
    shell_in("unified_exec", &["input", "cmd", "command"], FOLDER),
    shell_in("container.exec", &["cmd"], FOLDER),
    // Into a terminal that is open.
    shell_or_none("write_stdin", &["chars", "input"]),
    // Code mode: a program that calls the other tools.
    shell("exec", &["input", "code", "command"]),
    shell("js_repl", &["code", "input"]),
    read("js_repl_reset"),
    patch("apply_patch"),
    read("read_file"),
    read("list_dir"),
    read("grep_files"),
    read("view_image"),
    read("web_search"),
    read("tool_search"),
    read("list_mcp_resources"),
    read("list_mcp_resource_templates"),
    read("read_mcp_resource"),
    // The agent's own list of steps.
    read("update_plan"),
    question("request_user_input"),
    question("request_permissions"),
    spawn("spawn_agent"),
    spawn("spawn_agents_on_csv"),
    spawn("send_input"),
    spawn("resume_agent"),
    read("wait_agent"),
    read("list_agents"),
    read("close_agent"),
    // Code mode puts the name space before the name, with nothing between.
    spawn("collaborationspawn_agent"),
    spawn("collaborationsend_message"),
    spawn("collaborationfollowup_task"),
    spawn("collaborationsend_input"),
    spawn("collaborationresume_agent"),
    read("collaborationwait_agent"),
    read("collaborationlist_agents"),
    read("collaborationinterrupt_agent"),
    read("collaborationclose_agent"),
];
