//! Answers: text for people, one JSON value for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::failure::Failure;

/// Writes one JSON value and a line break.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    write(serde_json::to_vec_pretty(value))
}

/// Writes one JSON value on one line.
pub(crate) fn line(value: &impl Serialize) -> Result<(), Failure> {
    write(serde_json::to_vec(value))
}

/// All at once: the standard output would otherwise be written line by line.
fn write(value: serde_json::Result<Vec<u8>>) -> Result<(), Failure> {
    let mut bytes = value.map_err(io::Error::from)?;
    bytes.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&bytes)?;
    Ok(out.flush()?)
}

/// Writes text; colours only reach a terminal.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
