use crate::model::InvalidSessionId;

/// Why a payload cannot be read. Nothing of it is quoted but names of fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// There was nothing.
    #[error("the payload is empty: the agent has sent nothing to the hook")]
    Empty,
    /// There was more than is read.
    #[error("the payload is longer than {} bytes", super::MAX_PAYLOAD)]
    TooLong,
    /// It is no UTF-8.
    #[error("the payload is not UTF-8")]
    NotUtf8,
    /// It is no JSON. What is said of it is a fixed text.
    #[error("the payload is not JSON: {0}")]
    NotJson(Box<str>),
    /// It is another JSON value than an object.
    #[error("the payload is {0}, not an object")]
    NotAnObject(&'static str),
    /// A field stands twice, so that two readers may see two calls.
    #[error("the payload has `{0}` twice")]
    Twice(Box<str>),
    /// A field is missing.
    #[error("the payload has no `{0}`")]
    Missing(&'static str),
    /// A field has another type.
    #[error("`{field}` of the payload is not {expected}")]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A field should be a session's id and is none.
    #[error("`{field}` of the payload: {error}")]
    Session {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        error: InvalidSessionId,
    },
    /// Neither the payload nor the hook's command line says which event it is.
    #[error("nothing says which event this is: name it on the hook's command line")]
    NoEvent,
    /// The payload names another event than the hook's command line.
    #[error("the payload is of another event than the hook is registered for, `{registered}`")]
    OtherEvent {
        /// The event of the command line.
        registered: Box<str>,
    },
}
