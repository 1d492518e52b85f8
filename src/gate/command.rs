//! Whether a shell command runs one of our own operations (GATE-14).
//!
//! It is no shell. It looks for the program's name and an operation's in flat readings of the command, one that parts words
//! generously and two that glue them generously, and says yes where both names turn up in whichever. What a command
//! computes (a decoded text, a file that it writes first, a name that was copied in an earlier call) it cannot see;
//! `docs/gate.md` says so.

use std::str::Chars;

/// The program, in lower case.
const PROGRAM: &str = "plangate";

/// What it does for a person, for the `plan` tool, for a hook, or to the gate itself.
const OPERATIONS: [&str; 8] = ["approve", "discard", "restore", "enter", "tool", "mcp", "hook", "setup"];

/// What only shows something, so that words behind it say nothing.
const HARMLESS: [&str; 13] = [
    "status",
    "show",
    "check",
    "list",
    "watch",
    "archive",
    "doctor",
    "replay",
    "schema",
    "completions",
    "man",
    "help",
    "gate",
];

/// What takes arguments from its input.
const FEEDERS: [&str; 2] = ["xargs", "parallel"];

/// What is said of an operation that the text does not show.
const UNSEEN: &str = "an operation that cannot be seen";

/// Stands for something that the shell would put in.
const EXPANSION: char = '\u{1}';

/// The operation of ours that the command runs, as far as can be seen.
pub(super) fn own_operation(command: &str) -> Option<&'static str> {
    let Some(values) = values(command) else {
        return Some(UNSEEN);
    };
    let readings = [parted(command), glued(command, &values), glued(&without_substitutions(command), &values)];
    let may_have = |reading: &str| reading.contains(PROGRAM) || reading.contains(['*', '?', '[']);
    let has_program = readings.iter().any(|reading| may_have(reading) && words(reading).any(is_program));
    if !has_program {
        return None;
    }
    // The two may be one word that the shell parts by another separator.
    let is_named = |word: &str, operation: &str| word.rsplit(['_', ':']).next() == Some(operation);
    let named = |operation: &&str| readings.iter().any(|reading| words(reading).any(|word| is_named(word, operation)));
    if let Some(operation) = OPERATIONS.into_iter().find(named) {
        return Some(operation);
    }
    let is_fed = readings.iter().any(|reading| words(reading).any(|word| FEEDERS.contains(&base_name(word))));
    let is_open = is_fed || readings.iter().any(|reading| reading.split('\n').any(has_open_operation));
    is_open.then_some(UNSEEN)
}

/// Whether the word behind the program's name, options aside, is one that the shell would put in.
fn has_open_operation(simple_command: &str) -> bool {
    let mut words = words(simple_command).skip_while(|word| !is_program(word)).skip(1);
    let operation = words.find(|word| !word.starts_with('-') || is_open(word));
    operation.is_some_and(|word| !HARMLESS.contains(&word) && is_open(word))
}

fn is_open(word: &str) -> bool {
    word.contains([EXPANSION, '*', '?', '['])
}

fn words(reading: &str) -> impl Iterator<Item = &str> {
    // The brackets of a list are no part of its words.
    reading
        .split([' ', '\n'])
        .map(|word| word.trim_start_matches('[').trim_end_matches(']'))
        .filter(|word| !word.is_empty())
}

fn base_name(word: &str) -> &str {
    // An alias of git begins with `!`, a silent line of make with `@`.
    word.rsplit('/').next().unwrap_or(word).trim_matches([EXPANSION, '!', '@'])
}

fn is_program(word: &str) -> bool {
    // `plangate.exe`, `plangate-1.2`, `!plangate`, `-Splangate`; not `plangate.toml` nor `plangate/src`.
    let by_name = word.match_indices(PROGRAM).any(|(at, _)| {
        let rest = word.get(at + PROGRAM.len()..).unwrap_or_default();
        !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || matches!(next, '.' | '/'))
            || [".exe", ".cmd", ".bat", ".ps1"].iter().any(|ending| rest.starts_with(ending))
    });
    let name = base_name(word);
    by_name || (name.contains(['*', '?', '[']) && says_enough(name) && matches(name, PROGRAM))
}

/// Whether a pattern is about few enough names: `*` alone is everything.
fn says_enough(pattern: &str) -> bool {
    pattern.starts_with('p') || pattern.chars().filter(char::is_ascii_alphabetic).count() >= 3
}

/// Whether a pattern of `*`, `?` and `[...]` matches a name. A set is taken for any character.
fn matches(pattern: &str, name: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => name.is_empty(),
        Some('*') => name
            .char_indices()
            .map(|(at, _)| at)
            .chain([name.len()])
            .any(|at| name.get(at..).is_some_and(|name| matches(rest.as_str().trim_start_matches('*'), name))),
        Some(first) => {
            if first == '[' {
                rest = rest.as_str().split_once(']').map_or("", |(_, after)| after).chars();
            }
            let mut left = name.chars();
            left.next().is_some_and(|other| matches!(first, '?' | '[') || first == other)
                && matches(rest.as_str(), left.as_str())
        }
    }
}

/// The command with words parted wherever a shell or an interpreter might: one line a simple command.
fn parted(command: &str) -> String {
    let mut out = String::with_capacity(command.len() + 8);
    let mut rest = command.chars();
    while let Some(character) = rest.next() {
        match character {
            '\'' | '"' => {}
            '\\' => match continued(rest.as_str()) {
                Some(after) => rest = after.chars(),
                // A separator of Windows, or an escape that the glued reading takes away.
                None => out.push('/'),
            },
            '$' => {
                out.push(EXPANSION);
                // The name is no part of the word; the text of `${name:-text}` stays.
                let after = rest.as_str().trim_start_matches('{');
                rest = after.trim_start_matches(is_of_a_name).chars();
            }
            '`' => out.extend([EXPANSION, '\n']),
            '{' => out.push(EXPANSION),
            '\n' | '\r' | ';' | '|' | '&' | '(' | ')' => out.push('\n'),
            '}' | ',' | '<' | '>' | '=' => out.push(' '),
            other => push(&mut out, other),
        }
    }
    out
}

/// The command with everything taken away that a shell or an interpreter would take away, and what variables are known to
/// hold put in.
fn glued(command: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(command.len() + 8);
    let mut rest = command.chars();
    while let Some(character) = rest.next() {
        match character {
            '\'' | '"' => {
                // Two texts that an interpreter puts together.
                let text = rest.as_str();
                let after = text.trim_start_matches([' ', '+', '.']);
                let between = text.get(..text.len() - after.len()).unwrap_or_default();
                if between.contains(['+', '.']) && after.starts_with(['\'', '"']) {
                    rest = after.chars();
                }
            }
            '\\' => match continued(rest.as_str()) {
                Some(after) => rest = after.chars(),
                None => {
                    if let Some((decoded, after)) = escape(rest.as_str()) {
                        rest = after.chars();
                        push(&mut out, decoded);
                    } else if let Some(next) = rest.next() {
                        push(&mut out, next);
                    }
                }
            },
            '$' => {
                let name = variable(&mut rest);
                if name.is_empty() && rest.as_str().starts_with('(') {
                    rest.next();
                }
                let value = values.iter().rev().find(|(known, _)| *known == name);
                out.push_str(value.map_or("", |(_, value)| value));
            }
            // The end of a substitution; its beginning went with its `$`.
            ')' | '`' | '^' | '{' | '}' | '[' | ']' => {}
            '\n' | '\r' | ';' | '|' | '&' => out.push('\n'),
            ',' | '<' | '>' | '=' | '(' => out.push(' '),
            other => push(&mut out, other),
        }
    }
    out
}

/// The command as if every command substitution in it gave nothing; empty if it has none, for then there is nothing to see.
fn without_substitutions(command: &str) -> String {
    let mut out = String::new();
    if !command.contains(['`']) && !command.contains("$(") {
        return out;
    }
    let mut depth = 0_usize;
    let mut in_backticks = false;
    let mut rest = command.chars();
    while let Some(character) = rest.next() {
        match character {
            '`' => in_backticks = !in_backticks,
            '$' if rest.as_str().starts_with('(') => {
                rest.next();
                depth += 1;
            }
            '(' if depth > 0 => depth += 1,
            ')' if depth > 0 => depth -= 1,
            other if depth == 0 && !in_backticks => out.push(other),
            _ => {}
        }
    }
    out
}

fn push(out: &mut String, character: char) {
    if character.is_ascii_graphic() {
        // Nearly all of them.
        out.push(character.to_ascii_lowercase());
    } else if character.is_whitespace() {
        out.push(' ');
    } else if !character.is_control() && !super::spelling::is_invisible(character) {
        out.push(character.to_ascii_lowercase());
    }
}

/// What follows a line that is continued on the next.
fn continued(rest: &str) -> Option<&str> {
    rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))
}

/// A character by its number, after the backslash.
fn escape(rest: &str) -> Option<(char, &str)> {
    let mut after = rest.chars();
    let (digits, radix) = match after.next()? {
        'x' => (after.as_str().get(..2)?, 16),
        'u' => (after.as_str().get(..4)?, 16),
        'U' => (after.as_str().get(..8)?, 16),
        '0' if after.as_str().starts_with(|next: char| next.is_digit(8)) => (after.as_str().get(..3)?, 8),
        first if first.is_digit(8) => (rest.get(..3)?, 8),
        _ => return None,
    };
    let character = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32)?;
    let start = rest.find(digits)?;
    Some((character, rest.get(start + digits.len()..)?))
}

fn is_of_a_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Takes the name of a variable after its `$`; of `${name:-text}` the text stays.
fn variable<'a>(rest: &mut Chars<'a>) -> &'a str {
    let text = rest.as_str();
    let text = text.strip_prefix('{').unwrap_or(text).trim_start_matches(['!', '#']);
    let end = text.find(|character| !is_of_a_name(character)).unwrap_or(text.len());
    let (name, after) = text.split_at_checked(end).unwrap_or((text, ""));
    *rest = if name.is_empty() {
        after.strip_prefix(['@', '*', '?', '$', '-']).unwrap_or(after)
    } else {
        after.trim_start_matches([':', '-', '+'])
    }
    .chars();
    name
}

/// What the command itself gives variables; `None` if that is more than can be followed.
fn values(command: &str) -> Option<Vec<(&str, String)>> {
    /// A value that doubles with each assignment is longer than this soon.
    const LONGEST: usize = 1024;
    /// Values times the places where one is put in: what following them costs.
    const MOST_STEPS: usize = 1_000_000;
    let mut values: Vec<(&str, String)> = Vec::new();
    let places = command.matches('$').count();
    if places == 0 {
        return Some(values);
    }
    for (at, _) in command.match_indices('=') {
        let (Some(before), Some(after)) = (command.get(..at), command.get(at + 1..)) else { continue };
        let name = before.rsplit(|character| !is_of_a_name(character)).next();
        let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
        let after = after.trim_start_matches(' ');
        let value = match after.chars().next() {
            Some(quote @ ('\'' | '"')) => after.get(1..).unwrap_or_default().split(quote).next().unwrap_or_default(),
            _ => after.split([' ', '\t', '\n', ';', '&', '|']).next().unwrap_or_default(),
        };
        // A long text without a variable in it is not copied: no place could show it as a name.
        let value = if value.contains('$') || value.len() <= LONGEST { glued(value, &values) } else { String::new() };
        values.push((name, value));
        let is_long = values.last().is_some_and(|(_, value)| value.len() > LONGEST);
        if is_long || values.len().saturating_mul(places) > MOST_STEPS {
            return None;
        }
    }
    Some(values)
}
