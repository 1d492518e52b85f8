//! Events: every commit of this process, in order, to whoever subscribed; with the feature `watch` also what other processes
//! do to a session's files.

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use crate::digest::Digest;
use crate::model::SessionId;
use crate::plan::StateName;

/// A plan's files have changed (MIRROR-3).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanEvent {
    /// The session.
    pub session: SessionId,
    /// The state after the change; NoPlan after an archiving or a discard.
    pub state: StateName,
    /// The digest of the record after the change; `None` where there is none.
    pub revision: Option<Digest>,
}

/// What a subscriber gets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A change.
    Changed(PlanEvent),
    /// A watched session's files have changed, and its state can no longer be told. That never means NoPlan (DISK-12). Only
    /// a watch sends it: this process's own commits leave no such files.
    Unreadable {
        /// The session.
        session: SessionId,
        /// The code of the [`LoadError`](crate::store::LoadError) that a look at the plan gives: `damaged` or `unknown`.
        code: &'static str,
    },
    /// The subscriber was too slow, and this many changes are lost to it; look at the plan itself.
    Missed(u64),
}

impl From<PlanEvent> for Event {
    fn from(event: PlanEvent) -> Self {
        Self::Changed(event)
    }
}

/// How many events a slow subscriber may fall behind.
const CAPACITY: usize = 1024;

/// The sending side. Sending never waits and never fails (MIRROR-7).
#[derive(Debug, Clone)]
pub(crate) struct Events(broadcast::Sender<Event>);

impl Events {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }

    pub(crate) fn send(&self, event: impl Into<Event>) {
        // Nobody listening is no failure.
        let _ = self.0.send(event.into());
    }

    pub(crate) fn subscribe(&self) -> Subscription {
        Subscription(self.0.subscribe())
    }
}

/// A stream of events from the moment of subscribing on. It ends when its engine, or its watch, is dropped.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Event>);

impl Subscription {
    /// The next event, or `None` once there will be no more.
    pub async fn next(&mut self) -> Option<Event> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Lagged(missed)) => Some(Event::Missed(missed)),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    /// The next event if there is one already.
    pub fn try_next(&mut self) -> Option<Event> {
        match self.0.try_recv() {
            Ok(event) => Some(event),
            Err(broadcast::error::TryRecvError::Lagged(missed)) => Some(Event::Missed(missed)),
            Err(broadcast::error::TryRecvError::Empty | broadcast::error::TryRecvError::Closed) => None,
        }
    }

    /// Waits for the next event on this thread, for programs without a runtime; `None` after `timeout`, or once there will
    /// be no more.
    pub fn wait(&mut self, timeout: Duration) -> Option<Event> {
        let deadline = Instant::now().checked_add(timeout);
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        let mut next = std::pin::pin!(self.next());
        loop {
            if let Poll::Ready(event) = next.as_mut().poll(&mut context) {
                return event;
            }
            match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => return None,
                Some(rest) => std::thread::park_timeout(rest),
                None => std::thread::park(),
            }
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
