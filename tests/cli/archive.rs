//! `archive list`, `archive show`, and what `archive restore` refuses.
// spec: DISK-5, DISK-13, LIFE-9

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{INIT_CHECKLIST, Place, Ran};

/// A plan that was worked off.
fn completed() -> Place {
    let place = Place::new().active();
    for _ in 0..3 {
        assert_eq!(place.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
        assert_eq!(place.a1(["tool", r#"{"operation": "complete"}"#]).exit, 0);
    }
    place
}

fn discard(place: &Place) -> String {
    let (_, receipt) = place.session().load().wait().unwrap().discard().wait().unwrap();
    receipt.unwrap().archive.unwrap().to_string()
}

#[test]
fn lists_what_has_ended_oldest_first() {
    assert_eq!(Place::new().a1(["archive", "list"]), Ran::done("Session a1 has no archived plans.\n"));
    let place = completed();
    let place = place.designed();
    discard(&place);
    assert_eq!(
        place.a1(["archive", "list"]),
        Ran::done(
            "opencrabs_plan_a1-STAMP  completed  Swap the cache\nopencrabs_plan_a1-STAMP-discarded  discarded  Swap the cache\n"
        )
    );
    assert_eq!(
        place.a1(["archive", "list", "--json"]).json(),
        (
            0,
            json!({
                "session": "a1",
                "why": "named by --session",
                "archive": [
                    {
                        "name": "opencrabs_plan_a1-STAMP",
                        "mark": "completed",
                        "title": "Swap the cache",
                        "json": "ROOT/session/archive/opencrabs_plan_a1-STAMP.json",
                    },
                    {
                        "name": "opencrabs_plan_a1-STAMP-discarded",
                        "mark": "discarded",
                        "title": "Swap the cache",
                        "json": "ROOT/session/archive/opencrabs_plan_a1-STAMP-discarded.json",
                        "md": "ROOT/session/archive/opencrabs_plan_a1-STAMP-discarded.md",
                    },
                ],
            })
        )
    );
    // Another session's archive is its own.
    assert_eq!(place.run(["archive", "list", "--session", "a"]), Ran::done("Session a has no archived plans.\n"));
}

#[test]
fn shows_one_the_last_by_default() {
    let place = completed();
    let shown = place.a1(["archive", "show"]);
    assert!(shown.out.starts_with("opencrabs_plan_a1-STAMP (completed)\n\n{"), "{}", shown.out);
    assert!(shown.out.contains("\"ending\""), "the record is the final one");
    let place = place.designed();
    let name = discard(&place);
    let shown = place.a1(["archive", "show", &name]);
    assert_eq!(shown, place.a1(["archive", "show"]));
    assert!(shown.out.starts_with("opencrabs_plan_a1-STAMP-discarded (discarded)\n\nSwap the cache\n\nContext\n"));
    let (exit, data) = place.a1(["archive", "show", &name, "--json"]).json();
    assert_eq!((exit, &data["mark"], &data["record"]["status"]), (0, &json!("discarded"), &json!("Editing")));
    assert_eq!(data["body"], json!(super::place::WHOLE));
}

#[test]
fn a_name_that_is_not_there_is_answered_with_those_that_are() {
    let text = "The archive of this session has no plan nothing. List the archive and name one of its plans.";
    let place = completed();
    for command in ["show", "restore"] {
        assert_eq!(
            place.a1(["archive", command, "nothing"]),
            Ran::failed(3, &format!("plangate: {text}\n  opencrabs_plan_a1-STAMP\n"))
        );
    }
    assert_eq!(place.a1(["archive", "show", "../../x"]).exit, 3);
    assert_eq!(
        Place::new().a1(["archive", "show"]),
        Ran::failed(3, "plangate: session a1 has no archived plans. Name another one with --session.\n")
    );
}

// spec: LIFE-6
#[test]
fn beside_a_live_plan_nothing_is_restored() {
    let place = Place::new().active();
    let name = discard(&place);
    assert_eq!(place.a1(["tool", INIT_CHECKLIST]).exit, 0);
    assert_eq!(
        place.a1(["archive", "restore", &name]),
        Ran::failed(
            3,
            "plangate: There is a live plan already, so restore is refused. Discard first: a person can discard the plan.\n"
        )
    );
}
