//! The body as the parser gets it, and the line numbers of its offsets.

/// How far a line may be nested before it counts as blank, in half levels: a quote mark or a list mark
/// weighs 2, and so do two columns of indentation, which is the least a nested list item takes.
///
/// The parser walks all open containers for every line. Without a bound, one line of a hundred thousand
/// quote marks would make each later line as dear. No plan nests that deep, so the bound costs nothing.
const MAX_NESTING: usize = 256;

/// The body with `\n` line ends, without a byte order mark and without lines that are nested too deep.
/// Lines keep their numbers.
pub(crate) fn normalise(body: &str) -> String {
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    let body = body.replace("\r\n", "\n").replace('\r', "\n");
    let mut text = String::with_capacity(body.len());
    for line in body.split_inclusive('\n') {
        if nested_too_deep(line) {
            text.push('\n');
        } else {
            text.push_str(line);
        }
    }
    text
}

fn nested_too_deep(line: &str) -> bool {
    let mut weight = 0;
    let mut bytes = line.bytes().peekable();
    while let Some(byte) = bytes.next() {
        weight += match byte {
            b' ' => 1,
            b'\t' => 4,
            b'>' => 2,
            b'-' | b'+' | b'*' | b'.' | b')' if matches!(bytes.peek(), Some(b' ' | b'\t')) => 2,
            b'-' | b'+' | b'*' | b'.' | b')' | b'0'..=b'9' => 0,
            _ => return false,
        };
        if weight > MAX_NESTING {
            return true;
        }
    }
    false
}

/// Turns offsets into line numbers.
#[derive(Debug)]
pub(crate) struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at).collect();
        Lines { ends }
    }

    /// The line of the byte at `offset`, from 1.
    pub(crate) fn number(&self, offset: usize) -> usize {
        self.ends.partition_point(|end| *end < offset) + 1
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    // spec: MIRROR-6
    #[test]
    fn line_ends_and_byte_order_mark_are_made_alike() {
        assert_eq!(normalise("\u{feff}a\r\nb\rc\n\r\n"), "a\nb\nc\n\n");
    }

    #[test]
    fn a_line_nested_beyond_all_use_is_blank() {
        for mark in [">", "> ", "- ", "1. ", "* > ", "  ", "\t"] {
            let deep = format!("a\n{}b\nc", mark.repeat(200));
            assert_eq!(normalise(&deep), "a\n\nc", "{mark:?}");
            let usual = format!("a\n{}b\nc", mark.repeat(20));
            assert_eq!(normalise(&usual), usual, "{mark:?}");
        }
        let rule = "-".repeat(1000);
        assert_eq!(normalise(&rule), rule);
        let words = "a > ".repeat(1000);
        assert_eq!(normalise(&words), words);
    }

    #[test]
    fn offsets_map_to_lines_from_one() {
        let lines = Lines::of("a\nb\n");
        let numbers = [0, 1, 2, 3, 4].map(|offset| lines.number(offset));
        assert_eq!(numbers, [1, 1, 2, 2, 3]);
    }
}
