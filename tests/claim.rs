//! A plan that a person enters for a folder, and the session that claims it.
// spec: LIFE-3, LIFE-12

use camino::{Utf8Path, Utf8PathBuf};
use plangate::plan::{Brief, StateName};
use plangate::{AnyPlan, Engine, Session, SessionId};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn engine(&self) -> Engine {
        Engine::at(Utf8PathBuf::from_path_buf(self.folder.path().to_owned()).unwrap()).build().unwrap()
    }

    fn session(&self, id: &str) -> Session {
        self.engine().session(SessionId::new(id).unwrap()).with_project_dir("/project")
    }

    fn armed(&self) -> Session {
        self.engine().folder_session(Utf8Path::new("/project"))
    }
}

fn state(session: &Session) -> StateName {
    session.view().wait().unwrap().state_name()
}

fn enter(session: &Session) {
    drop(session.load().wait().unwrap().enter().wait().unwrap());
}

#[test]
fn the_first_session_takes_the_flag_over_and_the_second_finds_none() {
    // Ids on both sides of the folder's, so that both orders of locks are taken.
    for (first, second) in [("0", "z"), ("z", "0")] {
        let place = Place::new();
        enter(&place.armed());
        let AnyPlan::PreInit(claimed) = place.session(first).claim(&place.armed()).wait().unwrap() else { panic!() };
        assert_eq!(claimed.header().project_dir(), Some(Utf8Path::new("/project")));
        assert_eq!(state(&place.armed()), StateName::NoPlan);
        let other = place.session(second).claim(&place.armed()).wait().unwrap();
        assert_eq!(other.state_name(), StateName::NoPlan);
        assert!(claimed.init_design(Brief::new("T").unwrap()).wait().is_ok());
    }
}

#[test]
fn a_session_with_a_plan_of_its_own_claims_nothing() {
    let place = Place::new();
    let session = place.session("own");
    enter(&session);
    enter(&place.armed());
    let plan = session.claim(&place.armed()).wait().unwrap();
    assert_eq!(plan.state_name(), StateName::PreInit);
    assert_eq!(state(&place.armed()), StateName::PreInit, "it waits for another session");
}

#[test]
fn an_interrupted_claim_is_finished_by_the_next() {
    let place = Place::new();
    enter(&place.armed());
    let paths = place.armed().paths().wait().unwrap();
    let flag = std::fs::read(&paths.json).unwrap();
    drop(place.session("a").claim(&place.armed()).wait().unwrap());
    // The crash: the flag is written for the session, and the folder's is still there.
    std::fs::write(&paths.json, flag).unwrap();
    assert_eq!((state(&place.session("a")), state(&place.armed())), (StateName::PreInit, StateName::PreInit));
    drop(place.session("a").claim(&place.armed()).wait().unwrap());
    assert_eq!((state(&place.session("a")), state(&place.armed())), (StateName::PreInit, StateName::NoPlan));
}

#[test]
fn many_sessions_at_once_and_one_of_them_claims() {
    let place = Place::new();
    enter(&place.armed());
    let threads: Vec<_> = (0..8)
        .map(|n| {
            let (session, armed) = (place.session(&format!("s{n}")), place.armed());
            std::thread::spawn(move || session.claim(&armed).wait().unwrap().state_name())
        })
        .collect();
    let claimed = threads.into_iter().map(|thread| thread.join().unwrap());
    assert_eq!(claimed.filter(|state| *state == StateName::PreInit).count(), 1);
}

#[test]
fn a_terminal_finds_the_sessions_of_its_folder() {
    let place = Place::new();
    place.session("a").mark_present("claude").wait().unwrap();
    place.session("b").mark_present("codex").wait().unwrap();
    place
        .engine()
        .session(SessionId::new("c").unwrap())
        .with_project_dir("/other")
        .mark_present("codex")
        .wait()
        .unwrap();
    let present = place.engine().present_in("/project").wait().unwrap();
    let mut seen: Vec<_> = present.iter().map(|mark| (mark.session.as_str(), mark.agent.as_str())).collect();
    seen.sort_unstable();
    assert_eq!(seen, [("a", "claude"), ("b", "codex")]);
    place.session("a").forget_presence().wait().unwrap();
    assert_eq!(place.engine().present_in("/project").wait().unwrap().len(), 1);
    enter(&place.session("a"));
    let sessions = place.engine().sessions().wait().unwrap();
    assert_eq!(sessions.iter().map(|session| session.id().as_str()).collect::<Vec<_>>(), ["a"]);
}
