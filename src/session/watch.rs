use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::{PlanView, Session, Work};
use crate::digest::Digest;
use crate::event::{Event, Events, PlanEvent, Subscription};
use crate::model::SessionId;
use crate::plan::{StateName, StateRef};
use crate::store::{Files, FolderWatch, LoadError, Signal, WatchError, folders_of};

/// How long after a refusal the folders are tried again; the plan is looked at meanwhile, within what MIRROR-3 allows.
const RETRY: Duration = Duration::from_millis(200);

/// Watches a session's files for changes by any process (MIRROR-3).
///
/// Events come once the files have been at rest for a moment, several changes in one: within 500 ms after the last there is
/// at least one, and it tells the state that was found then. A change of the `.md` alone is an event too. Where the state
/// can no longer be told, the event is [`Event::Unreadable`].
///
/// A watch has a thread of its own, writes nothing and makes no folder: those that are missing are waited for. It notices
/// when folders from the root down are replaced, but not when one further up is. Dropping it ends its thread and its
/// subscriptions.
///
/// ```
/// # use plangate::{Engine, SessionId};
/// # use plangate::event::Event;
/// # let folder = tempfile::tempdir()?;
/// # let root = camino::Utf8Path::from_path(folder.path()).unwrap();
/// # let elsewhere = Engine::at(root).build()?.session(SessionId::new("a1")?);
/// let session = Engine::at(root).build()?.session(SessionId::new("a1")?);
/// let watch = session.watch().wait()?;
/// let mut events = watch.subscribe();
///
/// # let plangate::AnyPlan::NoPlan(plan) = elsewhere.load().wait()? else { panic!() };
/// plan.enter().wait()?; // in whichever process
/// let Some(Event::Changed(change)) = events.wait(std::time::Duration::from_secs(5)) else { panic!() };
/// assert_eq!(change.state.as_str(), "PreInit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the session is watched until this is dropped"]
pub struct Watch {
    session: SessionId,
    events: Events,
    signal: Arc<Signal>,
}

impl Session {
    /// Begins to watch the session's files. What changes after this has answered is an event of the watch.
    ///
    /// # Errors
    /// [`WatchError`] if the system cannot watch the folders. A plan that cannot be read is no error.
    pub fn watch(&self) -> Work<Result<Watch, WatchError>> {
        let session = self.clone();
        Work::new(move || Watch::begin(session))
    }
}

impl Watch {
    fn begin(session: Session) -> Result<Self, WatchError> {
        let files = session.files()?;
        let signal = Arc::new(Signal::new(files.clone()));
        let mut folders = FolderWatch::new(session.shared().context.layout.root(), &signal)?;
        folders.follow(folders_of(&session.shared().context, session.id(), &files), false)?;
        // Only now, so that there is no moment between this look and the first event.
        let seen = Seen::look(&session);
        let events = Events::new();
        let watch = Self { session: session.id().clone(), events: events.clone(), signal: Arc::clone(&signal) };
        thread::Builder::new()
            .name("plangate watch".into())
            .spawn(move || Watcher { session, files, folders, signal, events, seen }.run())
            .map_err(|source| WatchError::Thread { source })?;
        Ok(watch)
    }

    /// The session that is watched.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Subscribes to the changes from now on. To miss none, subscribe first and look at the plan afterwards.
    pub fn subscribe(&self) -> Subscription {
        self.events.subscribe()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Not waited for: the thread may be in a look-up of the embedder's, which may be slow.
        self.signal.stop();
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("session", &self.session).finish_non_exhaustive()
    }
}

/// What the thread of a watch works with.
struct Watcher {
    session: Session,
    files: Files,
    folders: FolderWatch,
    signal: Arc<Signal>,
    events: Events,
    seen: Seen,
}

impl Watcher {
    fn run(mut self) {
        let mut is_deaf = false;
        while let Some(happened) = self.signal.settled(is_deaf.then_some(RETRY)) {
            // The session may belong to another project by now.
            let folders = folders_of(&self.session.shared().context, self.session.id(), &self.files);
            is_deaf = self.folders.follow(folders, happened.folders).is_err();
            let seen = Seen::look(&self.session);
            // Files that were changed and changed back are told of too: their archive may have grown.
            if happened.files || seen != self.seen {
                self.events.send(seen.event(self.session.id()));
            }
            self.seen = seen;
        }
    }
}

/// What a look at the plan has shown.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Plan { state: StateName, revision: Option<Digest>, markdown: Option<Digest> },
    Unreadable(&'static str),
}

impl Seen {
    fn look(session: &Session) -> Self {
        session.view().wait().map_or_else(|error: LoadError| Self::Unreadable(error.code()), |view| Self::of(&view))
    }

    fn of(view: &PlanView) -> Self {
        let markdown = match view.state() {
            StateRef::NoPlan(_) | StateRef::PreInit(_) => None,
            StateRef::Editing(state) => state.markdown().digest(),
            StateRef::Active(state) => state.markdown().digest(),
        };
        Self::Plan { state: view.state_name(), revision: view.revision(), markdown }
    }

    fn event(&self, session: &SessionId) -> Event {
        let session = session.clone();
        match *self {
            Self::Plan { state, revision, .. } => PlanEvent { session, state, revision }.into(),
            Self::Unreadable(code) => Event::Unreadable { session, code },
        }
    }
}
