//! Gemini CLI. Paths stay as the model wrote them, relative ones too.

use super::tool::{Tool, content, content_under, plan, question, read, shell_in, spawn};

pub(super) const TOOLS: &[Tool] = &[
    plan("mcp_plangate_plan"),
    shell_in("run_shell_command", &["command"], &["dir_path", "directory"]),
    content("write_file", &["file_path"]),
    content("replace", &["file_path"]),
    content("edit", &["file_path"]),
    // One file of the user, for all projects.
    content_under("save_memory", &[], "~/.gemini/GEMINI.md"),
    read("read_file"),
    read("read_many_files"),
    read("list_directory"),
    read("glob"),
    read("grep_search"),
    read("search_file_content"),
    read("web_fetch"),
    read("google_web_search"),
    read("get_internal_docs"),
    read("list_mcp_resources"),
    read("read_mcp_resource"),
    read("list_background_processes"),
    read("read_background_output"),
    // The text of a skill: no command runs with it.
    read("activate_skill"),
    // The agent's own notes, kept in its own folder.
    read("write_todos"),
    read("update_topic"),
    read("tracker_create_task"),
    read("tracker_update_task"),
    read("tracker_get_task"),
    read("tracker_list_tasks"),
    read("tracker_add_dependency"),
    read("tracker_visualize"),
    // A subagent's own word that it has ended.
    read("complete_task"),
    question("ask_user"),
    // Its own plan mode opens nothing here (GATE-16).
    read("enter_plan_mode"),
    question("exit_plan_mode"),
    spawn("invoke_agent"),
    spawn("delegate_to_agent"),
    spawn("codebase_investigator"),
    spawn("generalist"),
    spawn("cli_help"),
    spawn("browser_agent"),
];
