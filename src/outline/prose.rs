//! Plain text as it is collected from Markdown, with the knowledge of what was written literally.

/// Plain text under construction.
///
/// Beside the text stands its *shape*: the same number of bytes, with everything that was written as
/// code, escape, entity or HTML blacked out. A mark that structures the text (the dash between a title
/// and its description) is looked for in the shape, so that an escaped one stays text.
#[derive(Debug, Default)]
pub(super) struct Prose {
    text: String,
    shape: String,
}

/// A step's text, cut into its two halves.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) title: String,
    pub(super) description: String,
}

/// What may stand between a step's title and its description. The template's own mark comes first: in
/// `Parser: rules — write them` the dash decides.
const SEPARATORS: [&str; 4] = [" — ", " – ", " - ", ": "];

impl Prose {
    /// Adds text that was written literally.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.shape.push_str(text);
    }

    /// Adds text that can hold no structuring mark.
    pub(super) fn push_opaque(&mut self, text: &str) {
        self.text.push_str(text);
        self.shape.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { 'x' }));
    }

    /// Ends the line, if anything stands on it.
    pub(super) fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n");
        }
    }

    /// The text, without white space around it.
    pub(super) fn text(&self) -> &str {
        self.text.trim()
    }

    /// The first line up to the first separator, and the rest.
    pub(super) fn split(&self) -> Split {
        let end = self.shape.find('\n').unwrap_or(self.shape.len());
        // The spaces around let a separator stand at either end of the line, where none is written.
        let padded = format!(" {} ", self.shape.get(..end).unwrap_or_default());
        let found = SEPARATORS.iter().find_map(|separator| Some((padded.find(separator)?, separator.len())));
        let (title_end, rest_start) = match found {
            Some((at, len)) => (at.saturating_sub(1), (at + len - 1).min(end)),
            None => (end, end),
        };
        let cut = |text: Option<&str>| text.unwrap_or_default().trim().to_owned();
        Split { title: cut(self.text.get(..title_end)), description: cut(self.text.get(rest_start..)) }
    }
}

/// `text` on one line, each run of white space as one space.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What follows `name` and a colon at the start of `text`, if it starts so in any case.
///
/// In `**Problem:**text`, without a space, CommonMark sees no emphasis and leaves the marks in the text.
/// Whoever wrote that meant the label, so the marks are passed over.
pub(super) fn after_label<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let text = text.trim_start();
    let unmarked = text.trim_start_matches(['*', '_']);
    let (marks, _) = text.split_at_checked(text.len() - unmarked.len())?;
    let (start, rest) = unmarked.split_at_checked(name.len())?;
    if !start.eq_ignore_ascii_case(name) {
        return None;
    }
    let rest = rest.strip_prefix(marks).unwrap_or(rest);
    let rest = rest.trim_start().strip_prefix(':')?;
    Some(rest.strip_prefix(marks).unwrap_or(rest).trim())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn split(text: &str) -> (String, String) {
        let mut prose = Prose::default();
        prose.push(text);
        let Split { title, description } = prose.split();
        (title, description)
    }

    fn pair(title: &str, description: &str) -> (String, String) {
        (title.to_owned(), description.to_owned())
    }

    // spec: MIRROR-6
    #[test]
    fn a_title_ends_at_the_first_separator_of_the_first_line() {
        assert_eq!(split("Title — do it"), pair("Title", "do it"));
        assert_eq!(split("Title – do it"), pair("Title", "do it"));
        assert_eq!(split("Title - do it - now"), pair("Title", "do it - now"));
        assert_eq!(split("Title: do it"), pair("Title", "do it"));
        assert_eq!(split("A: b - c — do it"), pair("A: b - c", "do it"));
        assert_eq!(split("Title\nmore — text"), pair("Title", "more — text"));
        assert_eq!(split("Title —\nmore"), pair("Title", "more"));
        assert_eq!(split("Title:\nmore"), pair("Title", "more"));
        assert_eq!(split("— do it"), pair("", "do it"));
        assert_eq!(split("re-read a::b at 12:30"), pair("re-read a::b at 12:30", ""));
        assert_eq!(split(""), pair("", ""));
    }

    #[test]
    fn an_opaque_separator_is_text() {
        let mut prose = Prose::default();
        prose.push_opaque("a — ü: b");
        prose.push(" - c");
        let split = prose.split();
        assert_eq!((split.title.as_str(), split.description.as_str()), ("a — ü: b", "c"));
    }

    // spec: MIRROR-6
    #[test]
    fn a_label_takes_any_case_and_needs_its_colon() {
        assert_eq!(after_label(" problem : x ", "Problem"), Some("x"));
        assert_eq!(after_label("PROBLEM:", "Problem"), Some(""));
        assert_eq!(after_label("**Problem:**x", "Problem"), Some("x"));
        assert_eq!(after_label("__Problem__:x", "Problem"), Some("x"));
        assert_eq!(after_label("**Problem:**", "Problem"), Some(""));
        assert_eq!(after_label("Problem: **x**", "Problem"), Some("**x**"));
        assert_eq!(after_label("Problem x", "Problem"), None);
        assert_eq!(after_label("Problematic: x", "Problem"), None);
        assert_eq!(after_label("Prübl: x", "Problem"), None);
    }
}
