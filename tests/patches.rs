//! The files of a patch: never fewer than an agent's own parser would touch.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeSet;

use plangate::gate::{PatchError, PatchTargets, Target, patch_targets};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

fn all(found: &PatchTargets) -> BTreeSet<&str> {
    found.content.iter().chain(&found.altered).map(Target::as_str).collect()
}

fn altered(found: &PatchTargets) -> BTreeSet<&str> {
    found.altered.iter().map(Target::as_str).collect()
}

// spec: GATE-9. B11
#[test]
fn a_unified_diff_names_its_files_however_deep_a_program_cuts() {
    let found = patch_targets("--- a/src/x\t2026-01-01\n+++ b/src/x\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
    assert_eq!(all(&found), BTreeSet::from(["a/src/x", "src/x", "x", "b/src/x"]));
    assert!(found.altered.is_empty());
    // Made and removed.
    let found = patch_targets("--- /dev/null\r\n+++ b/x\r\n@@ -0,0 +1 @@\r\n+b\r\n").unwrap();
    assert_eq!(all(&found), BTreeSet::from(["b/x", "x"]));
    let found = patch_targets("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n").unwrap();
    assert_eq!(altered(&found), BTreeSet::from(["a/x", "x"]));
    // Absolute, indented, forwarded, by `Index:`.
    for patch in [
        "--- /home/x\n+++ /home/x\n",
        "    --- q\n    +++ x\n",
        "X--- q\nX+++ x\n",
        "- --- q\n- +++ x\n",
        "Index: x\n===\n",
    ] {
        assert!(all(&patch_targets(patch).unwrap()).contains("x"), "{patch:?}");
    }
}

// spec: GATE-9. B10
#[test]
fn gits_headers_name_what_has_no_other_line() {
    for (patch, paths) in [
        ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", ["a/x", "x", "b/x"].as_slice()),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", &["x", "y"]),
        ("rename from x\nrename to y\n", &["x", "y"]),
        ("copy from x\ncopy to y\n", &["x", "y"]),
        ("diff --git a/a b c b/a b c\nnew file mode 100644\n", &["a b c"]),
        ("diff --git \"a/\\303\\244\" \"b/\\303\\244\"\nindex 0..1\n", &["ä"]),
        ("diff --git \"a/q\\\"q\" b/x\n", &["q\"q", "x"]),
    ] {
        let found = patch_targets(patch).unwrap();
        for path in paths {
            assert!(altered(&found).contains(path), "{patch:?}: {found:?}");
        }
    }
    for unclear in [
        "diff --git a/x b/y c/z\n",
        "diff --git a/x\n",
        "diff --git \"a/x b/x\n",
        "--- \"a/\\n\"\n",
        "--- \"a/\\377\"\n",
        "+++ \"x\" y\n",
    ] {
        assert!(patch_targets(unclear).is_err(), "{unclear:?}");
    }
}

// spec: GATE-9. B11
#[test]
fn what_two_programs_may_read_in_two_ways_is_refused() {
    for (patch, error) in [
        ("", PatchError::NoTarget),
        ("--- /dev/null\n+++ /dev/null\n", PatchError::NoTarget),
        ("1,3d0\n< a\n", PatchError::NoTarget),
        ("*** a\t2026\n--- a\t2026\n***************\n*** 1 ****\n! a\n", PatchError::UnknownHeader),
        ("*** Begin Patch\n*** Copy File: a\n*** End Patch", PatchError::UnknownHeader),
        ("*** Add File: \n+x", PatchError::NoPath),
        ("*** Add File: a\u{1}b\n+x", PatchError::ControlCharacter),
        ("*** Add File: a\u{b}*** Delete File: b\n", PatchError::ControlCharacter),
        ("*** Add File:\u{2028}\u{feff}a\n", PatchError::ControlCharacter),
    ] {
        assert_eq!(patch_targets(patch), Err(error), "{patch:?}");
    }
    let long = format!("*** Add File: {}\n", "a".repeat(8_193));
    assert_eq!(patch_targets(&long), Err(PatchError::UnclearPath));
    let deep = format!("--- {}a\n", "a/".repeat(65));
    assert_eq!(patch_targets(&deep), Err(PatchError::UnclearPath));
    let many = "*** Add File: a\n".repeat(1_001);
    assert_eq!(patch_targets(&many), Err(PatchError::TooMany));
    // An envelope beside a diff: both count.
    let both = "*** Begin Patch\n*** Update File: md\n@@\n+x\n*** End Patch\n--- src\n+++ src\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(all(&patch_targets(both).unwrap()), BTreeSet::from(["md", "src"]));
}

/// The files that a strict reader touches: headers count wherever they stand between the markers, with blanks around them.
fn trimming(text: &str) -> Option<Vec<String>> {
    let mut lines = text.trim().lines();
    (lines.next()?.trim() == "*** Begin Patch").then_some(())?;
    let headers = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let path = |line: &str| headers.iter().find_map(|header| line.trim().strip_prefix(header).map(str::to_owned));
    Some(lines.take_while(|line| line.trim() != "*** End Patch").filter_map(path).collect())
}

/// The files that a lenient reader touches: it looks for the markers anywhere, wants headers at the start of the line, and
/// takes no blank to be there after the colon.
fn searching(text: &str) -> Option<Vec<String>> {
    let lines: Vec<&str> = text.split('\n').collect();
    let begin = lines.iter().position(|line| line.trim() == "*** Begin Patch")?;
    let end = lines.iter().position(|line| line.trim() == "*** End Patch")?;
    let headers = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
    let path = |line: &&str| {
        let path = headers.iter().find_map(|header| line.strip_prefix(header))?.trim();
        (!path.is_empty()).then(|| path.to_owned())
    };
    Some(lines.get(begin + 1..end)?.iter().filter_map(path).collect())
}

fn line() -> impl Strategy<Value = String> {
    let header = prop_oneof![
        Just("*** Add File:"),
        Just("*** Update File:"),
        Just("*** Delete File:"),
        Just("*** Move to:"),
        Just("*** Begin Patch"),
        Just("*** End Patch"),
        Just("*** End of File"),
        Just("@@"),
        Just("+"),
        Just("-"),
        Just(""),
        Just("***"),
    ];
    let before = prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\t"), 1 => Just("+"), 1 => Just("\u{feff}")];
    let path = prop_oneof![
        Just(" a"),
        Just(" b c"),
        Just("d"),
        Just("  e "),
        Just(" /f/../g"),
        Just(" *** Add File: h"),
        Just("")
    ];
    let after = prop_oneof![6 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\u{2028}")];
    (before, header, path, after).prop_map(|(before, header, path, after)| format!("{before}{header}{path}{after}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    // spec: GATE-9. B11
    #[test]
    fn no_parser_touches_a_file_that_is_not_found(lines in prop::collection::vec(line(), 0..10), framed in any::<bool>()) {
        let body = lines.concat();
        let text = if framed { format!("*** Begin Patch\n{body}\n*** End Patch\n") } else { body };
        if let Ok(found) = patch_targets(&text) {
            let found = all(&found);
            for touched in [trimming(&text), searching(&text)].into_iter().flatten().flatten() {
                prop_assert!(found.contains(touched.as_str()), "{touched:?} of {text:?}, found {found:?}");
            }
        }
    }

    // spec: GATE-10. B25
    #[test]
    fn no_text_is_a_danger(text in any::<String>(), lines in prop::collection::vec("(--- |\\+\\+\\+ |diff --git |rename to )?[\"a/\\\\0-7 \t]{0,12}\n", 0..8)) {
        let _ = patch_targets(&text);
        let _ = patch_targets(&lines.concat());
    }
}
