//! The four states and the ways between them, through the public interface.

mod support;

use std::collections::BTreeSet;

use plangate::digest::Digest;
use plangate::event::Event;
use plangate::model::{Body, Caller, Origin, TaskRef};
use plangate::plan::{Active, Approval, Cell, Editing, NoPlan, Operation, StateName, Warning};
use plangate::session::Completion;
use plangate::{AnyPlan, Engine, Plan, SessionId};
use pretty_assertions::assert_eq;
use support::{SESSION, WHOLE, World, approval, brief, continues, drafts, record, still_active, still_editing, task};

fn active(world: &World) -> Plan<Active> {
    world.load().try_into().unwrap()
}

fn approve_whole(world: &World) -> Plan<Active> {
    let plan: Plan<Editing> = world.load().try_into().unwrap();
    plan.approve(approval(WHOLE)).wait().unwrap()
}

// spec: LIFE-1
#[test]
fn there_are_four_states_and_none_lingers_after_the_end() {
    assert_eq!(StateName::ALL.map(StateName::as_str), ["NoPlan", "PreInit", "Editing", "Active"]);
    let world = World::new();
    let plan = world.active(drafts(1)).start(TaskRef::Implied).wait().unwrap();
    let Completion::Archived(..) = plan.complete(TaskRef::Implied, None).wait().unwrap() else { panic!() };
    assert_eq!(world.state(), "NoPlan");
}

// spec: LIFE-2
#[test]
fn a_lock_a_tombstone_an_archive_and_an_orphan_md_are_no_plan() {
    let world = World::new();
    world.lay("session", "lock", "");
    world.lay("session", "tombstone", format!("{}\n", Digest::of(b"an older plan")));
    world.lay("session", "md", WHOLE);
    let archived = format!("opencrabs_plan_{SESSION}-20260101T000000Z.json");
    std::fs::create_dir(world.root().join("session/archive")).unwrap();
    std::fs::write(world.root().join("session/archive").join(archived), r#"{"status":"Active"}"#).unwrap();
    let before = world.files();
    assert!(matches!(world.load(), AnyPlan::NoPlan(_)));
    assert_eq!((world.state().as_str(), world.files()), ("NoPlan", before));
}

// spec: LIFE-3, LIFE-6, DISK-13
#[test]
fn plan_mode_is_a_minimal_sidecar_and_no_md() {
    let world = World::new();
    let plan = world.pre_init();
    assert!(!plan.paths().md.exists());
    let record = world.record();
    let fields: BTreeSet<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        ["asked", "created_at", "id", "origin", "pre_init_editing", "session_id", "status", "tasks", "updated_at"];
    assert_eq!(fields, BTreeSet::from(expected));
    assert_eq!((&record["status"], &record["pre_init_editing"]), (&"Editing".into(), &true.into()));
    assert_eq!(record["tasks"], serde_json::json!([]));
    assert_eq!(world.state(), "PreInit");
}

// spec: LIFE-4, LIFE-6
#[test]
fn a_design_has_both_files_and_no_tasks_and_outlives_its_md() {
    for from_pre_init in [false, true] {
        let world = World::new();
        let plan = if from_pre_init { world.pre_init().init_design(brief()).wait().unwrap() } else { world.editing() };
        assert!(plan.paths().md.exists() && plan.paths().json.exists());
        assert_eq!(world.record()["tasks"], serde_json::json!([]));
        std::fs::remove_file(plan.paths().md).unwrap();
        let AnyPlan::Editing(plan) = world.load() else { panic!("{}", world.state()) };
        assert_eq!(plan.warnings(), [Warning::MarkdownMissing { md: plan.paths().md }]);
    }
}

// spec: LIFE-5
#[test]
fn an_approved_plan_without_tasks_stays_whatever_reads_it() {
    let world = World::new();
    let plan = world.approved();
    assert!(plan.checklist().is_empty());
    let before = world.files();
    for _ in 0..10 {
        assert!(matches!(world.load(), AnyPlan::Active(_)));
        assert!(matches!(world.session().exclusive().wait().unwrap(), AnyPlan::Active(_)));
        assert_eq!(world.state(), "Active");
    }
    for refused in [
        plan.start(TaskRef::Implied).wait().unwrap_err(),
        active(&world).complete(TaskRef::Implied, None).wait().unwrap_err(),
        active(&world).skip(task(1), None).wait().unwrap_err(),
        active(&world).fail(task(1), None).wait().unwrap_err(),
    ] {
        assert_eq!(refused.reason().code(), "no-tasks");
        assert!(refused.to_string().contains("add them with one add_tasks call, then call start"), "{refused}");
    }
    assert_eq!(world.files(), before);
    // It goes on once the steps are added.
    active(&world).add_tasks(drafts(1)).wait().unwrap().start(TaskRef::Implied).wait().unwrap();
}

// spec: LIFE-5
#[test]
fn the_md_of_an_active_plan_is_frozen_and_may_go_missing() {
    let world = World::new();
    let plan: AnyPlan = world.approved().into();
    for operation in [Operation::WriteMarkdown, Operation::Sync] {
        assert_eq!(plan.refuse(operation).unwrap().code(), "frozen");
    }
    std::fs::remove_file(plan.paths().md).unwrap();
    let AnyPlan::Active(plan) = world.load() else { panic!() };
    assert_eq!(plan.warnings(), [Warning::FrozenChanged { md: plan.paths().md }]);
    let Completion::Archived(_, receipt) =
        plan.add_tasks(drafts(1)).wait().unwrap().skip(task(1), None).wait().unwrap()
    else {
        panic!()
    };
    assert_eq!((receipt.md, receipt.json.is_some()), (None, true));
}

// spec: LIFE-6
#[test]
fn the_table_has_these_transitions_and_no_other() {
    use StateName::{Active, Editing, NoPlan, PreInit};
    let mut found = Vec::new();
    for operation in Operation::ALL {
        for from in StateName::ALL {
            if let Cell::Leads(to) = operation.in_state(from) {
                found.extend(to.iter().filter(|to| **to != from).map(|to| (operation, from, *to)));
            }
        }
    }
    let expected = [
        (Operation::Enter, NoPlan, PreInit),
        (Operation::InitDesign, NoPlan, Editing),
        (Operation::InitDesign, PreInit, Editing),
        (Operation::InitChecklist, NoPlan, Active),
        (Operation::InitChecklist, PreInit, Active),
        (Operation::Import, NoPlan, Active),
        (Operation::Import, PreInit, Active),
        (Operation::Approve, Editing, Active),
        (Operation::Complete, Active, NoPlan),
        (Operation::Skip, Active, NoPlan),
        (Operation::Discard, PreInit, NoPlan),
        (Operation::Discard, Editing, NoPlan),
        (Operation::Discard, Active, NoPlan),
        (Operation::Restore, NoPlan, Editing),
        (Operation::Restore, NoPlan, Active),
    ];
    assert_eq!(found, expected);
}

// spec: LIFE-6, LIFE-9
#[test]
fn a_person_brings_back_what_was_discarded_and_nothing_else() {
    let world = World::new();
    let design = world.designed();
    let state = (design.header().id(), design.header().description().to_owned());
    let (plan, receipt) = design.discard().wait().unwrap();
    let name = receipt.archive.unwrap();
    let plan = still_editing(plan.restore(name.clone()).wait().unwrap());
    assert_eq!((plan.header().id(), plan.header().description().to_owned()), state);
    assert_eq!(plan.markdown().text(), Some(WHOLE));
    assert_eq!(world.record().get("ending"), None);
    // The archive keeps its copy, so it can be done again.
    let (plan, _) = plan.discard().wait().unwrap();
    let plan = still_editing(plan.restore(name).wait().unwrap());

    let plan = plan.approve(approval(WHOLE)).wait().unwrap().add_tasks(drafts(2)).wait().unwrap();
    let plan = plan.start(task(1)).wait().unwrap();
    let (approved_at, tasks) = (plan.header().approved_at(), plan.checklist().clone());
    let (plan, receipt) = plan.discard().wait().unwrap();
    let plan = still_active(plan.restore(receipt.archive.unwrap()).wait().unwrap());
    assert_eq!((plan.header().approved_at(), plan.checklist()), (approved_at, &tasks));

    let plan = continues(plan.complete(task(1), None).wait().unwrap());
    let Completion::Archived(plan, receipt) = plan.skip(task(2), None).wait().unwrap() else { panic!() };
    let refused = plan.restore(receipt.archive.unwrap()).wait().unwrap_err();
    assert_eq!(refused.reason().code(), "completed");
    assert!(refused.into_plan().is_some());
}

// spec: LIFE-7
#[test]
fn entering_again_writes_nothing_and_emits_nothing() {
    let world = World::new();
    drop(world.pre_init());
    let (mut events, before) = (world.engine.subscribe(), world.files());
    let AnyPlan::PreInit(_) = world.load().enter().wait().unwrap() else { panic!() };
    assert_eq!((world.files(), events.try_next()), (before, None));
}

// spec: LIFE-7
#[test]
fn entering_with_a_live_plan_is_refused_and_changes_nothing() {
    for (state, code) in [("Editing", "already-planning"), ("Active", "plan-is-live")] {
        let world = World::new();
        match state {
            "Editing" => drop(world.editing()),
            _ => drop(world.active(drafts(1))),
        }
        let (mut events, before) = (world.engine.subscribe(), world.files());
        let refused = world.load().enter().wait().unwrap_err();
        assert_eq!(refused.reason().code(), code);
        assert_eq!(refused.into_plan().unwrap().state_name().as_str(), state);
        assert_eq!((world.files(), events.try_next()), (before, None));
    }
}

// spec: LIFE-8
#[test]
fn approving_is_refused_in_every_other_state_with_a_reason_each() {
    let world = World::new();
    let refusal = |plan: AnyPlan| plan.refuse(Operation::Approve).map(|refusal| (refusal.code(), refusal.to_string()));
    let mut answers = vec![refusal(world.load())];
    answers.push(refusal(world.pre_init().into()));
    world.load().discard().wait().unwrap();
    assert_eq!(refusal(world.designed().into()), None);
    let plan = approve_whole(&world);
    answers.push(refusal(plan.into()));
    let plan = active(&world).add_tasks(drafts(1)).wait().unwrap();
    answers.push(refusal(plan.into()));
    let (codes, texts): (Vec<_>, BTreeSet<_>) = answers.into_iter().flatten().unzip();
    assert_eq!(codes, ["no-plan", "init-first", "already-active", "already-active"]);
    assert_eq!(texts.len(), 4, "{texts:?}");
}

// spec: LIFE-8, DISK-8, DISK-6
#[test]
fn approving_records_who_when_and_what_they_saw() {
    let world = World::new();
    let plan = world.designed();
    assert_eq!(world.record()["approved_at"], serde_json::Value::Null);
    let plan = plan.approve(approval(WHOLE)).wait().unwrap();
    let record = world.record();
    assert_eq!(record["status"], "Active");
    assert_eq!(record["approved_at"], plan.header().approved_at().unwrap().to_string());
    let approval = &record["approval"];
    assert_eq!((&approval["by"], &approval["via"]), (&"ada".into(), &"terminal".into()));
    assert_eq!((&approval["at"], &approval["guarded"]), (&record["approved_at"], &true.into()));
    assert_eq!(approval["digest"], Digest::of(WHOLE.as_bytes()).to_string());
}

// spec: LIFE-8, API-4
#[test]
fn a_text_that_the_person_did_not_see_is_not_approved() {
    let world = World::new();
    let plan = world.designed();
    std::fs::write(plan.paths().md, WHOLE.replace("1. Swap it", "1. Swap it all")).unwrap();
    let before = world.files();
    let refused = plan.approve(approval(WHOLE)).wait().unwrap_err();
    assert_eq!(refused.reason().code(), "digest-changed");
    assert!(refused.into_plan().is_some());
    assert_eq!(world.files(), before);
}

// spec: LIFE-9
#[test]
fn discarding_plan_mode_removes_the_sidecar_and_keeps_nothing() {
    let world = World::new();
    let (_, receipt) = world.pre_init().discard().wait().unwrap();
    assert_eq!((receipt.archive, receipt.json, receipt.md), (None, None, None));
    assert_eq!((world.state().as_str(), world.files().len()), ("NoPlan", 0));
}

// spec: LIFE-9
#[test]
fn discarding_a_plan_keeps_a_marked_copy() {
    for active in [false, true] {
        let world = World::new();
        let mut events = world.engine.subscribe();
        let plan: AnyPlan = if active { world.approved().into() } else { world.designed().into() };
        let (_, receipt) = plan.discard().wait().unwrap();
        let receipt = receipt.unwrap();
        let name = receipt.archive.unwrap().to_string();
        assert!(name.starts_with(&format!("opencrabs_plan_{SESSION}-2026")) && name.ends_with("-discarded"), "{name}");
        let archived = record(&receipt.json.unwrap());
        assert_eq!(archived["ending"]["how"], "discarded");
        assert_eq!(std::fs::read_to_string(receipt.md.unwrap()).unwrap(), WHOLE);
        assert_eq!((world.state().as_str(), world.files().len()), ("NoPlan", 2));
        let last = std::iter::from_fn(|| events.try_next()).last();
        let Some(Event::Changed(event)) = last else { panic!("{last:?}") };
        assert_eq!((event.state, event.revision), (StateName::NoPlan, None));
    }
}

// spec: LIFE-9
#[test]
fn discarding_nothing_succeeds_without_an_event() {
    let world = World::new();
    let mut events = world.engine.subscribe();
    let (_, receipt) = world.load().discard().wait().unwrap();
    assert_eq!((receipt, events.try_next(), world.files().len()), (None, None, 0));
}

// spec: LIFE-10
#[test]
fn nobody_plans_where_nobody_looks() {
    for origin in [Origin::Yolo, Origin::Cron, Origin::Run, Origin::A2a] {
        let world = World::new();
        let session = world.session().with_caller(Caller::unasked(origin));
        let plan = || session.load().wait().unwrap();
        let AnyPlan::NoPlan(design) = plan() else { panic!() };
        let refusals = [
            plan().enter().wait().unwrap_err().to_string(),
            design.init_design(brief()).wait().unwrap_err().to_string(),
        ];
        for text in refusals {
            assert!(text.contains(&format!("this session is {origin}")), "{text}");
            assert!(text.contains("mode=checklist") && text.contains("file_path"), "{text}");
        }
        assert_eq!(world.files().len(), 0);

        let AnyPlan::NoPlan(plan) = plan() else { panic!() };
        plan.init_checklist(brief(), drafts(1)).wait().unwrap();
    }
}

// spec: LIFE-10
#[test]
fn a_subagent_begins_no_plan_at_all() {
    let world = World::new();
    let session = world.session().with_caller(Caller::unasked(Origin::Subagent));
    let plan = || -> Plan<NoPlan> { session.load().wait().unwrap().try_into().unwrap() };
    for refused in [
        plan().enter().wait().map(|_| ()).unwrap_err(),
        plan().init_design(brief()).wait().map(|_| ()).unwrap_err(),
        plan().init_checklist(brief(), drafts(1)).wait().map(|_| ()).unwrap_err(),
        plan().import("tests/fixtures/plans/import-minimal.json").wait().map(|_| ()).unwrap_err(),
    ] {
        assert_eq!(refused.reason().code(), "subagent");
    }
    assert_eq!(world.files().len(), 0);
}

// spec: LIFE-10, INIT-5
#[test]
fn plan_mode_that_is_on_may_become_a_design_in_any_origin() {
    for origin in Origin::ALL {
        let world = World::new();
        drop(world.pre_init());
        let session = world.session().with_caller(Caller::unasked(origin));
        let AnyPlan::PreInit(plan) = session.load().wait().unwrap() else { panic!() };
        let plan = plan.init_design(brief()).wait().unwrap();
        // The origin that a person began with stays, and nothing is approved by it.
        assert_eq!(plan.header().origin(), Some(Origin::Interactive));
        assert_eq!(plan.header().approved_at(), None);
    }
}

// spec: LIFE-11
#[test]
fn each_gap_is_named() {
    let without = |line: &str| WHOLE.replace(line, "");
    let cases = [
        (String::new(), vec!["the plan is empty"]),
        (" \n\t\n".into(), vec!["the plan is empty"]),
        (without(" LRU thrashes"), vec!["`**Problem:**` is blank (line 4)"]),
        (without(" ARC in place"), vec!["`**Target state:**` is blank (line 5)"]),
        (without(" latency"), vec!["`**Intent:**` is blank (line 6)"]),
        (without("- **Intent:** latency\n"), vec!["`## Context` has no `- **Intent:**` line"]),
        (without("1. Swap it — in cache.rs\n"), vec!["`## Implementation steps` has no numbered step (line 8)"]),
        (WHOLE.replace("1. Swap it — in cache.rs", "1."), vec!["no numbered step has text (first step on line 9)"]),
        (without("## Implementation steps"), vec!["there is no `## Implementation steps` section"]),
        (
            "# T\n".into(),
            vec![
                "there is no `## Context` section with Problem, Target state and Intent",
                "there is no `## Implementation steps` section",
            ],
        ),
    ];
    for (body, gaps) in cases {
        let world = World::new();
        let plan = world.editing().write_markdown(Body::new(body.as_str()).unwrap()).wait().unwrap();
        let before = world.files();
        let refused = plan.approve(approval(&body)).wait().unwrap_err();
        assert_eq!(refused.reason().code(), "outline-incomplete", "{body}");
        for gap in gaps {
            assert!(refused.to_string().contains(gap), "{refused}");
        }
        assert_eq!(world.files(), before);
    }
}

// spec: LIFE-11
#[test]
fn a_fresh_outline_is_refused_with_every_gap() {
    let world = World::new();
    let plan = world.editing();
    let seen = plan.markdown().digest().unwrap();
    let refused = plan.approve(Approval::new("ada", "terminal", seen)).wait().unwrap_err().to_string();
    for part in ["Problem", "Target state", "Intent", "numbered step"] {
        assert!(refused.contains(part), "{refused}");
    }
}

// spec: LIFE-11
#[test]
fn a_missing_too_long_or_unreadable_md_is_not_approved() {
    let too_long = format!("{WHOLE}{}", "x".repeat(Body::MAX_BYTES));
    let mut no_utf8 = WHOLE.as_bytes().to_vec();
    no_utf8.push(0xff);
    for (bytes, said) in [
        (None, "The .md is missing. Write the outline to "),
        (Some(too_long.into_bytes()), "is larger than 1 MiB"),
        (Some(no_utf8), "is not UTF-8"),
    ] {
        let world = World::new();
        let plan = world.designed();
        std::fs::remove_file(plan.paths().md).unwrap();
        if let Some(bytes) = &bytes {
            std::fs::write(plan.paths().md, bytes).unwrap();
        }
        let seen = Digest::of(bytes.as_deref().unwrap_or_default());
        let refused = plan.approve(Approval::new("ada", "terminal", seen)).wait().unwrap_err();
        assert_eq!(refused.reason().code(), "outline-incomplete");
        assert!(refused.to_string().contains(said), "{refused}");
        assert_eq!(world.state(), "Editing");
    }
}

// spec: LIFE-11
#[test]
fn any_text_counts() {
    let world = World::new();
    let body = WHOLE.replace("LRU thrashes", "?").replace("ARC in place", "x").replace("latency", ".");
    let plan = world.editing().write_markdown(Body::new(body.as_str()).unwrap()).wait().unwrap();
    plan.approve(approval(&body)).wait().unwrap();
}

// spec: LIFE-12
#[test]
fn a_new_process_and_a_second_surface_report_the_same() {
    let world = World::new();
    let second = world.another_engine().session(SessionId::new(SESSION).unwrap());
    let reports = |expected: &str| {
        assert_eq!(second.view().wait().unwrap().state_name().as_str(), expected);
        assert_eq!(second.load().wait().unwrap().state_name().as_str(), expected);
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_process_of_its_own", "--nocapture", "--test-threads=1"])
            .env("PLAN_ROOT", world.root())
            .output()
            .unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        assert!(output.contains(&format!("state={expected};")), "{output}");
    };
    reports("NoPlan");
    let plan = world.pre_init();
    reports("PreInit");
    let plan = plan.init_design(brief()).wait().unwrap();
    reports("Editing");
    let plan = plan.write_markdown(Body::new(WHOLE).unwrap()).wait().unwrap();
    let plan = plan.approve(approval(WHOLE)).wait().unwrap();
    reports("Active");
    plan.discard().wait().unwrap();
    reports("NoPlan");
}

/// What the test above starts; run on its own it has nothing to report.
#[test]
fn a_process_of_its_own() {
    let Ok(root) = std::env::var("PLAN_ROOT") else {
        println!("nothing to do: the test of two processes starts this one");
        return;
    };
    let engine = Engine::at(root).build().unwrap();
    let view = engine.session(SessionId::new(SESSION).unwrap()).view().wait().unwrap();
    println!("state={};", view.state_name());
}

// spec: LIFE-12
#[test]
fn nothing_expires() {
    for (record, state) in [
        (r#"{"status":"Editing","pre_init_editing":true,"created_at":"1999-01-01T00:00:00Z"}"#, "PreInit"),
        (r#"{"status":"Editing","title":"T","created_at":"1999-01-01T00:00:00Z"}"#, "Editing"),
        (r#"{"status":"Active","title":"T","updated_at":"1999-01-01T00:00:00Z","tasks":[]}"#, "Active"),
    ] {
        let world = World::new();
        world.lay("session", "json", record);
        let before = world.files();
        assert_eq!((world.load().state_name().as_str(), world.state().as_str()), (state, state));
        assert_eq!(world.files(), before);
    }
}
