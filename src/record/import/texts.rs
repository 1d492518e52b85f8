//! Titles of texts that were not written as titles.

use crate::model::Title;

/// A title, and whether it says all that the text said.
pub(super) struct Short {
    pub(super) title: Title,
    pub(super) is_whole: bool,
}

/// A text as a title: on one line, and cut on a word where it is too long. `None` if it is blank.
pub(super) fn short(text: &str) -> Option<Short> {
    let line = text.replace(char::is_control, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = cut(&line, Title::MAX_LENGTH);
    Some(Short { title: Title::new(&cut).ok()?, is_whole: cut == line })
}

/// The first characters of a text, up to the end of a word where one ends in the second half.
pub(super) fn cut(text: &str, limit: usize) -> String {
    if text.char_indices().nth(limit).is_none() {
        return text.to_owned();
    }
    // One character is for the dots.
    let end = text.char_indices().nth(limit.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let (kept, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let word = kept.rfind(char::is_whitespace).filter(|at| *at > end / 2 && !rest.starts_with(char::is_whitespace));
    let kept = word.and_then(|at| kept.get(..at)).unwrap_or(kept);
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    // spec: INIT-4
    #[test]
    fn a_long_text_is_cut_on_a_word() {
        assert_eq!(cut("one two", 7), "one two");
        assert_eq!(cut("one two three", 11), "one two…");
        assert_eq!(cut("one two three", 8), "one two…");
        assert_eq!(cut("wordwithoutend", 5), "word…");
        assert_eq!(cut("ää öööö", 6), "ää öö…");
        let long = short(&"wörd ".repeat(60)).unwrap();
        assert!(!long.is_whole);
        assert_eq!(long.title.as_str().chars().count(), 200);
        assert_eq!(short(&"wört, ".repeat(60)).unwrap().title.as_str().chars().count(), 198);
        assert!(short(&"x".repeat(200)).unwrap().is_whole);
    }

    #[test]
    fn a_title_is_one_line_or_none() {
        let title = |text| short(text).map(|short| short.title.to_string());
        assert_eq!(title(" a\n\tb\u{2028}c\u{1b}d "), Some("a b c d".into()));
        assert_eq!(title(" \n\u{7}"), None);
    }
}
