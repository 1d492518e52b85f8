//! Where plans are: `--root`, `--profile`, `--project`, `PLANGATE_ROOT`, the home folder.
// spec: DISK-2, DISK-14

use pretty_assertions::assert_eq;

use super::place::{INIT_CHECKLIST, Place};

fn md(place: &Place, call: super::place::Call<'_>) -> String {
    let (exit, status) = call.run().json();
    assert_eq!(exit, 0);
    let _ = place;
    status["md"].as_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn the_home_folder_is_where_plans_are_by_default() {
    let place = Place::new();
    let call = place.call(["status", "--json", "--session", "a1"]).without("PLANGATE_ROOT");
    assert_eq!(md(&place, call), "ROOT/session/.opencrabs_plan_a1.md");
}

#[test]
fn the_option_goes_before_the_variable() {
    let place = Place::new();
    let status = ["status", "--json", "--session", "a1"];
    let elsewhere = place.path("elsewhere");
    let call = place.call(status).env("PLANGATE_ROOT", elsewhere.as_str());
    assert_eq!(md(&place, call), "TOP/elsewhere/session/.opencrabs_plan_a1.md");
    let mut call = place.call(status).env("PLANGATE_ROOT", elsewhere.as_str());
    call.command.args(["--root", "below"]);
    assert_eq!(md(&place, call), "PROJECT/below/session/.opencrabs_plan_a1.md", "a relative one begins here");
}

#[test]
fn a_profile_and_a_project_have_folders_of_their_own() {
    let place = Place::new();
    let status = ["status", "--json", "--session", "a1"];
    let with = |more: &[&str]| md(&place, place.call(status.iter().chain(more)));
    assert_eq!(with(&["--profile", "work"]), "ROOT/profiles/work/session/.opencrabs_plan_a1.md");
    assert_eq!(with(&["--project", "cache"]), "ROOT/projects/cache/session/.opencrabs_plan_a1.md");
    assert_eq!(with(&["--profile", "work", "--project", "cache"]), "ROOT/projects/cache/session/.opencrabs_plan_a1.md");
    for option in ["--profile", "--project"] {
        let refused = place.run(["status", "--session", "a1", option, "../up"]);
        assert_eq!(refused.exit, 2);
        assert!(refused.err.starts_with(&format!("plangate: {option}: \"../up\" cannot")), "{}", refused.err);
    }
}

/// A plan that began in a project is found by a terminal that does not know of the project.
#[test]
fn the_plan_of_a_project_is_found_without_naming_the_project() {
    let place = Place::new();
    assert_eq!(place.run(["tool", INIT_CHECKLIST, "--session", "a1", "--project", "cache"]).exit, 0);
    let status = place.run(["status", "--json"]).json().1;
    assert_eq!(status["md"], "ROOT/projects/cache/session/.opencrabs_plan_a1.md");
    assert!(place.run(["list"]).out.starts_with("a1  Active  Swap the cache"));
}

#[cfg(unix)]
#[test]
fn without_a_home_folder_the_root_has_to_be_named() {
    let place = Place::new();
    // Where the system knows the person, it knows their home folder as well; an empty variable then says nothing.
    let ran = place.call(["status", "--session", "a1"]).without("PLANGATE_ROOT").env("HOME", "relative").run();
    assert!(ran.exit == 0 || (ran.exit == 2 && ran.err.contains("--root")), "{ran:?}");
}
