use proptest::prelude::*;

use super::any_state::{ending, live};
use super::*;

fn state(live: &Live) -> StateToWrite<'_> {
    match live {
        Live::PreInit(state) => StateToWrite::PreInit(state),
        Live::Editing(state) => StateToWrite::Editing(state),
        Live::Active(state) => StateToWrite::Active(state),
    }
}

proptest! {
    // spec: DISK-6, DISK-7, DISK-8
    #[test]
    fn every_state_comes_back_and_is_written_alike(live in live()) {
        let written = write(state(&live), None);
        serde_json::from_slice::<serde::de::IgnoredAny>(&written).unwrap();
        let archived = read_archived(&written, &site()).unwrap();
        prop_assert_eq!(&archived.state, &live);
        prop_assert_eq!(archived.ended, None);
        let loaded = load(&written).unwrap();
        prop_assert_eq!(write(to_write(&loaded).unwrap(), None), written);
        prop_assert_eq!(loaded, live.into());
    }

    // spec: DISK-13
    #[test]
    fn an_ended_record_says_so_and_keeps_the_state(live in live(), ending in ending()) {
        let written = write(state(&live), Some(&ending));
        let ended = EndedHow::Marked(ending);
        let archived = read_archived(&written, &site()).unwrap();
        prop_assert_eq!(&archived.state, &live);
        prop_assert_eq!(archived.session, Some(site().session().clone()));
        prop_assert_eq!(archived.ended.as_ref(), Some(&ended));
        let header = match &live {
            Live::PreInit(state) => state.header(),
            Live::Editing(state) => state.header(),
            Live::Active(state) => state.header(),
        };
        let ended = EndedRecord { how: ended, updated_at: header.updated_at() };
        prop_assert_eq!(load(&written), Ok(Loaded::Ended(ended)));
    }

    #[test]
    fn a_string_is_written_as_serde_json_reads_it(text in any::<String>()) {
        let title = format!("T{text}");
        let Loaded::Editing(mut state) = load(r#"{"status": "Editing", "title": "T"}"#).unwrap() else { panic!() };
        state.header.title = title.as_str().into();
        let written: serde_json::Value = serde_json::from_slice(&write(StateToWrite::Editing(&state), None)).unwrap();
        prop_assert_eq!(written["title"].as_str(), Some(&*title));
    }
}
