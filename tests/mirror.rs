//! The session `.md`, its mirror in the record, and the events of a plan.

mod support;

use std::time::Duration;

use plangate::digest::Digest;
use plangate::event::Event;
use plangate::model::{Body, TaskRef};
use plangate::outline::{self, Outline};
use plangate::plan::{MarkdownProblem, StateName, Warning};
use plangate::session::Completion;
use plangate::{AnyPlan, Engine, Plan, SessionId};
use pretty_assertions::assert_eq;
use serde_json::json;
use support::{SESSION, WHOLE, World, approval, brief, continues, drafts, task};

type Editing = Plan<plangate::plan::Editing>;

fn editing(world: &World) -> Editing {
    world.load().try_into().unwrap()
}

/// Texts in which every byte counts.
fn bodies() -> Vec<String> {
    vec![
        WHOLE.into(),
        WHOLE.replace('\n', "\r\n"),
        format!("\u{feff}{WHOLE}"),
        WHOLE.trim_end().into(),
        format!("{WHOLE}\n\n\n"),
        format!("{WHOLE}\t \u{0} \u{1b}[1m \u{7f} \u{2028} \u{fffd} 🦀 \"\\\r"),
        " ".into(),
        String::new(),
    ]
}

// spec: MIRROR-1
#[test]
fn the_record_mirrors_what_the_engine_writes_byte_for_byte() {
    let world = World::new();
    let mut plan = world.editing();
    for body in bodies() {
        plan = plan.write_markdown(Body::new(body.as_str()).unwrap()).wait().unwrap();
        assert_eq!(std::fs::read(world.live("md")).unwrap(), body.as_bytes());
        assert_eq!(world.record()["description"], body);
        assert_eq!(plan.header().description(), body);
        assert_eq!(editing(&world).markdown().text(), Some(body.as_str()));
    }
}

// spec: MIRROR-1
#[test]
fn the_record_mirrors_what_another_editor_wrote_byte_for_byte() {
    let world = World::new();
    let mut plan = world.editing();
    for body in bodies() {
        std::fs::write(world.live("md"), &body).unwrap();
        plan = plan.sync().wait().unwrap();
        assert_eq!(world.record()["description"], body);
        assert_eq!(std::fs::read(world.live("md")).unwrap(), body.as_bytes(), "a sync reads the .md and leaves it");
        // Once the record says it, a sync writes nothing and tells nobody.
        let (before, mut events) = (world.files(), world.engine.subscribe());
        plan = plan.sync().wait().unwrap();
        assert_eq!((world.files(), events.try_next()), (before, None));
    }
}

// spec: MIRROR-1
#[test]
fn approving_and_discarding_sync_what_is_there() {
    let body = WHOLE.replace("LRU thrashes", "everything thrashes");
    for discard in [false, true] {
        let world = World::new();
        let plan = world.designed();
        std::fs::write(world.live("md"), &body).unwrap();
        let json = match discard {
            true => plan.discard().wait().unwrap().1.json.unwrap(),
            false => plan.approve(approval(&body)).wait().unwrap().paths().json,
        };
        assert_eq!(support::record(&json)["description"], body);
    }
}

// spec: MIRROR-1
#[test]
fn the_title_is_that_of_the_first_heading_if_it_is_one() {
    let world = World::new();
    let mut plan = world.editing();
    let long = "x".repeat(201);
    for (heading, title) in [
        ("# Swap *the* `cache`", "Swap the cache"),
        ("# Another\n# Second", "Another"),
        ("no heading", "Another"),
        ("# ", "Another"),
        (&*format!("# {long}"), "Another"),
        ("Under\nlined\n===", "Under lined"),
    ] {
        plan = plan.write_markdown(Body::new(format!("{heading}\n\ntext\n")).unwrap()).wait().unwrap();
        assert_eq!((plan.header().title(), &world.record()["title"]), (title, &title.into()), "{heading}");
    }
}

// spec: MIRROR-2
#[test]
fn no_file_of_a_design_has_tasks() {
    let world = World::new();
    world.lay("session", "md", WHOLE);
    let tasks = json!([{"title": "T", "description": "d"}]);
    let record = json!({"title": "T", "description": "d", "status": "Editing", "tasks": tasks}).to_string();
    world.lay("session", "json", &record);
    let check = |world: &World| assert_eq!((&world.record()["tasks"], world.state().as_str()), (&json!([]), "Editing"));
    let plan = editing(&world);
    check(&world);
    let plan = plan.write_markdown(Body::new("# T").unwrap()).wait().unwrap();
    check(&world);
    let _ = plan.sync().wait().unwrap();
    check(&world);
    // What had to go is in the archive.
    let archive = world.session().archive().wait().unwrap();
    let [entry] = &archive[..] else { panic!("{archive:?}") };
    assert_eq!(std::fs::read_to_string(entry.json.as_ref().unwrap()).unwrap(), record);
}

// spec: MIRROR-3
#[test]
fn every_commit_emits_one_event_in_order() {
    let world = World::new();
    let mut events = world.engine.subscribe();
    let mut seen = |expected: StateName| {
        let Some(Event::Changed(event)) = events.try_next() else { panic!("no event") };
        let revision = std::fs::read(world.live("json")).ok().map(|bytes| Digest::of(&bytes));
        assert_eq!((event.session.as_str(), event.state, event.revision), (SESSION, expected, revision));
        assert_eq!(events.try_next(), None);
    };
    let plan = world.pre_init();
    seen(StateName::PreInit);
    let plan = plan.init_design(brief()).wait().unwrap();
    seen(StateName::Editing);
    let plan = plan.write_markdown(Body::new(WHOLE).unwrap()).wait().unwrap();
    seen(StateName::Editing);
    std::fs::write(world.live("md"), format!("{WHOLE}2. more\n")).unwrap();
    let plan = plan.sync().wait().unwrap();
    seen(StateName::Editing);
    let plan = plan.approve(approval(&format!("{WHOLE}2. more\n"))).wait().unwrap();
    seen(StateName::Active);
    let plan = plan.add_tasks(drafts(2)).wait().unwrap();
    seen(StateName::Active);
    let (plan, receipt) = plan.discard().wait().unwrap();
    seen(StateName::NoPlan);
    let plan = support::still_active(plan.restore(receipt.archive.unwrap()).wait().unwrap());
    seen(StateName::Active);
    let plan = plan.start(task(1)).wait().unwrap();
    seen(StateName::Active);
    let plan = plan.fail(task(1), None).wait().unwrap();
    seen(StateName::Active);
    let plan = continues(plan.skip(task(1), None).wait().unwrap());
    seen(StateName::Active);
    let Completion::Archived(plan, _) = plan.skip(task(2), None).wait().unwrap() else { panic!() };
    seen(StateName::NoPlan);
    drop(plan.init_checklist(brief(), drafts(1)).wait().unwrap());
    seen(StateName::Active);
}

// spec: MIRROR-3
#[tokio::test]
async fn an_event_reaches_whoever_waits_for_it() {
    let world = World::new();
    let mut events = world.engine.subscribe();
    let waiting = tokio::spawn(async move { events.next().await });
    let AnyPlan::NoPlan(plan) = world.session().load().await.unwrap() else { panic!() };
    drop(plan.enter().await.unwrap());
    let Some(Event::Changed(event)) = waiting.await.unwrap() else { panic!() };
    assert_eq!(event.state, StateName::PreInit);

    let mut events = world.engine.subscribe();
    assert_eq!(events.wait(Duration::from_millis(20)), None);
    let waiting = std::thread::spawn(move || events.wait(Duration::from_secs(10)));
    let AnyPlan::PreInit(plan) = world.session().load().await.unwrap() else { panic!() };
    drop(plan.discard().await.unwrap());
    let Some(Event::Changed(event)) = waiting.join().unwrap() else { panic!() };
    assert_eq!(event.state, StateName::NoPlan);
}

// spec: MIRROR-7
#[test]
fn a_subscriber_that_is_slow_or_gone_holds_nothing_up() {
    let world = World::in_memory();
    let mut slow = world.engine.subscribe();
    drop(world.engine.subscribe());
    let mut plan = world.active(drafts(1));
    // More than a subscriber may fall behind.
    for _ in 0..600 {
        plan = plan.start(task(1)).wait().unwrap();
        plan = plan.fail(task(1), None).wait().unwrap();
    }
    let Some(Event::Missed(missed)) = slow.try_next() else { panic!() };
    let seen =
        std::iter::from_fn(|| slow.try_next()).inspect(|event| assert!(matches!(event, Event::Changed(_)))).count();
    assert_eq!(missed + seen as u64, 1 + 2 * 600, "it is told how many it has missed");
}

// spec: MIRROR-4
#[test]
fn a_md_that_cannot_be_used_leaves_the_last_text_with_a_warning() {
    let world = World::new();
    let md = world.designed().paths().md;
    let cases: [(Option<Vec<u8>>, Warning); 3] = [
        (None, Warning::MarkdownMissing { md: md.clone() }),
        (
            Some(b"# T\xff".to_vec()),
            Warning::MarkdownUnusable { md: md.clone(), problem: MarkdownProblem::NotUtf8 { at: 3 } },
        ),
        (
            Some(vec![b'x'; Body::MAX_BYTES + 1]),
            Warning::MarkdownUnusable { md: md.clone(), problem: MarkdownProblem::TooLong },
        ),
    ];
    for (bytes, warning) in cases {
        std::fs::remove_file(&md).unwrap();
        if let Some(bytes) = bytes {
            std::fs::write(&md, bytes).unwrap();
        }
        let before = world.files();
        let plan = editing(&world).sync().wait().unwrap();
        assert_eq!(plan.warnings(), [warning]);
        assert_eq!((plan.header().description(), world.files()), (WHOLE, before));
        std::fs::write(&md, WHOLE).unwrap();
    }
    // Nothing at all is a text too.
    std::fs::write(&md, "").unwrap();
    let plan = editing(&world).sync().wait().unwrap();
    assert_eq!((plan.header().description(), &world.record()["description"]), ("", &"".into()));
    assert_eq!(plan.warnings().len(), 1);
    assert_eq!(world.state(), "Editing");
}

// spec: MIRROR-4, LIFE-5
#[test]
fn a_frozen_md_that_changed_is_a_warning_and_is_never_synced() {
    let world = World::new();
    let plan = world.approved();
    assert_eq!(plan.warnings(), []);
    let md = plan.paths().md;
    std::fs::write(&md, "# forged\n").unwrap();
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    assert_eq!(plan.warnings(), [Warning::FrozenChanged { md: md.clone() }]);
    let plan = plan.add_tasks(drafts(1)).wait().unwrap().start(task(1)).wait().unwrap();
    assert_eq!((&world.record()["description"], &world.record()["title"]), (&WHOLE.into(), &"Swap the cache".into()));
    assert_eq!(std::fs::read_to_string(&md).unwrap(), "# forged\n");
    let Completion::Archived(_, receipt) = plan.complete(TaskRef::Implied, None).wait().unwrap() else { panic!() };
    assert_eq!(support::record(&receipt.json.unwrap())["description"], WHOLE);
}

/// A body that takes six times its room in JSON.
fn swelling() -> String {
    format!("{WHOLE}{}", "\u{1}".repeat(16 * 1024))
}

// spec: MIRROR-4, API-4
#[cfg(unix)]
#[test]
fn where_the_record_cannot_be_saved_the_md_is_the_truth_and_the_next_sync_heals() {
    let world = World::new();
    drop(world.editing());
    let record = std::fs::read(world.live("json")).unwrap();
    // A process that may write files of 32 or 64 KiB, by the shell's unit: the .md fits, its mirror does not.
    let limited = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_cannot_write_large_files", "--nocapture", "--test-threads=1"])
        .env("PLAN_ROOT", world.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&limited.stdout).into_owned();
    assert!(said.contains("code=disk; plan=true;"), "{said}\n{}", String::from_utf8_lossy(&limited.stderr));

    assert_eq!(std::fs::read_to_string(world.live("md")).unwrap(), swelling());
    assert_eq!(std::fs::read(world.live("json")).unwrap(), record);
    assert_eq!(world.files().len(), 2, "nothing is left behind");
    let plan = editing(&world);
    assert_eq!(plan.markdown().text(), Some(swelling().as_str()));
    let plan = plan.sync().wait().unwrap();
    assert_eq!(world.record()["description"], swelling());
    plan.approve(approval(&swelling())).wait().unwrap();
}

/// What the test above starts; run on its own it has nothing to do.
#[test]
fn a_process_that_cannot_write_large_files() {
    let Ok(root) = std::env::var("PLAN_ROOT") else {
        println!("nothing to do: another test starts this one");
        return;
    };
    let engine = Engine::at(root).build().unwrap();
    let AnyPlan::Editing(plan) = engine.session(SessionId::new(SESSION).unwrap()).load().wait().unwrap() else {
        panic!()
    };
    let error = plan.write_markdown(Body::new(swelling()).unwrap()).wait().unwrap_err();
    println!("{error}");
    println!("code={}; plan={};", error.reason().code(), error.into_plan().is_some());
}

// spec: MIRROR-5
#[test]
fn missing_sections_warn_and_block_no_write() {
    let world = World::new();
    let mut plan = world.editing();
    for (body, warnings) in [("", 1), ("# T\n", 2), ("# T\n\n## Context\n- **Problem:** x\n", 3), (WHOLE, 0)] {
        plan = plan.write_markdown(Body::new(body).unwrap()).wait().unwrap();
        assert_eq!(plan.warnings().len(), warnings, "{body:?}");
        std::fs::write(world.live("md"), body).unwrap();
        plan = plan.sync().wait().unwrap();
        assert_eq!(plan.warnings().len(), warnings, "{body:?}");
    }
}

// spec: MIRROR-5
#[test]
fn the_documented_template_is_that_of_the_engine() {
    let docs = std::fs::read_to_string("docs/json-spec.md").unwrap();
    let documented = docs.split("<!-- template:b -->\n```markdown\n").nth(1).unwrap().split("```").next().unwrap();
    let structure = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.is_empty() && !line.starts_with("# ") && *line != "...")
            .map(Into::into)
            .collect()
    };
    assert_eq!(structure(documented), structure(&outline::template()));
    // As it stands it lacks every required part.
    assert_eq!(Outline::scan(&documented.replace("...\n", "")).gaps().len(), 4);
}

// spec: MIRROR-6
#[test]
fn a_scan_finds_every_part_and_trips_over_nothing() {
    let body = "\u{feff}# Swap the cache\r\n\r\n```md\r\n## Context\r\n- **Problem:** fenced\r\n```\r\n\r\n## Context\r\n\
                <!-- - **Problem:** hidden -->\r\n- **Problem:** LRU thrashes\r\n- **Target state:** ARC\r\n- Intent: speed\r\n\
                \r\n## Implementation steps\r\n1. Swap it - in cache.rs\r\n   - Done when: benches pass\r\n\r\n\
                ~~~\r\n2. fenced\r\n~~~\r\n";
    let outline = Outline::scan(body);
    assert_eq!(outline.title(), Some("Swap the cache"));
    let parts = [outline.problem(), outline.target_state(), outline.intent()].map(|part| part.unwrap().text());
    assert_eq!(parts, ["LRU thrashes", "ARC", "speed"]);
    let [step] = outline.steps() else { panic!("{:?}", outline.steps()) };
    assert_eq!((step.title.as_str(), &step.done_when[..]), ("Swap it", &["benches pass".to_owned()][..]));
    assert!(outline.is_complete());
}
