//! The record of a session: which state it is, and everything in it.

use std::str::FromStr;

use camino::Utf8PathBuf;

use super::derived;
use super::fault::{Read, clip};
use super::fields::{Field, Slots, Source, keep, slots};
use super::status::Status;
use super::values::{boolean, present, string, string_as, time, uuid, wrong_type};
use super::{RecordError, RecordProblem};
use crate::digest::Digest;
use crate::json::{elements, kind, unescape};
use crate::model::{Asked, Checklist, Origin, SessionId, TaskId, Timestamp};
use crate::plan::{
    Active, ApprovalRecord, Background, Editing, Ending, EndingHow, Extras, Header, Markdown, PlanId, PreInit, Site,
};

slots! {
    /// The known fields of a record.
    RootFields {
        id, session_id, title, description, status, pre_init_editing, tasks, context, test_strategy, risks,
        technical_stack, created_at, updated_at, approved_at, approval, origin, asked, goal_task, project_dir, ending,
    }
}

slots! {
    /// The known fields of `approval`.
    ApprovalFields { by, via, at, digest, guarded }
}

slots! {
    /// The known fields of `ending`.
    EndingFields { how, at, archive }
}

/// What a record says (`docs/json-spec.md`, the table of states). The `.md` is not looked at: it is
/// [`Markdown::Missing`] until the store puts in what it found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Loaded {
    PreInit(PreInit),
    Editing(Editing),
    Active(Active),
    /// The session has no plan; the clean-up is pending.
    Ended(EndedRecord),
}

/// A record whose plan has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EndedRecord {
    pub(crate) how: EndedHow,
    /// When it was last saved, as far as it says so: the archive names it by that, also when a move is made again.
    pub(crate) updated_at: Option<Timestamp>,
}

/// How a record says that its plan has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EndedHow {
    /// It has the mark.
    Marked(Ending),
    /// Its status is the older `Completed` (LEG-3).
    LegacyCompleted,
    /// Its status is the older `Cancelled` (LEG-4).
    LegacyCancelled,
}

/// A plan that has not ended, or had not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Live {
    PreInit(PreInit),
    Editing(Editing),
    Active(Active),
}

impl From<Live> for Loaded {
    fn from(live: Live) -> Self {
        match live {
            Live::PreInit(state) => Self::PreInit(state),
            Live::Editing(state) => Self::Editing(state),
            Live::Active(state) => Self::Active(state),
        }
    }
}

/// A record of the archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Archived {
    /// How it ended, if it says so: a record that was archived as damaged or replaced need not.
    pub(crate) ended: Option<EndedHow>,
    /// The plan as it would be without its end. One that an older program completed is Active, and one that it cancelled
    /// is Editing: whether it had been approved is not told, and a person can approve it again.
    pub(crate) state: Live,
    pub(crate) title: Box<str>,
    /// The session, if the record names it; it is then the one that was asked for.
    pub(crate) session: Option<SessionId>,
}

/// Reads the record of a session.
///
/// # Errors
/// [`RecordError`]: the record is damaged, and where.
pub(crate) fn read(bytes: &[u8], site: &Site) -> Result<Loaded, RecordError> {
    let source = Source::new(bytes)?;
    source.loaded(site).map_err(|fault| fault.locate(source.text()))
}

/// Reads a record of the archive as if it had not ended, for a restore.
///
/// # Errors
/// [`RecordError`]: the record is damaged, or it is another session's.
pub(crate) fn read_archived(bytes: &[u8], site: &Site) -> Result<Archived, RecordError> {
    let source = Source::new(bytes)?;
    source.archived(site).map_err(|fault| fault.locate(source.text()))
}

/// What the status and the flag of a record say together.
enum Standing {
    PreInit,
    Editing,
    Active,
    Completed,
    Cancelled,
}

impl<'a> Source<'a> {
    fn loaded(self, site: &Site) -> Read<Loaded> {
        let root: RootFields<'a> = self.root()?;
        self.session(&root, site)?;
        let ended = |how| {
            let updated_at = self.optional(root.updated_at, time).ok().flatten();
            Loaded::Ended(EndedRecord { how, updated_at })
        };
        if let Some(ending) = self.ending(root.ending)? {
            return Ok(ended(EndedHow::Marked(ending)));
        }
        Ok(match self.standing(&root)? {
            Standing::Completed => ended(EndedHow::LegacyCompleted),
            Standing::Cancelled => ended(EndedHow::LegacyCancelled),
            standing => self.live(&standing, &root, site)?.into(),
        })
    }

    fn archived(self, site: &Site) -> Read<Archived> {
        let root: RootFields<'a> = self.root()?;
        let session = self.session(&root, site)?;
        let ending = self.ending(root.ending)?.map(EndedHow::Marked);
        let standing = self.standing(&root)?;
        let ended = ending.or(match standing {
            Standing::Completed => Some(EndedHow::LegacyCompleted),
            Standing::Cancelled => Some(EndedHow::LegacyCancelled),
            Standing::PreInit | Standing::Editing | Standing::Active => None,
        });
        let state = self.live(&standing, &root, site)?;
        Ok(Archived { ended, state, title: self.text_or_empty(root.title)?, session })
    }

    /// The session that the record names: none, or the one of its file.
    fn session(self, root: &RootFields<'a>, site: &Site) -> Read<Option<SessionId>> {
        self.optional(root.session_id, |value| {
            let found = string(value)?;
            match *found == *site.session().as_str() {
                true => Ok(site.session().clone()),
                false => Err(RecordProblem::OtherSession { found: clip(&found) }),
            }
        })
    }

    /// The table of states, from its flag and status rows on.
    fn standing(self, root: &RootFields<'a>) -> Read<Standing> {
        let flag = self.optional(root.pre_init_editing, |value| {
            boolean(value).map_err(|_| RecordProblem::FlagNotBoolean { found: kind(value.get()) })
        })?;
        let flag = flag == Some(true);
        let status = self.optional(root.status, |value| {
            let Some(name) = unescape(value) else {
                return Err(wrong_type(value, "a string"));
            };
            match Status::from_name(&name) {
                Some(Status::Editing) => Ok(Status::Editing),
                Some(_) if flag => Err(RecordProblem::FlagWithStatus { found: clip(&name) }),
                Some(status) => Ok(status),
                None => Err(RecordProblem::UnknownStatus { found: clip(&name) }),
            }
        })?;
        match status {
            None | Some(Status::Editing) if flag => {
                if self.has_tasks(root)? {
                    let place = root.tasks.map_or(self.text(), |tasks| tasks.value.get());
                    return Err(self.fault(place, RecordProblem::FlagWithTasks).within("tasks"));
                }
                Ok(Standing::PreInit)
            }
            None => Err(self.fault(self.text().trim_start(), RecordProblem::StatusMissing).within("status")),
            Some(Status::Editing) if self.is_blank(root)? => Ok(Standing::PreInit),
            Some(Status::Editing | Status::LegacyEditing) => Ok(Standing::Editing),
            Some(Status::Active) => Ok(Standing::Active),
            Some(Status::Completed) => Ok(Standing::Completed),
            Some(Status::Cancelled) => Ok(Standing::Cancelled),
        }
    }

    fn has_tasks(self, root: &RootFields<'a>) -> Read<bool> {
        let elements =
            self.optional(root.tasks, |value| elements(value).ok_or_else(|| wrong_type(value, super::task::TASKS)))?;
        Ok(elements.is_some_and(|elements| !elements.is_empty()))
    }

    /// No title, no description and no tasks: plan mode was entered by a program that writes no flag.
    fn is_blank(self, root: &RootFields<'a>) -> Read<bool> {
        let blank = |field| -> Read<bool> { Ok(self.text_or_empty(field)?.trim().is_empty()) };
        Ok(blank(root.title)? && blank(root.description)? && !self.has_tasks(root)?)
    }

    fn live(self, standing: &Standing, root: &RootFields<'a>, site: &Site) -> Read<Live> {
        let header = self.header(root, site)?;
        let checklist = || self.checklist(root.tasks, site.session());
        let editing = |legacy_tasks: Checklist| {
            let mut editing = Editing::new(header.clone(), Markdown::Missing);
            editing.legacy_tasks = legacy_tasks;
            Live::Editing(editing)
        };
        Ok(match standing {
            Standing::PreInit => Live::PreInit(PreInit::new(header)),
            Standing::Editing | Standing::Cancelled => editing(checklist()?),
            Standing::Active | Standing::Completed => {
                Live::Active(Active::new(header, checklist()?, Markdown::Missing))
            }
        })
    }

    fn header(self, root: &RootFields<'a>, site: &Site) -> Read<Header> {
        let id = self.optional(root.id, uuid)?.map(PlanId::from_uuid);
        Ok(Header {
            site: site.clone(),
            id: id.unwrap_or_else(|| derived::plan_id(site.session())),
            title: self.text_or_empty(root.title)?,
            description: self.text_or_empty(root.description)?,
            background: Background {
                context: self.text_or_empty(root.context)?,
                risks: self.texts(root.risks)?,
                test_strategy: self.text_or_empty(root.test_strategy)?,
                technical_stack: self.texts(root.technical_stack)?,
            },
            created_at: self.optional(root.created_at, time)?,
            updated_at: self.optional(root.updated_at, time)?,
            approved_at: self.optional(root.approved_at, time)?,
            extras: Extras {
                approval: self.approval(root.approval)?,
                origin: self.optional(root.origin, |value| {
                    string_as(value, "interactive, yolo, cron, run, a2a or subagent", Origin::from_name)
                })?,
                asked: self.optional(root.asked, |value| string_as(value, "person or nobody", Asked::from_name))?,
                goal_task: self.optional(root.goal_task, uuid)?.map(TaskId::from_uuid),
                project_dir: self.optional(root.project_dir, string)?.map(|path| Utf8PathBuf::from(&*path)),
            },
            kept: keep(&root.unknown),
        })
    }

    fn approval(self, field: Option<Field<'a>>) -> Read<Option<ApprovalRecord>> {
        self.inner(field, |object, text| {
            let ApprovalFields { by, via, at, digest, guarded, unknown } = object;
            let a_digest = "a SHA-256 digest in lower-case hexadecimal";
            let as_digest = |value| string_as(value, a_digest, |text| Digest::from_str(text).ok());
            Ok(ApprovalRecord {
                by: self.required(by, ("by", text), "a string", string)?,
                via: self.required(via, ("via", text), "a string", string)?,
                at: self.required(at, ("at", text), "an RFC 3339 time", time)?,
                digest: self.required(digest, ("digest", text), a_digest, as_digest)?,
                guarded: self.required(guarded, ("guarded", text), "true or false", boolean)?,
                kept: keep(&unknown),
            })
        })
    }

    fn ending(self, field: Option<Field<'a>>) -> Read<Option<Ending>> {
        self.inner(field, |object, text| {
            let EndingFields { how, at, archive, unknown } = object;
            let a_way = "completed or discarded";
            Ok(Ending {
                how: self.required(how, ("how", text), a_way, |value| string_as(value, a_way, EndingHow::from_name))?,
                at: self.required(at, ("at", text), "an RFC 3339 time", time)?,
                archive: self.required(archive, ("archive", text), "a name in the archive", string)?,
                kept: keep(&unknown),
            })
        })
    }

    /// An object in a root field: `read` is given its fields and its text.
    fn inner<S: Slots<'a>, T>(
        self,
        field: Option<Field<'a>>,
        read: impl FnOnce(S, &'a str) -> Read<T>,
    ) -> Read<Option<T>> {
        let Some(Field { name, value }) = present(field) else {
            return Ok(None);
        };
        let object = self.nested(value, "an object");
        object.and_then(|object| read(object, value.get())).map(Some).map_err(|fault| fault.within(name))
    }
}
