//! The gate on file systems that this machine may not have.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use plangate::gate::{Judged, Look, Policy, Seen, TheDisk, decide};

use super::world::{State, World, code, content};

/// This disk, with case ignored in every name.
struct AnyCase;

impl AnyCase {
    /// The path as it is on the disk.
    fn find(path: &Utf8Path) -> Utf8PathBuf {
        let mut found = Utf8PathBuf::new();
        for part in path.components() {
            let exact = found.join(part);
            let known = || {
                found
                    .read_dir_utf8()
                    .ok()?
                    .flatten()
                    .find(|entry| entry.file_name().eq_ignore_ascii_case(part.as_str()))
            };
            found = if exact.symlink_metadata().is_ok() {
                exact
            } else {
                known().map_or(exact, |entry| entry.path().to_owned())
            };
        }
        found
    }
}

impl Look for AnyCase {
    fn look(&self, path: &Utf8Path) -> io::Result<Seen> {
        TheDisk.look(&Self::find(path))
    }

    fn read_link(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        TheDisk.read_link(&Self::find(path))
    }
}

/// A disk that lets nobody look.
struct Shut;

impl Look for Shut {
    fn look(&self, _: &Utf8Path) -> io::Result<Seen> {
        Err(io::ErrorKind::PermissionDenied.into())
    }

    fn read_link(&self, _: &Utf8Path) -> io::Result<Utf8PathBuf> {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

fn verdict(look: &dyn Look, world: &World, target: &str) -> &'static str {
    let call = world.call(content([target]));
    let situation = world.session().situation().wait();
    let judged = Judged::look_up_on(look, &call, &situation, &world.surroundings());
    code(&decide(&situation, &judged, &Policy::default()))
}

// spec: GATE-8
#[test]
fn b07_where_case_makes_no_difference_the_file_decides() {
    let world = World::new(State::Editing);
    let md = world.md();
    for target in [
        md.clone(),
        md.with_extension("MD"),
        world.session_dir().with_file_name("SESSION").join(md.file_name().unwrap()),
    ] {
        assert_eq!(verdict(&AnyCase, &world, target.as_str()), "allow", "{target}");
    }
    assert_eq!(verdict(&AnyCase, &world, "SRC/main.rs"), "only-the-md");
    assert_eq!(verdict(&AnyCase, &world, world.json().with_extension("JSON").as_str()), "record");
    let world = World::new(State::Seeding);
    for target in [
        world.md().with_extension("MD"),
        world.session_dir().with_file_name("SESSION").join(world.md().file_name().unwrap()),
    ] {
        assert_eq!(verdict(&AnyCase, &world, target.as_str()), "frozen", "{target}");
    }
}

// spec: GATE-8
#[test]
fn where_nobody_can_look_nothing_is_written() {
    for state in [State::Editing, State::Active] {
        let world = World::new(state);
        for target in [world.md().as_str(), "src/main.rs"] {
            assert_eq!(verdict(&Shut, &world, target), "unresolved");
        }
    }
}

// spec: GATE-8
#[test]
fn a_target_that_nobody_has_looked_up_is_denied() {
    for state in [State::Editing, State::Active] {
        let world = World::new(state);
        let call = world.call(content([world.md().as_str(), "src/main.rs"]));
        let situation = world.session().situation().wait();
        for places in [vec![], vec![plangate::gate::Place::Elsewhere]] {
            let judged = Judged::with_places(&call, places);
            assert!(!decide(&situation, &judged, &Policy::default()).is_allowed());
        }
    }
}
