use std::io;

/// What a target of a call turns out to be, once it has been looked up as a file (GATE-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The session `.md` itself by every measure: the file, its only name, its folder.
    Markdown,
    /// The session `.md` by one measure, but not by all.
    Twin(Twin),
    /// The record of the session's plan.
    Record,
    /// One of the engine's own controls (GATE-13).
    Control(Control),
    /// A file of another session's plan.
    OtherPlan,
    /// A folder, or a link to one, that the session's files, the root folder or settings that install the gate are in, or
    /// would be looked for in.
    Holder,
    /// Anything else below the root folder.
    Root,
    /// A file of the project, or anything else that is no business of the engine.
    Elsewhere,
    /// It cannot be told what it is.
    Unresolved(Unresolved),
}

/// Why what looks like the session `.md` is not it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Twin {
    /// The file has a second name, so that a write changes another file too.
    HardLink,
    /// A symbolic link stands where the `.md` should be, or the target is a link that leads to it.
    Link,
    /// What stands there is no regular file.
    NotAFile,
    /// The path is read in two ways, and only one of them is the `.md`: a `..` behind a link, a space, an escape.
    Spelling,
}

/// One of the engine's own controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control {
    /// The lock, the tombstone, the pin or a temporary file of a session.
    Bookkeeping,
    /// The archive of ended plans.
    Archive,
    /// The policy file.
    Policy,
    /// Settings of an agent that install the gate.
    Settings,
    /// A file that the embedding program wants guarded; its own, for one.
    Guarded,
}

/// Why it cannot be told what a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresolved {
    /// A folder on the way is missing or is no folder, so that the system refuses the path as well.
    NoWay,
    /// Links lead in a circle; the system refuses the path as well.
    Circle,
    /// There is a NUL in it: some programs stop reading there.
    Nul,
    /// It is relative, and the call has no absolute folder that it could be relative to.
    NoFolder,
    /// It begins with `~`, and nobody has said where the home folder is.
    NoHome,
    /// It leads through a link that each process has its own of, such as `/proc/self/cwd`.
    OwnOfAProcess,
    /// The system did not let it be looked at.
    Refused(io::ErrorKind),
    /// Nobody has looked it up.
    NotLookedUp,
}

impl Unresolved {
    /// Whether the system itself refuses such a path, so that a call with it changes nothing.
    pub const fn is_harmless(self) -> bool {
        matches!(self, Self::NoWay | Self::Circle)
    }
}
