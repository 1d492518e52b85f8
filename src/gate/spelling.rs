//! The ways in which a program may read the path of a call.

use std::borrow::Cow;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::Unresolved;

/// The folders that paths are read from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    /// The folder of relative paths.
    pub(super) cwd: &'a Utf8Path,
    /// The home folder, if it is known.
    pub(super) home: Option<&'a Utf8Path>,
}

impl Reader<'_> {
    /// The absolute path as a careful program reads it: `~` is the home folder, and a relative path begins in the call's
    /// own.
    pub(super) fn plain(self, target: &str) -> Result<Utf8PathBuf, Unresolved> {
        if target.contains('\0') {
            return Err(Unresolved::Nul);
        }
        let path = match in_home(target) {
            Some(rest) => self.home.ok_or(Unresolved::NoHome)?.join(rest),
            None => self.cwd.join(target),
        };
        if path.is_absolute() && !target.is_empty() { Ok(path) } else { Err(Unresolved::NoFolder) }
    }

    /// Where `~` stands if it is an ordinary name; `None` if the target does not begin with it.
    pub(super) fn tilde_as_name(self, target: &str) -> Option<Utf8PathBuf> {
        in_home(target).map(|_| self.cwd.join("~"))
    }

    /// Every absolute path that a careless program may read out of it: one that trims, unquotes, decodes, or takes `..`
    /// away before it looks.
    pub(super) fn all(self, target: &str) -> Vec<Utf8PathBuf> {
        let mut texts = vec![Cow::Borrowed(target)];
        for step in [visible, trimmed, unquoted, without_scheme, decoded, slashed] {
            let changed = texts.last().and_then(|text| step(text));
            texts.extend(changed.map(Cow::Owned));
        }
        let mut paths = Vec::new();
        for text in &texts {
            let text = text.split('\0').next().unwrap_or_default();
            paths.extend(self.plain(text));
            if text.starts_with('~') {
                paths.push(self.cwd.join(text));
                paths.extend(self.named_home(text));
            }
            paths.extend(self.home_by_variable(text));
        }
        let lexical: Vec<_> = paths.iter().filter_map(|path| lexical(path)).collect();
        paths.extend(lexical);
        // The system refuses `file/` and `file/.`; a program that tidies the path up first writes the file.
        let tidy: Vec<_> = paths.iter().filter_map(|path| tidied(path)).collect();
        paths.extend(tidy);
        paths
    }

    /// `~name/x`, where the home folder has that name.
    fn named_home(self, text: &str) -> Option<Utf8PathBuf> {
        let home = self.home?;
        let rest = text.strip_prefix('~')?.strip_prefix(home.file_name()?)?;
        rest.starts_with('/').then(|| home.join(rest.trim_start_matches('/')))
    }

    fn home_by_variable(self, text: &str) -> Option<Utf8PathBuf> {
        const NAMES: [&str; 5] = ["$HOME", "${HOME}", "%USERPROFILE%", "$env:USERPROFILE", "$env:HOME"];
        let rest = NAMES.into_iter().find_map(|name| text.strip_prefix(name))?;
        Some(self.home?.join(rest.trim_start_matches(['/', '\\'])))
    }
}

/// What follows `~` and its separators.
fn in_home(target: &str) -> Option<&str> {
    let rest = target.strip_prefix('~')?;
    let separators: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
    (rest.is_empty() || rest.starts_with(separators)).then(|| rest.trim_start_matches(separators))
}

/// The path with each `..` taken away together with the name before it, as programs do that do not ask the file system;
/// `None` if it has none.
pub(super) fn lexical(path: &Utf8Path) -> Option<Utf8PathBuf> {
    if !path.components().any(|part| part == Utf8Component::ParentDir) {
        return None;
    }
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// The path without a separator or a `.` at its end; `None` if it has none.
fn tidied(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let tidy: Utf8PathBuf = path.components().filter(|part| *part != Utf8Component::CurDir).collect();
    (tidy.as_str() != path.as_str()).then_some(tidy)
}

/// A name as file systems that ignore case, invisible characters or a trailing dot see it. Only for comparing with names in
/// ASCII: two foldings beyond it lead there.
pub(super) fn folded(name: &str) -> String {
    let name = name.split(':').next().filter(|_| cfg!(windows)).unwrap_or(name);
    let name: String = name
        .chars()
        .filter(|character| !is_invisible(*character))
        .map(|character| match character {
            '\u{17f}' => 's',
            '\u{212a}' => 'k',
            other => other.to_ascii_lowercase(),
        })
        .collect();
    match name.trim_end_matches([' ', '.']) {
        "" => name,
        trimmed if trimmed.len() == name.len() => name,
        trimmed => trimmed.to_owned(),
    }
}

pub(super) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

fn changed(from: &str, to: String) -> Option<String> {
    (to != from).then_some(to)
}

fn visible(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let visible = text.chars().filter(|character| !is_invisible(*character));
    changed(text, visible.map(|character| if character.is_whitespace() { ' ' } else { character }).collect())
}

fn trimmed(text: &str) -> Option<String> {
    let bare = text.trim_matches(|character: char| character.is_whitespace() || character.is_control());
    (bare.len() != text.len()).then(|| bare.to_owned())
}

fn unquoted(text: &str) -> Option<String> {
    let bare = text.trim_start_matches(['"', '\'', '`', '<', '@']).trim_end_matches(['"', '\'', '`', '>']).trim();
    (bare.len() != text.len()).then(|| bare.to_owned())
}

fn without_scheme(text: &str) -> Option<String> {
    let scheme = text.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:"))?;
    let rest = text.strip_prefix(scheme)?;
    // `file://host/path`; the host is dropped.
    let path =
        rest.strip_prefix("//").map_or(rest, |rest| rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest));
    Some(path.to_owned())
}

fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let hex = others.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = others.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    changed(text, String::from_utf8(bytes).ok()?)
}

fn slashed(text: &str) -> Option<String> {
    (cfg!(not(windows)) && text.contains('\\')).then(|| text.replace('\\', "/"))
}
