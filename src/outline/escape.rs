//! Text made safe to stand in Markdown: what is written reads back as the same text and as nothing else.

/// The non-blank lines of `text`, trimmed, for any kind of line end; other control characters are spaces.
pub(super) fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(['\n', '\r']).map(|line| without_controls(line).trim().to_owned()).filter(|line| !line.is_empty())
}

/// `text` on one line, control characters as spaces.
pub(super) fn one_line(text: &str) -> String {
    without_controls(text).trim().to_owned()
}

fn without_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Escapes one line of text that stands after something else on its line (after `# `, after a label).
pub(super) fn inline(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied();
        let special = match c {
            '\\' | '`' | '*' | '[' | '<' => true,
            // Inside a word it is literal, and names_like_this are common in plans.
            '_' => !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)),
            '&' => after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '#'),
            // A run of them after a space closes a heading.
            '#' => before.is_none_or(char::is_whitespace),
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(c);
        before = Some(c);
    }
    escaped
}

/// Escapes one line of text that stands at the start of its line, where more marks have a meaning.
pub(super) fn line(text: &str) -> String {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(digits).unwrap_or(("", text));
    let opens_block =
        if number.is_empty() { rest.starts_with(['>', '-', '+', '=', '~']) } else { rest.starts_with(['.', ')']) };
    let mark = if opens_block { "\\" } else { "" };
    format!("{number}{mark}{}", inline(rest))
}

/// Escapes a step's title so that no separator inside it is taken for the one before the description.
pub(super) fn step_title(title: &str, described: bool) -> String {
    let title = line(title).replace('—', "&mdash;");
    if described {
        // The dash that follows outranks the other separators.
        return title;
    }
    let title = title.replace('–', "&ndash;");
    let mut escaped = String::with_capacity(title.len());
    let mut before = ' ';
    let mut chars = title.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_word = chars.peek().is_none_or(|after| *after == ' ');
        if ends_word && (c == ':' || c == '-' && before == ' ') {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in
            ["Rename foo_bar to C# (v1.2) - 50% & more!", "see https://example.org/a?b=c#d", "a > b = c ~ d + e | f"]
        {
            assert_eq!(inline(text), text);
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn marks_are_escaped_where_they_mean_something() {
        assert_eq!(inline("*a* `b` <!-- [c] &amp; \\"), "\\*a\\* \\`b\\` \\<!-- \\[c] \\&amp; \\\\");
        assert_eq!(inline("_a_ b ##"), "\\_a\\_ b \\##");
        assert_eq!(line("- a"), "\\- a");
        assert_eq!(line("10) a"), "10\\) a");
        assert_eq!(line("==="), "\\===");
        assert_eq!(line("# a"), "\\# a");
    }

    #[test]
    fn separators_in_a_title_are_escaped_as_far_as_needed() {
        assert_eq!(step_title("a: b — c", true), "a: b &mdash; c");
        assert_eq!(step_title("a: b - c – d e-f g:", false), "a\\: b \\- c &ndash; d e-f g\\:");
    }

    #[test]
    fn lines_end_at_any_line_end() {
        let found: Vec<_> = lines(" a\r\n\r b\0c \n\n").collect();
        assert_eq!(found, ["a", "b c"]);
        assert_eq!(one_line(" a\nb\t"), "a b");
    }
}
