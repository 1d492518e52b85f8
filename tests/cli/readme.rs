//! The lines of the README's section "At a terminal" do what the README says, as they stand there.
// spec: LIFE-6, GATE-3, TASK-8, DISK-5

use anstream::adapter::strip_str;

use super::place::Place;
use super::terminal::Terminal;

const README: &str = include_str!("../../README.md");

#[test]
fn the_lines_of_the_readme_go_through_a_plans_whole_life() {
    let (_, section) = README.split_once("## At a terminal\n").unwrap();
    let (_, script) = section.split_once("```sh\n").unwrap();
    let (script, _) = script.split_once("```\n").unwrap();

    let place = Place::new();
    let Some(mut terminal) = Terminal::run(place.shell(script).without("PLANGATE_ROOT")) else { return };
    let before = terminal.until("To approve this design, type ");
    let word = terminal.until(" ").trim().to_owned();
    terminal.type_in(&format!("{word}\n"));
    let ended = terminal.end();
    let text = place.plain(&strip_str(&ended.text()).to_string()).replace('\r', "");
    assert_eq!(ended.exit, Some(0), "{text}");
    assert!(before.contains("2 steps, digest "), "{before}");

    let mut rest = text.as_str();
    for expected in [
        "Plan mode is on for session demo (named by PLANGATE_SESSION).",
        "The plan \"Swap the cache\" is in Editing. Edit PROJECT/plans/session/.opencrabs_plan_demo.md",
        "until a person approves the design, only PROJECT/plans/session/.opencrabs_plan_demo.md may be written, and \"src/cache.rs\" is another file.",
        "The outline is complete: 2 steps. Next: `plangate approve`.",
        "Approved. The agent adds the steps as tasks and starts.",
        "Added 2 tasks; the plan is Active with 2 tasks. Call start: next is task 1 (Look).",
        "\nallow\n",
        "Started task 1 (Look).",
        "Completed task 1 (Look). Call start: next is task 2 (Swap).",
        "1 of 2 tasks have ended.\n",
        "Started task 2 (Swap).",
        "That was the last task: the plan is complete and archived as PROJECT/plans/session/archive/opencrabs_plan_demo-STAMP.json.",
        "opencrabs_plan_demo-STAMP (completed)\n",
        "Implementation steps\n",
        "\"ending\"",
    ] {
        let (_, after) = rest.split_once(expected).unwrap_or_else(|| panic!("{expected:?} is not in {rest}"));
        rest = after;
    }
    let left: Vec<_> =
        place.project().read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
    assert_eq!(left, ["plans"]);
    assert_eq!(place.files(), [], "nothing outside of the folder is touched");
}
