//! What differs from run to run, made the same: ids, digests, times.

/// Shapes of what is replaced: `h` is a hexadecimal digit, `d` a decimal one.
const SHAPES: [(&str, &str); 4] = [
    ("hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh", "DIGEST"),
    ("hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", "UUID"),
    ("dddd-dd-ddTdd:dd:dd", "TIME"),
    ("ddddddddTddddddZ", "STAMP"),
];

/// The text with each of them as a word.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = SHAPES.iter().find(|(shape, _)| is(rest, shape));
        let (taken, put) = match found {
            Some((shape, word)) => (shape.len(), *word),
            None => (first.len_utf8(), &rest[..first.len_utf8()]),
        };
        out.push_str(put);
        rest = &rest[taken..];
        if put == "TIME" {
            // A fraction of a second, as long as it need be.
            rest = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).trim_start_matches('Z');
        }
    }
    out
}

fn is(text: &str, shape: &str) -> bool {
    text.len() >= shape.len()
        && text.bytes().zip(shape.bytes()).all(|(found, wanted)| match wanted {
            b'h' => found.is_ascii_hexdigit(),
            b'd' => found.is_ascii_digit(),
            other => found == other,
        })
}

#[test]
fn only_what_differs_is_replaced() {
    assert_eq!(plain("a 0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b é 2026-07-20T09:01:00.25Z."), "a UUID é TIME.");
    assert_eq!(plain("opencrabs_plan_a1-20260720T090100Z-discarded"), "opencrabs_plan_a1-STAMP-discarded");
}
