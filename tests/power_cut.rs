//! Real power cuts, as far as one can make them without pulling the plug: ext4 and xfs in an image, shut down by the file
//! system's own call, which drops what has not reached the device, and mounted again.
// spec: DISK-10
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod child;
#[path = "../src/session/proof/table/mod.rs"]
mod table;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::thread;

use plangate::model::{TaskDraft, TaskDrafts};
use plangate::plan::{Brief, StateRef};
use plangate::{AnyPlan, Engine, SessionId};
use table::{Answer, Entry, Proof, SCENARIOS, Ticks, named};

/// A file system, the bytes of its image, and the options of its mount: none flushes by itself within the test.
struct Kind {
    name: &'static str,
    bytes: u64,
    make: &'static [&'static str],
    options: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind { name: "ext4", bytes: 64 << 20, make: &["mkfs.ext4", "-q", "-F"], options: "loop,commit=600" },
    Kind { name: "xfs", bytes: 320 << 20, make: &["mkfs.xfs", "-q", "-f"], options: "loop" },
];

/// `EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN` are one call, `_IOR('X', 125, u32)`; 2 is: do not flush the log.
const CUT: &str = "import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))";

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// A mounted image; unmounted when it is dropped.
struct Volume {
    _folder: tempfile::TempDir,
    options: &'static str,
    image: PathBuf,
    at: PathBuf,
}

impl Volume {
    /// Makes and mounts an image, or says what is missing for it.
    fn new(kind: &Kind) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let (image, at) = (folder.path().join("image"), folder.path().join("mounted"));
        File::create(&image).unwrap().set_len(kind.bytes).unwrap();
        let (make, options) = kind.make.split_first().unwrap();
        run(make, &[options, &[image.to_str().unwrap()]].concat())?;
        std::fs::create_dir(&at).unwrap();
        let volume = Self { _folder: folder, options: kind.options, image, at };
        volume.mount()?;
        // One cut to see that it can be done here.
        volume.cut()?;
        volume.restart();
        Ok(volume)
    }

    fn mount(&self) -> Result<(), String> {
        run("mount", &["-o", self.options, self.image.to_str().unwrap(), self.at.to_str().unwrap()])
    }

    /// Makes everything last that is there now.
    fn flush(&self) {
        run("sync", &["-f", self.at.to_str().unwrap()]).unwrap();
    }

    /// Cuts the power.
    fn cut(&self) -> Result<(), String> {
        run("python3", &["-I", "-S", "-c", CUT, self.at.to_str().unwrap()])
    }

    /// Comes back after the cut.
    fn restart(&self) {
        run("umount", &[self.at.to_str().unwrap()]).unwrap();
        self.mount().unwrap();
    }

    fn root(&self, name: &str) -> PathBuf {
        self.at.join(name.replace([' ', ':', ','], "-"))
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        let _ = run("umount", &["-l", self.at.to_str().unwrap()]);
    }
}

/// The volumes that can be made here; the reason is printed for those that cannot.
fn volumes(what: &str) -> Vec<(&'static str, Volume)> {
    let volume = |kind: &Kind| match Volume::new(kind) {
        Ok(volume) => Some((kind.name, volume)),
        Err(why) => {
            child::skipped(&format!("{what} on {}", kind.name), &why);
            None
        }
    };
    KINDS.iter().filter_map(volume).collect()
}

/// Does a scenario in this process.
fn act(job: &str) -> ! {
    let (name, root) = job.split_once('\n').unwrap();
    let scenario = named(name);
    let ground = scenario.ground(root);
    match scenario.run(&ground.session(&Ticks::at(10)), &ground, Entry::Load) {
        Ok(_) => process::exit(0),
        Err(_) => process::exit(2),
    }
}

/// Lays a scenario and makes that last; `act` acknowledges it; then the power is cut. What is there after the restart?
fn cut_after(volume: &Volume, proof: &Proof, act: impl FnOnce(&str) -> Command) -> Result<(), String> {
    let name = proof.scenario.name;
    let root = volume.root(name);
    let ground = proof.lay(&root);
    volume.flush();
    let status = act(&format!("{name}\n{}", root.display())).status().unwrap();
    if !status.success() {
        return Err(format!("{name}: {status}"));
    }
    volume.cut()?;
    volume.restart();
    proof.check(&ground, Answer::Done).map(drop).map_err(|error| format!("{name}: {error}"))
}

#[test]
fn every_acknowledged_transition_survives_a_power_cut() {
    const TEST: &str = "every_acknowledged_transition_survives_a_power_cut";
    if let Some(job) = child::job() {
        act(&job);
    }
    let cut_after_each = |(kind, volume): (&str, Volume)| {
        let violation = |scenario| {
            let result =
                Proof::of(scenario).and_then(|proof| cut_after(&volume, &proof, |job| child::child(TEST, job)));
            result.err().map(|error| format!("\n{kind}: {error}"))
        };
        SCENARIOS.iter().filter_map(violation).collect::<String>()
    };
    let violations = thread::scope(|scope| {
        let volumes = volumes("power cuts after every transition").into_iter();
        let threads: Vec<_> = volumes.map(|volume| scope.spawn(|| cut_after_each(volume))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<String>()
    });
    assert!(violations.is_empty(), "{violations}");
}

#[test]
fn a_store_that_does_not_flush_is_found_out() {
    const TEST: &str = "a_store_that_does_not_flush_is_found_out";
    if let Some(job) = child::job() {
        act(&job);
    }
    if let Err(why) = child::can_trace() {
        return child::skipped("the power cuts without a flush", &why);
    }
    // The tracer answers every flush with success, and the system never hears of it.
    let without_flush = ["strace", "-f", "-q", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e"];
    let without_flush = [&without_flush[..], &["inject=fsync,fdatasync:retval=0"]].concat();
    for (kind, volume) in volumes("the power cuts without a flush") {
        for name in ["enter", "design", "approve", "start", "complete the last of a design"] {
            let proof = Proof::of(named(name)).unwrap();
            let result = cut_after(&volume, &proof, |job| child::under(&without_flush, TEST, job));
            assert!(result.is_err(), "{kind}, {name}: nothing was noticed");
        }
    }
}

const SESSION: &str = "a-1";

fn session(root: &Path) -> plangate::Session {
    let root = camino::Utf8PathBuf::from_path_buf(root.to_owned()).unwrap();
    Engine::at(root).build().unwrap().session(SessionId::new(SESSION).unwrap())
}

fn task(title: impl std::fmt::Display) -> TaskDrafts {
    TaskDrafts::new(TaskDraft::new(title.to_string(), "do it").unwrap())
}

/// Adds task after task and says so, until the disk refuses.
fn add_for_ever(root: &str) -> ! {
    let AnyPlan::NoPlan(plan) = session(Path::new(root)).load().wait().unwrap() else { panic!() };
    let mut plan = plan.init_checklist(Brief::new("Power").unwrap(), task(1)).wait().unwrap();
    for next in 2.. {
        let mut out = std::io::stdout();
        writeln!(out, "done {}", next - 1).and_then(|()| out.flush()).unwrap();
        match plan.add_tasks(task(next)).wait() {
            Ok(longer) => plan = longer,
            Err(_) => break,
        }
    }
    process::exit(0)
}

#[test]
fn every_acknowledged_change_survives_a_power_cut_in_the_middle_of_the_next() {
    const TEST: &str = "every_acknowledged_change_survives_a_power_cut_in_the_middle_of_the_next";
    if let Some(root) = child::job() {
        add_for_ever(&root);
    }
    for (kind, volume) in volumes("power cuts in the middle of changes") {
        for count in [1, 2, 7, 30, 100] {
            let root = volume.root(&count.to_string());
            std::fs::create_dir(&root).unwrap();
            volume.flush();
            let mut child = child::child(TEST, root.to_str().unwrap()).stdout(Stdio::piped()).spawn().unwrap();
            let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
            let mut done = lines.filter_map(|line| line.strip_prefix("done ")?.parse::<usize>().ok());
            let last = done.by_ref().find(|done| *done >= count).unwrap();
            volume.cut().unwrap();
            // It ends by itself, for its disk is gone. What it had said before the cut counts; what it said after that too.
            let last = done.last().unwrap_or(last);
            child.wait().unwrap();
            volume.restart();
            let view = session(&root).view().wait().unwrap();
            let StateRef::Active(active) = view.state() else { panic!("{kind}, {count}: {}", view.state_name()) };
            let titles: Vec<_> = active.checklist().tasks().map(|task| task.title().to_owned()).collect();
            assert!((last..=last + 1).contains(&titles.len()), "{kind}: {} of {last} are there", titles.len());
            assert_eq!(titles, (1..=titles.len()).map(|title| title.to_string()).collect::<Vec<_>>(), "{kind}");
            drop(session(&root).exclusive().wait().unwrap());
        }
    }
}
