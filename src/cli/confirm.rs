//! A person's word: asked for on the controlling terminal, where an agent's tools do not reach.
//!
//! It is a hurdle, not a proof: a program of the same user can open a terminal of its own and answer. So it is refused where an
//! agent's variables are set, and what has to be typed is told on the terminal alone.

use std::io::{BufRead, BufReader, Read, Write};

use super::clean::Clean;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;

/// The longest line that is read from the terminal.
const LIMIT: u64 = 1024;

/// Shows `text` on the terminal and asks for `word`.
pub(crate) fn confirm(act: &str, text: &str, word: &str) -> Result<(), Failure> {
    if let Some(name) = Environment::agent() {
        return Err(not_confirmed(format!(
            "only a person may {act}, and {name} says that an agent started this program. Open a terminal of your own and run it there."
        )));
    }
    let mut terminal = open().ok_or_else(|| {
        not_confirmed(format!("only a person may {act}, and there is no terminal to ask on. Run it in a terminal."))
    })?;
    let asked = || -> std::io::Result<String> {
        let question = format!("{}\nTo {act}, type {word} and Enter; anything else leaves it as it is: ", Clean(text));
        terminal.write_all(question.as_bytes())?;
        terminal.flush()?;
        let mut answer = String::new();
        BufReader::new(terminal).take(LIMIT).read_line(&mut answer)?;
        Ok(answer)
    };
    let answer = { asked }().map_err(|error| not_confirmed(format!("the terminal does not answer ({error})")))?;
    match answer.trim() == word {
        true => Ok(()),
        false => Err(not_confirmed("not confirmed: something else was typed. Nothing has changed.".to_owned())),
    }
}

fn not_confirmed(message: String) -> Failure {
    Failure::new(Exit::NotConfirmed, "not-confirmed", message)
}

#[cfg(unix)]
fn open() -> Option<std::fs::File> {
    std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty").ok()
}

/// On Windows the console's two halves are two files; what is typed comes from the one that is opened here, and the
/// question is written to the standard error stream, which is the console or nothing that anybody could answer.
#[cfg(windows)]
fn open() -> Option<Console> {
    Some(Console { input: std::fs::OpenOptions::new().read(true).write(true).open("CONIN$").ok()? })
}

#[cfg(windows)]
struct Console {
    input: std::fs::File,
}

#[cfg(windows)]
impl Read for Console {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.input.read(buffer)
    }
}

#[cfg(windows)]
impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::stderr().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}
