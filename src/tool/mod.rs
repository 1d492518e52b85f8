//! The `plan` tool: what an agent's model calls, and what it is answered.
//!
//! ```
//! use plangate::tool::Request;
//! use plangate::{Engine, SessionId};
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = camino::Utf8PathBuf::try_from(folder.path().to_path_buf())?;
//! let session = Engine::at(root).build()?.session(SessionId::new("a1")?);
//! let request = Request::parse(br#"{"operation": "init", "title": "Swap the cache"}"#)?;
//! let reply = session.answer(request).wait();
//! assert_eq!((reply.ok, reply.code), (true, "design-started"));
//!
//! let request = Request::parse(br#"{"operation": "start"}"#)?;
//! assert_eq!(session.answer(request).wait().code, "approve-first");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod dispatch;
mod excerpt;
mod facts;
mod parse;
mod reply;
mod request;
mod request_error;
#[cfg(feature = "schema")]
mod schema;

pub use arguments::ToolOperation;
pub use facts::{ApprovalFact, Facts, MissingFact, PageFact, ProgressFact, TaskFact};
pub use reply::Reply;
pub use request::Request;
pub use request_error::RequestError;
#[cfg(feature = "schema")]
pub use schema::{input_schema, output_schema};
