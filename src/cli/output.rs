//! Answers: text for people, one JSON value for programs.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde::Serialize;

use super::clean::is_command;
use super::failure::Failure;

/// Writes one JSON value and a line break.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    write(serde_json::to_string_pretty(value))
}

/// Writes one JSON value on one line.
pub(crate) fn line(value: &impl Serialize) -> Result<(), Failure> {
    write(serde_json::to_string(value))
}

/// All at once: the standard output would otherwise be written line by line.
fn write(value: serde_json::Result<String>) -> Result<(), Failure> {
    let mut text = escaped(value.map_err(io::Error::from)?);
    text.push('\n');
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// JSON need not escape all that a terminal obeys. Outside of its strings there is nothing of the kind.
fn escaped(json: String) -> String {
    let is_obeyed = |character: char| !matches!(character, '\n' | '\t') && is_command(character);
    if !json.contains(is_obeyed) {
        return json;
    }
    json.chars().fold(String::with_capacity(json.len()), |mut out, character| {
        if is_obeyed(character) {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
        out
    })
}

/// Writes text; colours only reach a terminal.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_nothing_that_a_terminal_obeys_and_means_the_same() {
        let value = "a\u{7f}\u{9b}31m\u{202e}\u{1b}é";
        let json = escaped(serde_json::to_string_pretty(&[value]).unwrap());
        assert!(!json.contains(|c| c != '\n' && is_command(c)), "{json}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).unwrap()[0], value);
    }
}
