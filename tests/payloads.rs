//! What real agents sent, and what a hostile one might: each call is what it does.
#![cfg(feature = "agents")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeSet;
use std::fs;

use camino::Utf8Path;
use plangate::agents::{self, Agent, Event, Payload, PayloadError};
use plangate::gate::{Act, Catalog, Target, ToolCall};
use plangate::model::Origin;
use plangate::plan::Operation;
use pretty_assertions::assert_eq;
use proptest::prelude::*;
use serde_json::{Value, json};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/hooks");
const PROJECT: &str = "/home/dev/project";
const MD: &str = "/home/dev/.plangate/.opencrabs_plan_s1.md";

fn folder() -> &'static Utf8Path {
    Utf8Path::new(PROJECT)
}

/// The payload of a fixture, read as its agent's hook for that event would.
fn captured(file: &str) -> Payload {
    let (agent, name) = file.split_once('/').unwrap();
    let event = name.strip_suffix(".json").unwrap();
    let event = event.split_once('-').map_or(event, |(event, _)| event);
    let bytes = fs::read(format!("{FIXTURES}/{file}")).unwrap();
    let read = Agent::from_name(agent).unwrap().read(&bytes, Some(event), folder());
    read.unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn files() -> impl Iterator<Item = String> {
    Agent::ALL.into_iter().flat_map(|agent| {
        let Ok(folder) = fs::read_dir(format!("{FIXTURES}/{}", agent.as_str())) else {
            // No payload of this agent was captured.
            assert_eq!(agent, Agent::Cursor);
            return Vec::new();
        };
        folder.map(|file| format!("{}/{}", agent.as_str(), file.unwrap().file_name().to_str().unwrap())).collect()
    })
}

fn before(payload: Payload) -> ToolCall {
    match payload.event {
        Event::BeforeCall(call) => call,
        other => panic!("no question about a call: {other:?}"),
    }
}

fn kind(act: &Act) -> &'static str {
    match act {
        Act::Read => "read",
        Act::Write { .. } => "write",
        Act::Shell { .. } => "shell",
        Act::Plan(_) => "plan",
        Act::Question => "question",
        Act::Spawn => "spawn",
        Act::Send => "send",
        Act::Browser => "browser",
        Act::Unknown => "unknown",
        Act::Unreadable { .. } => "unreadable",
        _ => "another",
    }
}

fn texts(targets: &[Target]) -> Vec<&str> {
    targets.iter().map(Target::as_str).collect()
}

fn listed(row: &Value, name: &str) -> Vec<String> {
    let empty = Vec::new();
    row[name].as_array().unwrap_or(&empty).iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

// spec: GATE-9, GATE-15, GATE-16
#[test]
fn every_captured_call_is_what_it_does() {
    let expected: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(format!("{FIXTURES}/expected.json")).unwrap()).unwrap();
    for row in &expected {
        let file = row["file"].as_str().unwrap();
        let payload = captured(file);
        assert_eq!(payload.session.as_str(), row["session"], "{file}");
        assert_eq!(payload.counts_for().as_str(), row["counts_for"], "{file}");
        assert_eq!(payload.subagent.as_ref().map(|subagent| &*subagent.id), row["subagent"].as_str(), "{file}");
        assert_eq!(payload.origin.as_str(), row["origin"], "{file}");
        let call = before(payload);
        assert_eq!(&*call.tool, row["tool"].as_str().unwrap(), "{file}");
        assert_eq!(kind(&call.act), row["kind"], "{file}: {:?}", call.act);
        assert_eq!(call.cwd, row["cwd"].as_str().unwrap(), "{file}");
        match &call.act {
            Act::Write { content, altered } => {
                assert_eq!(texts(content), listed(row, "content"), "{file}");
                assert_eq!(texts(altered), listed(row, "altered"), "{file}");
            }
            Act::Shell { command } => assert_eq!(command.as_deref(), row["command"].as_str(), "{file}"),
            _ => {}
        }
    }
    // Every question about a call is in the list.
    let asked: BTreeSet<String> = files()
        .filter(|file| {
            ["/PreToolUse-", "/preToolUse-", "/BeforeTool-", "/tool.execute.before-"].iter().any(|e| file.contains(e))
        })
        .collect();
    assert_eq!(asked, expected.iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect());
}

// spec: GATE-15
#[test]
fn every_captured_event_is_told_apart() {
    let mut kinds = BTreeSet::new();
    for file in files() {
        let name = file.split_once('/').unwrap().1;
        if name == "event-file.edited.json" {
            // It happens to no session, so there is nothing to tell.
            let bytes = fs::read(format!("{FIXTURES}/{file}")).unwrap();
            let read = Agent::OpenCode.read(&bytes, Some("event"), folder());
            assert_eq!(read, Err(PayloadError::Missing("sessionID")));
            continue;
        }
        kinds.insert(match captured(&file).event {
            Event::BeforeCall(_) => "before",
            Event::AfterCall(_) => {
                assert!(
                    ["PostTool", "postTool", "AfterTool", "tool.execute.after"].iter().any(|e| name.starts_with(e))
                );
                "after"
            }
            Event::SessionStart { how } => {
                assert_eq!(how.as_deref() == Some("compact"), name.contains("compact"), "{file}");
                "start"
            }
            Event::Prompt { text } => {
                assert!(!text.is_empty(), "{file}");
                "prompt"
            }
            Event::SubagentStart => "subagent",
            Event::Other(_) => "other",
            Event::Unknown(event) => panic!("{file}: {event} is not known"),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(kinds.len(), 6);
}

// spec: GATE-15
#[test]
fn a_subagents_session_leads_to_the_one_that_started_it() {
    let created = captured("opencode/event-session.created-sub.json");
    assert_eq!(created.session.as_str(), "ses_00000000000000000000000002");
    assert_eq!(created.counts_for().as_str(), "ses_00000000000000000000000001");
    assert_eq!(created.cwd, PROJECT);
    let own = captured("opencode/event-session.created.json");
    assert_eq!((own.counts_for(), &own.subagent), (&own.session, &None));
    // Copilot tells of the start from the parent's session, and calls from the subagent's.
    let start = captured("copilot/subagentStart-sub.json");
    let call = captured("copilot/preToolUse-bash-sub.json");
    assert_eq!(start.session, *call.counts_for());
    assert_eq!(start.subagent.unwrap().id, call.subagent.unwrap().id);
}

/// A call of Claude Code's.
fn claude(tool: &str, arguments: &Value) -> Act {
    let payload = json!({
        "session_id": "s1", "cwd": PROJECT, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments,
    });
    before(Agent::ClaudeCode.read(payload.to_string().as_bytes(), None, folder()).unwrap()).act
}

fn call(catalog: Catalog, tool: &str, arguments: &Value) -> Act {
    catalog.call(tool, &arguments.to_string(), folder()).act
}

fn written(act: &Act) -> Vec<&str> {
    match act {
        Act::Write { content, altered } => texts(content).into_iter().chain(texts(altered)).collect(),
        other => panic!("no write: {other:?}"),
    }
}

/// The targets in whatever order: a JSON value of a test does not keep it.
fn set(act: &Act) -> BTreeSet<&str> {
    written(act).into_iter().collect()
}

fn is_unreadable(act: &Act) -> bool {
    matches!(act, Act::Unreadable { .. })
}

// spec: GATE-9. B9
#[test]
fn every_path_of_a_write_is_a_target() {
    let act = claude("Write", &json!({"path": MD, "file_path": "src/main.rs", "content": ""}));
    assert_eq!(set(&act), BTreeSet::from([MD, "src/main.rs"]));
    let act =
        claude("Edit", &json!({"file_path": MD, "filePath": "a", "FILE_PATH": "b", "target-file": "c", "uri": "d"}));
    assert_eq!(set(&act), BTreeSet::from([MD, "a", "b", "c", "d"]));
    let act = claude("MultiEdit", &json!({"file_path": MD, "edits": [{"old_string": "x", "path": "src/main.rs"}]}));
    assert_eq!(set(&act), BTreeSet::from([MD, "src/main.rs"]));
    let act = claude("Write", &json!({"file_path": [MD, "src/main.rs"]}));
    assert_eq!(set(&act), BTreeSet::from([MD, "src/main.rs"]));
    let act = call(
        Catalog::Codex,
        "apply_patch",
        &json!({
            "input": format!("*** Begin Patch\n*** Update File: {MD}\n@@\n+x\n*** End Patch"),
            "command": "*** Begin Patch\n*** Add File: src/main.rs\n+x\n*** End Patch",
            "path": "c",
        }),
    );
    assert_eq!(set(&act), BTreeSet::from([MD, "src/main.rs", "c"]));
    // A target that is none.
    for bad in
        [json!({"file_path": MD, "path": 7}), json!({"file_path": MD, "paths": []}), json!({"file_path": [MD, {}]})]
    {
        assert!(is_unreadable(&claude("Write", &bad)), "{bad}");
    }
}

// spec: GATE-9. B10
#[test]
fn every_file_of_a_patch_is_a_target_and_a_move_is_no_edit() {
    let patch = format!(
        "*** Begin Patch\n*** Update File: {MD}\n@@\n-a\n+b\n*** Update File: src/main.rs\n@@\n+x\n*** End Patch\n"
    );
    for (catalog, arguments) in [
        (Catalog::Codex, json!({"command": patch})),
        (Catalog::Codex, json!({"input": patch})),
        (Catalog::Codex, json!(["apply_patch", patch])),
        (Catalog::Codex, json!({"command": ["apply_patch", patch]})),
        (Catalog::CopilotCli, json!(patch)),
        (Catalog::CopilotCli, json!({"patch": patch})),
        (Catalog::OpenCode, json!({"patchText": patch})),
        (Catalog::Neutral, json!({"patch": patch})),
    ] {
        let act = call(catalog, "apply_patch", &arguments);
        match arguments.is_array() {
            true => assert!(is_unreadable(&act)),
            false => assert_eq!(written(&act)[..2], [MD, "src/main.rs"], "{arguments}"),
        }
    }
    let gone = |line: &str| {
        let patch = format!("*** Begin Patch\n{line}\n*** End Patch");
        match call(Catalog::CopilotCli, "apply_patch", &json!(patch)) {
            Act::Write { altered, .. } => texts(&altered).contains(&MD),
            _ => false,
        }
    };
    assert!(gone(&format!("*** Delete File: {MD}")));
    assert!(gone(&format!("*** Update File: {MD}\n*** Move to: x\n@@\n+x")));
    assert!(gone(&format!("*** Update File: x\n*** Move to: {MD}\n@@\n+x")));
    let act = claude("mcp__filesystem__move_file", &json!({"source": MD, "destination": "src/x"}));
    assert_eq!(act, Act::Write { content: vec![], altered: vec![Target::new("src/x"), Target::new(MD)] });
    assert!(is_unreadable(&claude("mcp__filesystem__move_file", &json!({"source": MD}))));
}

// spec: GATE-9. B11
#[test]
fn a_patch_in_any_agents_grammar_hides_no_file() {
    let of = |patch: &str| call(Catalog::Codex, "apply_patch", &json!({"command": patch}));
    for hidden in [
        "  *** Add File: src/x\n+x",
        "\t*** Add File: src/x\n+x",
        "*** Add File: src/x\r\n+x\r",
        "*** Add File:src/x\n+x",
        "*** add file: src/x",
        "\u{feff}*** Delete File: src/x",
        " *** Delete File: src/x",
        "*** Update File: y\n*** Move to: src/x\n@@",
        "*** Update File: y\n  *** Move to: src/x\n@@",
        "*** Add File:   src/x   \n+x",
    ] {
        let act = of(&format!("*** Begin Patch\n*** Update File: {MD}\n@@\n-a\n+b\n{hidden}\n*** End Patch"));
        assert!(written(&act).contains(&"src/x"), "{hidden:?}: {act:?}");
    }
    // Outside the envelope, in a here document, absolute, out of the folder.
    for patch in [
        "*** Delete File: ../x\n*** Begin Patch\n*** End Patch",
        "*** Begin Patch\n*** End Patch\n*** Delete File: ../x",
        "<<'EOF'\n*** Begin Patch\n*** Delete File: ../x\n*** End Patch\nEOF",
    ] {
        assert_eq!(written(&of(patch)), ["../x"]);
    }
    for unclear in [
        "",
        "nothing",
        "*** Begin Patch\n*** End Patch",
        "*** Begin Patch\n*** Add File:\n+x\n*** End Patch",
        "*** Begin Patch\n*** Rename File: a\n*** End Patch",
        "*** Begin Patch\n*** Environment ID: other\n*** Add File: a\n+x\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\u{2028}*** Add File: b\n+x\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\n+x\r*** Delete File: b\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\0b\n+x\n*** End Patch",
    ] {
        assert!(is_unreadable(&of(unclear)), "{unclear:?}");
    }
    // What a file is filled with is no header.
    assert_eq!(written(&of("*** Begin Patch\n*** Add File: a\n+*** Delete File: b\n*** End Patch")), ["a"]);
}

// spec: GATE-7. B18
#[test]
fn only_the_very_name_is_the_plan_tool() {
    let status = json!({"operation": "status"});
    for (catalog, name) in [
        (Catalog::ClaudeCode, "mcp__plangate__plan"),
        (Catalog::Codex, "mcp__plangate__plan"),
        (Catalog::GeminiCli, "mcp_plangate_plan"),
        (Catalog::CopilotCli, "plangate-plan"),
        (Catalog::OpenCode, "plangate_plan"),
        (Catalog::OpenCrabs, "plan"),
        (Catalog::Neutral, "plan"),
    ] {
        assert_eq!(call(catalog, name, &status), Act::Plan(Operation::View), "{name}");
        for other in ["{} ", " {}", "{}\u{200b}", "\u{2060}{}", "{}\0", "{}\n", "{}s", "x{}"] {
            let other = other.replace("{}", name);
            assert_eq!(call(catalog, &other, &status), Act::Unknown, "{other:?}");
        }
        assert_eq!(call(catalog, &name.to_uppercase(), &status), Act::Unknown);
        assert_eq!(
            call(catalog, &name.replace("plangate", "other").replacen("plan", "Plan", 1), &status),
            Act::Unknown
        );
    }
    for catalog in Catalog::ALL {
        for name in ["mcp__other__plan", "mcp__plangate__plan__x", "Plan", "plan ", "рlan", "ｐlan", "pl\u{ad}an", ""]
        {
            assert_eq!(call(catalog, name, &status), Act::Unknown, "{catalog:?} {name:?}");
        }
    }
    assert_eq!(call(Catalog::ClaudeCode, "plan", &status), Act::Unknown);
    // A server's name that ends like ours, where the agent names it apart.
    let named = |server: &str| {
        let payload = json!({
            "session_id": "s1", "cwd": PROJECT, "hook_event_name": "PreToolUse", "tool_name": "mcp__plangate__plan",
            "tool_input": status, "mcp_server": {"name": server, "source": "project"},
        });
        before(Agent::ClaudeCode.read(payload.to_string().as_bytes(), None, folder()).unwrap()).act
    };
    assert_eq!(named("plangate"), Act::Plan(Operation::View));
    assert_eq!(named("other"), Act::Unknown);
    let gemini = |server: &str, tool: &str| {
        let payload = json!({
            "session_id": "s1", "cwd": PROJECT, "hook_event_name": "BeforeTool", "tool_name": "mcp_plangate_plan",
            "tool_input": status, "mcp_context": {"server_name": server, "tool_name": tool},
        });
        before(Agent::GeminiCli.read(payload.to_string().as_bytes(), None, folder()).unwrap()).act
    };
    assert_eq!(gemini("plangate", "plan"), Act::Plan(Operation::View));
    assert_eq!(gemini("plangate_x", "plan"), Act::Unknown);
    // A built-in tool's name does not vouch for a server's tool.
    assert_eq!(gemini("other", "read_file"), Act::Unknown);
}

// spec: INIT-1, INIT-4, GATE-17
#[test]
fn the_operation_of_the_plan_tool_is_told_from_its_arguments() {
    let of = |arguments: Value| claude("mcp__plangate__plan", &arguments);
    for (arguments, operation) in [
        (json!({"operation": "init", "title": "x"}), Operation::InitDesign),
        (json!({"operation": "init", "tasks": []}), Operation::InitDesign),
        (json!({"operation": "init", "tasks": null}), Operation::InitDesign),
        (json!({"operation": "init", "mode": "design", "tasks": [{}]}), Operation::InitDesign),
        (json!({"operation": "init", "tasks": [{"title": "x"}]}), Operation::InitChecklist),
        (json!({"operation": "init", "mode": "checklist"}), Operation::InitChecklist),
        (json!({"operation": "init", "mode": "design", "file_path": "plan.json"}), Operation::Import),
        (json!({"operation": "add_tasks"}), Operation::AddTasks),
        (json!({"operation": "add_task"}), Operation::AddTasks),
        (json!({"operation": "start"}), Operation::Start),
        (json!({"operation": "complete"}), Operation::Complete),
        (json!({"operation": "fail"}), Operation::Fail),
        (json!({"operation": "skip"}), Operation::Skip),
        (json!({"operation": "status"}), Operation::View),
    ] {
        assert_eq!(of(arguments), Act::Plan(operation));
    }
    for bad in [
        json!({}),
        json!({"operation": "approve"}),
        json!({"operation": "Status"}),
        json!({"operation": ["status"]}),
        json!({"operation": "init", "mode": "both"}),
        json!({"operation": "init", "mode": 1}),
        json!([]),
    ] {
        assert!(is_unreadable(&of(bad)));
    }
}

// spec: GATE-7, GATE-16. B19
#[test]
fn what_a_tool_says_of_itself_is_not_heard() {
    for arguments in
        [json!({"readOnlyHint": true}), json!({"annotations": {"readOnlyHint": true}}), json!({"kind": "read"})]
    {
        assert_eq!(claude("mcp__other__read_file", &arguments), Act::Unknown);
        assert_eq!(claude("mcp__other__list", &arguments), Act::Unknown);
        assert!(is_unreadable(&claude("Write", &arguments)));
    }
    // Another server's tool, by a name that a common server has.
    for (catalog, name) in [
        (Catalog::ClaudeCode, "mcp__files__read_file"),
        (Catalog::ClaudeCode, "mcp__filesystem__read_files"),
        (Catalog::ClaudeCode, "mcp__filesystem"),
        (Catalog::GeminiCli, "mcp_other_git_status"),
        (Catalog::CopilotCli, "other-read_file"),
        (Catalog::OpenCode, "other_read_file"),
    ] {
        assert_eq!(call(catalog, name, &json!({})), Act::Unknown, "{name}");
    }
    assert_eq!(claude("mcp__filesystem__read_file", &json!({"path": "a"})), Act::Read);
    assert_eq!(claude("mcp__git__git_diff", &json!({"repo_path": ".", "target": "main"})), Act::Read);
    assert_eq!(kind(&claude("mcp__git__git_diff", &json!({"repo_path": ".", "target": "--output=src/x"}))), "shell");
    assert_eq!(claude("mcp__playwright__browser_snapshot", &json!({})), Act::Read);
    assert_eq!(written(&claude("mcp__playwright__browser_snapshot", &json!({"filename": "src/x"}))), ["src/x"]);
    assert_eq!(claude("mcp__playwright__browser_navigate", &json!({"url": "https://example.org"})), Act::Browser);
    assert_eq!(claude("mcp__slack__slack_post_message", &json!({})), Act::Send);
    // A read that says where to write is none, whatever the list says.
    assert_eq!(written(&claude("WebFetch", &json!({"url": "https://example.org", "output_path": "src/x"}))), ["src/x"]);
    assert_eq!(written(&call(Catalog::Cursor, "FetchMcpResource", &json!({"downloadPath": "src/x"}))), ["src/x"]);
    assert_eq!(claude("Read", &json!({"file_path": "src/x", "output_path": null})), Act::Read);
    assert_eq!(call(Catalog::CopilotCli, "lsp", &json!({"operation": "hover"})), Act::Read);
    assert_eq!(written(&call(Catalog::CopilotCli, "lsp", &json!({"operation": "rename"}))), ["."]);
}

// spec: GATE-15, GATE-16. B20, B21
#[test]
fn a_subagents_marks_and_the_permission_mode_tell_the_origin() {
    let origin = |mode: Option<&str>, agent: Option<&str>| {
        let payload = json!({
            "session_id": "s1", "cwd": PROJECT, "hook_event_name": "PreToolUse", "tool_name": "Write",
            "tool_input": {"file_path": "a"}, "permission_mode": mode, "agent_id": agent,
        });
        let payload = Agent::ClaudeCode.read(payload.to_string().as_bytes(), None, folder()).unwrap();
        assert_eq!(payload.counts_for().as_str(), "s1");
        let origin = payload.origin;
        // The call is the same, whoever drives it.
        assert_eq!(written(&before(payload).act), ["a"]);
        origin
    };
    for mode in [None, Some("default"), Some("acceptEdits"), Some("plan"), Some("auto")] {
        assert_eq!(origin(mode, None), Origin::Interactive);
        assert_eq!(origin(mode, Some("a1")), Origin::Subagent);
    }
    for mode in ["bypassPermissions", "dontAsk", "of a later version"] {
        assert_eq!(origin(Some(mode), None), Origin::Yolo);
        assert_eq!(origin(Some(mode), Some("a1")), Origin::Subagent);
    }
}

// spec: GATE-9. B24
#[test]
fn a_key_that_stands_twice_is_never_read() {
    for arguments in [
        r#"{"file_path":"MD","file_path":"src/x"}"#,
        r#"{"file_path":"MD","file\u005fpath":"src/x"}"#,
        r#"{"file_path":"MD","content":"a","content":"b"}"#,
        r#"{"file_path":"MD","edits":[{"path":"a","path":"b"}]}"#,
        r#"{"file_path":"MD","\ud800":1}"#,
        r#""{\"file_path\":\"MD\",\"file_path\":\"src/x\"}""#,
    ] {
        assert!(is_unreadable(&Catalog::ClaudeCode.call("Write", arguments, folder()).act), "{arguments}");
    }
    for arguments in [r#"{"command":"ls","command":"rm x"}"#, r#"{"command":"ls","cwd":"a","cwd":"b"}"#] {
        assert!(is_unreadable(&Catalog::ClaudeCode.call("Bash", arguments, folder()).act));
    }
    let twice = r#"{"operation":"status","operation":"init"}"#;
    assert!(is_unreadable(&Catalog::ClaudeCode.call("mcp__plangate__plan", twice, folder()).act));
    // In the payload itself nothing can be said of the call at all.
    let payload =
        r#"{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{},"tool_name":"Write"}"#;
    assert_eq!(
        Agent::ClaudeCode.read(payload.as_bytes(), None, folder()),
        Err(PayloadError::Twice("tool_name".into()))
    );
    let both = r#"{"sessionId":"s1","toolName":"view","tool_name":"create","toolArgs":{},"cwd":"/p"}"#;
    assert_eq!(
        Agent::CopilotCli.read(both.as_bytes(), Some("preToolUse"), folder()),
        Err(PayloadError::Twice("toolName".into()))
    );
}

// spec: GATE-10. B25
#[test]
fn what_is_no_payload_is_an_error_and_no_depth_is_a_danger() {
    let read = |bytes: &[u8]| Agent::ClaudeCode.read(bytes, Some("PreToolUse"), folder());
    assert_eq!(read(b""), Err(PayloadError::Empty));
    assert_eq!(read(b" \n"), Err(PayloadError::Empty));
    assert_eq!(read(b"\xef\xbb\xbf"), Err(PayloadError::Empty));
    assert_eq!(read(&vec![b' '; agents::MAX_PAYLOAD + 1]), Err(PayloadError::TooLong));
    assert_eq!(read(b"{\"session_id\":\"\xff\"}"), Err(PayloadError::NotUtf8));
    assert!(matches!(read(b"{\"session_id\":"), Err(PayloadError::NotJson(_))));
    assert!(matches!(read(b"{} {}"), Err(PayloadError::NotJson(_))));
    assert_eq!(read(b"[]"), Err(PayloadError::NotAnObject("an array")));
    assert_eq!(read(b"null"), Err(PayloadError::NotAnObject("null")));
    assert!(matches!(read(b"{}"), Err(PayloadError::Missing(_))));
    assert!(matches!(
        read(br#"{"session_id":"../x","tool_name":"Read"}"#),
        Err(PayloadError::Session { field: "session_id", .. })
    ));
    assert!(matches!(
        read(br#"{"session_id":"s1","tool_name":["Read"]}"#),
        Err(PayloadError::WrongType { field: "tool_name", .. })
    ));
    for depth in [10_000, 100_000] {
        let deep = format!("{}1{}", r#"{"a":["#.repeat(depth), "]}".repeat(depth));
        let payload = format!(
            r#"{{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{{"x":{deep},"file_path":"a"}}}}"#
        );
        assert_eq!(written(&before(read(payload.as_bytes()).unwrap()).act), ["a"]);
        let unclosed = r#"{"a":["#.repeat(depth);
        assert!(read(unclosed.as_bytes()).is_err());
    }
    // More files than can be looked at in time.
    let many = json!({"file_path": vec!["a"; 1_001]});
    assert!(is_unreadable(&claude("Write", &many)));
    let many = format!("*** Begin Patch\n{}*** End Patch", "*** Delete File: a\n".repeat(1_001));
    assert!(is_unreadable(&call(Catalog::CopilotCli, "apply_patch", &json!(many))));
}

// spec: GATE-3. B27
#[test]
fn whatever_runs_a_command_is_a_shell() {
    for (catalog, tool, arguments, command) in [
        (Catalog::ClaudeCode, "Bash", json!({"command": "x", "run_in_background": true}), Some("x")),
        (Catalog::ClaudeCode, "PowerShell", json!({"command": "x"}), Some("x")),
        (Catalog::ClaudeCode, "Monitor", json!({"command": "x"}), Some("x")),
        (Catalog::ClaudeCode, "Monitor", json!({"ws": {"url": "wss://x"}}), None),
        (Catalog::ClaudeCode, "Skill", json!({"skill": "plangate", "args": "approve"}), Some("plangate approve")),
        (Catalog::Codex, "exec_command", json!({"cmd": "x"}), Some("x")),
        (Catalog::Codex, "shell", json!({"command": ["bash", "-lc", "x"]}), Some("bash -lc x")),
        (Catalog::Codex, "write_stdin", json!({"session_id": 1, "chars": "x\n"}), Some("x\n")),
        (
            Catalog::Codex,
            "exec",
            json!({"input": "await tools.exec_command({})"}),
            Some("await tools.exec_command({})"),
        ),
        (
            Catalog::Codex,
            "Bash",
            json!({"command": "apply_patch <<'EOF'\n*** Begin Patch"}),
            Some("apply_patch <<'EOF'\n*** Begin Patch"),
        ),
        (Catalog::Codex, "Bash", json!({"command": "ls", "cmd": "rm x"}), Some("ls\nrm x")),
        (Catalog::GeminiCli, "run_shell_command", json!({"command": "x", "is_background": true}), Some("x")),
        (Catalog::CopilotCli, "bash", json!({"command": "x", "detach": true}), Some("x")),
        (Catalog::CopilotCli, "write_bash", json!({"shellId": "1", "input": "x"}), Some("x")),
        (Catalog::CopilotCli, "sql", json!({"query": "ATTACH '/p/x' AS x"}), Some("ATTACH '/p/x' AS x")),
        (Catalog::CopilotCli, "sql", json!({"query": "vAcUuM INTO 'x'"}), Some("vAcUuM INTO 'x'")),
        (Catalog::OpenCode, "bash", json!({"command": "x"}), Some("x")),
        (Catalog::Cursor, "Shell", json!({"command": "x"}), Some("x")),
        (Catalog::OpenCrabs, "execute_code", json!({"language": "python", "code": "x"}), Some("x")),
        (Catalog::OpenCrabs, "slash_command", json!({"command": "/discard"}), Some("/discard")),
        (Catalog::Neutral, "run_command", json!({"command": "x"}), Some("x")),
    ] {
        assert_eq!(call(catalog, tool, &arguments), Act::Shell { command: command.map(Into::into) }, "{tool}");
    }
    for (tool, arguments) in
        [("Bash", json!({})), ("Bash", json!({"command": 1})), ("Bash", json!({"command": ["a", 1]}))]
    {
        assert!(is_unreadable(&claude(tool, &arguments)), "{arguments}");
    }
    let code = r#"{"conversation_id":"s1","hook_event_name":"beforeShellExecution","command":"x","cwd":"","workspace_roots":["/p"]}"#;
    let call = before(Agent::Cursor.read(code.as_bytes(), None, folder()).unwrap());
    assert_eq!((call.act, call.cwd.as_str()), (Act::Shell { command: Some("x".into()) }, "/p"));
}

// spec: GATE-3. B28
#[test]
fn a_path_makes_no_write_of_a_shell() {
    for decoy in ["path", "file_path", "target_file"] {
        let act = claude("Bash", &json!({"command": "echo > src/x", decoy: MD}));
        assert_eq!(act, Act::Shell { command: Some("echo > src/x".into()) });
    }
    // Nor does a folder that the agent does not look at change where it runs.
    let bash = Catalog::ClaudeCode.call("Bash", r#"{"command":"ls","cwd":"/tmp","workdir":"/tmp"}"#, folder());
    assert_eq!(bash.cwd, PROJECT);
    let bash = Catalog::OpenCode.call("bash", r#"{"command":"ls","workdir":"sub"}"#, folder());
    assert_eq!(bash.cwd, "/home/dev/project/sub");
}

// spec: GATE-2
#[test]
fn what_acts_later_or_elsewhere_counts_as_what_it_starts() {
    for tool in
        ["CronCreate", "ScheduleWakeup", "Agent", "Task", "Workflow", "SendMessage", "TeamCreate", "RemoteTrigger"]
    {
        assert_eq!(claude(tool, &json!({"prompt": "/plangate approve"})), Act::Spawn);
    }
    assert_eq!(written(&claude("EnterWorktree", &json!({}))), ["."]);
    assert_eq!(claude("AskUserQuestion", &json!({})), Act::Question);
    assert_eq!(call(Catalog::OpenCrabs, "http_request", &json!({"method": "POST"})), Act::Send);
    assert_eq!(call(Catalog::OpenCrabs, "http_request", &json!({"method": "GET"})), Act::Read);
    assert_eq!(call(Catalog::OpenCrabs, "http_request", &json!({})), Act::Send);
    assert_eq!(
        written(&call(Catalog::OpenCrabs, "write_opencrabs_file", &json!({"path": "a.md"}))),
        ["~/.opencrabs/a.md"]
    );
    assert_eq!(call(Catalog::CopilotCli, "str_replace_editor", &json!({"command": "view", "path": "a"})), Act::Read);
    assert_eq!(
        written(&call(Catalog::CopilotCli, "str_replace_editor", &json!({"command": "create", "path": "a"}))),
        ["a"]
    );
}

// spec: GATE-8
#[test]
fn a_tilde_is_what_the_agents_tool_makes_of_it() {
    let of = |catalog, tool, key: &str| {
        let act = call(catalog, tool, &json!({key: "~/x"}));
        written(&act).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of(Catalog::ClaudeCode, "Write", "file_path"), ["~/x"]);
    assert_eq!(of(Catalog::GeminiCli, "write_file", "file_path"), ["./~/x"]);
    assert_eq!(of(Catalog::OpenCode, "write", "filePath"), ["~/x", "./~/x"]);
    let act =
        call(Catalog::Codex, "apply_patch", &json!({"input": "*** Begin Patch\n*** Add File: ~/x\n+\n*** End Patch"}));
    assert_eq!(written(&act), ["./~/x"]);
}

// spec: GATE-10
#[test]
fn an_event_that_is_not_known_or_not_named_is_told_apart() {
    let payload = br#"{"session_id":"s1","cwd":"/p","tool_name":"Write","tool_input":{"file_path":"a"}}"#;
    for agent in [Agent::ClaudeCode, Agent::Codex, Agent::GeminiCli, Agent::CopilotCli] {
        assert_eq!(agent.read(payload, None, folder()), Err(PayloadError::NoEvent));
        let unknown = agent.read(payload, Some("PreToolUse "), folder()).unwrap().event;
        assert_eq!(unknown, Event::Unknown("PreToolUse ".into()));
    }
    let named =
        br#"{"hook_event_name":"PostToolUse","session_id":"s1","tool_name":"Write","tool_input":{"file_path":"a"}}"#;
    assert!(matches!(
        Agent::ClaudeCode.read(named, Some("PreToolUse"), folder()),
        Err(PayloadError::OtherEvent { .. })
    ));
}

// spec: GATE-7, GATE-9
#[test]
fn a_host_of_its_own_can_say_what_its_call_does() {
    let of = |call: Value| agents::neutral_call(call.to_string().as_bytes(), folder());
    let act = of(json!({"tool": "paint", "cwd": "art", "kind": "write", "paths": ["a"], "altered": ["b"]})).unwrap();
    assert_eq!(act.cwd, "/home/dev/project/art");
    assert_eq!(written(&act.act), ["a", "b"]);
    assert_eq!(of(json!({"tool": "paint"})).unwrap().act, Act::Unknown);
    assert_eq!(
        of(json!({"tool": "bash", "arguments": {"command": "x"}})).unwrap().act,
        Act::Shell { command: Some("x".into()) }
    );
    assert_eq!(
        of(json!({"tool": "x", "kind": "shell", "command": "y"})).unwrap().act,
        Act::Shell { command: Some("y".into()) }
    );
    let plan = json!({"tool": "x", "kind": "plan", "arguments": {"operation": "start"}});
    assert_eq!(of(plan).unwrap().act, Act::Plan(Operation::Start));
    assert_eq!(of(json!({"tool": "paint", "kind": "write"})), Err(PayloadError::Missing("paths")));
    assert!(matches!(of(json!({"tool": "paint", "kind": "Read"})), Err(PayloadError::WrongType { field: "kind", .. })));
    assert!(matches!(of(json!({"tool": "paint", "kind": "write", "paths": "a"})), Err(PayloadError::WrongType { .. })));
}

/// Tools that write or run something whatever their arguments are.
const NEVER_A_READ: [(Catalog, &str); 24] = [
    (Catalog::ClaudeCode, "Write"),
    (Catalog::ClaudeCode, "Edit"),
    (Catalog::ClaudeCode, "MultiEdit"),
    (Catalog::ClaudeCode, "NotebookEdit"),
    (Catalog::ClaudeCode, "Bash"),
    (Catalog::ClaudeCode, "Monitor"),
    (Catalog::ClaudeCode, "mcp__filesystem__write_file"),
    (Catalog::ClaudeCode, "mcp__filesystem__move_file"),
    (Catalog::ClaudeCode, "mcp__git__git_commit"),
    (Catalog::Codex, "apply_patch"),
    (Catalog::Codex, "Bash"),
    (Catalog::Codex, "write_stdin"),
    (Catalog::GeminiCli, "write_file"),
    (Catalog::GeminiCli, "replace"),
    (Catalog::CopilotCli, "create"),
    (Catalog::CopilotCli, "apply_patch"),
    (Catalog::CopilotCli, "bash"),
    (Catalog::OpenCode, "write"),
    (Catalog::OpenCode, "apply_patch"),
    (Catalog::Cursor, "Write"),
    (Catalog::Cursor, "Delete"),
    (Catalog::OpenCrabs, "write_file"),
    (Catalog::Neutral, "apply_diff"),
    (Catalog::Neutral, "bash"),
];

/// JSON values like the arguments of a call: the names and texts that matter, in any place.
fn arguments() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just(MD.to_owned()),
        Just("src/main.rs".to_owned()),
        Just("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch".to_owned()),
        Just("view".to_owned()),
        ".{0,12}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text.prop_map(Value::from)
    ];
    let name = prop_oneof![
        Just("file_path".to_owned()),
        Just("filePath".to_owned()),
        Just("path".to_owned()),
        Just("command".to_owned()),
        Just("input".to_owned()),
        Just("patchText".to_owned()),
        Just("edits".to_owned()),
        Just("source".to_owned()),
        Just("destination".to_owned()),
        Just("repo_path".to_owned()),
        "[a-z]{1,6}",
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(name.clone(), inner, 0..6).prop_map(Value::from_iter),
        ]
    })
}

proptest! {
    // spec: GATE-9
    #[test]
    fn no_arguments_make_a_read_of_a_write(arguments in arguments()) {
        for (catalog, tool) in NEVER_A_READ {
            let act = call(catalog, tool, &arguments);
            prop_assert!(matches!(act, Act::Write { .. } | Act::Shell { .. } | Act::Unreadable { .. }), "{tool}: {act:?}");
            if let Act::Write { content, altered } = act {
                prop_assert!(!(content.is_empty() && altered.is_empty()));
            }
        }
    }

    // spec: GATE-9. B9, B24
    #[test]
    fn a_second_path_never_disappears(key in "[fF]ile_?[pP]ath|[pP]ath|target_file|uri|dest", first in any::<bool>()) {
        prop_assume!(key != "file_path");
        let (one, other) = (format!("\"file_path\":\"{MD}\""), format!("\"{key}\":\"src/x\""));
        let text = if first { format!("{{{one},{other}}}") } else { format!("{{{other},{one}}}") };
        let act = Catalog::ClaudeCode.call("Write", &text, folder()).act;
        let targets = written(&act);
        prop_assert!(targets.contains(&MD) && targets.contains(&"src/x"));
    }

    // spec: GATE-10. B25
    #[test]
    fn no_bytes_are_a_danger(bytes in prop::collection::vec(any::<u8>(), 0..256), event in prop::option::of("[a-zA-Z.]{0,16}")) {
        for agent in Agent::ALL {
            let _ = agent.read(&bytes, event.as_deref(), folder());
        }
        let _ = agents::neutral_call(&bytes, folder());
    }

    // spec: GATE-10. B25
    #[test]
    fn no_change_of_a_real_payload_is_a_danger(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
        for file in ["claude/PreToolUse-Write.json", "copilot/preToolUse-apply_patch.json", "opencode/tool.execute.before-edit.json"] {
            let whole = fs::read(format!("{FIXTURES}/{file}")).unwrap();
            let mut changed = whole.clone();
            changed[at.index(whole.len())] = byte;
            let short = &whole[..cut.index(whole.trim_ascii_end().len())];
            for agent in Agent::ALL {
                let _ = agent.read(&changed, Some("preToolUse"), folder());
                prop_assert!(agent.read(short, Some("preToolUse"), folder()).is_err());
            }
        }
    }
}
