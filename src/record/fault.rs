//! An error on its way out of the reading functions: it knows its byte and collects the names of what it is in.

use super::{RecordError, RecordProblem};

/// A problem at a byte of the text. Boxed, so that the results of the small readers stay small.
#[derive(Debug)]
pub(crate) struct Fault {
    at: usize,
    field: String,
    problem: RecordProblem,
}

/// What a reading function gives.
pub(crate) type Read<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(crate) fn new(at: usize, problem: RecordProblem) -> Box<Self> {
        Box::new(Self { at, field: String::new(), problem })
    }

    /// The same fault, seen from the object or array that `name` is a part of.
    pub(crate) fn within(mut self: Box<Self>, name: &str) -> Box<Self> {
        let joint = if self.field.is_empty() || self.field.starts_with('[') { "" } else { "." };
        self.field = format!("{name}{joint}{}", self.field);
        self
    }

    /// The fault as an error of the file with that text.
    pub(crate) fn locate(self, text: &str) -> RecordError {
        let (line, column) = line_and_column(text, self.at);
        RecordError { line, column, field: self.field.into(), problem: self.problem }
    }
}

/// Line and column of a byte, from 1; the column counts characters.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..text.floor_char_boundary(at)).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// A text of a file, short enough for an error.
pub(crate) fn clip(text: &str) -> Box<str> {
    const LONGEST: usize = 64;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_from_1() {
        assert_eq!(line_and_column("", 0), (1, 1));
        assert_eq!(line_and_column("aé\nöx", 6), (2, 2));
        assert_eq!(line_and_column("a\n", 2), (2, 1));
        assert_eq!(line_and_column("a", 9), (1, 2));
        // In the middle of a character.
        assert_eq!(line_and_column("é", 1), (1, 1));
    }

    #[test]
    fn names_are_joined_as_a_path() {
        let fault = Fault::new(0, RecordProblem::Empty).within("[2]").within("dependencies").within("[0]");
        assert_eq!(fault.within("tasks").field, "tasks[0].dependencies[2]");
    }
}
