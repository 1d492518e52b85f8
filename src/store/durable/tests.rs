//! Writes and moves with a fault at every call, and with what others may have put in the way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use camino::Utf8PathBuf;
use pretty_assertions::assert_eq;
use rustix::io::Errno;

use super::*;
use crate::store::disk::{Disk, Fault, FaultyDisk, Quirk, RealDisk};

const OLD: &str = "the old bytes";
const NEW: &str = "the new bytes, which are longer";

/// What a full, protected, crowded or broken disk says.
const ERRORS: [Errno; 6] = [Errno::NOSPC, Errno::DQUOT, Errno::ROFS, Errno::ACCESS, Errno::MFILE, Errno::IO];

fn real() -> Arc<dyn Disk> {
    Arc::new(RealDisk)
}

fn open(disk: Arc<dyn Disk>, path: &Path) -> Folder {
    Folder::open(&disk, &Utf8PathBuf::from_path_buf(path.to_owned()).unwrap()).unwrap().unwrap()
}

fn name(name: &str) -> Name {
    Name::new(name).unwrap()
}

/// Every file of a folder and what is in it.
fn files(path: &Path) -> BTreeMap<String, String> {
    let read = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
    };
    fs::read_dir(path).unwrap().map(read).collect()
}

fn just(file: &str, bytes: &str) -> BTreeMap<String, String> {
    [(file.to_owned(), bytes.to_owned())].into()
}

/// Every fault that one call can have.
fn faults(call: usize) -> impl Iterator<Item = Fault> {
    ERRORS.into_iter().map(move |with| Fault::Fail { call, with }).chain([Fault::Stop { call }])
}

/// What went wrong, however far the write came.
fn store_error(error: &WriteError) -> &StoreError {
    match error {
        WriteError::NotWritten(error) | WriteError::Unsettled(error) => error,
    }
}

// spec: DISK-10
#[test]
fn a_write_flushes_the_bytes_before_the_rename_and_the_folder_after_it() {
    let scratch = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::new(Fault::None, Quirk::None);
    let folder = open(disk.clone(), scratch.path());
    write(&folder, &name("plan"), OLD.as_bytes()).unwrap();
    assert_eq!(disk.log(), ["open_path", "create", "write", "sync", "rename", "sync_folder"]);

    fs::set_permissions(scratch.path().join("plan"), fs::Permissions::from_mode(0o644)).unwrap();
    write(&folder, &name("plan"), NEW.as_bytes()).unwrap();
    assert_eq!(files(scratch.path()), just("plan", NEW));
    let mode = fs::metadata(scratch.path().join("plan")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    write(&folder, &name("plan"), b"").unwrap();
    assert_eq!(files(scratch.path()), just("plan", ""));
}

// spec: DISK-10
#[test]
fn a_write_with_a_fault_anywhere_leaves_the_old_bytes_or_the_new() {
    for quirk in [Quirk::None, Quirk::ShortWrites(10)] {
        for before in [None, Some(OLD)] {
            for call in 1.. {
                let mut fired = None;
                for fault in faults(call) {
                    let scratch = tempfile::tempdir().unwrap();
                    if let Some(bytes) = before {
                        fs::write(scratch.path().join("plan"), bytes).unwrap();
                    }
                    let disk = FaultyDisk::new(fault, quirk);
                    let written = write(&open(disk.clone(), scratch.path()), &name("plan"), NEW.as_bytes());
                    fired = disk.fired();
                    if fired.is_none() {
                        written.unwrap();
                        break;
                    }

                    let context = format!("{fault:?} at {fired:?}: {written:?}");
                    let error = written.expect_err(&context);
                    let old = before.map(|bytes| just("plan", bytes)).unwrap_or_default();
                    let now = match &error {
                        WriteError::NotWritten(_) => old,
                        WriteError::Unsettled(_) => just("plan", NEW),
                    };
                    assert_eq!(matches!(error, WriteError::Unsettled(_)), fired == Some("sync_folder"), "{context}");
                    let mut left = files(scratch.path());
                    if let Fault::Stop { .. } = fault {
                        left.retain(|file, _| file == "plan");
                    }
                    assert_eq!(left, now, "{context}");
                    if let Fault::Fail { with, .. } = fault {
                        let error = store_error(&error);
                        assert_eq!(error.kind(), io::Error::from(with).kind(), "{context}");
                        assert!(error.file().starts_with(scratch.path()), "{context}");
                        let syncs = disk.log().iter().filter(|call| **call == "sync").count();
                        assert!(syncs <= 1, "a failed flush is not repeated: {:?}", disk.log());
                    }

                    let folder = open(real(), scratch.path());
                    sweep(&folder, |target| target == "plan").unwrap();
                    assert_eq!(files(scratch.path()), now, "{context}");
                    write(&folder, &name("plan"), NEW.as_bytes()).unwrap();
                    assert_eq!(files(scratch.path()), just("plan", NEW), "{context}");
                }
                if fired.is_none() {
                    assert_eq!(call, if quirk == Quirk::None { 6 } else { 9 }, "every call was tried");
                    break;
                }
            }
        }
    }
}

// spec: DISK-10
#[test]
fn a_signal_in_a_write_is_no_error_and_a_disk_that_takes_nothing_is_one() {
    let scratch = tempfile::tempdir().unwrap();
    let interrupted = FaultyDisk::new(Fault::Fail { call: 2, with: Errno::INTR }, Quirk::ShortWrites(7));
    write(&open(interrupted.clone(), scratch.path()), &name("plan"), NEW.as_bytes()).unwrap();
    assert_eq!(interrupted.fired(), Some("write"));
    assert_eq!(files(scratch.path()), just("plan", NEW));

    let stuck = FaultyDisk::new(Fault::None, Quirk::ShortWrites(0));
    let error = write(&open(stuck, scratch.path()), &name("plan"), OLD.as_bytes()).unwrap_err();
    assert_eq!(store_error(&error).kind(), io::ErrorKind::WriteZero);
    assert_eq!(files(scratch.path()), just("plan", NEW));
}

// spec: DISK-10
#[test]
fn a_planted_name_leaves_its_victim_untouched() {
    let scratch = tempfile::tempdir().unwrap();
    let session = scratch.path().join("session");
    let victim = scratch.path().join("victim");
    fs::create_dir(&session).unwrap();
    fs::write(&victim, "untouched").unwrap();
    let folder = open(real(), &session);

    // The name of the temporary file: refused, and the next name works.
    let temporary = Temporary::of(&name("plan"));
    for target in [victim.as_path(), &scratch.path().join("nowhere")] {
        let planted = session.join(temporary.to_string());
        symlink(target, &planted).unwrap();
        let error = write_through(&folder, &temporary, &name("plan"), NEW.as_bytes()).unwrap_err();
        assert!(matches!(error, WriteError::NotWritten(_)), "{error:?}");
        assert_eq!(store_error(&error).kind(), io::ErrorKind::AlreadyExists);
        assert!(store_error(&error).file().as_str().ends_with(&temporary.to_string()), "{error}");
        assert!(planted.is_symlink(), "somebody's file is not cleaned up");
        fs::remove_file(&planted).unwrap();
    }

    // The final name: replaced, not followed, whether it is a soft link or a hard one.
    symlink(&victim, session.join("soft")).unwrap();
    fs::hard_link(&victim, session.join("hard")).unwrap();
    for planted in ["soft", "hard"] {
        write(&folder, &name(planted), NEW.as_bytes()).unwrap();
        assert!(session.join(planted).symlink_metadata().unwrap().is_file());
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
    assert!(!scratch.path().join("nowhere").exists());
}

/// Writes `count` times while another thread swaps the folder for a symlink to a victim's, and says how many files came to
/// the victim.
fn escapes(count: usize, write_one: impl Fn(&Path)) -> usize {
    // In memory where there is such a place, for the race needs many writes and no power cut.
    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let [session, aside, victim] = ["session", "aside", "victim"].map(|folder| scratch.path().join(folder));
    fs::create_dir(&session).unwrap();
    fs::create_dir(&victim).unwrap();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let swapper = scope.spawn(|| {
            let mut swaps = 0;
            while !over.load(Ordering::Relaxed) || swaps == 0 {
                fs::rename(&session, &aside).unwrap();
                symlink(&victim, &session).unwrap();
                thread::yield_now();
                fs::remove_file(&session).unwrap();
                fs::rename(&aside, &session).unwrap();
                swaps += 1;
            }
            swaps
        });
        for _ in 0..count {
            write_one(&session);
        }
        over.store(true, Ordering::Relaxed);
        assert!(swapper.join().unwrap() > 0);
    });
    fs::read_dir(&victim).unwrap().count()
}

// spec: DISK-10
#[test]
fn a_folder_that_is_swapped_for_a_symlink_sends_no_write_elsewhere() {
    let folder = std::cell::OnceCell::new();
    let escaped = escapes(10_000, |session| {
        // Opened while the swapping goes on, so that only a true folder will do.
        let opened = folder.get_or_init(|| {
            let real = real();
            let parent = open(real, session.parent().unwrap());
            loop {
                if let Ok(Some(folder)) = parent.subfolder(&name("session")) {
                    break folder;
                }
            }
        });
        write(opened, &name("plan"), NEW.as_bytes()).unwrap();
    });
    assert_eq!(escaped, 0);
}

/// The race above is one that paths lose; otherwise it would prove nothing.
#[test]
fn the_same_writes_by_path_do_escape() {
    let mut rounds = 0;
    while escapes(1_000, |session| drop(fs::write(session.join(Uuid::new_v4().to_string()), NEW))) == 0 {
        rounds += 1;
        assert!(rounds < 200, "no write escaped");
    }
}

/// Two folders, with a file to be moved in the first.
struct Pair {
    scratch: tempfile::TempDir,
}

impl Pair {
    fn new(source: Option<&str>, target: Option<&str>) -> Self {
        let pair = Self { scratch: tempfile::tempdir().unwrap() };
        for (folder, file, bytes) in [("from", "plan", source), ("to", "archived", target)] {
            fs::create_dir(pair.at(folder)).unwrap();
            if let Some(bytes) = bytes {
                fs::write(pair.at(folder).join(file), bytes).unwrap();
            }
        }
        pair
    }

    fn at(&self, folder: &str) -> std::path::PathBuf {
        self.scratch.path().join(folder)
    }

    fn act(&self, disk: Arc<dyn Disk>, act: Act) -> Result<Moved, MoveError> {
        let (from, to) = (open(Arc::clone(&disk), &self.at("from")), open(disk, &self.at("to")));
        act(&from, &name("plan"), &to, &name("archived"))
    }

    fn left(&self) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
        (files(&self.at("from")), files(&self.at("to")))
    }
}

type Act = fn(&Folder, &Name, &Folder, &Name) -> Result<Moved, MoveError>;

const QUIRKS: [Quirk; 3] = [Quirk::None, Quirk::Apart, Quirk::NoRenameNew];

// spec: DISK-5
#[test]
fn a_move_and_a_copy_never_overwrite_and_finish_what_was_begun() {
    let none = BTreeMap::new;
    let (source, target) = (|| just("plan", NEW), || just("archived", NEW));
    for quirk in QUIRKS {
        let disk = || FaultyDisk::new(Fault::None, quirk);
        let cases: [(Option<&str>, Option<&str>, Moved); 4] = [
            (Some(NEW), None, Moved::Now),
            (Some(NEW), Some(NEW), Moved::Before),
            (None, Some(NEW), Moved::Before),
            (None, None, Moved::Nothing),
        ];
        for (before, after, moved) in cases {
            let made = if moved == Moved::Nothing { none() } else { target() };
            let pair = Pair::new(before, after);
            assert_eq!(pair.act(disk(), move_into).unwrap(), moved, "{quirk:?}");
            assert_eq!(pair.left(), (none(), made.clone()), "{quirk:?} {before:?} {after:?}");

            let pair = Pair::new(before, after);
            assert_eq!(pair.act(disk(), copy_into).unwrap(), moved, "{quirk:?}");
            let kept = if before.is_some() { source() } else { none() };
            assert_eq!(pair.left(), (kept, made), "{quirk:?} {before:?} {after:?}");
        }
        for other in [OLD, "", "the new bytes, which are longer?", "the new bytes, which are longeR"] {
            for act in [move_into, copy_into] as [Act; 2] {
                let pair = Pair::new(Some(NEW), Some(other));
                let error = pair.act(disk(), act).unwrap_err();
                assert!(matches!(&error, MoveError::Exists { file } if file.ends_with("to/archived")), "{error:?}");
                assert_eq!(pair.left(), (source(), just("archived", other)), "{quirk:?}");
            }
        }
    }
}

// spec: DISK-5, DISK-10
#[test]
fn a_move_with_a_fault_anywhere_keeps_the_bytes_and_can_be_finished() {
    for (quirk, calls) in [(Quirk::None, 5), (Quirk::Apart, 16), (Quirk::NoRenameNew, 7)] {
        for call in 2.. {
            let mut fired = None;
            for fault in faults(call) {
                let pair = Pair::new(Some(NEW), None);
                let disk = FaultyDisk::new(fault, quirk);
                let moved = pair.act(disk.clone(), move_into);
                fired = disk.fired();
                if fired.is_none() {
                    assert_eq!(moved.unwrap(), Moved::Now);
                    break;
                }

                let context = format!("{quirk:?} {fault:?} at {fired:?}: {moved:?}");
                let (from, mut to) = pair.left();
                if let Fault::Stop { .. } = fault {
                    to.retain(|file, _| file == "archived");
                }
                let (source, target) = (just("plan", NEW), just("archived", NEW));
                match moved.expect_err(&context) {
                    MoveError::Exists { .. } => panic!("{context}"),
                    MoveError::Write(WriteError::NotWritten(error)) => {
                        assert_eq!((from, to), (source, BTreeMap::new()), "{context}");
                        assert!(error.file().starts_with(pair.scratch.path()), "{context}");
                    }
                    MoveError::Write(WriteError::Unsettled(_)) => {
                        assert!(from.is_empty() || from == source, "{context}");
                        assert_eq!(to, target, "{context}");
                    }
                }

                let again = pair.act(real(), move_into).unwrap();
                assert_ne!(again, Moved::Nothing, "{context}");
                sweep(&open(real(), &pair.at("to")), |target| target == "archived").unwrap();
                assert_eq!(pair.left(), (BTreeMap::new(), target), "{context}");
            }
            if fired.is_none() {
                assert_eq!(call, calls, "every call was tried");
                break;
            }
        }
    }
}

// spec: DISK-10
#[test]
fn the_target_lasts_before_the_source_goes() {
    for (quirk, expected) in [
        (Quirk::None, &["rename_new", "sync_folder", "sync_folder"][..]),
        (Quirk::NoRenameNew, &["rename_new", "link", "sync_folder", "unlink", "sync_folder"]),
        (
            Quirk::Apart,
            &[
                "rename_new",
                "open",
                "stat",
                "open",
                "create",
                "read",
                "read",
                "write",
                "read",
                "sync",
                "rename_new",
                "sync_folder",
                "unlink",
                "sync_folder",
            ],
        ),
    ] {
        let disk = FaultyDisk::new(Fault::None, quirk);
        Pair::new(Some(NEW), None).act(disk.clone(), move_into).unwrap();
        assert_eq!(disk.log().split_off(2), expected, "{quirk:?}");
    }
}

#[test]
fn a_file_of_many_chunks_is_copied_and_compared_whole() {
    let bytes = "0123456789".repeat(CHUNK / 4);
    let pair = Pair::new(Some(&bytes), None);
    assert_eq!(pair.act(real(), copy_into).unwrap(), Moved::Now);
    assert_eq!(pair.left().1, just("archived", &bytes));
    assert_eq!(pair.act(real(), copy_into).unwrap(), Moved::Before);

    let last = bytes.trim_end_matches('9').to_owned() + "8";
    fs::write(pair.at("to").join("archived"), last).unwrap();
    assert!(matches!(pair.act(real(), copy_into), Err(MoveError::Exists { .. })));
}

#[test]
fn a_move_across_real_file_systems() {
    use std::os::unix::fs::MetadataExt as _;

    let (here, memory) = (tempfile::tempdir().unwrap(), Path::new("/dev/shm"));
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev());
    let apart = device(memory).is_ok_and(|other| device(here.path()).is_ok_and(|this| this != other));
    if !apart {
        eprintln!("skipped: there is no second file system at /dev/shm");
        return;
    }
    let there = tempfile::tempdir_in(memory).unwrap();
    fs::write(here.path().join("plan"), NEW).unwrap();
    let (from, to) = (open(real(), here.path()), open(real(), there.path()));
    assert_eq!(move_into(&from, &name("plan"), &to, &name("archived")).unwrap(), Moved::Now);
    assert_eq!((files(here.path()), files(there.path())), (BTreeMap::new(), just("archived", NEW)));
}

// spec: DISK-5
#[test]
fn links_are_not_followed_by_a_move_or_a_copy() {
    let pair = Pair::new(None, None);
    fs::write(pair.at("victim"), NEW).unwrap();
    symlink("../victim", pair.at("from").join("plan")).unwrap();
    assert!(matches!(
        pair.act(real(), copy_into),
        Err(MoveError::Write(WriteError::NotWritten(StoreError::NotRegular { .. })))
    ));
    assert_eq!(pair.act(real(), move_into).unwrap(), Moved::Now);
    assert!(pair.at("to").join("archived").is_symlink(), "the link itself went");

    // A link that has the new name already is another file, whatever it points to.
    let pair = Pair::new(Some(NEW), None);
    fs::write(pair.at("victim"), NEW).unwrap();
    symlink("../victim", pair.at("to").join("archived")).unwrap();
    for act in [move_into, copy_into] as [Act; 2] {
        assert!(pair.act(real(), act).is_err());
    }
    assert_eq!(files(&pair.at("from")), just("plan", NEW));
}

// spec: DISK-10
#[test]
fn a_removal_is_flushed_and_can_be_repeated() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("plan"), OLD).unwrap();
    let failing = |call| FaultyDisk::new(Fault::Fail { call, with: Errno::IO }, Quirk::None);

    let error = remove(&open(failing(1), scratch.path()), &name("plan")).unwrap_err();
    assert!(matches!(error, WriteError::NotWritten(_)));
    assert_eq!(files(scratch.path()), just("plan", OLD));
    let error = remove(&open(failing(2), scratch.path()), &name("plan")).unwrap_err();
    assert!(matches!(error, WriteError::Unsettled(_)));

    let disk = FaultyDisk::new(Fault::None, Quirk::None);
    assert!(!remove(&open(disk.clone(), scratch.path()), &name("plan")).unwrap());
    assert_eq!(disk.log(), ["open_path", "unlink", "sync_folder"], "the earlier removal is settled");
    fs::write(scratch.path().join("plan"), OLD).unwrap();
    assert!(remove(&open(real(), scratch.path()), &name("plan")).unwrap());
}

// spec: DISK-11
#[test]
fn a_sweep_takes_the_leftovers_of_one_session_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let mine = [
        ".opencrabs_plan_a.json.7-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json.4294967295-4294967295-ffffffffffffffff.tmp",
    ];
    let others = [
        // Another session, and other files of this one.
        ".opencrabs_plan_a-1.json.7-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json.json.7-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.md.7-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json",
        ".opencrabs_plan_a.json.lock",
        // Almost a name of ours.
        ".opencrabs_plan_a.json.tmp",
        ".opencrabs_plan_a.json.07-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json.+7-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json.7-0-00000000000000FF.tmp",
        ".opencrabs_plan_a.json.7-0-ff.tmp",
        ".opencrabs_plan_a.json.7-0-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json.4294967296-0-00000000000000ff.tmp",
        ".opencrabs_plan_a.json.7-0-00000000000000ff.tmp.tmp",
        ".opencrabs_plan_a.json.7-0-00000000000000ff.tmp~",
    ];
    for file in mine.iter().chain(&others) {
        fs::write(scratch.path().join(file), "").unwrap();
    }
    let owns = |target: &str| target == ".opencrabs_plan_a.json";
    assert_eq!(sweep(&open(real(), scratch.path()), owns).unwrap(), mine.len());
    let mut expected = others.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(files(scratch.path()).into_keys().collect::<Vec<_>>(), expected);
    assert_eq!(sweep(&open(real(), scratch.path()), owns).unwrap(), 0);
}

#[test]
fn a_sweep_tries_every_file_and_tells_the_first_error() {
    let scratch = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        fs::write(scratch.path().join(Temporary::of(&name("plan")).to_string()), "").unwrap();
    }
    let disk = FaultyDisk::new(Fault::Fail { call: 2, with: Errno::IO }, Quirk::None);
    let error = sweep(&open(disk, scratch.path()), |_| true).unwrap_err();
    assert!(error.file().as_str().ends_with(".tmp"), "{error}");
    assert_eq!(files(scratch.path()).len(), 1);
}

#[test]
fn every_temporary_name_is_new_and_reads_back() {
    let [one, other] = [Temporary::of(&name("plan")), Temporary::of(&name("plan"))];
    assert_ne!(one.number, other.number);
    assert_ne!(one.random, other.random);
    assert_eq!(Temporary::parse(&one.to_string()), Some(one));
}
