//! What a program is given on its command line or on its standard input.

use std::io::Read;

use super::exit::Exit;
use super::failure::Failure;

/// The longest input, in bytes.
const LIMIT: u64 = 16 * 1024 * 1024;

/// The argument itself; for `-`, the standard input.
pub(crate) fn read(argument: &str) -> Result<Vec<u8>, Failure> {
    if argument != "-" {
        return Ok(argument.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(Exit::Failed, "input", format!("the standard input cannot be read: {error}")))?;
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= LIMIT => Ok(bytes),
        _ => Err(Failure::new(
            Exit::Usage,
            "input",
            format!("the standard input is larger than {LIMIT} bytes: send less"),
        )),
    }
}
