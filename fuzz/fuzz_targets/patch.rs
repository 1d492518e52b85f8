//! Any text as a patch: its targets, or a reason why there are none.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plangate::gate::patch_targets;

fuzz_target!(|text: &str| {
    match patch_targets(text) {
        Ok(targets) => {
            assert!(!targets.content.is_empty() || !targets.altered.is_empty(), "a patch that changes nothing is none");
            // A line break more is the same patch.
            assert_eq!(patch_targets(&format!("{text}\n")).as_ref(), Ok(&targets));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
