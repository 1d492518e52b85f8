use super::*;
use crate::model::{Body, Checklist, TaskId, TaskStatus, TaskType, TextProblem};
use crate::plan::Import;

fn imported(text: impl AsRef<[u8]>) -> Import {
    import(text.as_ref(), "plan.json").unwrap()
}

/// The checklist that an import becomes; its ids are 1, 2, 3 and so on.
fn checklist(import: &Import) -> Result<Checklist, crate::model::TaskRefusal> {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        TaskId::from_uuid(uuid::Uuid::from_u128(next))
    };
    Checklist::from_drafts(&import.tasks, &mut fresh)
}

/// The numbers that each task of a checklist waits for.
fn waits(checklist: &Checklist) -> Vec<Vec<u64>> {
    let number = |dependency: &crate::model::Dependency| match dependency {
        crate::model::Dependency::Id(id) => checklist.get((*id).into()).unwrap().number(),
        other => panic!("{other}"),
    };
    checklist.tasks().map(|task| task.dependencies().iter().map(number).collect()).collect()
}

/// `»` stands in the text where the error has to point.
#[track_caller]
fn refused(text: impl AsRef<str>, field: &str, code: &str, problem: ImportProblem) {
    let (text, place) = marked(text.as_ref());
    let error = import(text.as_bytes(), "plan.json").unwrap_err();
    assert_eq!((error.line, error.column), place, "{error}");
    assert_eq!((&*error.field, error.code(), &error.problem), (field, code, &problem), "{error}");
}

/// A file with this as its tasks.
fn tasks(tasks: &str) -> String {
    format!("{{\"title\": \"T\", \"description\": \"d\",\n\"tasks\": [{tasks}]}}")
}

// spec: INIT-4
#[test]
fn the_smallest_file_is_imported() {
    let import = imported(fixture("import-minimal.json"));
    assert_eq!(import.brief.title.as_str(), "Add authentication");
    assert_eq!(&*import.brief.description, "Login and logout");
    let checklist = checklist(&import).unwrap();
    assert_eq!(waits(&checklist), [vec![], vec![1], vec![2]]);
    let last = checklist.tasks().last().unwrap();
    assert_eq!((last.complexity(), last.task_type()), (5, &TaskType::Test));
    assert_eq!(last.acceptance_criteria().collect::<Vec<_>>(), ["login and logout pass"]);
}

// spec: INIT-4, TASK-5
#[test]
fn bad_dependencies_and_circles_are_found_by_the_checklist() {
    let bad = checklist(&imported(fixture("import-bad-dependency.json"))).unwrap_err();
    assert_eq!(bad.code(), "unknown-dependency");
    let circle = checklist(&imported(fixture("import-cycle.json"))).unwrap_err();
    assert_eq!(circle.code(), "dependency-cycle");
}

// spec: INIT-4
#[test]
fn a_record_is_imported_as_a_new_plan() {
    for file in ["legacy-in-progress.json", "legacy-completed.json", "legacy-cancelled.json", "legacy-draft.json"] {
        let import = imported(fixture(file));
        assert!(import.brief.kept.is_empty(), "{file}: {:?}", import.brief.kept);
        assert_eq!(&*import.brief.background.context, "two callers");
        let checklist = checklist(&import).unwrap();
        assert_eq!(waits(&checklist), [vec![], vec![1]]);
        for task in checklist.tasks() {
            assert_eq!(*task.status(), TaskStatus::Pending);
            assert_eq!((task.notes(), task.completed_at(), task.retry_count), (None, None, 0));
            assert!(task.execution_history.is_none() && task.kept().is_empty());
        }
    }
}

// spec: INIT-4, DISK-7
#[test]
fn what_could_forge_a_plan_is_dropped_and_unknown_fields_are_kept() {
    let text = r#"{"title": "T", "description": "d", "status": "Whatever", "session_id": 7, "id": "no", "pre_init_editing": "x",
        "approval": {"by": "me"}, "approved_at": 1, "goal_task": 2, "ending": {}, "origin": "x", "asked": [],
        "project_dir": 3, "created_at": 4, "updated_at": 5, "x_root": 1e400,
        "tasks": [{"title": "a", "description": "b", "x_task": 2.50, "status": "todo", "notes": 1, "completed_at": 2,
                   "reflection": 3, "execution_history": 4, "retry_count": -1, "max_retries": "x"}]}"#;
    let import = imported(text);
    assert_eq!(import.brief.kept.iter().collect::<Vec<_>>(), [("x_root", "1e400")]);
    let checklist = checklist(&import).unwrap();
    let task = checklist.tasks().next().unwrap();
    assert_eq!(task.kept().iter().collect::<Vec<_>>(), [("x_task", "2.50")]);
    assert_eq!((task.status(), task.retry_count, task.max_retries), (&TaskStatus::Pending, 0, 3));
}

// spec: INIT-4, TASK-5
#[test]
fn numbers_mean_the_tasks_of_the_file() {
    let task =
        |order: &str, rest: &str| format!("{{\"order\": {order}, \"title\": \"a\", \"description\": \"b\"{rest}}}");
    // By their order, where it is one; the new numbers are the positions.
    let text = tasks(&[task("20", ", \"dependencies\": [10]"), task("10", "")].join(", "));
    assert_eq!(waits(&checklist(&imported(text)).unwrap()), [vec![2], vec![]]);
    // By their position, where the order is none.
    let text = tasks(&[task("5", ""), task("5", ", \"dependencies\": [1]")].join(", "));
    assert_eq!(waits(&checklist(&imported(text)).unwrap()), [vec![], vec![1]]);
    // 1 is no task of the file, and must not come to mean its first one.
    let text = tasks(&[task("20", ""), task("10", ", \"dependencies\": »[1]")].join(",\n"));
    refused(text, "tasks[1].dependencies", "import-invalid", ImportProblem::UnknownDependency);
    // By the file's own ids, which are not kept.
    let id = "a0000001-1111-4111-8111-111111111111";
    let text = tasks(
        &[task("null", &format!(", \"dependencies\": [\"{id}\"]")), task("null", &format!(", \"id\": \"{id}\""))]
            .join(", "),
    );
    let checklist = checklist(&imported(text)).unwrap();
    assert_eq!(waits(&checklist), [vec![2], vec![]]);
    assert!(checklist.tasks().all(|task| task.id().to_string() != id));
}

// spec: INIT-4
#[test]
fn what_a_plan_needs_is_asked_for() {
    let blank = || ImportProblem::Text(TextProblem::Blank);
    let invalid = |text: &str, field: &str, problem| refused(text, field, "import-invalid", problem);
    invalid("\n »{\"description\": \"d\"}", "title", blank());
    invalid("{\"title\": »\" \"}", "title", blank());
    invalid("{\"title\": »\"a\\nb\"}", "title", ImportProblem::Text(TextProblem::Control('\n')));
    invalid("»{\"title\": \"T\"}", "description", blank());
    let long = |length| format!("\"title\": \"T\", \"description\": »\"{}\"}}", "x".repeat(length));
    let allowed = long(Body::MAX_BYTES).replace('»', "");
    refused(format!("»{{{allowed}"), "tasks", "import-empty", ImportProblem::NoTasks);
    invalid(&format!("{{{}", long(Body::MAX_BYTES + 1)), "description", ImportProblem::DescriptionTooLong);
    let empty = String::from_utf8(fixture("import-empty.json")).unwrap().replace("[]", "»[]");
    refused(empty, "tasks", "import-empty", ImportProblem::NoTasks);
    invalid(&tasks("»{\"title\": \"a\"},\n{}"), "tasks[0].description", blank());
    invalid(&tasks("{\"title\": \"a\", \"description\": \"b\"},\n »{}"), "tasks[1].title", blank());
    let text = format!("{{\"title\": »\"{}\", \"description\": \"b\"}}", "x".repeat(201));
    let too_long = ImportProblem::Text(TextProblem::TooLong { found: 201, limit: 200 });
    invalid(&tasks(&text), "tasks[0].title", too_long);
    let id = "\"a0000001-1111-4111-8111-111111111111\", \"title\": \"a\", \"description\": \"b\"";
    invalid(&tasks(&format!("{{\"id\": {id}}},\n{{\"id\": »{id}}}")), "tasks[1].id", ImportProblem::DuplicateId);
}

/// Files with a secret in every place that an error could quote.
fn secrets() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = [
        "SECRET=hunter2\n",
        "[\"SECRET\"]",
        "\"SECRET\"",
        "{SECRET: 1}",
        "{\"SECRET\": \"SECRET\"",
        "{\"SECRET\": SECRET}",
        "{\"SECRET\": 1, \"SECRET\": 2}",
        "{\"SECRET\\ud800\": 1}",
        "{\"title\": {\"SECRET\": 1}}",
        "{\"title\": \"SECRET\\n\"}",
        "{\"title\": \"SECRET\\ud800\"}",
        "{\"title\": \"SECRET\", \"status\": [\"SECRET\"]}",
        "{\"title\": \"SECRET\", \"description\": [\"SECRET\"]}",
        "{\"title\": \"SECRET\", \"description\": \"SECRET\", \"SECRET\": 1}",
        "{\"title\": \"SECRET\", \"description\": \"SECRET\", \"risks\": \"SECRET\"}",
        "{\"title\": \"SECRET\", \"description\": \"SECRET\", \"tasks\": \"SECRET\"}",
        "{\"title\": \"SECRET\", \"description\": \"SECRET\", \"tasks\": [\"SECRET\"]}",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    files.push(b"{\"SECRET\": \"SECRET\xff\"}".to_vec());
    for field in [
        "\"id\": \"SECRET\"",
        "\"order\": \"SECRET\"",
        "\"title\": [\"SECRET\"]",
        "\"dependencies\": [\"SECRET\"]",
        "\"dependencies\": \"SECRET\"",
        "\"complexity\": \"SECRET\"",
        "\"task_type\": {\"SECRET\": \"SECRET\"}",
        "\"SECRET\": 1, \"SECRET\": 2",
        "\"title\": \"SECRET\\tSECRET\"",
    ] {
        files.push(tasks(&format!("{{{field}}}")).into_bytes());
    }
    files
}

// spec: INIT-4
#[test]
fn no_error_quotes_the_file() {
    for file in secrets() {
        let error = import(&file, "plan.json").unwrap_err();
        let said = format!("{error} {error:?}");
        assert!(!said.contains("SECRET") && !said.contains("hunter2"), "{said}");
        assert!(said.starts_with("line "), "{said}");
    }
}

#[test]
fn what_is_no_plan_is_malformed() {
    let malformed = |text: &str, field: &str, problem| refused(text, field, "import-malformed", problem);
    malformed("»", "", ImportProblem::Empty);
    malformed("\u{feff}{\"a\": »", "", ImportProblem::Truncated);
    malformed("»[1, 2, 3]", "", ImportProblem::NotAnObject);
    malformed("»x", "", ImportProblem::NotJson("expected value".into()));
    malformed("{\"a\": 1, »\"a\": 2}", "", ImportProblem::DuplicateKey);
    malformed("{\"status\": »1}", "status", ImportProblem::Expected("a string"));
    let bad = tasks("{\"title\": \"a\", \"description\": \"b\", \"dependencies\": [»0]}");
    malformed(&bad, "tasks[0].dependencies[0]", ImportProblem::Expected("a UUID or a task number from 1"));
    assert_eq!(
        import(bad.replace('»', "").as_bytes(), "plan.json").unwrap_err().to_string(),
        "line 2, column 63, tasks[0].dependencies[0]: this must be a UUID or a task number from 1"
    );
}
