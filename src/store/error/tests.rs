//! The words of the errors: what was refused, which file, what to do next.

#![allow(clippy::unwrap_used)]

use pretty_assertions::assert_eq;

use super::*;

fn refused(errno: rustix::io::Errno) -> StoreError {
    StoreError::System { action: Action::Write, file: "s/plan.json".into(), source: errno.into() }
}

// spec: DISK-12
#[test]
fn a_system_error_says_what_to_do_next() {
    use rustix::io::Errno;

    let cases = [
        (Errno::NOSPC, "the disk is full; free some space and try again"),
        (Errno::DQUOT, "the disk quota is used up; free some space and try again"),
        (Errno::ROFS, "the file system is read-only; make it writable or choose another root folder"),
        (Errno::ACCESS, "permission is denied; give this user the right to read and write it"),
        (Errno::MFILE, "too many files are open; close some or raise the limit, and try again"),
        (Errno::NFILE, "too many files are open; close some or raise the limit, and try again"),
        (Errno::IO, "the disk reports an error; check it and keep a copy of what is on it"),
        (Errno::NOENT, "it is not there; check the path"),
    ];
    for (errno, advice) in cases {
        let error = refused(errno);
        assert_eq!(error.to_string(), format!("could not write `s/plan.json`: {advice}"));
        assert_eq!(error.file(), "s/plan.json");
        assert_eq!(error.kind(), io::Error::from(errno).kind());
        let source = std::error::Error::source(&error).unwrap().downcast_ref::<io::Error>().unwrap();
        assert_eq!(source.raw_os_error(), Some(errno.raw_os_error()), "the system's own error is kept");
    }
    let unknown = refused(Errno::XDEV).to_string();
    assert!(unknown.ends_with("; try again, and check the disk if it stays"), "{unknown}");
}

#[test]
fn a_place_that_can_only_be_read_is_told_apart() {
    use rustix::io::Errno;

    for (errno, read_only) in [(Errno::ROFS, true), (Errno::ACCESS, true), (Errno::PERM, true), (Errno::NOSPC, false)] {
        assert_eq!(refused(errno).is_read_only(), read_only, "{errno:?}");
        assert_eq!(LockError::from(refused(errno)).is_read_only(), read_only, "{errno:?}");
    }
    let busy = LockError::Busy { file: "s/plan.lock".into(), waited: Duration::from_secs(5) };
    assert!(!busy.is_read_only());
    assert_eq!(busy.to_string(), "`s/plan.lock` is locked by another process (waited 5s); try again");
}
