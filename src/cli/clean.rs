//! Texts of a plan on a terminal: an agent wrote them, and none of them may move the cursor or set a colour.

use std::fmt::{self, Write as _};

/// A text whose control characters are shown as marks; line breaks and tabs stay.
pub(crate) struct Clean<'a>(pub(crate) &'a str);

/// The same for what has to stay on one line, so that a title cannot add a line of its own to an answer.
pub(crate) struct CleanLine<'a>(pub(crate) &'a str);

impl fmt::Display for Clean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '\n' | '\t' => f.write_char(character),
            character => f.write_char(harmless(character)),
        })
    }
}

impl fmt::Display for CleanLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| f.write_char(harmless(character)))
    }
}

fn harmless(character: char) -> char {
    if is_command(character) { '\u{fffd}' } else { character }
}

/// Whether a terminal obeys it. Turning the reading direction around can make a text look like another.
pub(crate) fn is_command(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_plan_reaches_the_terminal_as_a_command() {
        let text = "a\u{1b}[2Jb\r\u{9b}c\u{202e}d\ne";
        assert_eq!(Clean(text).to_string(), "a\u{fffd}[2Jb\u{fffd}\u{fffd}c\u{fffd}d\ne");
        assert_eq!(CleanLine(text).to_string(), "a\u{fffd}[2Jb\u{fffd}\u{fffd}c\u{fffd}d\u{fffd}e");
    }
}
