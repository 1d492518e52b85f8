//! The environment, the home folder and the current folder: the only place of the program that looks at them.

use std::env;

use camino::Utf8PathBuf;
use plangate::SessionId;
use plangate::model::{Asked, Origin};
use plangate::session::Engine;
use plangate::store::{LookupError, ProjectLookup, Slug};

use super::args::Global;
use super::exit::Exit;
use super::failure::Failure;

/// The variables in which agents tell the programs that they start which session they are.
const AGENT_SESSIONS: [&str; 6] = [
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "COPILOT_AGENT_SESSION_ID",
    "GEMINI_SESSION_ID",
    "OPENCRABS_SESSION_ID",
];

/// The variables by which a program can tell that an agent started it.
const AGENT_MARKS: [&str; 11] = [
    "AI_AGENT",
    "AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_CI",
    "CODEX_VERSION",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "CURSOR_TRACE_ID",
    "GEMINI_CLI",
    "OPENCODE",
];

/// The variables that move an agent's settings, and the files of the gate that are then in that folder.
const AGENT_SETTINGS: [(&str, &[&str]); 3] = [
    ("CLAUDE_CONFIG_DIR", &["settings.json", "settings.local.json"]),
    ("CODEX_HOME", &["config.toml", "hooks.json"]),
    ("XDG_CONFIG_HOME", &["opencode/opencode.json", "opencode/opencode.jsonc", "opencode/plugin", "opencode/plugins"]),
];

/// What the program was started with.
#[derive(Debug)]
pub(crate) struct Environment {
    pub(crate) engine: Engine,
    /// The current folder's real path.
    pub(crate) folder: Utf8PathBuf,
}

impl Environment {
    /// Reads it, the command line first.
    pub(crate) fn read(global: &Global) -> Result<Self, Failure> {
        let profile = global.profile.as_deref().map(|name| slug("--profile", name)).transpose()?;
        let project = global.project.as_deref().map(|name| slug("--project", name)).transpose()?;
        let mut builder = Engine::at(root(global)?).projects(OneProject(project));
        if let Some(profile) = profile {
            builder = builder.profile(profile);
        }
        let engine = builder.build().map_err(|error| Failure::new(Exit::Usage, "root", error.to_string()))?;
        let folder = env::current_dir().and_then(|folder| folder.canonicalize()).map_err(|error| {
            Failure::new(Exit::Failed, "folder", format!("the current folder cannot be resolved: {error}"))
        })?;
        let folder = Utf8PathBuf::from_path_buf(folder).map_err(|folder| {
            let folder = folder.display().to_string();
            Failure::new(Exit::Failed, "folder", format!("the current folder {folder:?} is not UTF-8: go to another"))
        })?;
        Ok(Self { engine, folder })
    }

    /// The person's home folder.
    pub(crate) fn home() -> Option<Utf8PathBuf> {
        dirs::home_dir().and_then(|home| Utf8PathBuf::from_path_buf(home).ok())
    }

    /// Further files that are a part of the gate: this program, and the settings of agents that a variable has moved.
    pub(crate) fn guarded() -> Vec<Utf8PathBuf> {
        let program = env::current_exe().ok().and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
        let moved = AGENT_SETTINGS.into_iter().flat_map(|(variable_name, files)| {
            let folder = variable(variable_name).map(Utf8PathBuf::from);
            folder.into_iter().flat_map(|folder| files.iter().map(move |file| folder.join(file)))
        });
        program.into_iter().chain(moved.filter(|path| path.is_absolute())).collect()
    }

    /// The session that a variable names, and the variable.
    pub(crate) fn session_of_agent() -> Option<(&'static str, String)> {
        AGENT_SESSIONS.into_iter().find_map(|name| Some((name, variable(name)?)))
    }

    /// The first variable by which an agent can be told.
    pub(crate) fn agent() -> Option<&'static str> {
        AGENT_MARKS.into_iter().chain(AGENT_SESSIONS).find(|name| variable(name).is_some())
    }

    /// Whether a person was asked before a call of that origin: nobody was where an agent started this program.
    pub(crate) fn asked(origin: Origin) -> Asked {
        match origin {
            Origin::Interactive if Self::agent().is_none() => Asked::Person,
            _ => Asked::Nobody,
        }
    }

    /// Who sits at the terminal, for the record of an approval.
    pub(crate) fn person() -> String {
        ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable).unwrap_or_else(|| "unknown".to_owned())
    }
}

/// A variable, unless it is unset, empty or no text.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn root(global: &Global) -> Result<Utf8PathBuf, Failure> {
    let given = global.root.clone().or_else(|| variable("PLANGATE_ROOT").map(Utf8PathBuf::from));
    let root = match given {
        Some(root) => root,
        None => {
            let home = Environment::home().ok_or_else(|| {
                Failure::new(
                    Exit::Usage,
                    "root",
                    "there is no home folder to look in: give --root or set PLANGATE_ROOT",
                )
            })?;
            home.join(".opencrabs")
        }
    };
    let absolute = std::path::absolute(&root).ok().and_then(|root| Utf8PathBuf::from_path_buf(root).ok());
    absolute
        .ok_or_else(|| Failure::new(Exit::Usage, "root", format!("the root folder {root:?} cannot be made absolute")))
}

fn slug(argument: &str, name: &str) -> Result<Slug, Failure> {
    Slug::new(name).map_err(|error| Failure::new(Exit::Usage, "argument", format!("{argument}: {error}")))
}

/// Every session is bound to the project that the command line names.
#[derive(Debug)]
struct OneProject(Option<Slug>);

impl ProjectLookup for OneProject {
    fn project(&self, _: &SessionId) -> Result<Option<Slug>, LookupError> {
        Ok(self.0.clone())
    }
}
