use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};

use super::{MarkdownProblem, Operation, StateRefusal};
use crate::digest::Digest;
use crate::model::{Origin, TaskRefusal};
use crate::outline::Gap;

/// Why an operation is refused. Nothing has changed then, on disk or in the plan.
///
/// [`code`](Self::code) is stable; the text is fixed for a state and an input, and ends with one thing to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The state does not allow the operation.
    #[error("{}", StateText { refusal: *refusal, operation: *operation, md, lacks_tasks: *lacks_tasks })]
    State {
        /// Why.
        refusal: StateRefusal,
        /// The operation.
        operation: Operation,
        /// Where the session `.md` is or will be.
        md: Utf8PathBuf,
        /// Whether the plan is Active and its checklist still empty.
        lacks_tasks: bool,
    },
    /// Nobody is there who could look at a design (LIFE-10).
    #[error(
        "A design needs a person who approves it, and this session is {origin}. Use init with mode=checklist and tasks, or with file_path."
    )]
    HeadlessDesign {
        /// How the call came in.
        origin: Origin,
    },
    /// A subagent cannot begin a plan.
    #[error("A subagent cannot begin a plan. Leave it to the agent that started you.")]
    Subagent,
    /// A person entered plan mode, and nobody could be asked whether a checklist may end it (INIT-10).
    #[error(
        "A person entered plan mode, and nobody was asked about leaving it. Use init with mode=design, or let the person discard first."
    )]
    NobodyAsked,
    /// The `.md` is missing (LIFE-11).
    #[error("The .md is missing. Write the outline to {md}.")]
    MarkdownMissing {
        /// Where it should be.
        md: Utf8PathBuf,
    },
    /// The `.md` cannot be used (LIFE-11).
    #[error("{md} {problem}.")]
    MarkdownUnusable {
        /// The file.
        md: Utf8PathBuf,
        /// What is wrong.
        problem: MarkdownProblem,
    },
    /// The outline lacks something (LIFE-11).
    #[error("The outline in {md} is not complete: {}. Fill that in.", GapList(gaps))]
    OutlineIncomplete {
        /// The file.
        md: Utf8PathBuf,
        /// What it lacks.
        gaps: Vec<Gap>,
    },
    /// The `.md` is not the text that the person saw.
    #[error("{md} has changed since it was shown: shown was {}, now it is {}. Look at it again.", seen.prefix(), found.prefix())]
    DigestChanged {
        /// The file.
        md: Utf8PathBuf,
        /// What the person saw.
        seen: Digest,
        /// What is there.
        found: Digest,
    },
    /// The plan is Active and its checklist is empty: the steps of the design have not been added (REM-6).
    #[error("The checklist has no tasks yet. {}", SeedInstruction(md))]
    NoTasks {
        /// Where the frozen `.md` is.
        md: Utf8PathBuf,
    },
    /// The archived plan was completed; there is nothing to bring back.
    #[error("The archived plan {archive} was completed. Only a discarded plan can be restored.")]
    Completed {
        /// Its name in the archive.
        archive: Box<str>,
    },
    /// The checklist refuses.
    #[error("{}", Capitalised(.0))]
    Task(#[from] TaskRefusal),
}

impl Refusal {
    /// The stable code (`docs/lifecycle.md`).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::State { refusal, .. } => refusal.code(),
            Self::HeadlessDesign { .. } => "headless-design",
            Self::Subagent => "subagent",
            Self::NobodyAsked => "nobody-asked",
            Self::MarkdownMissing { .. } | Self::MarkdownUnusable { .. } | Self::OutlineIncomplete { .. } => {
                "outline-incomplete"
            }
            Self::DigestChanged { .. } => "digest-changed",
            Self::NoTasks { .. } => "no-tasks",
            Self::Completed { .. } => "completed",
            Self::Task(refusal) => refusal.code(),
        }
    }
}

/// The one instruction for an Active plan without tasks (REM-6).
pub(crate) struct SeedInstruction<'a>(pub(crate) &'a Utf8Path);

impl fmt::Display for SeedInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Read the steps in {}, add them with one add_tasks call, then call start.", self.0)
    }
}

struct StateText<'a> {
    refusal: StateRefusal,
    operation: Operation,
    md: &'a Utf8Path,
    lacks_tasks: bool,
}

impl fmt::Display for StateText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { refusal, operation, md, lacks_tasks } = self;
        match refusal {
            StateRefusal::NoPlan => {
                write!(f, "There is no plan, so there is nothing to {}. Call init first.", Verb(*operation))
            }
            StateRefusal::InitFirst => write!(
                f,
                "Plan mode is on and there is no plan yet, so there is nothing to {}. Call init first; the .md will be {md}.",
                Verb(*operation)
            ),
            StateRefusal::ApproveFirst => write!(
                f,
                "The plan is in Editing: its design is not approved, so {operation} is blocked. Complete the outline in {md} and wait for a person to approve it."
            ),
            StateRefusal::DiscardFirst => {
                write!(
                    f,
                    "There is a live plan already, so {operation} is refused. Discard first: a person can discard the plan."
                )
            }
            StateRefusal::AlreadyPlanning => {
                write!(f, "Plan mode is on already and the design is being written. Go on with the outline in {md}.")
            }
            StateRefusal::PlanIsLive => f.write_str(
                "A checklist is live, so plan mode cannot be entered. Finish it, or let a person discard it.",
            ),
            StateRefusal::Frozen => {
                write!(f, "The plan is Active and {md} is frozen. Leave it as it is and work off the checklist.")
            }
            StateRefusal::AlreadyActive if *lacks_tasks => {
                write!(f, "The plan is Active already and has no tasks yet. {}", SeedInstruction(md))
            }
            StateRefusal::AlreadyActive => f.write_str("The plan is Active already. Work off the checklist."),
        }
    }
}

/// What the operation would have done, after "nothing to".
struct Verb(Operation);

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Operation::AddTasks => "add tasks to",
            Operation::WriteMarkdown => "write",
            other => other.as_str(),
        })
    }
}

struct GapList<'a>(&'a [Gap]);

impl fmt::Display for GapList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, gap) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str("; ")?;
            }
            gap.fmt(f)?;
        }
        Ok(())
    }
}

/// Checklist refusals begin with a lower-case word; as a sentence of their own they do not.
struct Capitalised<'a>(&'a TaskRefusal);

impl fmt::Display for Capitalised<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let mut characters = text.chars();
        match characters.next() {
            Some(first) => write!(f, "{}{}", first.to_uppercase(), characters.as_str()),
            None => Ok(()),
        }
    }
}
