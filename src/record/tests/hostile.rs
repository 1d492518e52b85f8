//! Input that nobody writes by accident.

use proptest::prelude::*;

use super::*;

/// Runs on a stack that recursion would overflow at once.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

// spec: DISK-7, DISK-12
#[test]
fn no_depth_of_nesting_overflows_the_stack() {
    on_a_small_stack(|| {
        for deep in [nested(200, "[{\"a\":", "}]"), nested(10_000, "[{\"a\":", "}]"), nested(1_000_000, "[", "]")] {
            let state = active(format!(
                r#"{{"status": "Active", "x": {deep}, "tasks": [{{"x": {deep}, "execution_history": {deep}}}]}}"#
            ));
            let task = state.checklist.in_file_order().next().unwrap();
            assert_eq!(state.header.kept().iter().next(), Some(("x", &*deep)));
            assert_eq!(task.kept().iter().next(), Some(("x", &*deep)));
            assert_eq!(task.execution_history.as_ref().unwrap().get(), deep);
            assert_eq!(active(write(StateToWrite::Active(&state), None)), state);
        }
    });
}

// spec: DISK-12
#[test]
fn depth_in_a_known_field_is_an_error() {
    on_a_small_stack(|| {
        for deep in [nested(10_000, "[{\"a\":", "}]"), nested(100_000, "[", "]")] {
            for text in [
                format!("{{\"title\": {deep}, \"status\": \"Active\"}}"),
                format!("{{\"status\": {deep}}}"),
                format!("{{\"status\": \"Active\", \"tasks\": [{deep}]}}"),
                format!("{{\"status\": \"Active\", \"tasks\": [{{\"status\": {deep}}}]}}"),
                format!("{{\"status\": \"Active\", \"tasks\": [{{\"dependencies\": {deep}}}]}}"),
                deep.clone(),
            ] {
                assert!(load(&text).is_err());
                assert!(import(text.as_bytes(), "plan.json").is_err());
                // As Markdown it is a paragraph or a piece of code, and holds no task.
                assert!(import(text.as_bytes(), "plan.md").is_err());
            }
        }
        for open in ["[", "{\"a\":"] {
            assert_eq!(load(open.repeat(1_000_000)).unwrap_err().problem, RecordProblem::Truncated);
        }
    });
}

fn nested(depth: usize, open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn many_keys_are_not_quadratic() {
    let keys: Vec<String> = (0..50_000).map(|key| format!("\"x{key}\":0")).collect();
    let text = format!("{{\"status\": \"Active\", {}}}", keys.join(","));
    assert_eq!(active(&text).header.kept().iter().count(), 50_000);
    let twice = text.replacen("{", "{\"x49999\":1,", 1);
    assert!(matches!(load(twice).unwrap_err().problem, RecordProblem::DuplicateKey { .. }));
}

/// Pieces that a record is made of, for texts that are nearly one.
fn piece() -> impl Strategy<Value = String> {
    let fixed = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        " ",
        "\n",
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "1e400",
        "\"status\":",
        "\"Active\"",
        "\"Editing\"",
        "\"tasks\":[",
        "\"dependencies\":[1]",
        "\"ending\":",
        "\"pre_init_editing\":true",
        "\\u0061",
        "\\ud800",
        "\u{feff}",
        "é",
    ];
    prop_oneof![proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned), ".{0,4}"]
}

proptest! {
    // spec: DISK-12
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = load(&bytes);
        let _ = import(&bytes, "plan");
        let _ = import(&bytes, "plan.json");
        let _ = read_archived(&bytes, &site());
    }

    // spec: DISK-12
    #[test]
    fn texts_of_pieces_never_panic(pieces in proptest::collection::vec(piece(), 0..30)) {
        let text = pieces.concat();
        let _ = load(&text);
        let _ = import(text.as_bytes(), "plan");
    }

    // spec: DISK-12
    #[test]
    fn changed_records_never_panic_and_what_loads_comes_back(
        file in proptest::sample::select(&[
            "legacy-in-progress.json", "unknown-fields.json", "lenient-lowercase.json", "active-empty.json",
            "pre-init-sidecar.json", "import-minimal.json",
        ][..]),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..6, piece()), 1..5),
    ) {
        let mut bytes = fixture(file);
        for (at, length, new) in changes {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..(at + length).min(bytes.len()), new.bytes());
        }
        let _ = import(&bytes, "plan.json");
        if let Ok(loaded) = load(&bytes)
            && let Some(state) = to_write(&loaded)
        {
            let written = write(state, None);
            let again = load(&written);
            // Tasks of a plan in Editing are for the archive alone.
            if !matches!(&loaded, Loaded::Editing(state) if !state.legacy_tasks.is_empty()) {
                prop_assert_eq!(again.as_ref(), Ok(&loaded));
            }
            let again = again.unwrap();
            prop_assert_eq!(write(to_write(&again).unwrap(), None), written);
        }
    }
}
