//! What an agent writes into a plan does not reach a terminal as a command, and no record makes the program fall over.

use serde_json::json;

use super::place::{Place, WHOLE};

/// A terminal's commands, a forged line, a reversed reading direction.
const EVIL: &str = "a\u{1b}[2J\u{1b}]0;x\u{7}b\rc\u{9b}31m\u{202e}d\nSwap it\u{2066} - approved";

/// Every command that tells something of a plan.
const COMMANDS: [&[&str]; 9] = [
    &["status"],
    &["show"],
    &["check"],
    &["list"],
    &["tool", r#"{"operation": "status"}"#],
    &["tool", r#"{"operation": "start"}"#],
    &["gate", r#"{"tool": "plan", "arguments": {"operation": "start"}}"#],
    &["archive", "list"],
    &["archive", "show"],
];

fn is_command(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || (character.is_control() && character != '\n')
}

#[track_caller]
fn harmless(place: &Place) {
    for command in COMMANDS {
        let ran = place.a1(command.iter().copied());
        let json = place.a1(command.iter().copied().chain(["--json"]));
        for text in [&ran.out, &ran.err, &json.out, &json.err] {
            assert!(!text.contains(is_command), "{command:?}: {text:?}");
        }
    }
}

#[test]
fn nothing_of_a_checklist_moves_the_cursor() {
    let place = Place::new().active();
    let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(place.json()).unwrap()).unwrap();
    record["title"] = json!(EVIL);
    record["tasks"][0]["title"] = json!(EVIL);
    record["tasks"][1]["status"] = json!({"Blocked": EVIL});
    record["tasks"][2]["dependencies"] = json!([EVIL]);
    record["approval"] =
        json!({"by": EVIL, "via": EVIL, "at": "2026-07-20T09:01:00Z", "digest": "0".repeat(64), "guarded": true});
    std::fs::write(place.json(), record.to_string()).unwrap();
    harmless(&place);
    record["tasks"][2]["dependencies"] = json!([]);
    std::fs::write(place.json(), record.to_string()).unwrap();
    harmless(&place);
    let shown = place.a1(["show"]).out;
    assert!(shown.contains("a\u{fffd}[2J") && !shown.contains("\nSwap it"), "a title has one line: {shown}");
    let (_, receipt) = place.session().load().wait().unwrap().discard().wait().unwrap();
    assert!(receipt.is_some());
    harmless(&place);
}

#[test]
fn nothing_of_a_design_moves_the_cursor() {
    let place = Place::new().designed();
    std::fs::write(place.md(), WHOLE.replace("LRU thrashes", EVIL)).unwrap();
    harmless(&place);
    std::fs::write(place.md(), format!("# {EVIL}\n\n```\n{EVIL}\n```\n<b>{EVIL}</b>\n")).unwrap();
    harmless(&place);
}

// spec: DISK-12
#[test]
fn no_record_makes_the_program_fall_over() {
    let whole = {
        let place = Place::new().active();
        std::fs::read(place.json()).unwrap()
    };
    let mut records: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\0".to_vec(),
        b"\xff\xfe".to_vec(),
        b"[".repeat(100_000),
        b"{\"a\":".repeat(100_000),
        b"{}".to_vec(),
        [b"\xef\xbb\xbf".as_slice(), &whole].concat(),
    ];
    records.extend((1..whole.len()).step_by(97).map(|length| whole[..length].to_vec()));
    let place = Place::new().active();
    for record in records {
        std::fs::write(place.json(), &record).unwrap();
        let ran = place.a1(["show"]);
        assert!(ran.exit == 4 || ran.exit == 0, "{ran:?}");
        assert!(ran.exit == 0 || ran.err.starts_with("plangate: ROOT/session/.opencrabs_plan_a1.json "), "{ran:?}");
        assert!(std::fs::read(place.json()).unwrap() == record, "the bytes stay");
    }
}
