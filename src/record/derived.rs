//! Ids for what an older file leaves without one. They follow from the session alone, so that two loads agree.

use uuid::{Uuid, uuid};

use crate::model::{SessionId, TaskId};
use crate::plan::PlanId;

/// The namespace of every derived id: the UUIDv5 of `plangate:record` in the namespace for URLs.
const NAMESPACE: Uuid = uuid!("1b0b8740-eaa9-5441-89c6-1e527fe4a932");

/// The id of a plan whose file has none: the UUIDv5 of the session.
pub(super) fn plan_id(session: &SessionId) -> PlanId {
    PlanId::from_uuid(Uuid::new_v5(&NAMESPACE, session.as_str().as_bytes()))
}

/// The id of a task whose file has none: the UUIDv5 of `session/position`, with positions from 1. An imported file
/// belongs to no session yet; its tasks get new ids on the way in.
pub(super) fn task_id(session: Option<&SessionId>, position: u64) -> TaskId {
    let session = session.map_or("", SessionId::as_str);
    TaskId::from_uuid(Uuid::new_v5(&NAMESPACE, format!("{session}/{position}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_namespace_is_what_its_comment_says() {
        assert_eq!(NAMESPACE, Uuid::new_v5(&Uuid::NAMESPACE_URL, b"plangate:record"));
    }

    #[test]
    fn derived_ids_follow_from_session_and_position() {
        let (one, other) = (SessionId::new("s-1").unwrap(), SessionId::new("s").unwrap());
        assert_eq!(task_id(Some(&one), 1), task_id(Some(&one), 1));
        assert_ne!(task_id(Some(&one), 1), task_id(Some(&one), 11));
        assert_ne!(task_id(Some(&one), 1), task_id(Some(&other), 1));
        assert_ne!(task_id(Some(&one), 1), task_id(None, 1));
        assert_ne!(plan_id(&one), plan_id(&other));
    }
}
