use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use uuid::Uuid;

use super::{Error, Session, Work};
use crate::clock::{Clock, SystemClock};
use crate::event::{Events, Subscription};
use crate::goal::{GoalManager, NoGoals};
use crate::model::SessionId;
use crate::store::{
    Context, Disk, Layout, NoProjects, Presence, ProjectLookup, RealDisk, Slug, present_in, with_a_record,
};

/// The engine: the plans under one root folder. Copies share everything.
///
/// It never looks at the environment, the home folder or the terminal; the root is the embedder's to choose.
///
/// ```
/// use plangate::{Engine, SessionId};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let root = camino::Utf8Path::from_path(folder.path()).unwrap();
/// let engine = Engine::at(root).build()?;
/// let session = engine.session(SessionId::new("a1")?);
/// assert_eq!(session.view().wait()?.state_name().as_str(), "NoPlan");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) context: Arc<Context>,
    pub(crate) goals: Arc<dyn GoalManager>,
    pub(crate) events: Events,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("root", &self.context.layout.root()).finish_non_exhaustive()
    }
}

impl Engine {
    /// Begins an engine for the plans under `root`, an absolute path.
    pub fn at(root: impl Into<Utf8PathBuf>) -> EngineBuilder {
        EngineBuilder {
            root: root.into(),
            profile: None,
            projects: Arc::new(NoProjects),
            goals: Arc::new(NoGoals),
            clock: Arc::new(SystemClock),
            patience: Duration::from_secs(5),
            disk: Arc::new(RealDisk),
        }
    }

    /// A session by its id. Touches no file.
    pub fn session(&self, id: SessionId) -> Session {
        Session::new(Arc::clone(&self.0), id)
    }

    /// Subscribes to the commits that this engine makes in this process from now on (MIRROR-3).
    pub fn subscribe(&self) -> Subscription {
        self.0.events.subscribe()
    }

    /// The session of a folder, for a person at a terminal who does not know an agent's session: its id is derived from
    /// the folder's real path. A plan that is entered there is [claimed](Session::claim) by the first agent session that
    /// makes a call in the folder.
    pub fn folder_session(&self, real_path: &Utf8Path) -> Session {
        let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("file://{real_path}").as_bytes());
        Session::new(Arc::clone(&self.0), SessionId::from_uuid(id)).with_project_dir(real_path)
    }

    /// The sessions whose hooks were seen in a folder, the latest call first.
    ///
    /// # Errors
    /// [`Error::Store`] if the marks cannot be listed.
    pub fn present_in(&self, real_path: impl Into<Utf8PathBuf>) -> Work<Result<Vec<Presence>, Error>> {
        let (shared, folder) = (Arc::clone(&self.0), real_path.into());
        Work::new(move || Ok(present_in(&shared.context, &folder)?))
    }

    /// The sessions that have a plan file of any kind, by id. Only a [view](Session::view) tells whether there is a live plan.
    ///
    /// # Errors
    /// [`Error::Store`] if a folder cannot be listed.
    pub fn sessions(&self) -> Work<Result<Vec<Session>, Error>> {
        let shared = Arc::clone(&self.0);
        Work::new(move || {
            let ids = with_a_record(&shared.context)?;
            Ok(ids.into_iter().map(|id| Session::new(Arc::clone(&shared), id)).collect())
        })
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.0
    }

    /// The root folder.
    pub fn root(&self) -> &Utf8Path {
        self.0.context.layout.root()
    }
}

/// Decides what an [`Engine`] works with; each choice has a default.
#[derive(Debug)]
#[must_use = "an engine begins with `build`"]
pub struct EngineBuilder {
    root: Utf8PathBuf,
    profile: Option<Slug>,
    projects: Arc<dyn ProjectLookup>,
    goals: Arc<dyn GoalManager>,
    clock: Arc<dyn Clock>,
    patience: Duration,
    disk: Arc<dyn Disk>,
}

impl EngineBuilder {
    /// A named profile: sessions without a project live under `profiles/<name>/session/` (DISK-2). Default: none.
    pub fn profile(mut self, profile: Slug) -> Self {
        self.profile = Some(profile);
        self
    }

    /// Which session belongs to which project. Default: none does.
    pub fn projects(mut self, projects: impl ProjectLookup + 'static) -> Self {
        self.projects = Arc::new(projects);
        self
    }

    /// Where goals are kept. Default: nowhere.
    pub fn goals(mut self, goals: impl GoalManager + 'static) -> Self {
        self.goals = Arc::new(goals);
        self
    }

    /// Where times and ids come from. Default: the system.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// How long a session's lock is waited for. Default: 5 seconds.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    #[cfg(test)]
    pub(crate) fn disk(mut self, disk: Arc<dyn Disk>) -> Self {
        self.disk = disk;
        self
    }

    /// The engine. Touches no file.
    ///
    /// # Errors
    /// [`InvalidRoot`] if the root is not absolute: paths in answers are absolute, and nobody's current folder may decide
    /// where plans are.
    pub fn build(self) -> Result<Engine, InvalidRoot> {
        if !self.root.is_absolute() {
            return Err(InvalidRoot { root: self.root });
        }
        Ok(Engine(Arc::new(Shared {
            context: Arc::new(Context {
                disk: self.disk,
                layout: Layout::new(self.root, self.profile),
                projects: self.projects,
                clock: self.clock,
                patience: self.patience,
            }),
            goals: self.goals,
            events: Events::new(),
        })))
    }
}

/// The root folder's path is not absolute.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the root folder {root} must be an absolute path")]
#[non_exhaustive]
pub struct InvalidRoot {
    /// The path that was given.
    pub root: Utf8PathBuf,
}
