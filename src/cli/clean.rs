//! Texts of a plan on a terminal: an agent wrote them, and none of them may move the cursor or set a colour.

use std::fmt;

/// A text whose control characters are shown as marks; line breaks and tabs stay.
pub(crate) struct Clean<'a>(pub(crate) &'a str);

impl fmt::Display for Clean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for character in self.0.chars() {
            match character {
                '\n' | '\t' => f.write_char(character)?,
                // Turning the reading direction around can make a text look like another.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_char('\u{fffd}')?,
                character if character.is_control() => f.write_char('\u{fffd}')?,
                character => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_plan_reaches_the_terminal_as_a_command() {
        assert_eq!(Clean("a\u{1b}[2Jb\r\u{9b}c\u{202e}d\ne").to_string(), "a\u{fffd}[2Jb\u{fffd}\u{fffd}c\u{fffd}d\ne");
    }
}
