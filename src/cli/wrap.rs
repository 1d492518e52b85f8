//! Lines no wider than the screen.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of the terminal, and a width that reads well where there is none. Very narrow ones are taken as 20.
pub(crate) fn screen_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).max(20)
}

/// Breaks a paragraph at spaces; a word that is wider than a line is cut.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    broken(text, width.max(1), true)
}

/// Breaks a paragraph at spaces; a word that is wider than a line stays whole, so that a path can be copied.
pub(crate) fn fill(text: &str, width: usize) -> Vec<String> {
    broken(text, width.max(1), false)
}

fn broken(text: &str, width: usize, cut: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let gap = usize::from(!line.is_empty());
            if line.width() + gap + word.width() <= width {
                line.push_str(if gap == 1 { " " } else { "" });
                line.push_str(word);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            if !cut {
                line.push_str(word);
                continue;
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

/// How many rows of a screen a line takes.
pub(crate) fn rows(line: &str, width: usize) -> usize {
    let (mut rows, mut column) = (1, 0);
    for character in line.chars() {
        let cells = character.width().unwrap_or(0);
        if column + cells > width {
            rows += 1;
            column = 0;
        }
        column += cells;
    }
    rows
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

    #[test]
    fn a_path_stays_whole_where_it_is_to_be_copied() {
        assert_eq!(fill("see /a/long/path now", 8), ["see", "/a/long/path", "now"]);
    }

    #[test]
    fn a_line_takes_the_rows_that_a_terminal_gives_it() {
        assert_eq!((rows("", 4), rows("abcd", 4), rows("abcde", 4)), (1, 1, 2));
        // A wide character that does not fit at the end of a row begins the next.
        assert_eq!(rows("abc日def", 4), 3);
    }
}
