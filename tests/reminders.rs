//! What the model is told of its plan after a compaction, a restart or a refusal: one thing to do, in the words of today's
//! states, with the path and the parts that it needs, and never longer than it may be.
// spec: REM-1, REM-2, REM-3, REM-4, REM-5, REM-6

use camino::Utf8PathBuf;
use plangate::digest::Digest;
use plangate::model::{Body, Caller, LongText, Origin, TaskDraft, TaskDrafts, TaskRef, TaskStatus};
use plangate::plan::{Active, Approval, Brief, Editing, NoPlan, Operation, StateName};
use plangate::session::Completion;
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};
use pretty_assertions::assert_eq;

/// How long a reminder may be beside the path of the `.md`, in characters.
const LIMIT: usize = 4_000;

/// What a plan's status was called by older programs.
const LEGACY: [&str; 7] = ["Draft", "PendingApproval", "Rejected", "Approved", "InProgress", "Completed", "Cancelled"];

const PARTS: [&str; 5] =
    ["`## Context`", "`**Problem:**`", "`**Target state:**`", "`**Intent:**`", "`## Implementation steps`"];

const OUTLINE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                       - **Intent:** latency\n\n## Implementation steps\n1. Swap it\n";

struct World {
    _folder: tempfile::TempDir,
    session: Session,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let session = Engine::at(root).build().unwrap().session(SessionId::new("s1").unwrap());
        Self { _folder: folder, session }
    }

    /// A record as a program has left it.
    fn lay(json: &str) -> Self {
        let world = Self::new();
        let path = world.session.paths().wait().unwrap().json;
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, json).unwrap();
        world
    }

    fn load(&self) -> AnyPlan {
        self.session.load().wait().unwrap()
    }

    fn no_plan(&self) -> Plan<NoPlan> {
        let AnyPlan::NoPlan(plan) = self.load() else { panic!("there is a plan") };
        plan
    }

    fn active(&self) -> Plan<Active> {
        let AnyPlan::Active(plan) = self.load() else { panic!("it is not active") };
        plan
    }

    fn editing(&self) -> Plan<Editing> {
        match self.load() {
            AnyPlan::NoPlan(plan) => plan.init_design(Brief::new("Swap the cache").unwrap()).wait().unwrap(),
            AnyPlan::Editing(plan) => plan,
            other => panic!("{other:?}"),
        }
    }

    fn checklist(&self, tasks: TaskDrafts) -> Plan<Active> {
        self.no_plan().init_checklist(Brief::new("Swap the cache").unwrap(), tasks).wait().unwrap()
    }
}

fn task(title: &str) -> TaskDraft {
    TaskDraft::new(title, "what to do").unwrap()
}

fn two_tasks() -> TaskDrafts {
    TaskDrafts::new(task("swap")).and(task("measure"))
}

fn approved(plan: Plan<Editing>) -> Plan<Active> {
    let plan = plan.write_markdown(Body::new(OUTLINE).unwrap()).wait().unwrap();
    let seen = plan.markdown().digest().unwrap();
    plan.approve(Approval::new("ada", "test", seen)).wait().unwrap()
}

/// Whether one of the names stands in a text as a word of its own.
fn legacy_name(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    LEGACY.into_iter().find(|name| words.contains(name))
}

/// What holds for every reminder, whatever it says.
#[track_caller]
fn checked(plan: &AnyPlan) -> String {
    let text = plan.reminder();
    let md = plan.paths().md;
    let beside = text.replace(md.as_str(), "").chars().count();
    assert!(beside <= LIMIT, "{beside} characters: {text}");
    assert_eq!(legacy_name(&text), None, "{text}");
    let word = |word: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word);
    match plan.state_name() {
        StateName::NoPlan => assert_eq!(text, ""),
        StateName::PreInit | StateName::Editing => {
            assert!(!word("start") && !word("add_tasks"), "{text}");
            assert!(md.is_absolute() && text.contains(md.as_str()), "{text}");
        }
        StateName::Active => assert!(text.contains("Active"), "{text}"),
    }
    assert_eq!(text.lines().count().max(1), 1, "one paragraph: {text}");
    text
}

#[test]
fn without_a_plan_there_is_nothing_to_remember() {
    let world = World::new();
    assert_eq!(checked(&world.load()), "");
    assert_eq!(world.session.view().wait().unwrap().reminder(), "");
}

#[test]
fn before_init_it_says_what_to_look_at_and_where_the_design_will_be() {
    let world = World::new();
    let plan = AnyPlan::from(world.no_plan().enter().wait().unwrap());
    let text = checked(&plan);
    assert!(text.contains("call init"), "{text}");
    for part in PARTS {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn while_editing_it_names_what_is_still_missing() {
    let world = World::new();
    let plan = world.editing();
    let text = checked(&world.load());
    assert_eq!(text, plan.reminder(), "what the answer to init says is what a reload says");
    assert!(text.contains("Swap the cache") && text.contains("is in Editing"), "{text}");
    for part in PARTS {
        assert!(text.contains(part), "{part}: {text}");
    }
    for gap in plan.gaps() {
        assert!(text.contains(&gap.to_string()), "{gap}: {text}");
    }
    assert!(text.ends_with("wait for a person to approve it."), "{text}");

    // One part less, one gap less.
    let half = OUTLINE.replace(" latency", "");
    let plan = plan.write_markdown(Body::new(half).unwrap()).wait().unwrap();
    let text = checked(&world.load());
    let missing = text.split_once("Still missing:").unwrap().1;
    assert!(missing.contains("Intent") && !missing.contains("Problem"), "{text}");

    let plan = plan.write_markdown(Body::new(OUTLINE).unwrap()).wait().unwrap();
    let text = checked(&plan.into());
    assert!(text.contains("complete: wait for a person to approve it."), "{text}");
}

#[test]
fn while_editing_it_says_what_is_wrong_with_the_md() {
    let world = World::new();
    let plan = world.editing();
    let md = plan.paths().md;

    std::fs::write(&md, [b'#', 0xff]).unwrap();
    let text = checked(&world.load());
    assert!(text.contains("is not UTF-8 (byte 1)") && text.contains(PARTS[0]), "{text}");

    std::fs::remove_file(&md).unwrap();
    let text = checked(&world.load());
    assert!(text.contains("missing: write the outline there") && text.contains(PARTS[0]), "{text}");

    std::fs::write(&md, "  \n").unwrap();
    let text = checked(&world.load());
    assert!(text.contains("the plan is empty"), "{text}");
}

#[test]
fn an_active_plan_names_the_current_and_the_next_task() {
    let world = World::new();
    let drafts = two_tasks().and(task("tell").depends_on(2));
    let plan = world.checklist(drafts);
    let text = checked(&world.load());
    assert!(text.contains("0 of 3 tasks have ended") && text.contains("Next: task 1 \"swap\""), "{text}");
    assert!(!text.contains("Current") && text.ends_with("Call start."), "{text}");

    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    let text = checked(&world.load());
    assert!(text.contains("Current: task 1 \"swap\". Next: task 2 \"measure\"."), "{text}");
    assert!(text.ends_with("call complete when it is done.") && !text.contains("Call start"), "{text}");

    let plan = plan.start(TaskRef::Number(2)).wait().unwrap();
    let text = checked(&world.load());
    assert!(text.contains("Current: task 1 \"swap\" and 1 more in progress."), "{text}");
    assert!(!text.contains("Next"), "task 3 waits: {text}");
    assert!(text.contains("complete with its number"), "complete alone would be refused: {text}");

    let Completion::Continues(plan) = plan.complete(TaskRef::Number(1), None).wait().unwrap() else { panic!() };
    let plan = plan.fail(TaskRef::Number(2), None).wait().unwrap();
    let text = checked(&plan.into());
    assert!(text.contains("1 of 3 tasks have ended. No task is ready"), "{text}");
    assert!(!text.contains("Call start."), "start alone would be refused: {text}");
}

#[test]
fn an_approved_plan_says_where_its_frozen_design_is() {
    let world = World::new();
    let plan = approved(world.editing()).add_tasks(two_tasks()).wait().unwrap();
    let md = plan.paths().md;
    let text = checked(&plan.into());
    assert!(text.contains(md.as_str()) && text.contains("frozen"), "{text}");
    // A checklist has no design to name.
    let world = World::new();
    let plan = world.checklist(two_tasks());
    assert!(!plan.reminder().contains(".md"), "{}", plan.reminder());
}

#[test]
fn when_all_tasks_have_ended_it_says_how_to_archive() {
    let world = World::lay(
        r#"{"status":"Active","title":"t","description":"d","tasks":[{"title":"a","description":"d","status":"Skipped"}]}"#,
    );
    let text = checked(&world.load());
    assert!(text.contains("1 of 1") && text.ends_with("Call complete without a task to archive it."), "{text}");
}

#[test]
fn without_tasks_all_who_answer_give_the_same_instruction() {
    let world = World::new();
    let plan = approved(world.editing());
    let md = plan.paths().md;
    let instruction = format!("Read the steps in {md}, add them with one add_tasks call, then call start.");
    let reminder = checked(&world.load());
    assert!(reminder.ends_with(&instruction), "{reminder}");
    let approve = AnyPlan::from(world.active()).refuse(Operation::Approve).unwrap();
    assert!(approve.to_string().ends_with(&instruction), "{approve}");
    for refused in [
        world.active().start(TaskRef::Implied).wait().unwrap_err().into_parts().1,
        world.active().complete(TaskRef::Implied, None).wait().unwrap_err().into_parts().1,
    ] {
        assert_eq!(refused.code(), "no-tasks");
        assert!(refused.to_string().ends_with(&instruction), "{refused}");
    }
    // And once they are there, none of them does.
    let plan = AnyPlan::from(world.active().add_tasks(two_tasks()).wait().unwrap());
    assert!(!plan.reminder().contains("add_tasks"), "{}", plan.reminder());
    assert!(!plan.refuse(Operation::Approve).unwrap().to_string().contains("add_tasks"));
}

/// A message of the user, an idle reload, a new process: all of them load and look.
#[test]
fn nothing_wears_off() {
    type Begin = fn(&World);
    let states: [(StateName, Begin); 5] = [
        (StateName::PreInit, |world| drop(world.no_plan().enter().wait().unwrap())),
        (StateName::Editing, |world| drop(world.editing())),
        (StateName::Active, |world| drop(approved(world.editing()))),
        (StateName::Active, |world| drop(world.checklist(two_tasks()).start(TaskRef::Implied).wait().unwrap())),
        (StateName::NoPlan, |_| ()),
    ];
    for (state, begin) in states {
        let world = World::new();
        begin(&world);
        let plan = world.load();
        let (revision, text) = (world.session.view().wait().unwrap().revision(), checked(&plan));
        for _ in 0..3 {
            let root = world.session.paths().wait().unwrap().json;
            let root = root.parent().unwrap().parent().unwrap();
            let other = Engine::at(root).build().unwrap().session(SessionId::new("s1").unwrap());
            for session in [&world.session, &other] {
                assert_eq!(session.load().wait().unwrap().reminder(), text);
                drop(session.exclusive().wait().unwrap());
                let view = session.view().wait().unwrap();
                assert_eq!((view.state_name(), view.revision(), view.reminder()), (state, revision, text.clone()));
            }
        }
    }
}

#[test]
fn no_reminder_grows_with_its_plan() {
    // A hundred thousand tasks; those that a reminder names have the longest titles that may be given.
    let title = "t".repeat(200);
    let tasks: Vec<String> = (1..=100_000)
        .map(|number| match number {
            99_998.. => format!(r#"{{"title":"{title}","description":"d","status":"InProgress"}}"#),
            1..=3 => format!(r#"{{"title":"{title}","description":"d"}}"#),
            _ => r#"{"title":"t","description":"d"}"#.to_owned(),
        })
        .collect();
    let json = format!(r#"{{"status":"Active","title":"{title}","description":"d","tasks":[{}]}}"#, tasks.join(","));
    let text = checked(&World::lay(&json).load());
    assert!(text.contains("0 of 100000 tasks") && text.contains("2 more in progress"), "{text}");

    // Larger than that: an older file has no limits.
    let endless = "é\\n".repeat(20_000);
    for (status, tasks) in [
        ("Editing", "[]".to_owned()),
        ("Active", "[]".to_owned()),
        ("Active", format!(r#"[{{"title":"{endless}","description":"{endless}","status":"InProgress"}}]"#)),
        ("Active", format!(r#"[{{"title":"{endless}","description":"","status":{{"Blocked":"{endless}"}}}}]"#)),
    ] {
        let json = format!(r#"{{"status":"{status}","title":"{endless}","description":"d","tasks":{tasks}}}"#);
        let world = World::lay(&json);
        let plan = world.load();
        assert_eq!(plan.state_name().as_str(), status);
        checked(&plan);
    }

    // A design with every gap there can be, far down in a long text.
    let world = World::new();
    let md = format!(
        "# {}\n{}## Context\n- **Problem:**\n- **Target state:**\n- **Intent:**\n\n## Implementation steps\n{}",
        "t".repeat(5_000),
        "\n".repeat(50_000),
        "1.\n".repeat(5_000)
    );
    let plan = world.editing().write_markdown(Body::new(md).unwrap()).wait().unwrap();
    assert!(plan.gaps().len() >= 4);
    checked(&plan.into());
}

/// Every refusal of every state, and those of the checklist with tasks in every status.
#[test]
fn no_text_has_a_name_of_older_states() {
    let mut texts: Vec<String> = Vec::new();

    // By the table.
    let worlds = || (World::new(), World::new(), World::new(), World::new());
    let (none, flag, design, live) = worlds();
    drop(flag.no_plan().enter().wait().unwrap());
    drop(design.editing());
    drop(approved(live.editing()));
    for world in [&none, &flag, &design, &live] {
        let plan = world.load();
        texts.extend(Operation::ALL.iter().filter_map(|operation| plan.refuse(*operation)).map(|r| r.to_string()));
        texts.extend(plan.warnings().iter().map(ToString::to_string));
    }

    // By whoever calls.
    for origin in [Origin::Yolo, Origin::Cron, Origin::Run, Origin::A2a, Origin::Subagent] {
        let AnyPlan::NoPlan(plan) = none.session.clone().with_caller(Caller::unasked(origin)).load().wait().unwrap()
        else {
            panic!()
        };
        let (plan, reason) = plan.enter().wait().unwrap_err().into_parts();
        texts.push(reason.to_string());
        texts.push(plan.unwrap().init_design(Brief::new("t").unwrap()).wait().unwrap_err().to_string());
        let AnyPlan::PreInit(plan) = flag.session.clone().with_caller(Caller::unasked(origin)).load().wait().unwrap()
        else {
            panic!()
        };
        let brief = Brief::new("t").unwrap();
        texts.push(plan.init_checklist(brief, two_tasks()).wait().unwrap_err().to_string());
    }

    // By the `.md`.
    let approve = |seen: Digest| design.editing().approve(Approval::new("ada", "test", seen)).wait().unwrap_err();
    let seen = design.editing().markdown().digest().unwrap();
    let md = design.editing().paths().md;
    texts.push(approve(seen).to_string());
    std::fs::write(&md, OUTLINE).unwrap();
    texts.push(approve(seen).to_string());
    std::fs::write(&md, [0xff]).unwrap();
    texts.push(approve(seen).to_string());
    std::fs::remove_file(&md).unwrap();
    texts.push(approve(seen).to_string());

    // By the archive.
    let plan = none.checklist(TaskDrafts::new(task("a"))).start(TaskRef::Implied).wait().unwrap();
    let Completion::Archived(plan, receipt) = plan.complete(TaskRef::Implied, None).wait().unwrap() else { panic!() };
    let (_, reason) = plan.restore(receipt.archive.unwrap()).wait().unwrap_err().into_parts();
    assert_eq!(reason.code(), "completed");
    texts.push(reason.to_string());

    // By the checklist: each task operation on each status, and what names several tasks.
    let every = World::lay(
        r#"{"status":"Active","title":"t","description":"d","tasks":[
            {"title":"a","description":"d","status":"Completed"},
            {"title":"b","description":"d","status":"Skipped"},
            {"title":"c","description":"d","status":"InProgress"},
            {"title":"d","description":"d","status":"InProgress"},
            {"title":"e","description":"d","status":"Failed"},
            {"title":"f","description":"d","status":{"Blocked":"by the weather"}},
            {"title":"g","description":"d","status":"Pending","dependencies":[3,4,5,6]},
            {"title":"h","description":"d","status":"Pending","dependencies":[99]},
            {"title":"i","description":"d","status":"Pending","dependencies":[10]},
            {"title":"j","description":"d","status":"Pending","dependencies":[9]}]}"#,
    );
    let statuses: std::collections::HashSet<_> =
        every.active().checklist().tasks().map(|task| std::mem::discriminant(task.status())).collect();
    assert_eq!(statuses.len(), 6);
    texts.extend(every.load().warnings().iter().map(ToString::to_string));
    let output = || Some(LongText::new("o").unwrap());
    let numbers = (1..=11).map(TaskRef::Number).chain([TaskRef::Implied]);
    let json = every.session.paths().wait().unwrap().json;
    let laid = std::fs::read(&json).unwrap();
    let active = || {
        std::fs::write(&json, &laid).unwrap();
        every.active()
    };
    for task in numbers {
        texts.extend(active().start(task).wait().err().map(|error| error.to_string()));
        texts.extend(active().complete(task, output()).wait().err().map(|error| error.to_string()));
        texts.extend(active().fail(task, output()).wait().err().map(|error| error.to_string()));
        texts.extend(active().skip(task, output()).wait().err().map(|error| error.to_string()));
    }
    for bad in [
        TaskDrafts::new(task("x").depends_on(99)),
        TaskDrafts::new(task("x").depends_on(11)),
        TaskDrafts::new(task("x").depends_on(12)).and(task("y").depends_on(11)),
    ] {
        texts.push(active().add_tasks(bad).wait().unwrap_err().to_string());
    }
    let stuck = World::lay(
        r#"{"status":"Active","title":"t","description":"d","tasks":[{"title":"a","description":"d","status":"Failed"}]}"#,
    );
    texts.push(stuck.active().start(TaskRef::Implied).wait().unwrap_err().to_string());
    texts.push(stuck.active().complete(TaskRef::Implied, None).wait().unwrap_err().to_string());

    assert!(texts.len() > 70, "{}", texts.len());
    for status in ["in progress", "pending", "completed", "skipped", "failed", "blocked"] {
        assert!(
            texts.iter().any(|text| text.contains(&format!(", {status})"))),
            "no text names a task that is {status}"
        );
    }
    for text in texts {
        assert_eq!(legacy_name(&text), None, "{text}");
    }
    // The files keep their own strings.
    assert_eq!(TaskStatus::InProgress.as_str(), "InProgress");
}
