//! Tests of the record as a whole; each small part has its own beside it.

mod any_state;
mod damage;
mod fixtures;
mod hostile;
mod imports;
mod legacy_shapes;
mod round_trip;
mod written;

use super::*;
use crate::model::{SessionId, Task};
use crate::plan::{Active, Editing, PreInit, Site};

const SESSION: &str = "0b7d2f6e-88a4-4f3b-a1c9-5d6e7f809a1b";

fn site() -> Site {
    Site::new(SessionId::new(SESSION).unwrap(), "/p/plan.md".into())
}

fn load(text: impl AsRef<[u8]>) -> Result<Loaded, RecordError> {
    read(text.as_ref(), &site())
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/plans/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn active(text: impl AsRef<[u8]>) -> Active {
    match load(text).unwrap() {
        Loaded::Active(state) => state,
        other => panic!("{other:?}"),
    }
}

fn editing(text: impl AsRef<[u8]>) -> Editing {
    match load(text).unwrap() {
        Loaded::Editing(state) => state,
        other => panic!("{other:?}"),
    }
}

fn pre_init(text: impl AsRef<[u8]>) -> PreInit {
    match load(text).unwrap() {
        Loaded::PreInit(state) => state,
        other => panic!("{other:?}"),
    }
}

/// The only task of an Active record whose task has these fields.
fn task(fields: &str) -> Task {
    let text = format!(r#"{{"status": "Active", "title": "T", "tasks": [{{{fields}}}]}}"#);
    active(text).checklist.in_file_order().next().unwrap().clone()
}

/// The state of a record that has not ended, to be written again.
fn to_write(loaded: &Loaded) -> Option<StateToWrite<'_>> {
    match loaded {
        Loaded::PreInit(state) => Some(StateToWrite::PreInit(state)),
        Loaded::Editing(state) => Some(StateToWrite::Editing(state)),
        Loaded::Active(state) => Some(StateToWrite::Active(state)),
        Loaded::Ended(_) => None,
    }
}

/// A text with `»` at the place that an error has to name: the text without it, and its line and column.
fn marked(text: &str) -> (String, (usize, usize)) {
    let (before, after) = text.split_once('»').expect("the text marks a place");
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}');
    (format!("{before}{after}"), (before.matches('\n').count() + 1, line.chars().count() + 1))
}
