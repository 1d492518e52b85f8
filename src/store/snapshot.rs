//! A session's state as a reader finds it: no lock, no change.

use super::Context;
use super::error::StoreError;
use super::files::Files;
use super::find::{Found, Revision, Source, find};
use super::folder::Folder;
use super::load_error::LoadError;
use crate::model::{Body, SessionId};
use crate::plan::{AnyState, Markdown, MarkdownProblem, NoPlan, Site};
use crate::record::{self, EndedRecord, Loaded};

/// A state, and what it was read from.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) state: AnyState,
    pub(crate) revision: Revision,
    /// What a normaliser has to do before the disk says the same as `state`.
    pub(crate) pending: Option<Pending>,
    /// The JSON as it was found.
    pub(crate) bytes: Vec<u8>,
}

/// What a reader leaves to whoever holds the lock (rule N).
#[derive(Debug)]
pub(crate) enum Pending {
    /// A plan that has ended is still in the live folder.
    CleanUp(EndedRecord),
    /// An older plan in Editing carries tasks.
    LegacyTasks,
}

/// How often a pair that is out of step is read again.
const TRIES: usize = 8;

/// Reads the state of a session; whoever has the lock gives the folder that it is `held` in.
pub(crate) fn read(
    context: &Context,
    session: &SessionId,
    files: &Files,
    held: Option<&Folder>,
) -> Result<Snapshot, LoadError> {
    let mut snapshot = interpret(context, session, files, find(context, session, files, held)?)?;
    for _ in 0..TRIES {
        if !lacks_markdown(&snapshot.state) {
            break;
        }
        // The `.md` is gone for good, or the plan has just been archived; the JSON tells which.
        let again = find(context, session, files, held)?;
        if again.revision == snapshot.revision {
            break;
        }
        snapshot = interpret(context, session, files, again)?;
    }
    Ok(snapshot)
}

/// Whether a `.md` should be there and is not.
fn lacks_markdown(state: &AnyState) -> bool {
    match state {
        AnyState::Editing(editing) => editing.markdown == Markdown::Missing,
        AnyState::Active(active) => active.header.approved_at.is_some() && active.markdown == Markdown::Missing,
        AnyState::NoPlan(_) | AnyState::PreInit(_) => false,
    }
}

fn interpret(context: &Context, session: &SessionId, files: &Files, found: Found) -> Result<Snapshot, LoadError> {
    let Found { revision, folder, bytes } = found;
    let site = Site::new(session.clone(), revision.folder.join(files.md.as_str()));
    let no_plan = || AnyState::NoPlan(NoPlan::new(site.clone()));
    if revision.digest.is_none() {
        return Ok(Snapshot { state: no_plan(), revision, pending: None, bytes });
    }
    let loaded = record::read(&bytes, &site).map_err(|problem| {
        let folder = match revision.source {
            Source::Resolved => revision.folder.clone(),
            Source::Fallback => context.layout.fallback(),
        };
        LoadError::Damaged { file: folder.join(files.json.as_str()), problem }
    })?;
    let mut pending = None;
    let state = match loaded {
        Loaded::PreInit(state) => AnyState::PreInit(state),
        Loaded::Editing(mut state) => {
            state.markdown = markdown(context, files, folder.as_ref(), revision.source)?;
            if !state.legacy_tasks.is_empty() {
                pending = Some(Pending::LegacyTasks);
            }
            AnyState::Editing(state)
        }
        Loaded::Active(mut state) => {
            state.markdown = markdown(context, files, folder.as_ref(), revision.source)?;
            AnyState::Active(state)
        }
        Loaded::Ended(ended) => {
            pending = Some(Pending::CleanUp(ended));
            no_plan()
        }
    };
    Ok(Snapshot { state, revision, pending, bytes })
}

/// The `.md` of a plan: in the session's folder, or beside a JSON of the fallback folder (DISK-15). Where both have one,
/// the session's own wins: it is the one that an agent was told to write.
pub(super) fn markdown(
    context: &Context,
    files: &Files,
    folder: Option<&Folder>,
    source: Source,
) -> Result<Markdown, LoadError> {
    let own = folder.map_or(Markdown::Missing, |folder| in_folder(folder, files));
    if own != Markdown::Missing || source == Source::Resolved {
        return Ok(own);
    }
    let fallback = Folder::open(&context.disk, &context.layout.fallback())?;
    Ok(fallback.map_or(Markdown::Missing, |folder| in_folder(&folder, files)))
}

/// The `.md` in a folder. One that cannot be read does not make the plan unreadable: the JSON alone is the state.
fn in_folder(folder: &Folder, files: &Files) -> Markdown {
    told(folder, files).unwrap_or_else(|error| Markdown::Unusable(MarkdownProblem::Unreadable(error.kind())))
}

/// The `.md` in a folder, for who writes by what is there: where that cannot be told, nothing may be written.
pub(super) fn told(folder: &Folder, files: &Files) -> Result<Markdown, StoreError> {
    match folder.read(&files.md, Body::MAX_BYTES as u64) {
        Ok(None) => Ok(Markdown::Missing),
        Ok(Some(bytes)) => Ok(Markdown::from_bytes(bytes)),
        Err(StoreError::TooLarge { .. }) => Ok(Markdown::Unusable(MarkdownProblem::TooLong)),
        Err(StoreError::NotRegular { .. } | StoreError::NotAFolder { .. }) => {
            Ok(Markdown::Unusable(MarkdownProblem::NotAFile))
        }
        Err(error) => Err(error),
    }
}
