//! Which files a patch text would touch.
//!
//! The agents' own parsers differ in what they tolerate: indented headers, CRLF, text around the patch, no blank after the
//! colon. What is found here is at least what any of them would touch, and a text that one of them might read in a way
//! that is not known here is refused (GATE-9). That a target too many is found makes a verdict stricter, never looser.

use super::Target;

/// The files of a patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatchTargets {
    /// Files that are created or whose content changes.
    pub content: Vec<Target>,
    /// Files that are removed, moved from or to, copied, or whose mode changes.
    pub altered: Vec<Target>,
}

/// Why the files of a patch cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// No file is named.
    #[error("the patch names no file")]
    NoTarget,
    /// A header names nothing.
    #[error("a header of the patch has no path")]
    NoPath,
    /// A path has a control character or a separator, which one program takes for a part of it and another for its end.
    #[error("a path in the patch has a control character or a separator of lines")]
    ControlCharacter,
    /// A line begins like a header and is none that is known.
    #[error("the patch has a header that is not known")]
    UnknownHeader,
    /// A path is quoted, parted or nested in a way that cannot be read, or longer than any file system takes.
    #[error("a path in the patch cannot be read")]
    UnclearPath,
    /// More files are named than are looked at.
    #[error("the patch names more than {MAX_NAMES} files; make several of it")]
    TooMany,
}

/// How many names of files are looked at. A verdict has to come before the agent's time-out.
const MAX_NAMES: usize = 1_000;

/// The longest path, in bytes: past what any file system takes.
const MAX_PATH: usize = 8_192;

/// How a tool's patches are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grammar {
    /// `*** Begin Patch` and its headers: the tool reads nothing else.
    Envelope,
    /// Whatever a patch program reads: the envelope, unified diffs, git's headers.
    Any,
}

/// The files that `text` would touch, whether it is an `apply_patch` envelope, a unified diff or git's form of one.
///
/// ```
/// let patch = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch\n";
/// let targets = plangate::gate::patch_targets(patch)?;
/// assert_eq!(targets.altered.len(), 2);
/// # Ok::<(), plangate::gate::PatchError>(())
/// ```
///
/// # Errors
/// [`PatchError`]: the files cannot all be told, so none should be allowed.
pub fn patch_targets(text: &str) -> Result<PatchTargets, PatchError> {
    targets(text, Grammar::Any)
}

pub(super) fn targets(text: &str, grammar: Grammar) -> Result<PatchTargets, PatchError> {
    let mut found = PatchTargets::default();
    envelope(text, &mut found)?;
    if grammar == Grammar::Any {
        // The headers of an envelope do not speak for a diff beside them.
        diff(text, &mut found)?;
    }
    if found.content.is_empty() && found.altered.is_empty() {
        return Err(PatchError::NoTarget);
    }
    Ok(found)
}

impl PatchTargets {
    /// The path as it stands, and without the blanks before it, after it or both: programs cut off the one or the other.
    fn push(list: &mut Vec<Target>, path: &str) -> Result<(), PatchError> {
        let cut = trim(path);
        if cut.is_empty() {
            return Err(PatchError::NoPath);
        }
        if path.len() > MAX_PATH {
            return Err(PatchError::UnclearPath);
        }
        // A separator or a byte order mark is a blank to one program and a part of the name to another.
        if path.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')) {
            return Err(PatchError::ControlCharacter);
        }
        let readings = [cut, path.trim_end_matches(is_blank), path.trim_start_matches(is_blank), path];
        for (at, reading) in readings.iter().enumerate() {
            if !readings.iter().take(at).any(|earlier| earlier == reading) {
                list.push(Target::new(*reading));
            }
        }
        match list.len() <= MAX_NAMES {
            true => Ok(()),
            false => Err(PatchError::TooMany),
        }
    }
}

/// Without blanks at both ends, in the sense of every parser: JavaScript counts the byte order mark as one.
fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// What follows `header`, whatever its case.
fn after<'a>(line: &'a str, header: &str) -> Option<&'a str> {
    let (head, rest) = line.split_at_checked(header.len())?;
    head.eq_ignore_ascii_case(header).then_some(rest)
}

/// The file headers of the envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    Add,
    Update,
    Delete,
    Move,
}

/// The header that a line is, and all that follows it. Blanks before it do not count, but the signs of a diff do:
/// `+*** Add File: x` is a line of content to every parser.
fn header(line: &str) -> Option<(Header, &str)> {
    const HEADERS: [(&str, Header); 4] = [
        ("*** Add File:", Header::Add),
        ("*** Update File:", Header::Update),
        ("*** Delete File:", Header::Delete),
        ("*** Move to:", Header::Move),
    ];
    let line = line.trim_start_matches(is_blank);
    HEADERS.into_iter().find_map(|(text, header)| after(line, text).map(|path| (header, path)))
}

/// Lines that begin like a header and name no file.
fn is_marker(line: &str) -> bool {
    const WHOLE: [&str; 3] = ["*** Begin Patch", "*** End Patch", "*** End of File"];
    let line = trim(line);
    WHOLE.iter().any(|marker| line.eq_ignore_ascii_case(marker))
}

fn envelope(text: &str, found: &mut PatchTargets) -> Result<(), PatchError> {
    let mut begun = false;
    // The file of the last `Update File`, until its next line tells whether it is moved.
    let mut updated: Option<&str> = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        hidden_header(line)?;
        let Some((header, path)) = header(line) else {
            begun |= is_marker(line);
            // In an envelope nothing but headers may begin with the stars. One that names another machine
            // (`*** Environment ID:`) is refused as well: the files are not the ones that can be looked at here.
            if begun && line.starts_with("***") && !is_marker(line) {
                return Err(PatchError::UnknownHeader);
            }
            continue;
        };
        begun = true;
        // One blank parts the header from its path; further ones, and those at its end, belong to it for some programs.
        let path = path.strip_prefix(' ').unwrap_or(path);
        match header {
            Header::Add | Header::Update => PatchTargets::push(&mut found.content, path)?,
            Header::Delete => PatchTargets::push(&mut found.altered, path)?,
            Header::Move => {
                PatchTargets::push(&mut found.altered, path)?;
                if let Some(from) = updated {
                    PatchTargets::push(&mut found.altered, from)?;
                }
            }
        }
        updated = match header {
            Header::Update => Some(path),
            // A second `Move to` is refused by the agents; here the file counts as moved either way.
            Header::Move => updated,
            Header::Add | Header::Delete => None,
        };
    }
    Ok(())
}

/// Refuses a line that some program would part into two lines, the second of them a header.
fn hidden_header(line: &str) -> Result<(), PatchError> {
    const BREAKS: [char; 6] = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    let hides = |part: &str| header(part).is_some() || is_marker(part);
    match line.split(BREAKS).skip(1).any(hides) {
        true => Err(PatchError::ControlCharacter),
        false => Ok(()),
    }
}

/// The headers of a unified diff and of git. A line inside a hunk that looks like one counts as one.
fn diff(text: &str, found: &mut PatchTargets) -> Result<(), PatchError> {
    let mut old: Option<&str> = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = undecorated(line);
        if let Some(path) = line.strip_prefix("--- ") {
            old = Some(path);
            names(path, &mut found.content)?;
        } else if let Some(path) = line.strip_prefix("+++ ") {
            if let (true, Some(old)) = (is_null(path), old) {
                names(old, &mut found.altered)?;
            }
            names(path, &mut found.content)?;
        } else if let Some(path) = line.strip_prefix("Index: ").or_else(|| line.strip_prefix("Prereq: ")) {
            names(path, &mut found.content)?;
        } else if let Some(paths) = line.strip_prefix("diff --git ") {
            // Whatever follows: a mode, an empty file, a binary one or a rename has no other line with both names.
            for path in git_paths(paths)? {
                names(&path, &mut found.altered)?;
            }
        } else if let Some(path) = ["rename from ", "rename to ", "copy from ", "copy to "]
            .into_iter()
            .find_map(|header| line.strip_prefix(header))
        {
            names(path, &mut found.altered)?;
        } else if line.starts_with("*** ") && header(line).is_none() && !is_marker(line) {
            // A context diff.
            return Err(PatchError::UnknownHeader);
        }
    }
    Ok(())
}

/// Without what a patch program takes off an indented or forwarded diff.
fn undecorated(line: &str) -> &str {
    let mut line = line;
    loop {
        let rest = line.trim_start_matches([' ', '\t', 'X']);
        let rest = rest.strip_prefix("- ").unwrap_or(rest);
        if rest.len() == line.len() {
            return line;
        }
        line = rest;
    }
}

fn is_null(path: &str) -> bool {
    let path = path.split('\t').next().unwrap_or(path);
    matches!(trim(path), "/dev/null" | "a/dev/null" | "b/dev/null")
}

/// Adds the names that a header's path may stand for. How many folders a program cuts off its front (`-p1`, or all of them)
/// is not in the text, so every rest counts.
fn names(path: &str, list: &mut Vec<Target>) -> Result<(), PatchError> {
    const DEEPEST: usize = 64;
    if is_null(path) {
        return Ok(());
    }
    // A tab parts the name from a time.
    let path = unquoted(path.split('\t').next().unwrap_or(path))?;
    PatchTargets::push(list, &path)?;
    let mut rest = path.as_str();
    for _ in 0..DEEPEST {
        let Some((_, next)) = rest.split_once('/') else {
            return Ok(());
        };
        rest = next.trim_start_matches('/');
        if !trim(rest).is_empty() {
            PatchTargets::push(list, rest)?;
        }
    }
    Err(PatchError::UnclearPath)
}

/// The two paths of a `diff --git` line.
fn git_paths(paths: &str) -> Result<Vec<String>, PatchError> {
    if paths.len() > 2 * MAX_PATH {
        return Err(PatchError::UnclearPath);
    }
    if paths.contains('"') {
        // `"a/x" "b/x"`, or one of them bare.
        let mut rest = trim(paths);
        let mut found = Vec::new();
        while !rest.is_empty() {
            let end = match rest.starts_with('"') {
                true => closing_quote(rest).ok_or(PatchError::UnclearPath)?,
                false => rest.find(' ').unwrap_or(rest.len()),
            };
            let (path, after) = rest.split_at_checked(end).ok_or(PatchError::UnclearPath)?;
            found.push(path.to_owned());
            rest = trim(after);
        }
        return match found.len() {
            2 => Ok(found),
            _ => Err(PatchError::UnclearPath),
        };
    }
    // Blanks are not quoted, so the line parts where both halves name one file; a rename has lines of its own.
    let halves: Vec<(&str, &str)> = paths.match_indices(' ').filter_map(|(at, _)| paths.split_at_checked(at)).collect();
    let name = |path: &str| path.split_once('/').map_or("", |(_, name)| name).len();
    let same = |(one, other): &&(&str, &str)| {
        // The lengths first: a line of blanks has as many halves as bytes.
        let other = trim(other);
        name(one) > 0
            && name(one) == name(other)
            && one.split_once('/').map(|(_, n)| n) == other.split_once('/').map(|(_, n)| n)
    };
    match (halves.as_slice(), halves.iter().find(same)) {
        (_, Some((one, other))) | ([(one, other)], None) => Ok(vec![(*one).to_owned(), trim(other).to_owned()]),
        _ => Err(PatchError::UnclearPath),
    }
}

/// The byte after the quote that ends the one at the start.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().skip(1).find_map(|(at, c)| match c {
        _ if escaped => {
            escaped = false;
            None
        }
        '\\' => {
            escaped = true;
            None
        }
        '"' => Some(at + 1),
        _ => None,
    })
}

/// A path without git's quotes. What is not a plain escape is refused: octal ones may be no UTF-8.
fn unquoted(path: &str) -> Result<String, PatchError> {
    let cut = trim(path);
    let Some(inner) = cut.strip_prefix('"') else {
        return Ok(path.to_owned());
    };
    if closing_quote(cut) != Some(cut.len()) {
        return Err(PatchError::UnclearPath);
    }
    let inner = inner.strip_suffix('"').ok_or(PatchError::UnclearPath)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(byte @ (b'"' | b'\\')) => byte,
            Some(high @ b'0'..=b'3') => {
                let digit = |byte: Option<u8>| match byte {
                    Some(digit @ b'0'..=b'7') => Ok(digit - b'0'),
                    _ => Err(PatchError::UnclearPath),
                };
                (high - b'0') << 6 | digit(rest.next())? << 3 | digit(rest.next())?
            }
            // `\n`, `\t` and the like: control characters.
            Some(_) => return Err(PatchError::ControlCharacter),
            None => return Err(PatchError::UnclearPath),
        });
    }
    String::from_utf8(bytes).map_err(|_| PatchError::UnclearPath)
}
