//! Which session a command is for, and why.

use std::fmt;

use plangate::plan::{StateName, StateRef};
use plangate::{Session, SessionId};

use super::args::Global;
use super::environment::{Environment, variable};
use super::exit::Exit;
use super::failure::Failure;

/// The session, and how it was found.
pub(crate) struct Chosen {
    pub(crate) session: Session,
    pub(crate) why: Why,
}

/// How a session was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// `--session`.
    Argument,
    /// A variable.
    Variable(&'static str),
    /// It has the one live plan of this folder.
    Live,
    /// Its agent is the one that was seen in this folder.
    Present(String),
    /// Nobody is here: the folder itself.
    Folder,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument => f.write_str("named by --session"),
            Self::Variable(name) => write!(f, "named by {name}"),
            Self::Live => f.write_str("it has the live plan of this folder"),
            Self::Present(agent) => write!(f, "its agent, {agent}, works in this folder"),
            Self::Folder => {
                f.write_str("no agent was seen in this folder; the first one that makes a call here takes it over")
            }
        }
    }
}

impl Chosen {
    /// The session of a command.
    pub(crate) fn find(global: &Global, environment: &Environment) -> Result<Self, Failure> {
        let named = global
            .session
            .clone()
            .map(|id| (Why::Argument, id))
            .or_else(|| Some((Why::Variable("PLANGATE_SESSION"), variable("PLANGATE_SESSION")?)))
            .or_else(|| Environment::session_of_agent().map(|(name, id)| (Why::Variable(name), id)));
        if let Some((why, id)) = named {
            let id =
                SessionId::new(id).map_err(|error| Failure::new(Exit::Usage, "session", format!("{why}: {error}")))?;
            let session = environment.engine.session(id).with_project_dir(&environment.folder);
            return Ok(Self { session, why });
        }
        Self::of_folder(environment)
    }

    /// The one session that has a live plan in this folder; else the one that was seen here; else the folder's own.
    fn of_folder(environment: &Environment) -> Result<Self, Failure> {
        let mut live = Vec::new();
        for session in environment.engine.sessions().wait()? {
            let Ok(view) = session.view().wait() else { continue };
            if view.state_name() != StateName::NoPlan && project_dir(view.state()) == Some(environment.folder.as_str())
            {
                live.push((session, Why::Live));
            }
        }
        let mut found = live;
        if found.is_empty() {
            for mark in environment.engine.present_in(environment.folder.clone()).wait()? {
                found.push((environment.engine.session(mark.session), Why::Present(mark.agent)));
            }
        }
        let several = found.len() > 1;
        match found.pop() {
            None => Ok(Self { session: environment.engine.folder_session(&environment.folder), why: Why::Folder }),
            Some((session, why)) if !several => {
                Ok(Self { session: session.with_project_dir(&environment.folder), why })
            }
            Some(last) => {
                found.push(last);
                let choices = found.iter().map(|(session, why)| format!("{}  ({why})", session.id())).collect();
                Err(Failure::new(
                    Exit::WhichSession,
                    "several-sessions",
                    "several sessions belong to this folder: name one with --session",
                )
                .with_choices(choices))
            }
        }
    }
}

/// The folder that a plan was begun in.
pub(crate) fn project_dir(state: StateRef<'_>) -> Option<&str> {
    let header = match state {
        StateRef::NoPlan(_) => return None,
        StateRef::PreInit(state) => state.header(),
        StateRef::Editing(state) => state.header(),
        StateRef::Active(state) => state.header(),
    };
    header.project_dir().map(|path| path.as_str())
}
