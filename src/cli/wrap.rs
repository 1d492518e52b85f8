//! Lines no wider than the screen.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of the terminal, and a width that reads well where there is none. Very narrow ones are taken as 20.
pub(crate) fn screen_width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0)).max(20)
}

/// Breaks a paragraph at spaces; a word that is wider than a line is cut.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let gap = usize::from(!line.is_empty());
            if line.width() + gap + word.width() <= width {
                if gap == 1 {
                    line.push(' ');
                }
                line.push_str(word);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for character in word.chars() {
                if line.width() + character.width().unwrap_or(0) > width {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(character);
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_it_may_be() {
        assert_eq!(wrap("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("日本語 x", 4), ["日本", "語 x"]);
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
        for width in 1..12 {
            assert!(wrap("日 lorem ipsum dolor\u{301} sit", width).iter().all(|line| line.width() <= width.max(2)));
        }
    }
}
