//! A watch sees what other processes do to a session's plan, writes nothing itself, and says so where it cannot watch.
// spec: MIRROR-3, MIRROR-7, DISK-12
#![cfg(feature = "watch")]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use camino::{Utf8Path, Utf8PathBuf};
use plangate::event::{Event, PlanEvent, Subscription};
use plangate::model::{TaskDraft, TaskDrafts, TaskRef};
use plangate::plan::{Brief, NoPlan, StateName};
use plangate::store::{LookupError, ProjectLookup, Slug};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};
use pretty_assertions::assert_eq;

/// What MIRROR-3 allows between the last change and an event.
const DUE: Duration = Duration::from_millis(500);

/// Longer than a watch holds anything back: what has not come by then does not come.
const NEVER: Duration = Duration::from_millis(700);

/// For what must come, however busy the machine is.
const SOON: Duration = Duration::from_secs(20);

fn session(root: &Utf8Path, id: &str) -> Session {
    Engine::at(root).build().unwrap().session(SessionId::new(id).unwrap())
}

fn no_plan(session: &Session) -> Plan<NoPlan> {
    let AnyPlan::NoPlan(plan) = session.load().wait().unwrap() else { panic!("there is a plan") };
    plan
}

fn task() -> TaskDrafts {
    TaskDrafts::new(TaskDraft::new("title", "what to do").unwrap())
}

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().join("root")).unwrap();
    (folder, root)
}

/// The next event that is as asked for; others before it are let pass, for a look in the middle of a change is one.
#[track_caller]
fn await_event(events: &mut Subscription, wanted: impl Fn(&Event) -> bool) -> Event {
    let deadline = Instant::now() + SOON;
    loop {
        match events.wait(deadline.saturating_duration_since(Instant::now())) {
            Some(event) if wanted(&event) => return event,
            Some(_) => {}
            None => panic!("the event did not come"),
        }
    }
}

#[track_caller]
fn await_state(events: &mut Subscription, state: StateName) -> PlanEvent {
    match await_event(events, |event| matches!(event, Event::Changed(change) if change.state == state)) {
        Event::Changed(change) => change,
        other => panic!("{other:?}"),
    }
}

/// Waits out what is still under way.
fn drain(events: &mut Subscription) {
    while events.wait(NEVER).is_some() {}
}

fn tree(at: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let mut found = BTreeSet::new();
    for entry in at.read_dir_utf8().into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(tree(entry.path()));
        }
        found.insert(entry.into_path());
    }
    found
}

// ---- another process

const ROOT: &str = "PLANGATE_TEST_ROOT";
const PAUSE: &str = "PLANGATE_TEST_PAUSE_MS";

fn another_process(root: &Utf8Path, test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]).env(ROOT, root);
    command.stderr(Stdio::inherit());
    command
}

/// Begins a checklist and adds twenty tasks, one commit each; tells the last record's digest and when its commit began.
#[test]
#[ignore = "the other process of the tests here"]
fn other_process_commits() {
    let session = session(Utf8Path::new(&std::env::var(ROOT).unwrap()), "s1");
    let pause = Duration::from_millis(std::env::var(PAUSE).unwrap().parse().unwrap());
    let mut plan = no_plan(&session).init_checklist(Brief::new("t").unwrap(), task()).wait().unwrap();
    let mut begun = UNIX_EPOCH;
    for _ in 0..20 {
        std::thread::sleep(pause);
        begun = SystemTime::now();
        plan = plan.add_tasks(task()).wait().unwrap();
    }
    println!("\nlast {} {}", plan.revision().unwrap(), begun.duration_since(UNIX_EPOCH).unwrap().as_micros());
}

/// How long after the last change of another process the first event about it came, and how many came before.
fn latency(pause: u64) -> (Duration, usize) {
    let (_folder, root) = folder();
    let watch = session(&root, "s1").watch().wait().unwrap();
    let mut events = watch.subscribe();
    let listening = std::thread::spawn(move || {
        let mut arrived = Vec::new();
        while let Some(event) = events.wait(SOON) {
            arrived.push((SystemTime::now(), event));
        }
        arrived
    });
    let output = another_process(&root, "other_process_commits").env(PAUSE, pause.to_string()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    std::thread::sleep(2 * DUE);
    drop(watch);
    let arrived = listening.join().unwrap();

    let output = String::from_utf8(output.stdout).unwrap();
    let (_, last) = output.split_once("\nlast ").unwrap();
    let mut last = last.split_whitespace();
    let revision = Some(last.next().unwrap().parse().unwrap());
    let began = UNIX_EPOCH + Duration::from_micros(last.next().unwrap().parse().unwrap());
    let tells_the_last = |event: &Event| matches!(event, Event::Changed(change) if change.revision == revision);
    let first = arrived.iter().position(|(_, event)| tells_the_last(event)).expect("no event after the last change");
    (arrived[first].0.duration_since(began).unwrap_or_default(), first)
}

/// The bound is the clause's own. A machine that is busy otherwise may hold a process up for longer, so two tries may fail.
fn holds_the_bound(pause: u64) -> usize {
    for attempt in 1..=3 {
        let (latency, before) = latency(pause);
        println!("pause {pause} ms, attempt {attempt}: {latency:?} after the last change, {before} events before");
        if latency <= DUE {
            return before;
        }
        println!("note: that is more than {DUE:?}; trying again");
    }
    panic!("three times no event within {DUE:?} after the last change")
}

#[test]
fn another_process_is_seen_in_time_after_a_burst() {
    holds_the_bound(0);
}

#[test]
fn another_process_is_seen_in_time_while_it_never_rests() {
    assert!(holds_the_bound(30) > 0, "a change is not held back until all of them are over");
}

// ---- what is seen

#[test]
fn a_plan_is_seen_from_its_beginning_to_its_end() {
    let (_folder, root) = folder();
    let watch = session(&root, "s1").watch().wait().unwrap();
    let mut events = watch.subscribe();
    let other = session(&root, "s1");

    let plan = no_plan(&other).enter().wait().unwrap();
    assert_eq!(await_state(&mut events, StateName::PreInit).revision, plan.revision());
    let plan = plan.init_design(Brief::new("t").unwrap()).wait().unwrap();
    let change = await_state(&mut events, StateName::Editing);
    assert_eq!((change.session.as_str(), change.revision), ("s1", plan.revision()));
    assert_eq!(watch.session().as_str(), "s1");

    // The agent's own editor changes the `.md` alone.
    drain(&mut events);
    std::fs::write(plan.paths().md, "# other\n").unwrap();
    assert_eq!(await_state(&mut events, StateName::Editing).revision, plan.revision());

    let (plan, _) = plan.discard().wait().unwrap();
    await_state(&mut events, StateName::NoPlan);
    let plan = plan.init_checklist(Brief::new("t").unwrap(), task()).wait().unwrap();
    await_state(&mut events, StateName::Active);
    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    await_event(&mut events, |event| matches!(event, Event::Changed(change) if change.revision == plan.revision()));
    let _ = plan.complete(TaskRef::Implied, None).wait().unwrap();
    await_state(&mut events, StateName::NoPlan);
}

/// Between two looks a plan may begin and end; the archive has it then.
#[test]
fn what_was_changed_and_changed_back_is_told_of() {
    let (_folder, root) = folder();
    std::fs::create_dir_all(root.join("session")).unwrap();
    let watch = session(&root, "s1").watch().wait().unwrap();
    let mut events = watch.subscribe();
    let (plan, _) = no_plan(&session(&root, "s1")).enter().wait().unwrap().discard().wait().unwrap();
    assert_eq!(await_state(&mut events, StateName::NoPlan).revision, plan.revision());
}

#[test]
fn looks_locks_and_other_sessions_are_no_events() {
    let (_folder, root) = folder();
    let own = session(&root, "s1");
    let plan = no_plan(&own).init_checklist(Brief::new("t").unwrap(), task()).wait().unwrap();
    let watch = own.watch().wait().unwrap();
    let mut events = watch.subscribe();
    let _ = own.view().wait().unwrap();
    let _ = own.load().wait().unwrap();
    let _ = own.exclusive().wait().unwrap();
    let _ = no_plan(&session(&root, "s1-2")).enter().wait().unwrap();
    std::fs::write(root.join("session/notes.txt"), "x").unwrap();
    std::fs::create_dir_all(root.join("projects/p/session")).unwrap();
    assert_eq!(events.wait(NEVER), None);
    // The same watch is awake all the same.
    let plan = plan.start(TaskRef::Implied).wait().unwrap();
    assert_eq!(await_state(&mut events, StateName::Active).revision, plan.revision());
}

#[test]
fn a_record_that_is_damaged_is_told_of_and_never_reads_as_no_plan() {
    let (_folder, root) = folder();
    let own = session(&root, "s1");
    let plan = no_plan(&own).enter().wait().unwrap();
    let json = plan.paths().json;
    let good = std::fs::read(&json).unwrap();
    let watch = own.watch().wait().unwrap();
    let mut events = watch.subscribe();

    std::fs::write(&json, "{ not a plan").unwrap();
    let told = await_event(
        &mut events,
        |event| !matches!(event, Event::Changed(change) if change.state == StateName::PreInit),
    );
    assert_eq!(told, Event::Unreadable { session: own.id().clone(), code: "damaged" });

    std::fs::remove_file(&json).unwrap();
    std::fs::create_dir(&json).unwrap();
    await_event(&mut events, |event| *event == Event::Unreadable { session: own.id().clone(), code: "unknown" });

    std::fs::remove_dir(&json).unwrap();
    await_state(&mut events, StateName::NoPlan);
    std::fs::write(&json, good).unwrap();
    assert_eq!(await_state(&mut events, StateName::PreInit).revision, plan.revision());
}

#[test]
fn a_watch_may_begin_on_a_damaged_record() {
    let (_folder, root) = folder();
    std::fs::create_dir_all(root.join("session")).unwrap();
    std::fs::write(root.join("session/.opencrabs_plan_s1.json"), "").unwrap();
    let own = session(&root, "s1");
    let watch = own.watch().wait().unwrap();
    let mut events = watch.subscribe();
    own.discard_damaged().wait().unwrap();
    await_state(&mut events, StateName::NoPlan);
}

// ---- folders that come and go

#[test]
fn folders_that_are_missing_are_waited_for_and_not_made() {
    let (folder, _) = folder();
    let above = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    let root = above.join("deep/below/root");
    let watch = session(&root, "s1").watch().wait().unwrap();
    let mut events = watch.subscribe();
    assert_eq!(events.wait(NEVER), None);
    assert_eq!(tree(&above), BTreeSet::new(), "the watch made something");

    // One by one, as a person would, and then a plan as another process begins it.
    std::fs::create_dir(above.join("deep")).unwrap();
    assert_eq!(events.wait(NEVER), None);
    std::fs::create_dir(above.join("deep/below")).unwrap();
    let _ = no_plan(&session(&root, "s1")).enter().wait().unwrap();
    await_state(&mut events, StateName::PreInit);
    drain(&mut events);
    let before = tree(&above);
    let _ = session(&root, "s1").load().wait().unwrap().discard().wait().unwrap();
    await_state(&mut events, StateName::NoPlan);
    let after: BTreeSet<_> = tree(&above);
    assert!(after.is_subset(&before), "{after:?}");
}

#[test]
fn a_folder_that_is_replaced_is_watched_in_its_new_place() {
    for place in ["session", ""] {
        let (_folder, root) = folder();
        let own = session(&root, "s1");
        let plan = no_plan(&own).init_checklist(Brief::new("t").unwrap(), task()).wait().unwrap();
        let watch = own.watch().wait().unwrap();
        let mut events = watch.subscribe();

        let moved = root.parent().unwrap().join("moved");
        let replaced = if place.is_empty() { root.clone() } else { root.join(place) };
        std::fs::rename(&replaced, &moved).unwrap();
        await_state(&mut events, StateName::NoPlan);
        // What happens in the old folder is nothing to the session any more.
        drain(&mut events);
        let old = if place.is_empty() { moved.join("session") } else { moved.clone() };
        std::fs::write(old.join(".opencrabs_plan_s1.json"), "{").unwrap();
        assert_eq!(events.wait(NEVER), None, "{place:?}");

        let fresh = no_plan(&own).enter().wait().unwrap();
        assert_eq!(await_state(&mut events, StateName::PreInit).revision, fresh.revision());
        assert_ne!(fresh.revision(), plan.revision());
        // And the new folder itself is watched, not only the way to it.
        drain(&mut events);
        let (_, _) = fresh.discard().wait().unwrap();
        await_state(&mut events, StateName::NoPlan);
    }
}

#[test]
fn the_folder_of_older_programs_is_watched() {
    let (_folder, root) = folder();
    let watch = session(&root, "s1").watch().wait().unwrap();
    let mut events = watch.subscribe();
    let older = root.join("agents/session");
    std::fs::create_dir_all(&older).unwrap();
    let json = r#"{"status":"Active","title":"t","description":"d","tasks":[]}"#;
    std::fs::write(older.join(".opencrabs_plan_s1.json"), json).unwrap();
    await_state(&mut events, StateName::Active);
}

/// The projects of a host that binds its sessions while they run.
#[derive(Debug, Clone)]
struct Projects(Arc<Mutex<Result<Option<&'static str>, &'static str>>>);

impl Projects {
    fn bind(&self, project: Result<Option<&'static str>, &'static str>) {
        *self.0.lock().unwrap() = project;
    }
}

impl ProjectLookup for Projects {
    fn project(&self, session: &SessionId) -> Result<Option<Slug>, LookupError> {
        match *self.0.lock().unwrap() {
            Ok(project) => Ok(project.map(|slug| Slug::new(slug).unwrap())),
            Err(why) => Err(LookupError::new(session, why)),
        }
    }
}

#[test]
fn a_plan_is_followed_into_the_project_that_its_session_is_bound_to() {
    let (_folder, root) = folder();
    let projects = Projects(Arc::new(Mutex::new(Ok(None))));
    let engine = Engine::at(&root).projects(projects.clone()).build().unwrap();
    let own = engine.session(SessionId::new("s1").unwrap());
    let watch = own.watch().wait().unwrap();
    let mut events = watch.subscribe();

    // Bound while there is no plan: nothing on disk tells of it before a plan begins there.
    projects.bind(Ok(Some("alpha")));
    let plan = no_plan(&own).enter().wait().unwrap();
    assert!(plan.paths().json.starts_with(root.join("projects/alpha")));
    assert_eq!(await_state(&mut events, StateName::PreInit).revision, plan.revision());

    // Bound elsewhere in the middle of a plan, which stays where it is.
    projects.bind(Ok(Some("beta")));
    drain(&mut events);
    let plan = plan.init_checklist(Brief::new("t").unwrap(), task()).wait().unwrap();
    assert!(plan.paths().json.starts_with(root.join("projects/alpha")));
    assert_eq!(await_state(&mut events, StateName::Active).revision, plan.revision());
    let _ = plan.discard().wait().unwrap();
    await_state(&mut events, StateName::NoPlan);

    // The next one begins in the other project.
    drain(&mut events);
    let plan = no_plan(&own).enter().wait().unwrap();
    assert!(plan.paths().json.starts_with(root.join("projects/beta")));
    await_state(&mut events, StateName::PreInit);

    // The host cannot say: that is no NoPlan either.
    projects.bind(Err("the host is away"));
    std::fs::write(plan.paths().md, "x").unwrap();
    await_event(&mut events, |event| *event == Event::Unreadable { session: own.id().clone(), code: "unknown" });
}

// ---- ends and limits

#[test]
fn dropping_a_watch_ends_its_thread_and_its_subscriptions() {
    let (_folder, root) = folder();
    let own = session(&root, "s1");
    let watch = own.watch().wait().unwrap();
    let mut first = watch.subscribe();
    let mut second = watch.subscribe();
    let waiting = std::thread::spawn(move || second.wait(SOON));
    let begun = Instant::now();
    drop(watch);
    // The thread holds a sender; a subscription ends once it is gone.
    assert_eq!(first.wait(SOON), None);
    assert_eq!(waiting.join().unwrap(), None);
    assert!(begun.elapsed() < SOON / 2, "the thread did not stop");
}

#[test]
fn nobody_listening_holds_nothing_up() {
    let (_folder, root) = folder();
    let own = session(&root, "s1");
    let watch = own.watch().wait().unwrap();
    let plan = no_plan(&own).enter().wait().unwrap();
    std::thread::sleep(DUE);
    let mut events = watch.subscribe();
    let _ = plan.discard().wait().unwrap();
    await_state(&mut events, StateName::NoPlan);
}

#[tokio::test]
async fn a_watch_works_in_a_runtime() {
    let (_folder, root) = folder();
    let own = session(&root, "s1");
    let watch = own.watch().await.unwrap();
    let mut events = watch.subscribe();
    let AnyPlan::NoPlan(plan) = own.load().await.unwrap() else { panic!() };
    let plan = plan.enter().await.unwrap();
    loop {
        let event = tokio::time::timeout(SOON, events.next()).await.unwrap();
        if matches!(&event, Some(Event::Changed(change)) if change.revision == plan.revision()) {
            break;
        }
    }
}

#[cfg(target_os = "linux")]
mod limits {
    use super::*;
    use plangate::store::WatchError;
    use pretty_assertions::assert_eq;

    /// Begins a watch with no, one, two, … descriptors left. Some of them fail; none panics, and all say what to do.
    #[test]
    #[ignore = "the other process of the tests here"]
    fn other_process_runs_out_of_descriptors() {
        let own = session(Utf8Path::new(&std::env::var(ROOT).unwrap()), "s1");
        let mut open = Vec::new();
        while let Ok(file) = std::fs::File::open("/dev/null") {
            open.push(file);
        }
        let mut refused = 0;
        for left in 0..8 {
            match own.watch().wait() {
                Ok(_) => {}
                Err(error @ WatchError::TooManyWatchers { .. }) => {
                    refused += 1;
                    assert_eq!(error.code(), "watch-limit");
                    assert!(error.to_string().contains("open files"), "{error}");
                }
                Err(error) => panic!("{left} left: {error:?}"),
            }
            // Those of the watch before are closed by threads that end a moment later.
            std::thread::sleep(Duration::from_millis(200));
            open.pop();
        }
        assert!(refused > 0);
        drop(open);
        assert!(own.watch().wait().is_ok());
        println!("\nrefused {refused}");
    }

    #[test]
    fn a_process_without_descriptors_is_told_what_to_do() {
        let (_folder, root) = folder();
        let inner = another_process(&root, "limits::other_process_runs_out_of_descriptors");
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""]).arg(inner.get_program()).args(inner.get_args());
        let output = command.env(ROOT, &root).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("\nrefused "), "{output:?}");
    }

    /// Finds both of the system's own limits at nothing: first that of watchers, then that of folders.
    #[test]
    #[ignore = "the other process of the tests here"]
    fn other_process_has_no_watches() {
        let root = Utf8PathBuf::from(std::env::var(ROOT).unwrap());
        std::fs::create_dir_all(root.join("session")).unwrap();
        let own = session(&root, "s1");
        let limit = |name: &str, value: &str| std::fs::write(format!("/proc/sys/user/{name}"), value);
        if let Err(error) = limit("max_inotify_watches", "1") {
            println!("\ncannot {error}");
            return;
        }
        let error = own.watch().wait().unwrap_err();
        assert!(matches!(error, WatchError::TooManyFolders { .. }), "{error:?}");
        assert!(error.to_string().contains("fs.inotify.max_user_watches"), "{error}");
        assert_eq!(error.code(), "watch-limit");

        limit("max_inotify_instances", "0").unwrap();
        let error = own.watch().wait().unwrap_err();
        assert!(matches!(error, WatchError::TooManyWatchers { .. }), "{error:?}");
        assert!(error.to_string().contains("fs.inotify.max_user_instances"), "{error}");

        // A watch that has begun goes on when the limit is met later, at folders that come into being: it looks from time to
        // time.
        let own = session(&root.join("later"), "s1");
        limit("max_inotify_instances", "8").unwrap();
        limit("max_inotify_watches", "64").unwrap();
        let watch = own.watch().wait().unwrap();
        let mut events = watch.subscribe();
        limit("max_inotify_watches", "1").unwrap();
        let plan = no_plan(&own).enter().wait().unwrap();
        await_state(&mut events, StateName::PreInit);
        drain(&mut events);
        let _ = plan.discard().wait().unwrap();
        await_state(&mut events, StateName::NoPlan);
        println!("\nlimited");
    }

    #[test]
    fn a_system_without_watches_is_told_of() {
        let (_folder, root) = folder();
        let inner = another_process(&root, "limits::other_process_has_no_watches");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user"]).arg(inner.get_program()).args(inner.get_args());
        let output = match command.env(ROOT, &root).output() {
            Ok(output) => output,
            Err(error) => {
                println!("SKIPPED: unshare cannot be run ({error})");
                return;
            }
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        if complaint.starts_with("unshare:") || text.contains("\ncannot ") {
            println!("SKIPPED: no user namespace with limits of its own here ({complaint} {text})");
            return;
        }
        assert!(output.status.success() && text.contains("\nlimited"), "{output:?}");
    }
}
