//! What a command could not do: the exit code, a stable word, the text, and what to do next.

use std::io::ErrorKind;

use plangate::Error;
use plangate::session::{Reason, Refused};
use plangate::store::LoadError;
use serde::Serialize;

use super::exit::Exit;

/// The code of an answer that nobody reads.
const UNHEARD: &str = "output-closed";

/// A command that did not do what it should.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    #[serde(skip)]
    pub(crate) exit: Exit,
    /// A stable word for programs.
    pub(crate) code: &'static str,
    /// What was refused, about which file or argument, and what to do next.
    pub(crate) message: String,
    /// What to choose from, where there is a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) choices: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self { exit, code, message: message.into(), choices: Vec::new() }
    }

    /// Whoever read the answer has gone, as `head` does when it has enough: nobody is there to be told.
    pub(crate) fn is_unheard(&self) -> bool {
        self.code == UNHEARD
    }

    pub(crate) fn with_choices(mut self, choices: Vec<String>) -> Self {
        self.choices = choices;
        self
    }
}

/// A failure as the whole answer, for programs.
#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    pub(crate) error: &'a Failure,
}

/// The exit code of a library's code.
pub(crate) fn exit_of(code: &str) -> Exit {
    match code {
        "damaged" | "unknown" => Exit::Unreadable,
        "stale" | "busy" => Exit::TryAgain,
        "disk" | "lock" | "unsettled" => Exit::Failed,
        _ => Exit::Refused,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(exit_of(error.code()), error.code(), error.to_string())
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::new(Exit::Unreadable, error.code(), error.to_string())
    }
}

impl From<&Reason> for Failure {
    fn from(reason: &Reason) -> Self {
        Self::new(exit_of(reason.code()), reason.code(), reason.to_string())
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        refused.reason().into()
    }
}

impl<S: plangate::plan::State> From<plangate::session::TransitionError<S>> for Failure {
    fn from(error: plangate::session::TransitionError<S>) -> Self {
        error.reason().into()
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let code = if error.kind() == ErrorKind::BrokenPipe { UNHEARD } else { "output" };
        Self::new(Exit::Failed, code, format!("could not write the answer: {error}"))
    }
}
