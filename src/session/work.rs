use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// Work on the disk that has not begun.
///
/// One method list, two faces: `.await` runs it on the blocking pool of the tokio runtime (inline where there is none);
/// [`wait`](Self::wait) runs it on this thread, for programs without a runtime.
///
/// A future that is dropped in the middle leaves the old state or the new one, never half of one; load again to see which.
#[must_use = "nothing is read or written until this is awaited (`.await`) or run (`.wait()`)"]
pub struct Work<T>(Job<T>);

impl<T: Send + 'static> Work<T> {
    pub(crate) fn new(job: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Box::new(job))
    }

    /// Does the work on this thread and gives its result.
    pub fn wait(self) -> T {
        (self.0)()
    }

    /// The same work, its result changed by `change`.
    pub fn map<U: Send + 'static>(self, change: impl FnOnce(T) -> U + Send + 'static) -> Work<U> {
        Work::new(move || change(self.wait()))
    }
}

impl<T> fmt::Debug for Work<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Work(..)")
    }
}

impl<T: Send + 'static> IntoFuture for Work<T> {
    type Output = T;
    type IntoFuture = Working<T>;

    fn into_future(self) -> Working<T> {
        Working { job: Arc::new(Mutex::new(Some(self.0))), running: None }
    }
}

/// The future of a [`Work`].
#[must_use = "futures do nothing unless you `.await` them"]
pub struct Working<T> {
    job: Arc<Mutex<Option<Job<T>>>>,
    running: Option<JoinHandle<Option<T>>>,
}

fn take<T>(job: &Mutex<Option<Job<T>>>) -> Option<Job<T>> {
    job.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl<T: Send + 'static> Future for Working<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if self.running.is_none() {
            match Handle::try_current() {
                Ok(runtime) => {
                    let job = Arc::clone(&self.job);
                    self.running = Some(runtime.spawn_blocking(move || take(&job).map(|job| job())));
                }
                Err(_) => return inline(&self.job),
            }
        }
        let Some(running) = &mut self.running else {
            return Poll::Pending;
        };
        match Pin::new(running).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(Some(result))) => Poll::Ready(result),
            Poll::Ready(Ok(None)) => Poll::Pending,
            Poll::Ready(Err(error)) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is shutting down and the pool took no more work: nothing has begun.
                Err(_) => inline(&self.job),
            },
        }
    }
}

/// The job is there until it runs, and who runs it answers; a future that was polled after that stays pending.
fn inline<T>(job: &Mutex<Option<Job<T>>>) -> Poll<T> {
    take(job).map_or(Poll::Pending, |job| Poll::Ready(job()))
}

impl<T> fmt::Debug for Working<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Working(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_on_this_thread_without_a_runtime() {
        let here = std::thread::current().id();
        assert_eq!(Work::new(|| std::thread::current().id()).wait(), here);
        let mut future = Box::pin(Work::new(|| std::thread::current().id()).into_future());
        let Poll::Ready(ran) = future.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop())) else {
            panic!("inline work is ready at once")
        };
        assert_eq!(ran, here);
    }

    #[tokio::test]
    async fn leaves_the_thread_of_the_runtime() {
        let here = std::thread::current().id();
        assert_ne!(Work::new(|| std::thread::current().id()).await, here);
    }

    #[tokio::test]
    async fn an_unpolled_future_does_nothing() {
        let (sender, receiver) = std::sync::mpsc::channel();
        drop(Work::new(move || sender.send(())).into_future());
        assert!(receiver.recv().is_err());
    }

    #[tokio::test]
    async fn a_panic_is_the_callers() {
        let joined = tokio::spawn(Work::new(|| panic!("mine")).into_future()).await;
        assert!(joined.is_err_and(|error| error.is_panic()));
    }
}
