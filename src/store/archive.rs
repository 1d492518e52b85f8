//! The archive of a folder: names that never collide, and the list of one session's ended plans.

use std::fmt;

use camino::Utf8PathBuf;

use super::error::StoreError;
use super::find::RECORD_LIMIT;
use super::folder::{Folder, Name};
use super::load_error::LoadError;
use crate::digest::Digest;
use crate::model::{SessionId, Timestamp};
use crate::plan::{EndingHow, Site};
use crate::record::{self, Archived as Record};

/// The archive's folder, inside the session folder.
pub(crate) const FOLDER: &str = "archive";

/// Why something is in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// The plan was completed; its name carries no mark.
    Completed,
    /// A person discarded the plan.
    Discarded,
    /// An older plan that was cancelled.
    Cancelled,
    /// The original of an older plan whose tasks were turned into the steps of a design.
    Legacy,
    /// A `.md` without a plan.
    Orphan,
    /// A damaged file that a person discarded.
    Damaged,
}

impl Mark {
    const NAMED: [Self; 5] = [Self::Discarded, Self::Cancelled, Self::Legacy, Self::Orphan, Self::Damaged];

    /// The name in texts and JSON; in file names all but `completed`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Discarded => "discarded",
            Self::Cancelled => "cancelled",
            Self::Legacy => "legacy",
            Self::Orphan => "orphan",
            Self::Damaged => "damaged",
        }
    }
}

impl From<EndingHow> for Mark {
    fn from(how: EndingHow) -> Self {
        match how {
            EndingHow::Completed => Self::Completed,
            EndingHow::Discarded => Self::Discarded,
        }
    }
}

/// The name of an archived plan, without `.json` or `.md`:
/// `opencrabs_plan_<session>-<YYYYMMDDThhmmssZ>[-n][-mark]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArchiveName {
    session: SessionId,
    stamp: Box<str>,
    number: u64,
    mark: Mark,
}

impl ArchiveName {
    /// The names that something of this session may get at this time, the plainest first.
    pub(super) fn candidates(session: &SessionId, at: Timestamp, mark: Mark) -> impl Iterator<Item = Self> + use<> {
        let (session, stamp) = (session.clone(), at.compact().into_boxed_str());
        (1..).map(move |number| Self { session: session.clone(), stamp: stamp.clone(), number, mark })
    }

    /// Reads a name of `session`, to the letter: ids contain `-`, so that a prefix would show session `a-1` to `a`.
    pub fn parse(session: &SessionId, name: &str) -> Option<Self> {
        let rest = name.strip_prefix("opencrabs_plan_")?.strip_prefix(session.as_str())?.strip_prefix('-')?;
        let (stamp, rest) = rest.split_at_checked("YYYYMMDDThhmmssZ".len())?;
        let is_stamp = stamp.bytes().enumerate().all(|(at, byte)| match at {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        });
        if !is_stamp {
            return None;
        }
        let marked = |mark: &Mark| rest.strip_suffix(mark.as_str())?.strip_suffix('-').map(|rest| (*mark, rest));
        let (mark, rest) = Mark::NAMED.iter().find_map(marked).unwrap_or((Mark::Completed, rest));
        let number = match rest.strip_prefix('-') {
            Some(number) => number.parse().ok()?,
            None => 1,
        };
        let parsed = Self { session: session.clone(), stamp: stamp.into(), number, mark };
        // Number parsers also take `+2` and `02`.
        (parsed.to_string() == name).then_some(parsed)
    }

    /// Whose it is.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Why it is in the archive.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    pub(super) fn json(&self) -> Result<Name, StoreError> {
        Name::new(format!("{self}.json"))
    }

    pub(super) fn md(&self) -> Result<Name, StoreError> {
        Name::new(format!("{self}.md"))
    }
}

impl fmt::Display for ArchiveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "opencrabs_plan_{}-{}", self.session, self.stamp)?;
        if self.number > 1 {
            write!(f, "-{}", self.number)?;
        }
        match self.mark {
            Mark::Completed => Ok(()),
            mark => write!(f, "-{}", mark.as_str()),
        }
    }
}

/// One entry of a session's archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Archived {
    /// Its name.
    pub name: ArchiveName,
    /// The plan's title, where there is a readable record.
    pub title: Option<String>,
    /// The digest of the record, where it can be read.
    pub digest: Option<Digest>,
    /// The record, if there is one.
    pub json: Option<Utf8PathBuf>,
    /// The `.md`, if there is one.
    pub md: Option<Utf8PathBuf>,
}

/// The entries of a session in the archive of `folder`, oldest first. A record that names another session is left out.
pub(crate) fn list(folder: &Folder, site: &Site) -> Result<Vec<Archived>, StoreError> {
    let Some(archive) = folder.subfolder(&Name::new(FOLDER)?)? else {
        return Ok(Vec::new());
    };
    let mut entries: Vec<Archived> = Vec::new();
    let mut foreign: Vec<ArchiveName> = Vec::new();
    let mut names = archive.names()?;
    // A record comes before its `.md`.
    names.sort();
    for file in names {
        let Some((stem, ending)) = file.as_str().rsplit_once('.') else { continue };
        let Some(name) = ArchiveName::parse(site.session(), stem) else { continue };
        if foreign.contains(&name) {
            continue;
        }
        let known = entries.iter().position(|entry| entry.name == name);
        let mut entry = match known {
            Some(at) => entries.swap_remove(at),
            None => Archived { name, title: None, digest: None, json: None, md: None },
        };
        match ending {
            "json" => {
                // What cannot be read may be this session's own damaged file; what names another session is not.
                if let Ok(Some(bytes)) = archive.read(&file, RECORD_LIMIT) {
                    entry.digest = Some(Digest::of(&bytes));
                    match record::read_archived(&bytes, site) {
                        Ok(record) => entry.title = Some(record.title.into()),
                        Err(error) if error.is_foreign() => {
                            foreign.push(entry.name);
                            continue;
                        }
                        Err(_) => {}
                    }
                }
                entry.json = Some(archive.path_of(&file));
            }
            "md" => entry.md = Some(archive.path_of(&file)),
            _ => continue,
        }
        entries.push(entry);
    }
    entries.sort_by(|a, b| {
        (&a.name.stamp, a.name.number, a.name.mark.as_str()).cmp(&(&b.name.stamp, b.name.number, b.name.mark.as_str()))
    });
    Ok(entries)
}

/// The archive of `folder`, made if it is missing.
pub(super) fn open(folder: &Folder) -> Result<Folder, StoreError> {
    folder.create_subfolder(&Name::new(FOLDER)?)
}

/// A name that neither a record nor a `.md` has.
pub(super) fn free_name(
    archive: &Folder,
    session: &SessionId,
    at: Timestamp,
    mark: Mark,
) -> Result<ArchiveName, StoreError> {
    let taken: std::collections::HashSet<Name> = archive.names()?.into_iter().collect();
    let mut name = ArchiveName { session: session.clone(), stamp: at.compact().into(), number: 1, mark };
    while taken.contains(&name.json()?) || taken.contains(&name.md()?) {
        name.number += 1;
    }
    Ok(name)
}

/// The record of an archived plan; `None` if the archive has none of that name.
pub(crate) fn load(folder: &Folder, site: &Site, name: &ArchiveName) -> Result<Option<Record>, LoadError> {
    let Some(archive) = folder.subfolder(&Name::new(FOLDER)?)? else {
        return Ok(None);
    };
    let json = name.json()?;
    let Some(bytes) = archive.read(&json, RECORD_LIMIT)? else {
        return Ok(None);
    };
    let file = || archive.path_of(&json);
    record::read_archived(&bytes, site).map(Some).map_err(|problem| LoadError::Damaged { file: file(), problem })
}
