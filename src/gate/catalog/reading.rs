//! A call as what it does: the arguments, read by what the list says of the tool.

use crate::gate::command::own_operation;
use std::borrow::Cow;

use camino::Utf8PathBuf;
use serde_json::value::RawValue;

use super::Tilde;
use super::arguments::{self, Unreadable, object, string, strings};
use super::operation::operation;
use super::tool::{Command, Does, Files};
use crate::gate::patch::{self, Grammar};
use crate::gate::{Act, Target};
use crate::json;
use crate::record::Object;

/// How many targets are looked at: a verdict has to come before the agent's time-out.
const MAX_TARGETS: usize = 1_000;

/// The names of an argument that names a file, without the marks between words. A write tool that has one beside its own
/// is as bad as both.
const PATHS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filepath",
    "filepaths",
    "filename",
    "fullpath",
    "absolutepath",
    "relativepath",
    "notebookpath",
    "notebook",
    "target",
    "targets",
    "targetfile",
    "targetpath",
    "targetdirectory",
    "targetnotebook",
    "source",
    "sourcepath",
    "sourcefile",
    "src",
    "srcpath",
    "oldpath",
    "newpath",
    "movepath",
    "moveto",
    "renameto",
    "uri",
    "fileuri",
    "documenturi",
];

/// The names of an argument that says where something is to be written.
const OUTPUTS: &[&str] = &[
    "destination",
    "destinationpath",
    "destinationfile",
    "dest",
    "destpath",
    "dst",
    "downloadpath",
    "downloadto",
    "outputpath",
    "outputfile",
    "outputdir",
    "outputdirectory",
    "outfile",
    "savepath",
    "saveas",
    "saveto",
    "writeto",
];

/// One call on its way to an act.
pub(super) struct Reading<'a> {
    pub(super) arguments: &'a str,
    /// The folder of the call. A shell's own argument may change it.
    pub(super) cwd: Utf8PathBuf,
    pub(super) tilde: Tilde,
}

impl Reading<'_> {
    pub(super) fn act(&mut self, does: &Does) -> Act {
        self.read(does).unwrap_or_else(|why| Act::Unreadable { why })
    }

    fn read(&mut self, does: &Does) -> Result<Act, Unreadable> {
        Ok(match does {
            Does::Read => arguments::with(self.arguments, |object| self.read_unless_saved(object))?,
            Does::Question => Act::Question,
            Does::Spawn => Act::Spawn,
            Does::Send => Act::Send,
            Does::Browser => Act::Browser,
            Does::Folder => Act::Write { content: Vec::new(), altered: vec![Target::new(".")] },
            Does::Plan => Act::Plan(arguments::with(self.arguments, operation)?),
            Does::ReadByWords => arguments::with(self.arguments, read_by_words)?,
            Does::Sql { key } => arguments::with(self.arguments, |object| sql(object, key))?,
            Does::Content(files) => {
                let content = arguments::with(self.arguments, |object| self.targets(object, files))?;
                Act::Write { content, altered: Vec::new() }
            }
            Does::Altered(files) => {
                let altered = arguments::with(self.arguments, |object| self.targets(object, files))?;
                Act::Write { content: Vec::new(), altered }
            }
            Does::Patch { keys, envelope } => self.patch(keys, *envelope)?,
            Does::Shell(command) => self.shell(command)?,
            Does::Saves { keys, or } => {
                let named =
                    arguments::with(self.arguments, |object| Ok(keys.iter().any(|key| object.get(key).is_some())))?;
                match named {
                    true => self.read(&Does::Content(Files { keys, every: false, under: None }))?,
                    false => self.read(or)?,
                }
            }
            Does::By { key, rows, or } => {
                let said = arguments::with(self.arguments, |object| {
                    object.get(key).map(|value| string(key, value).map(Cow::into_owned)).transpose()
                })?;
                let row = rows.iter().find(|(value, _)| said.as_deref() == Some(*value));
                self.read(row.map_or(*or, |(_, does)| does))?
            }
        })
    }

    /// A read, unless an argument says where its result is to be written: a later version of a tool may learn to.
    fn read_unless_saved(&self, object: &Object<'_>) -> Result<Act, Unreadable> {
        let mut content = Vec::new();
        for (name, value) in object.iter().filter(|(name, _)| is_one_of(name, OUTPUTS)) {
            self.push_all(&mut content, name, value, None)?;
        }
        Ok(match content.is_empty() {
            true => Act::Read,
            false => Act::Write { content, altered: Vec::new() },
        })
    }

    /// The targets of a write: its own arguments and every other one that names a file, at the top and one level below.
    fn targets(&self, object: &Object<'_>, files: &Files) -> Result<Vec<Target>, Unreadable> {
        let mut targets = Vec::new();
        for key in files.keys {
            if object.get(key).is_none() && files.every {
                return Err(format!("`{key}` is missing").into());
            }
        }
        let mut own = files.keys.is_empty();
        for (name, value) in object.iter() {
            let is_own = files.keys.contains(&name);
            own |= is_own;
            if is_own || names_a_path(name) {
                self.push_all(&mut targets, name, value, files.under)?;
            } else {
                self.push_nested(&mut targets, value)?;
            }
        }
        if !own {
            return Err(format!("`{}` is missing", files.keys.first().unwrap_or(&"path")).into());
        }
        if let (Some(under), true) = (files.under, files.keys.is_empty()) {
            targets.push(Target::new(under));
        }
        Ok(targets)
    }

    /// The paths that a value is: a text, an array of texts, or objects that have them.
    fn push_all(
        &self,
        targets: &mut Vec<Target>,
        name: &str,
        value: &RawValue,
        under: Option<&str>,
    ) -> Result<(), Unreadable> {
        let values = json::elements(value).unwrap_or_else(|| vec![value]);
        let none = || format!("`{name}` names no file").into();
        if values.is_empty() {
            return Err(none());
        }
        for value in values {
            let before = targets.len();
            match value.get().starts_with('{') {
                true => self.push_nested(targets, value)?,
                false => self.push(targets, name, &string(name, value)?, under)?,
            }
            if targets.len() == before {
                return Err(none());
            }
        }
        Ok(())
    }

    /// The paths in an object, or in each object of an array.
    fn push_nested(&self, targets: &mut Vec<Target>, value: &RawValue) -> Result<(), Unreadable> {
        let values = match value.get().as_bytes().first() {
            Some(b'[') => json::elements(value).unwrap_or_default(),
            Some(b'{') => vec![value],
            _ => return Ok(()),
        };
        for value in values.into_iter().filter(|value| value.get().starts_with('{')) {
            for (name, value) in object(value.get())?.iter().filter(|(name, _)| names_a_path(name)) {
                for path in strings(name, value)? {
                    self.push(targets, name, &path, None)?;
                }
            }
        }
        Ok(())
    }

    fn push(&self, targets: &mut Vec<Target>, name: &str, path: &str, under: Option<&str>) -> Result<(), Unreadable> {
        if path.is_empty() {
            return Err(format!("`{name}` is empty").into());
        }
        if targets.len() >= MAX_TARGETS {
            return Err(format!("the call names more than {MAX_TARGETS} files").into());
        }
        match under {
            Some(under) if !path.starts_with(['/', '~']) => targets.push(Target::new(format!("{under}/{path}"))),
            _ => self.push_as_read(targets, Target::new(path)),
        }
        Ok(())
    }

    /// The target as the agent's tool would take it: `~` is the home to some and a name to others.
    fn push_as_read(&self, targets: &mut Vec<Target>, target: Target) {
        let literal = target.as_str().starts_with('~').then(|| Target::new(format!("./{}", target.as_str())));
        match (literal, self.tilde) {
            (Some(literal), Tilde::Literal) => targets.push(literal),
            (Some(literal), Tilde::Either) => targets.extend([target, literal]),
            (Some(_), Tilde::Home) | (None, _) => targets.push(target),
        }
    }

    fn patch(&self, keys: &[&str], envelope: bool) -> Result<Act, Unreadable> {
        let mut others = Vec::new();
        let texts: Vec<String> = match arguments::text(self.arguments) {
            Some(text) => vec![text],
            None => arguments::with(self.arguments, |object| {
                let mut texts = Vec::new();
                for (name, value) in object.iter() {
                    if keys.contains(&name) {
                        // A command line such as `["apply_patch", "*** Begin Patch…"]`.
                        texts.push(strings(name, value)?.join("\n"));
                    } else if names_a_path(name) {
                        self.push_all(&mut others, name, value, None)?;
                    }
                }
                Ok(texts)
            })?,
        };
        if texts.is_empty() {
            return Err(format!("`{}` is missing", keys.first().unwrap_or(&"patch")).into());
        }
        let grammar = if envelope { Grammar::Envelope } else { Grammar::Any };
        let (mut content, mut altered) = (others, Vec::new());
        for text in texts {
            let found = patch::targets(&text, grammar).map_err(|error| error.to_string())?;
            found.content.into_iter().for_each(|target| self.push_as_read(&mut content, target));
            found.altered.into_iter().for_each(|target| self.push_as_read(&mut altered, target));
        }
        Ok(Act::Write { content, altered })
    }

    fn shell(&mut self, command: &Command) -> Result<Act, Unreadable> {
        let (text, folder, whole) = arguments::with(self.arguments, |object| {
            let mut parts = Vec::new();
            // What a person reads of the call is not run; everything else may be.
            let others = object.iter().filter(|(name, _)| *name != "description");
            let whole: Vec<&str> = others.map(|(_, value)| value.get()).collect();
            for key in command.keys {
                if let Some(value) = object.get(key) {
                    parts.push(strings(key, value)?.join(" "));
                }
            }
            let mut folder = None;
            for key in command.folders {
                if let Some(value) = object.get(key) {
                    let named = string(key, value)?;
                    if folder.is_some() && !named.is_empty() {
                        return Err("two arguments name the folder".into());
                    }
                    folder = Some(named.into_owned()).filter(|folder| !folder.is_empty()).or(folder);
                }
            }
            let text = (!parts.is_empty()).then(|| parts.join(if command.words { " " } else { "\n" }));
            Ok((text, folder, whole.join(" ")))
        })?;
        if text.is_none() && command.needed {
            return Err(format!("`{}` is missing", command.keys.first().unwrap_or(&"command")).into());
        }
        if let Some(folder) = folder {
            self.cwd.push(folder);
        }
        // The words of a command, its input or its environment may stand in arguments of their own (GATE-14).
        let is_seen = text.as_deref().is_some_and(|text| own_operation(text).is_some());
        let text = if !is_seen && own_operation(&whole).is_some() { Some(whole) } else { text };
        Ok(Act::Shell { command: text.map(String::into_boxed_str) })
    }
}

/// Whether an argument of that name names a file.
fn names_a_path(name: &str) -> bool {
    is_one_of(name, PATHS) || is_one_of(name, OUTPUTS)
}

/// Whether a name is in a list, in whatever way its words are put together.
fn is_one_of(name: &str, list: &[&str]) -> bool {
    let letters = || name.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).map(|byte| byte.to_ascii_lowercase());
    list.iter().any(|known| letters().eq(known.bytes()))
}

fn read_by_words(object: &Object<'_>) -> Result<Act, Unreadable> {
    let mut words = Vec::new();
    for (name, value) in object.iter() {
        match value.get().as_bytes().first() {
            Some(b'"' | b'[') => words.extend(strings(name, value)?),
            Some(b'{') => return Err(format!("`{name}` is no text").into()),
            // A number or a truth value.
            _ => {}
        }
    }
    Ok(match words.iter().any(|word| word.trim_start().starts_with('-')) {
        true => Act::Shell { command: Some(words.join(" ").into()) },
        false => Act::Read,
    })
}

/// SQL on a list of the agent's own is a note to itself. These words, wherever they stand, let SQLite open or write another
/// file, and so make it a command.
fn sql(object: &Object<'_>, key: &str) -> Result<Act, Unreadable> {
    const REACHING: [&str; 6] = ["attach", "vacuum", "pragma", "load_extension", "writefile", "readfile"];
    let Some(query) = object.get(key) else {
        return Err(format!("`{key}` is missing").into());
    };
    let query = strings(key, query)?.join(";");
    let lower = query.to_ascii_lowercase();
    Ok(match REACHING.iter().any(|word| lower.contains(word)) {
        true => Act::Shell { command: Some(query.into()) },
        false => Act::Read,
    })
}
