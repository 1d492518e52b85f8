//! What can be said of a tool, and the words that the lists of tools are written in.

/// A tool by name, and what it does.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) does: Does,
}

/// What a tool does, and where in its arguments that is told.
#[derive(Debug)]
pub(super) enum Does {
    /// Reads, searches or keeps the agent's own notes: nothing outside the agent's own session changes. An argument that
    /// says where to write makes it a write.
    Read,
    /// Reads, by a program that gets the arguments as words: one that begins with `-` is an option and may do anything.
    ReadByWords,
    /// Writes the content of files.
    Content(Files),
    /// Removes, moves or makes files.
    Altered(Files),
    /// Makes or removes files in a place of its own choice: it counts as the folder of the call.
    Folder,
    /// Applies a patch that one of these arguments holds, or that is the whole argument.
    Patch { keys: &'static [&'static str], envelope: bool },
    /// Runs what these arguments hold.
    Shell(Command),
    /// Runs SQL in a database of the agent's own.
    Sql { key: &'static str },
    /// The `plan` tool.
    Plan,
    /// Asks the user.
    Question,
    /// Starts an agent, wakes one, or acts at a set time.
    Spawn,
    /// Sends something to others.
    Send,
    /// Changes something through a browser, which may be logged in anywhere.
    Browser,
    /// Writes the file that one of these arguments names; without it, the other.
    Saves { keys: &'static [&'static str], or: &'static Does },
    /// What one argument says decides; `or` where it says nothing of this.
    By { key: &'static str, rows: &'static [(&'static str, Does)], or: &'static Does },
}

/// Where the targets of a write stand. Every other argument whose name is one of a path counts as a target too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files {
    pub(super) keys: &'static [&'static str],
    /// Every one of the keys has to be there; else one of them.
    pub(super) every: bool,
    /// The folder that relative ones are under, where it is not the call's.
    pub(super) under: Option<&'static str>,
}

/// Where a command stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Command {
    pub(super) keys: &'static [&'static str],
    /// Where the folder stands that the command runs in.
    pub(super) folders: &'static [&'static str],
    /// One of the keys has to be there.
    pub(super) needed: bool,
    /// What they hold are the words of one command; else each is a command.
    pub(super) words: bool,
}

pub(super) const fn read(name: &'static str) -> Tool {
    Tool { name, does: Does::Read }
}

pub(super) const fn read_by_words(name: &'static str) -> Tool {
    Tool { name, does: Does::ReadByWords }
}

/// The content of the files that one of these arguments names.
pub(super) const fn content(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Content(Files { keys, every: false, under: None }) }
}

/// As [`content`], relative to a folder of its own.
pub(super) const fn content_under(name: &'static str, keys: &'static [&'static str], under: &'static str) -> Tool {
    Tool { name, does: Does::Content(Files { keys, every: false, under: Some(under) }) }
}

/// The files that one of these arguments names, removed or made.
pub(super) const fn altered(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Altered(Files { keys, every: false, under: None }) }
}

/// The files that all these arguments name: moved from and to.
pub(super) const fn moved(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Altered(Files { keys, every: true, under: None }) }
}

pub(super) const fn folder(name: &'static str) -> Tool {
    Tool { name, does: Does::Folder }
}

/// An `apply_patch` envelope.
pub(super) const fn patch(name: &'static str) -> Tool {
    const KEYS: &[&str] = &["command", "input", "patch", "patchText", "patch_text"];
    Tool { name, does: Does::Patch { keys: KEYS, envelope: true } }
}

/// A patch in whatever form.
pub(super) const fn diff(name: &'static str) -> Tool {
    const KEYS: &[&str] = &["patch", "diff", "input", "command", "patchText", "patch_text", "content", "text"];
    Tool { name, does: Does::Patch { keys: KEYS, envelope: false } }
}

/// A command in one of these arguments.
pub(super) const fn shell(name: &'static str, keys: &'static [&'static str]) -> Tool {
    shell_in(name, keys, &[])
}

/// As [`shell`], in a folder that an argument names.
pub(super) const fn shell_in(
    name: &'static str,
    keys: &'static [&'static str],
    folders: &'static [&'static str],
) -> Tool {
    Tool { name, does: Does::Shell(Command { keys, folders, needed: true, words: false }) }
}

/// As [`shell`], where the command may be absent.
pub(super) const fn shell_or_none(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Shell(Command { keys, folders: &[], needed: false, words: false }) }
}

/// A command whose words stand in these arguments.
pub(super) const fn shell_words(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Shell(Command { keys, folders: &[], needed: true, words: true }) }
}

pub(super) const fn plan(name: &'static str) -> Tool {
    Tool { name, does: Does::Plan }
}

pub(super) const fn question(name: &'static str) -> Tool {
    Tool { name, does: Does::Question }
}

pub(super) const fn spawn(name: &'static str) -> Tool {
    Tool { name, does: Does::Spawn }
}

pub(super) const fn send(name: &'static str) -> Tool {
    Tool { name, does: Does::Send }
}

pub(super) const fn browser(name: &'static str) -> Tool {
    Tool { name, does: Does::Browser }
}

/// Reads, and writes the file that one of these arguments names.
pub(super) const fn read_saves(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Saves { keys, or: &Does::Read } }
}

/// Acts on the browser, and writes the file that one of these arguments names.
pub(super) const fn browser_saves(name: &'static str, keys: &'static [&'static str]) -> Tool {
    Tool { name, does: Does::Saves { keys, or: &Does::Browser } }
}

pub(super) const fn by(
    name: &'static str,
    key: &'static str,
    rows: &'static [(&'static str, Does)],
    or: &'static Does,
) -> Tool {
    Tool { name, does: Does::By { key, rows, or } }
}
