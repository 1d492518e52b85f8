//! One holder at a time.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::Arc;

use camino::Utf8PathBuf;
use pretty_assertions::assert_eq;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::io::{Errno, FdFlags, fcntl_getfd};
use static_assertions::assert_impl_all;

use super::*;
use crate::store::disk::{Disk, Fault, FaultyDisk, Quirk, RealDisk};
use crate::store::durable;
use crate::store::error::StoreError;

/// Longer than any of the tests may take.
const PATIENT: Duration = Duration::from_secs(60);

assert_impl_all!(Lock: Send, Sync);

fn open_folder(disk: Arc<dyn Disk>, scratch: &tempfile::TempDir) -> Folder {
    let path = Utf8PathBuf::from_path_buf(scratch.path().to_owned()).unwrap();
    Folder::open(&disk, &path).unwrap().unwrap()
}

fn name(name: &str) -> Name {
    Name::new(name).unwrap()
}

/// Whether somebody has the lock at this moment.
fn is_busy(folder: &Folder, lock: &str) -> bool {
    match Lock::acquire(folder, &name(lock), Duration::ZERO) {
        Ok(_) => false,
        Err(LockError::Busy { .. }) => true,
        Err(error) => panic!("{error}"),
    }
}

// spec: DISK-10, DISK-11
#[test]
fn a_lock_has_one_holder_until_it_is_dropped_and_its_file_stays() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = open_folder(Arc::new(RealDisk), &scratch);
    let other = open_folder(Arc::new(RealDisk), &scratch);

    let held = Lock::acquire(&folder, &name("lock"), Duration::ZERO).unwrap();
    assert!(is_busy(&other, "lock"));
    assert!(is_busy(&folder, "lock"), "the same process waits too");
    assert!(!is_busy(&folder, "another"));

    let patience = Duration::from_millis(30);
    let busy = Lock::acquire(&other, &name("lock"), patience).unwrap_err();
    assert!(
        matches!(&busy, LockError::Busy { file, waited } if file.ends_with("lock") && *waited >= patience),
        "{busy:?}"
    );

    drop(held);
    assert!(!is_busy(&other, "lock"));
    let file = fs::metadata(scratch.path().join("lock")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

// spec: DISK-11
#[test]
fn a_lock_moves_to_another_thread_and_is_released_there() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = open_folder(Arc::new(RealDisk), &scratch);
    let held = Lock::acquire(&folder, &name("lock"), Duration::ZERO).unwrap();
    let holder = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        drop(held);
    });
    Lock::acquire(&folder, &name("lock"), PATIENT).map(drop).unwrap();
    holder.join().unwrap();
}

// spec: DISK-11
#[test]
fn no_update_is_lost() {
    const THREADS: usize = 4;
    const UPDATES: usize = 50;
    let scratch = tempfile::tempdir().unwrap();
    let counter = name("counter");
    fs::write(scratch.path().join("counter"), "0").unwrap();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let folder = open_folder(Arc::new(RealDisk), &scratch);
                for _ in 0..UPDATES {
                    let _lock = Lock::acquire(&folder, &name("lock"), PATIENT).unwrap();
                    let bytes = folder.read(&counter, 100).unwrap().unwrap();
                    let count: usize = String::from_utf8(bytes).unwrap().parse().unwrap();
                    durable::write(&folder, &counter, (count + 1).to_string().as_bytes()).unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read_to_string(scratch.path().join("counter")).unwrap(), (THREADS * UPDATES).to_string());
}

// spec: DISK-11
#[test]
fn a_program_that_is_started_never_keeps_the_lock() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = open_folder(Arc::new(RealDisk), &scratch);
    let held = Lock::acquire(&folder, &name("lock"), Duration::ZERO).unwrap();
    let Lock(file) = &held;
    assert!(fcntl_getfd(file).unwrap().contains(FdFlags::CLOEXEC), "closed when the program runs");

    // Until it runs, it has a copy, as this is one.
    let _copy = file.try_clone().unwrap();
    drop(held);
    assert!(!is_busy(&folder, "lock"));
}

// spec: DISK-11
#[test]
fn a_planted_lock_file_is_refused_and_its_victim_untouched() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = open_folder(Arc::new(RealDisk), &scratch);
    let at = |file: &str| scratch.path().join(file);
    fs::write(at("victim"), "untouched").unwrap();
    symlink("victim", at("link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    fs::create_dir(at("folder")).unwrap();
    mknodat(CWD, at("fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();

    for planted in ["link", "dangling", "folder", "fifo"] {
        let error = Lock::acquire(&folder, &name(planted), PATIENT).unwrap_err();
        assert!(
            matches!(&error, LockError::Store(StoreError::NotRegular { file, .. }) if file.ends_with(planted)),
            "{error:?}"
        );
    }
    assert_eq!(fs::read_to_string(at("victim")).unwrap(), "untouched");
    assert!(!at("nowhere").exists());
}

fn failing(call: usize, with: Errno) -> LockError {
    let scratch = tempfile::tempdir().unwrap();
    let folder = open_folder(FaultyDisk::new(Fault::Fail { call, with }, Quirk::None), &scratch);
    Lock::acquire(&folder, &name("lock"), PATIENT).unwrap_err()
}

// spec: DISK-11
#[test]
fn a_disk_without_locks_is_refused_aloud() {
    for errno in [Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOLCK] {
        let error = failing(3, errno);
        assert!(matches!(error, LockError::Unsupported { .. }), "{errno:?}: {error:?}");
        assert!(error.to_string().contains("writing is refused"), "{error}");
    }
}

// spec: DISK-11
#[test]
fn every_call_of_a_lock_can_fail() {
    for errno in [Errno::ROFS, Errno::ACCESS, Errno::MFILE, Errno::NOSPC, Errno::DQUOT, Errno::IO] {
        for call in 1..=3 {
            let error = failing(call, errno);
            assert_eq!(error.is_read_only(), matches!(errno, Errno::ROFS | Errno::ACCESS), "{errno:?}");
            let LockError::Store(error) = error else { panic!("{error:?}") };
            assert!(error.file().ends_with("lock"));
            assert_eq!(error.kind(), io::Error::from(errno).kind());
        }
    }
}
