//! Texts of a plan, short enough for an answer: an older file may hold any length.

/// The first characters of a text, on one line.
pub(super) fn excerpt(text: &str, limit: usize) -> String {
    let mut characters = text.chars();
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let mut short: String = characters.by_ref().take(limit).map(plain).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// A text without its middle, where it is too long: its end says what to do next.
///
/// `limits` are the characters of its beginning and of its end that stay.
pub(super) fn without_middle(text: String, limits: (usize, usize)) -> String {
    let count = text.chars().count();
    if count <= limits.0 + limits.1 {
        return text;
    }
    let start: String = text.chars().take(limits.0).collect();
    let end: String = text.chars().skip(count - limits.1).collect();
    format!("{start} … {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_loses_its_end_or_its_middle() {
        assert_eq!(excerpt("a\nbc", 4), "a bc");
        assert_eq!(excerpt("äöü", 2), "äö…");
        assert_eq!(without_middle("äöü".to_owned(), (1, 2)), "äöü");
        assert_eq!(without_middle(format!("{}. Call start.", "ä".repeat(9000)), (3, 13)), "äää … . Call start.");
    }
}
