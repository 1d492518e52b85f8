//! Imports: each form of file becomes a checklist, what has no place is listed, and a refused file changes nothing.

mod support;

use camino::{Utf8Path, Utf8PathBuf};
use plangate::model::{Asked, Caller, Dependency, Origin, Task, TaskRef};
use plangate::plan::{Active, State};
use plangate::session::{Notice, Reason, TransitionError};
use plangate::tool::Request;
use plangate::{AnyPlan, Plan};
use pretty_assertions::assert_eq;
use support::World;

fn fixture(name: &str) -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/imports").join(name)
}

fn import(file: &Utf8Path) -> Plan<Active> {
    World::new().no_plan().import(file.as_std_path()).wait().unwrap()
}

/// A file of that name and text.
fn written(name: &str, text: impl AsRef<[u8]>) -> Plan<Active> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    import(Utf8Path::from_path(&file).unwrap())
}

fn tasks(plan: &Active) -> Vec<(u64, &str, &str, Vec<u64>)> {
    let number = |dependency: &Dependency| match dependency {
        Dependency::Id(id) => plan.checklist().get(TaskRef::Id(*id)).unwrap().number(),
        other => panic!("{other}"),
    };
    let task = |task: &Task| task.dependencies().iter().map(number).collect();
    plan.checklist().tasks().map(|found| (found.number(), found.title(), found.description(), task(found))).collect()
}

fn left_out(plan: &Plan<Active>) -> Vec<&str> {
    let mut things = Vec::new();
    for notice in plan.notices() {
        let Notice::LeftOut { what } = notice else { panic!("{notice}") };
        things.push(what.as_str());
    }
    things
}

fn criteria(plan: &Active, number: u64) -> Vec<&str> {
    plan.checklist().get(TaskRef::Number(number)).unwrap().acceptance_criteria().collect()
}

// spec: INIT-4, INIT-8, DISK-7
#[test]
fn a_plan_of_our_own_begins_anew_and_says_what_that_leaves_out() {
    let plan = import(&fixture("plan.json"));
    assert_eq!(plan.header().title(), "Move the mail to a queue");
    assert_eq!(
        tasks(&plan),
        [(1, "Queue table", "One row a mail.", vec![]), (2, "Worker", "Takes rows and sends them.", vec![1])]
    );
    assert_eq!(support::statuses(&plan), ["Pending", "Pending"]);
    assert_eq!((plan.header().approved_at(), plan.header().approval()), (None, None));
    assert_eq!(plan.header().kept().iter().collect::<Vec<_>>(), [("x_board", "12.50")]);
    assert_eq!(
        left_out(&plan),
        ["the field approved_at", "the field approval", "the status of 2 tasks", "the notes of 1 task"]
    );
}

// spec: INIT-4, TOOL-2
#[test]
fn a_checklist_becomes_tasks_in_the_order_of_the_file() {
    let plan = import(&fixture("checklist.md"));
    assert_eq!(plan.header().title(), "Release 2.0 of the scheduler");
    assert_eq!(
        plan.header().description(),
        "What has to be done before the release. See the board (https://example.org/board \"all of it\").\n\
         - Only the scheduler, not the workers.\n\nBefore the freeze"
    );
    let long = "Tell everybody who runs the scheduler on a machine of their own that the lanes are there now and that jobs \
                without a lane go into the first one, which is the slowest, unless the administrator says otherwise";
    let cut = "Tell everybody who runs the scheduler on a machine of their own that the lanes are there now and that jobs \
               without a lane go into the first one, which is the slowest, unless the administrator says…";
    assert_eq!(
        tasks(&plan),
        [
            (
                1,
                "Write the migration",
                "It has to run online:\n\n  alter table jobs add column lane int;\n- no lock longer than a second",
                vec![2, 3, 4]
            ),
            (2, "Measure on a copy", "Measure on a copy", vec![]),
            (3, "Give the copy back", "Give the copy back", vec![2]),
            (4, "Rehearse", "Rehearse", vec![3, 5, 6]),
            (5, "Stop the workers", "Stop the workers", vec![3]),
            (6, "Run migrate --online", "Run migrate --online", vec![5]),
            (7, "Update the docs at https://example.org/docs", "Update the docs at https://example.org/docs", vec![]),
            (8, cut, long, vec![]),
            (9, "Remove the old", "Remove the old\ncolumn", vec![]),
        ]
    );
    assert_eq!(
        left_out(&plan),
        [
            "the checked item \"Ask for a copy\" (line 19)",
            "the checked item \"Pick a name\" (line 24)",
            "the blank item in line 26",
            "the item without a checkbox \"A note between the items\" (line 27)",
            "the heading \"After the release\" (line 31)",
            "the text \"Wait a week.\" (line 33)",
        ]
    );
}

// spec: INIT-4
#[test]
fn a_checklist_without_a_heading_has_the_name_of_its_file() {
    let plan = written("clean up.md", "1. [ ] one\n2. [ ] two\n   three\n");
    assert_eq!((plan.header().title(), plan.header().description()), ("clean up", "clean up"));
    assert_eq!(tasks(&plan), [(1, "one", "one", vec![]), (2, "two", "two\nthree", vec![])]);
    assert_eq!(left_out(&plan), [] as [&str; 0]);
    // Any name will do, and CRLF and a byte order mark are nothing.
    let plan = written("TODO", "\u{feff}# A\r\n- [ ] one\r\n");
    assert_eq!((plan.header().title(), tasks(&plan).len()), ("A", 1));
    assert_eq!(written("{}.md", "{}\n- [ ] one\n").header().title(), "{}");
    assert_eq!(written("notes.txt", "[a](b)\n- [ ] one\n").header().description(), "a (b)");
}

// spec: INIT-4
#[test]
fn what_an_import_lists_is_bounded() {
    let items: String = (0..1000).map(|number| format!("- [x] {number} {}\n", "long ".repeat(50))).collect();
    let plan = written("many.md", format!("- [ ] one\n{items}"));
    let listed = left_out(&plan);
    assert_eq!((listed.len(), listed[20]), (21, "980 more"));
    assert!(listed.iter().all(|what| what.chars().count() < 120), "{listed:?}");
}

// spec: INIT-4, MIRROR-6
#[test]
fn an_outline_becomes_its_steps() {
    let file = fixture("outline.md");
    let plan = import(&file);
    assert_eq!(plan.header().title(), "Cache the index");
    assert_eq!(plan.header().description(), std::fs::read_to_string(&file).unwrap());
    assert_eq!(
        tasks(&plan),
        [
            (1, "Write the index", "one file beside the data, see index.rs", vec![]),
            (2, "Read it lazily", "Read it lazily", vec![])
        ]
    );
    assert_eq!(criteria(&plan, 1), ["a second start opens one file", "a damaged index is rebuilt"]);
    assert_eq!(
        left_out(&plan),
        ["step 2 (line 12), which is blank", "step 3 \"Measure the start\" (line 13), which is done"]
    );
}

// spec: INIT-4, TASK-5, TASK-6
#[test]
fn a_tagged_task_list_becomes_tasks_and_subtasks() {
    let plan = import(&fixture("tasks-tagged.json"));
    assert_eq!((plan.header().title(), plan.header().description()), ("master", "The new store, from files to files"));
    assert_eq!(
        tasks(&plan),
        [
            (
                1,
                "Read the old files",
                "All versions since 1.4.\n\nBegin with the header.\nThe rest follows its length.",
                vec![2, 3]
            ),
            (2, "Body", "Length first.\n\nWatch the byte order.", vec![]),
            (3, "Checksum", "Checksum", vec![2]),
            (4, "Write the new file", "One format.", vec![1, 5, 6]),
            (5, "Atomic replace", "Temporary file, then rename.", vec![1]),
            (6, "Flush", "File, then folder.", vec![5, 3]),
            (7, "Ship", "Ship", vec![4]),
        ]
    );
    assert_eq!(criteria(&plan, 1), ["Read one file of each version."]);
    assert_eq!(criteria(&plan, 2), ["a body of any length is read"]);
    let kept = |number| {
        let task = plan.checklist().get(TaskRef::Number(number)).unwrap();
        task.kept().iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
    };
    assert_eq!(kept(1), ["priority=\"high\""]);
    assert_eq!(kept(4), ["priority=\"medium\"", "metadata={\"ticket\": 4711}"]);
    assert!(plan.header().kept().iter().any(|(key, _)| key == "metadata"));
    assert_eq!(
        left_out(&plan),
        [
            "the tag \"spike\" with 1 task",
            "task 1 \"Choose a store\" (done)",
            "the dependency of task 2 on task 1 (done)",
            "the field \"complexity\" of task 2",
            "the status \"in-progress\" of task 2",
            "task 2.1 \"Header\" (done)",
            "the dependency of task 2.2 on task 2.1 (done)",
            "the status \"deferred\" of task 3.2",
            "task 4 \"Tell the users\" (cancelled)",
            "the dependency of task 5 on task 4 (cancelled)",
            "the status \"review\" of task 5",
        ]
    );
}

// spec: INIT-4, DISK-7
#[test]
fn what_is_imported_can_be_read_again() {
    for name in ["plan.json", "checklist.md", "outline.md", "tasks-tagged.json", "tasks-plain.json"] {
        let world = World::new();
        let plan = world.no_plan().import(fixture(name).as_std_path()).wait().unwrap();
        // A field that stood twice would make the record damaged.
        let AnyPlan::Active(again) = world.load() else { panic!("{name}") };
        assert_eq!(tasks(&again), tasks(&plan), "{name}");
        assert_eq!(again.header(), plan.header(), "{name}");
    }
}

// spec: INIT-4
#[test]
fn a_plain_task_list_has_the_name_of_its_project() {
    let plan = import(&fixture("tasks-plain.json"));
    assert_eq!((plan.header().title(), plan.header().description()), ("Lanes for jobs", "Lanes for jobs"));
    assert_eq!(
        tasks(&plan),
        [(1, "Lane column", "An integer.\n\nDefault 0.", vec![]), (2, "Lane in the API", "Optional.", vec![1])]
    );
    assert_eq!((criteria(&plan, 1), criteria(&plan, 2)), (vec!["A job without a lane runs."], vec![]));
    assert_eq!(left_out(&plan), [] as [&str; 0]);
}

// spec: INIT-4
#[test]
fn texts_too_long_for_a_task_stay_in_its_record() {
    let long = "word ".repeat(1500);
    let list = format!(
        r#"{{"tasks": [{{"id": 1, "title": "{title}", "description": "d", "details": "{long}", "testStrategy": "{long}"}}]}}"#,
        title = "title ".repeat(50)
    );
    let plan = written("tasks.json", list);
    assert_eq!(plan.header().title(), "tasks");
    let task = plan.checklist().get(TaskRef::Number(1)).unwrap();
    assert!(task.title().ends_with("title…") && task.title().chars().count() <= 200);
    assert_eq!(task.description(), format!("{}\n\nd", "title ".repeat(50).trim()));
    assert_eq!(task.kept().iter().map(|(key, _)| key).collect::<Vec<_>>(), ["details", "testStrategy"]);
    assert_eq!(
        left_out(&plan),
        [
            "the details of task 1, too long; its record keeps them",
            "the testStrategy of task 1, too long; its record keeps them"
        ]
    );
}

// spec: INIT-4
#[test]
fn our_own_plans_and_task_lists_are_told_apart() {
    // Numbered tasks are no plan of ours, whatever else the file says.
    let plan =
        written("a.json", r#"{"title": "T", "tasks": [{"id": 7, "title": "A"}, {"title": "B", "dependencies": [7]}]}"#);
    assert_eq!(tasks(&plan), [(1, "A", "A", vec![]), (2, "B", "B", vec![1])]);
    assert_eq!(left_out(&plan), ["the field \"title\" of the plan"]);
    // Ids of ours are.
    let own = r#"{"title": "T", "description": "d", "x": {"tasks": [{"id": 1, "title": "X"}]},
        "tasks": [{"id": "c0000001-1111-4111-8111-111111111111", "title": "A", "description": "a", "details": "more"}]}"#;
    let plan = written("tasks.json", own);
    assert_eq!((plan.header().title(), tasks(&plan).len()), ("T", 1));
    assert_eq!(plan.checklist().get(TaskRef::Number(1)).unwrap().kept().iter().next(), Some(("details", "\"more\"")));
    // JSON needs no name.
    assert_eq!(written("plan", own).header().title(), "T");
    // Of the tags, the one with open tasks.
    let plan = written("x.json", r#"{"master": {"tasks": []}, "b": {"tasks": [{"id": 1, "title": "A"}]}, "note": 1}"#);
    assert_eq!((plan.header().title(), left_out(&plan)), ("b", vec!["the tag \"master\" with 0 tasks"]));
}

// spec: INIT-4, TOOL-2
#[test]
fn the_tools_answer_says_what_was_left_out_and_to_start() {
    let world = World::new();
    let call = serde_json::json!({"operation": "init", "file_path": fixture("outline.md")});
    let reply = world.session().answer(Request::parse(call.to_string().as_bytes()).unwrap()).wait();
    assert_eq!(
        reply.message,
        "The plan \"Cache the index\" is imported and Active with 2 tasks. Left out: step 2 (line 12), which is blank; \
         step 3 \"Measure the start\" (line 13), which is done. Call start now."
    );
    assert_eq!(
        reply.notices,
        [
            "left out: step 2 (line 12), which is blank",
            "left out: step 3 \"Measure the start\" (line 13), which is done"
        ]
    );
}

/// Every refused file, with the code of its refusal.
fn refused() -> Vec<(Utf8PathBuf, &'static str)> {
    let mut files: Vec<(Utf8PathBuf, &'static str)> = [
        ("refused-empty.md", "import-malformed"),
        ("refused-not-utf8.md", "import-malformed"),
        ("refused-cut-off.json", "import-malformed"),
        ("refused-no-object.json", "import-malformed"),
        ("refused-status.json", "import-malformed"),
        ("refused-no-tasks.md", "import-empty"),
        ("refused-nothing-open.md", "import-empty"),
        ("refused-nothing-open.json", "import-empty"),
        ("refused-empty-list.json", "import-empty"),
        ("refused-long.md", "import-invalid"),
        ("refused-dependency.json", "import-invalid"),
        ("refused-duplicate-id.json", "import-invalid"),
        ("refused-unknown.json", "unknown-dependency"),
        ("refused-self.json", "self-dependency"),
        ("refused-cycle.json", "dependency-cycle"),
        ("", "import-unreadable"),
        ("there-is-none.json", "import-unreadable"),
    ]
    .map(|(name, code)| (fixture(name), code))
    .into();
    for entry in fixture("").read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        let listed = files.iter().any(|(file, _)| *file == path);
        assert!(listed || !path.file_name().unwrap().starts_with("refused-"), "{path} is not listed");
    }
    if cfg!(unix) {
        files.push(("/dev/null".into(), "import-unreadable"));
    }
    files
}

/// The plan that came back, and why.
fn parts<S: State>(refused: Result<Plan<Active>, TransitionError<S>>) -> (AnyPlan, Reason)
where
    AnyPlan: From<Plan<S>>,
{
    let (plan, reason) = refused.unwrap_err().into_parts();
    (plan.unwrap().into(), reason)
}

// spec: INIT-9
#[test]
fn a_refused_import_leaves_the_session_as_it_was() {
    let beside = tempfile::tempdir().unwrap();
    let beside = Utf8Path::from_path(beside.path()).unwrap();
    let mut files = refused();
    let large = beside.join("large.json");
    std::fs::File::create(&large).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
    files.push((large, "import-unreadable"));
    let long = beside.join("long.md");
    std::fs::write(&long, format!("- [ ] a\n{}", "x".repeat(1024 * 1024))).unwrap();
    files.push((long, "import-invalid"));
    let fifo = beside.join("fifo");
    match std::process::Command::new("mkfifo").arg(&fifo).status() {
        Ok(status) if status.success() => files.push((fifo, "import-unreadable")),
        other => println!("SKIPPED: the FIFO, for mkfifo says {other:?}"),
    }

    let (none, entered) = (World::new(), World::new());
    drop(entered.pre_init());
    for (file, code) in &files {
        for world in [&none, &entered] {
            let (state, before) = (world.state(), world.files());
            let (plan, reason) = match world.load() {
                AnyPlan::NoPlan(plan) => parts(plan.import(file.as_std_path()).wait()),
                AnyPlan::PreInit(plan) => parts(plan.import(file.as_std_path()).wait()),
                plan => panic!("{plan:?}"),
            };
            assert_eq!(reason.code(), *code, "{file}: {reason}");
            assert_eq!(plan.state_name().to_string(), state, "the plan comes back");
            assert_eq!((world.state(), world.files()), (state, before), "{file}");
        }
    }
    assert_eq!((none.state().as_str(), entered.state().as_str()), ("NoPlan", "PreInit"));
    assert_eq!(entered.record()["pre_init_editing"], true);
}

// spec: INIT-9, INIT-10, LIFE-10
#[test]
fn a_file_that_could_be_imported_changes_nothing_either_where_the_caller_may_not() {
    for (caller, code) in [
        (Caller::unasked(Origin::Interactive), "nobody-asked"),
        (Caller { origin: Origin::Subagent, asked: Asked::Person }, "subagent"),
    ] {
        let world = World::new();
        drop(world.pre_init());
        let before = world.files();
        let AnyPlan::PreInit(plan) = world.session().with_caller(caller).load().wait().unwrap() else { panic!() };
        let error = plan.import(fixture("checklist.md").as_std_path()).wait().unwrap_err();
        assert_eq!(error.reason().code(), code);
        assert!(matches!(error.reason(), Reason::Refused(_)));
        assert_eq!(world.files(), before);
    }
}

// spec: INIT-4, INIT-5
#[test]
fn an_import_replaces_the_flag() {
    let world = World::new();
    let id = world.pre_init().header().id();
    let AnyPlan::PreInit(plan) = world.load() else { panic!() };
    let plan = plan.import(fixture("checklist.md").as_std_path()).wait().unwrap();
    assert_ne!(plan.header().id(), id);
    assert_eq!(world.record().get("pre_init_editing"), None);
    assert!(!left_out(&plan).is_empty());
}

// spec: INIT-4
#[test]
fn no_refusal_of_a_file_quotes_it() {
    let secret = "hunter2";
    for (name, text) in [
        ("a.md", "# hunter2\n\nhunter2\n".to_owned()),
        ("a.md", format!("- [ ] hunter2\n\n  {}\n", "hunter2 ".repeat(1000))),
        ("a.md", "- [x] hunter2\n".to_owned()),
        (
            "a.json",
            r#"{"hunter2": {"tasks": [{"id": "hunter2", "title": "hunter2", "status": ["hunter2"]}]}}"#.to_owned(),
        ),
        (
            "a.json",
            r#"{"hunter2": {"tasks": [{"id": "hunter2", "title": "A", "dependencies": ["hunter2.1"]}]}}"#.to_owned(),
        ),
        ("a.json", r#"{"tasks": [{"id": "hunter2", "title": "A"}, {"id": "hunter2", "title": "hunter2"}]}"#.to_owned()),
        ("a.json", r#"{"tasks": [{"id": "hunter2", "title": "A", "status": "done"}]}"#.to_owned()),
        ("a.json", r#"{"tasks": [{"id": "hunter2", "title": "  ", "hunter2": 1}]}"#.to_owned()),
        ("a.json", r#"{"tasks": [{"id": 1, "title": "A", "subtasks": "hunter2"}]}"#.to_owned()),
        ("a.json", r#"{"tasks": [{"id": 1, "title": "A", "acceptanceCriteria": {"hunter2": 1}}]}"#.to_owned()),
        ("a.json", r#"{"tasks": [{"id": 1, "title": "A", "details": {"hunter2": 1}}]}"#.to_owned()),
    ] {
        let world = World::new();
        let file = world.root().join(name);
        std::fs::write(&file, &text).unwrap();
        let error = world.no_plan().import(file.as_std_path()).wait().unwrap_err();
        let said = format!("{} {:?}", error.reason(), error.reason());
        assert!(!said.contains(secret), "{text}: {said}");
        assert!(error.reason().code().starts_with("import-"), "{said}");
    }
}
