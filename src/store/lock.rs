//! [`Lock`]: one holder at a time, across threads and processes.

use std::fs::{File, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use super::disk::Purpose;
use super::error::{Action, LockError, has_no_locks};
use super::folder::{Folder, Name};

/// The first and the longest pause between two attempts.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// A lock that is held until it is dropped.
///
/// It belongs to this handle and to no thread or process: a second attempt waits, in the same thread too. The lock file is
/// made once and stays: were it removed, two processes could hold the locks of two files with one name. Never keep a lock
/// while a model, a person or the network is waited for.
#[derive(Debug)]
#[must_use = "the lock is released when it is dropped"]
pub(crate) struct Lock(File);

impl Lock {
    /// Takes the lock of the file `name`, asking again until `patience` is over; the answer then is [`LockError::Busy`].
    pub(crate) fn acquire(folder: &Folder, name: &Name, patience: Duration) -> Result<Self, LockError> {
        let start = Instant::now();
        let mut file = open(folder, name)?;
        let mut pause = FIRST_PAUSE;
        loop {
            file = match attempt(folder, name, file)? {
                Attempt::Taken(lock) => return Ok(lock),
                Attempt::Busy(file) => file,
            };
            let waited = start.elapsed();
            let left = patience.saturating_sub(waited);
            if left.is_zero() {
                return Err(LockError::Busy { file: folder.path_of(name), waited });
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing is not enough: a program that is being started at this moment holds a copy of the descriptor until it runs.
        let _ = self.0.unlock();
    }
}

enum Attempt {
    Taken(Lock),
    Busy(File),
}

fn open(folder: &Folder, name: &Name) -> Result<File, LockError> {
    let (file, _) = folder.open_file(name, Purpose::Lock, Action::Lock)?;
    Ok(file)
}

fn attempt(folder: &Folder, name: &Name, file: File) -> Result<Attempt, LockError> {
    match folder.disk().try_lock(&file) {
        Ok(()) => Ok(Attempt::Taken(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(Attempt::Busy(file)),
        Err(TryLockError::Error(source)) if has_no_locks(&source) => {
            Err(LockError::Unsupported { file: folder.path_of(name), source })
        }
        Err(TryLockError::Error(source)) => Err(folder.refused(Action::Lock, name, source).into()),
    }
}

#[cfg(all(test, unix))]
mod tests;
