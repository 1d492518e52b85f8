use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};

use crate::model::SessionId;

/// A name that becomes one folder's name: a project's slug or a profile's name.
///
/// 1 to 128 characters of `A-Z a-z 0-9 . _ -`, not beginning with a dot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Slug(Box<str>);

impl Slug {
    /// Checks `name` and takes it.
    ///
    /// # Errors
    /// [`InvalidSlug`] if it could not be one folder's name; no file has been touched.
    pub fn new(name: impl AsRef<str>) -> Result<Self, InvalidSlug> {
        let name = name.as_ref();
        let fits = (1..=128).contains(&name.len())
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        if !fits {
            return Err(InvalidSlug { name: name.chars().take(128).collect() });
        }
        Ok(Self(name.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot be one folder's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} cannot name a folder: give 1 to 128 characters of A-Z a-z 0-9 . _ -, not beginning with a dot")]
#[non_exhaustive]
pub struct InvalidSlug {
    /// The text, at most 128 characters of it.
    pub name: String,
}

/// Tells which project a session is bound to. The embedder's own; the engine asks it at every access.
///
/// It is called on the thread that does the work: under `.await` one of the blocking pool, so that a lookup in a database
/// may block.
pub trait ProjectLookup: Send + Sync + fmt::Debug {
    /// The slug of the session's project, or `None` if it is bound to none.
    ///
    /// # Errors
    /// [`LookupError`] if it cannot be known now. The session's state is then *unknown*, never NoPlan (DISK-12).
    fn project(&self, session: &SessionId) -> Result<Option<Slug>, LookupError>;
}

/// A lookup for programs without projects: no session is bound to one.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProjects;

impl ProjectLookup for NoProjects {
    fn project(&self, _: &SessionId) -> Result<Option<Slug>, LookupError> {
        Ok(None)
    }
}

/// The project of a session cannot be known now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the project of session {session} cannot be looked up: {why}")]
#[non_exhaustive]
pub struct LookupError {
    /// The session.
    pub session: SessionId,
    /// Why, in the words of the lookup.
    pub why: String,
}

impl LookupError {
    /// An error with the lookup's own words.
    pub fn new(session: &SessionId, why: impl Into<String>) -> Self {
        Self { session: session.clone(), why: why.into() }
    }
}

/// Where plans live under a root folder (DISK-2, DISK-3).
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    root: Utf8PathBuf,
    profile: Option<Slug>,
}

impl Layout {
    pub(crate) fn new(root: Utf8PathBuf, profile: Option<Slug>) -> Self {
        Self { root, profile }
    }

    pub(crate) fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The folder of sessions that are bound to no project.
    pub(crate) fn home(&self) -> Utf8PathBuf {
        match &self.profile {
            None => self.root.join("session"),
            Some(profile) => self.root.join("profiles").join(profile.as_str()).join("session"),
        }
    }

    /// The folder of a project's sessions.
    pub(crate) fn project(&self, slug: &Slug) -> Utf8PathBuf {
        self.projects().join(slug.as_str()).join("session")
    }

    /// The folder that has a folder for each project.
    pub(crate) fn projects(&self) -> Utf8PathBuf {
        self.root.join("projects")
    }

    /// The folder of older programs: read, never written.
    pub(crate) fn fallback(&self) -> Utf8PathBuf {
        self.root.join("agents").join("session")
    }
}
