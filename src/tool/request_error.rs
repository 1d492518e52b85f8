use std::fmt;

use super::arguments::ToolOperation;

/// Why the arguments of a call are refused. Nothing has been looked at beside them, and nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The arguments are no JSON object.
    #[error(
        "The arguments must be one JSON object: {problem} (line {line}, column {column}). Send an object such as {{\"operation\": \"status\"}}."
    )]
    NotAnObject {
        /// What is wrong.
        problem: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// There is no such operation.
    #[error("There is no operation {found:?}.{} Use one of: {}.", DidYouMean(*nearest), Operations)]
    UnknownOperation {
        /// What was asked for.
        found: String,
        /// What was probably meant.
        nearest: Option<&'static str>,
    },
    /// An argument that the operation does not take.
    #[error("There is no argument {argument:?} for {operation}.{} Use one of: {}.", DidYouMean(*nearest), List(allowed))]
    UnknownArgument {
        /// The operation.
        operation: ToolOperation,
        /// The argument, with the path to it.
        argument: String,
        /// What was probably meant.
        nearest: Option<&'static str>,
        /// What may stand there.
        allowed: &'static [&'static str],
    },
    /// An argument that the operation needs.
    #[error("{argument} is missing: it must be {expected}. Send it.")]
    Missing {
        /// The argument.
        argument: String,
        /// What is expected.
        expected: String,
    },
    /// A value that is not allowed.
    #[error("{argument} {problem}. Send it again, corrected.")]
    Invalid {
        /// The argument, with the path to it.
        argument: String,
        /// What came, and what is allowed.
        problem: String,
    },
    /// `mode=design` with tasks (INIT-2).
    #[error("mode=design takes no tasks: a design is approved first. Leave tasks out, or use mode=checklist.")]
    DesignWithTasks,
    /// A checklist without tasks (INIT-3), or `add_tasks` without any (TASK-1).
    #[error(
        "tasks must hold at least one task, each with a title and a description. Add one, or use init without tasks for a design."
    )]
    NoTasks,
    /// `file_path` beside what the file itself says (INIT-4).
    #[error("file_path imports a whole plan, so {argument} must not stand beside it. Leave {argument} out.")]
    ImportWith {
        /// The argument that stands beside it.
        argument: &'static str,
    },
    /// `task` and its alias `task_order` in one call.
    #[error("task and task_order both name a task. Send one of them.")]
    TaskTwice,
}

impl RequestError {
    /// The stable code (`docs/json-spec.md`).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAnObject { .. } => "bad-arguments",
            Self::UnknownOperation { .. } => "unknown-operation",
            Self::UnknownArgument { .. } => "unknown-argument",
            Self::Missing { .. } => "missing-argument",
            Self::Invalid { .. } => "invalid-argument",
            Self::DesignWithTasks => "design-with-tasks",
            Self::NoTasks => "no-tasks-given",
            Self::ImportWith { .. } => "import-with-arguments",
            Self::TaskTwice => "task-twice",
        }
    }
}

struct DidYouMean(Option<&'static str>);

impl fmt::Display for DidYouMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, " Did you mean {name}?"),
            None => Ok(()),
        }
    }
}

struct Operations;

impl fmt::Display for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        List(&ToolOperation::ALL.map(ToolOperation::as_str)).fmt(f)
    }
}

struct List<'a>(&'a [&'static str]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, name) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}
