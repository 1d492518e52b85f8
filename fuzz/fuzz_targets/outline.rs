//! Any text as the body of a session `.md`, and as what somebody wants in an outline.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plangate::outline::{LegacyOutline, LegacyStep, Outline, render, render_legacy};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let outline = Outline::scan(&text);
    assert_eq!(outline.is_complete(), outline.gaps().is_empty());
    let lines = text.lines().count().max(1) + text.matches('\r').count();
    for line in outline.gaps().iter().filter_map(|gap| gap.line()) {
        assert!((1..=lines).contains(&line), "line {line} of {lines}");
    }

    // Whatever somebody wants in it, a fresh outline is never complete.
    let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let fresh = Outline::scan(&render(title, rest));
    assert_eq!((fresh.steps().len(), fresh.gaps().len()), (0, 4));

    // Nor does the text of an older plan add a step or fill what is to stay blank.
    let criteria = [rest.to_owned()];
    let step = LegacyStep { title, description: rest, done_when: &criteria };
    let steps = vec![step.clone(), step];
    let legacy = LegacyOutline { title, problem: rest, target_state: title, steps };
    let legacy = Outline::scan(&render_legacy(&legacy));
    assert_eq!((legacy.steps().len(), legacy.intent()), (2, None));
});
