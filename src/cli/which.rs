//! Which session a command is for, and why.

use std::fmt;

use plangate::plan::{Header, StateName};
use plangate::{Session, SessionId};

use super::args::Global;
use super::environment::{Environment, variable};
use super::exit::Exit;
use super::failure::Failure;
use super::page::header;

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
    /// Plan mode was entered for this folder, and no session has taken it over yet.
    Entered,
    /// Its agent is the one that was seen in this folder.
    Present(String),
    /// Nobody is here: the folder itself. So many sessions cannot be read, and any of them may belong here.
    Folder { unreadable: usize },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument => f.write_str("named by --session"),
            Self::Variable(name) => write!(f, "named by {name}"),
            Self::Live => f.write_str("it has the live plan of this folder"),
            Self::Entered => {
                f.write_str("entered for this folder; the first session that makes a call here takes it over")
            }
            Self::Present(agent) => write!(f, "its agent, {agent}, works in this folder"),
            Self::Folder { unreadable } => {
                f.write_str("no agent was seen in this folder")?;
                match unreadable {
                    0 => Ok(()),
                    1 => f.write_str("; 1 plan cannot be read and may belong here: see `plangate list`"),
                    count => write!(f, "; {count} plans cannot be read and may belong here: see `plangate list`"),
                }
            }
        }
    }
}

impl Chosen {
    /// The session of a command. One that is named is taken at its word: no other session's files are looked at.
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
        let own = environment.engine.folder_session(&environment.folder);
        let (mut found, mut unreadable) = (Vec::new(), 0);
        for session in environment.engine.sessions().wait()? {
            let Ok(view) = session.view().wait() else {
                unreadable += 1;
                continue;
            };
            if header(view.state()).and_then(Header::project_dir) != Some(&*environment.folder) {
                continue;
            }
            let entered = view.state_name() == StateName::PreInit && session.id() == own.id();
            found.push((session, if entered { Why::Entered } else { Why::Live }));
        }
        if found.is_empty() {
            for mark in environment.engine.present_in(environment.folder.clone()).wait()? {
                found.push((environment.engine.session(mark.session), Why::Present(mark.agent)));
            }
        }
        let several = found.len() > 1;
        match found.pop() {
            None => Ok(Self { session: own, why: Why::Folder { unreadable } }),
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

    /// The session of the current folder, in which a person may have entered plan mode before the agent's was known;
    /// `None` if it is the chosen one itself.
    pub(crate) fn session_of_folder(&self, environment: &Environment) -> Option<Session> {
        let folder = environment.engine.folder_session(&environment.folder);
        (folder.id() != self.session.id()).then_some(folder)
    }
}
