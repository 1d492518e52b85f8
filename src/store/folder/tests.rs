//! Folders and reads, with what others may have put in the way.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;

use pretty_assertions::assert_eq;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::io::Errno;

use super::*;
use crate::store::disk::{Fault, FaultyDisk, Quirk, RealDisk};

/// The longest file that the tests read.
const LIMIT: u64 = 1000;

fn real() -> Arc<dyn Disk> {
    Arc::new(RealDisk)
}

/// A folder of its own for a test.
fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(scratch.path().canonicalize().unwrap()).unwrap();
    (scratch, path)
}

fn name(name: &str) -> Name {
    Name::new(name).unwrap()
}

fn mode(path: &Utf8Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

// spec: DISK-9
#[test]
fn a_name_is_one_component() {
    for good in ["a", ".a", "...", "a.json", "ä", &"a".repeat(255)] {
        assert_eq!(name(good).as_str(), good);
    }
    for bad in ["", ".", "..", "a/b", "/", "../a", "a\\b", "a\0b", &"a".repeat(256), &"ä".repeat(128)] {
        let error = Name::new(bad).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidFilename, "{bad:?}");
    }
}

// spec: DISK-10
#[test]
fn missing_folders_are_made_for_their_owner_and_old_ones_keep_their_mode() {
    let (_scratch, root) = scratch();
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
    let path = root.join("a/b/c");
    assert!(Folder::open(&real(), &path).unwrap().is_none(), "opening makes nothing");

    assert_eq!(Folder::create(&real(), &path).unwrap().path(), path);
    for (made, bits) in [("", 0o755), ("a", 0o700), ("a/b", 0o700), ("a/b/c", 0o700)] {
        assert_eq!(mode(&root.join(made)), bits, "{made}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    Folder::create(&real(), &path).unwrap();
    assert_eq!(mode(&path), 0o750);
    assert!(Folder::open(&real(), &path).unwrap().is_some());
}

// spec: DISK-10
#[test]
fn a_made_folder_is_flushed_before_anything_is_made_in_it() {
    let (_scratch, root) = scratch();
    let disk = FaultyDisk::new(Fault::None, Quirk::None);
    Folder::create(&(disk.clone() as Arc<dyn Disk>), &root.join("a/b")).unwrap();
    let made = ["open_folder", "make_folder", "sync_folder", "open_folder"];
    let opened = ["open_path"; 3];
    assert_eq!(disk.log(), [&opened[..], &made, &made].concat());
}

// spec: DISK-10
#[test]
fn making_folders_can_fail_anywhere_and_be_done_again() {
    for call in 0.. {
        for fault in [Fault::Fail { call, with: Errno::NOSPC }, Fault::Stop { call }] {
            let (_scratch, root) = scratch();
            let path = root.join("a/b");
            let disk = FaultyDisk::new(fault, Quirk::None);
            let made = Folder::create(&(disk.clone() as Arc<dyn Disk>), &path);
            if disk.fired().is_none() {
                assert!(made.is_ok());
                assert_eq!(call, 11, "every call was tried");
                return;
            }
            assert!(made.unwrap_err().file().starts_with(&root), "{fault:?}");
            Folder::create(&real(), &path).unwrap();
        }
    }
}

#[test]
fn a_root_behind_a_symlink_is_followed_and_a_subfolder_is_not() {
    let (_scratch, root) = scratch();
    fs::create_dir_all(root.join("real/inner")).unwrap();
    symlink("real", root.join("linked")).unwrap();
    symlink("inner", root.join("real/archive")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();

    let folder = Folder::open(&real(), &root.join("linked")).unwrap().unwrap();
    Folder::create(&real(), &root.join("linked/made")).unwrap();
    assert!(root.join("real/made").is_dir());

    for planted in [folder.subfolder(&name("archive")), folder.create_subfolder(&name("archive")).map(Some)] {
        let error = planted.unwrap_err();
        assert!(matches!(error, StoreError::NotAFolder { .. }), "{error}");
        assert_eq!(error.file(), root.join("linked/archive"));
    }
    assert!(matches!(Folder::create(&real(), &root.join("dangling")), Err(StoreError::NotAFolder { .. })));
    assert!(!root.join("nowhere").exists());
    assert!(folder.subfolder(&name("missing")).unwrap().is_none());
    assert!(folder.subfolder(&name("inner")).unwrap().is_some());
}

#[test]
fn a_file_is_no_folder() {
    let (_scratch, root) = scratch();
    fs::write(root.join("file"), "").unwrap();
    for path in ["file", "file/below"] {
        assert!(matches!(Folder::open(&real(), &root.join(path)), Err(StoreError::NotAFolder { .. })), "{path}");
        assert!(matches!(Folder::create(&real(), &root.join(path)), Err(StoreError::NotAFolder { .. })), "{path}");
    }
}

#[test]
fn an_open_folder_stays_the_same_when_its_path_moves() {
    let (_scratch, root) = scratch();
    let folder = Folder::create(&real(), &root.join("before")).unwrap();
    fs::write(root.join("before/file"), "kept").unwrap();
    fs::rename(root.join("before"), root.join("after")).unwrap();
    fs::create_dir(root.join("before")).unwrap();
    assert_eq!(folder.read(&name("file"), LIMIT).unwrap().unwrap(), b"kept");
}

#[test]
fn a_file_comes_back_whole_up_to_the_limit() {
    let (_scratch, root) = scratch();
    let folder = Folder::open(&real(), &root).unwrap().unwrap();
    assert_eq!(folder.read(&name("missing"), LIMIT).unwrap(), None);
    for length in [0, 1, 999, 1000] {
        let bytes = vec![b'x'; length];
        fs::write(root.join("file"), &bytes).unwrap();
        assert_eq!(folder.read(&name("file"), LIMIT).unwrap().unwrap(), bytes);
    }
}

// spec: DISK-12
#[test]
fn a_file_over_the_limit_is_refused_and_stays() {
    let (_scratch, root) = scratch();
    let disk = FaultyDisk::new(Fault::None, Quirk::None);
    let folder = Folder::open(&(disk.clone() as Arc<dyn Disk>), &root).unwrap().unwrap();
    // Sparse: reading it all would take the machine's memory.
    fs::File::create(root.join("huge")).unwrap().set_len(1 << 40).unwrap();
    let error = folder.read(&name("huge"), LIMIT).unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { limit: LIMIT, .. }), "{error}");
    assert_eq!(error.file(), root.join("huge"));
    assert_eq!(disk.log(), ["open_path", "open", "stat"], "its length is enough to refuse it");
    assert_eq!(fs::metadata(root.join("huge")).unwrap().len(), 1 << 40);

    fs::write(root.join("one-more"), vec![b'x'; 1001]).unwrap();
    assert!(matches!(folder.read(&name("one-more"), LIMIT), Err(StoreError::TooLarge { .. })));
}

// spec: DISK-12
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_longer_than_it_says_is_bounded_too() {
    // Files there have the length 0 until they are read.
    let folder = Folder::open(&real(), Utf8Path::new("/proc/self")).unwrap().unwrap();
    assert!(matches!(folder.read(&name("maps"), 100), Err(StoreError::TooLarge { limit: 100, .. })));
    assert!(folder.read(&name("maps"), 10_000_000).unwrap().unwrap().len() > 100);
}

// spec: DISK-12
#[test]
fn what_is_no_regular_file_is_named_and_never_waited_for() {
    let (_scratch, root) = scratch();
    let folder = Folder::open(&real(), &root).unwrap().unwrap();
    fs::write(root.join("victim"), "secret").unwrap();
    symlink("victim", root.join("link")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    fs::create_dir(root.join("folder")).unwrap();
    mknodat(CWD, root.join("fifo").as_std_path(), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let _listener = UnixListener::bind(root.join("socket")).unwrap();

    let planted = [
        ("link", Found::Symlink),
        ("dangling", Found::Symlink),
        ("folder", Found::Folder),
        ("fifo", Found::Special),
        ("socket", Found::Special),
    ];
    for (file, expected) in planted {
        let error = folder.read(&name(file), LIMIT).unwrap_err();
        assert_eq!(error.file(), root.join(file));
        assert!(matches!(error, StoreError::NotRegular { found, .. } if found == expected), "{file}: {error:?}");
    }
}

// spec: DISK-12
#[test]
fn a_read_can_fail_anywhere_and_never_looks_like_a_missing_file() {
    let (_scratch, root) = scratch();
    fs::write(root.join("file"), "kept").unwrap();
    for errno in [Errno::ACCESS, Errno::IO, Errno::MFILE, Errno::PERM] {
        for call in 1.. {
            let disk = FaultyDisk::new(Fault::Fail { call, with: errno }, Quirk::None);
            let folder = Folder::open(&(disk.clone() as Arc<dyn Disk>), &root).unwrap().unwrap();
            let read = folder.read(&name("file"), LIMIT);
            if disk.fired().is_none() {
                assert_eq!(read.unwrap().unwrap(), b"kept");
                assert_eq!(call, 5, "open, stat, two reads");
                break;
            }
            let error = read.unwrap_err();
            assert_eq!(error.file(), root.join("file"));
            assert_eq!(error.kind(), io::Error::from(errno).kind());
        }
    }
    let interrupted = FaultyDisk::new(Fault::Fail { call: 3, with: Errno::INTR }, Quirk::None);
    let folder = Folder::open(&(interrupted as Arc<dyn Disk>), &root).unwrap().unwrap();
    assert_eq!(folder.read(&name("file"), LIMIT).unwrap().unwrap(), b"kept", "a signal is no error");
}

#[test]
fn the_names_of_a_folder_are_listed() {
    let (_scratch, root) = scratch();
    let folder = Folder::open(&real(), &root).unwrap().unwrap();
    for file in ["b", ".a"] {
        fs::write(root.join(file), "").unwrap();
    }
    let mut names = folder.names().unwrap();
    names.sort();
    assert_eq!(names, [name(".a"), name("b")], "without the folder itself and its parent");
}
