//! What an import leaves out, in a few words each: bounded, however much it is.

/// How many things are listed; of the others, the number.
const LISTED: usize = 20;
/// The longest text of the file that an entry repeats, in characters.
const EXCERPT: usize = 60;

#[derive(Debug, Default)]
pub(super) struct LeftOut {
    listed: Vec<String>,
    more: usize,
}

impl LeftOut {
    pub(super) fn add(&mut self, what: impl FnOnce() -> String) {
        if self.listed.len() < LISTED {
            self.listed.push(what());
        } else {
            self.more += 1;
        }
    }

    /// The entries in the order of the file.
    pub(super) fn into_list(mut self) -> Vec<String> {
        if self.more > 0 {
            self.listed.push(format!("{} more", self.more));
        }
        self.listed
    }
}

/// The first characters of a text in quotes, on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut characters = text.trim().chars();
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let short: String = characters.by_ref().take(EXCERPT).map(plain).collect();
    let more = if characters.next().is_some() { "…" } else { "" };
    format!("\"{short}{more}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: INIT-4
    #[test]
    fn a_list_is_bounded_and_says_how_many_more_there_are() {
        let mut left_out = LeftOut::default();
        for number in 0..25 {
            left_out.add(|| quoted(&format!("{number}\n{}", "x".repeat(100))));
        }
        let list = left_out.into_list();
        assert_eq!((list.len(), list[20].as_str()), (21, "5 more"));
        assert_eq!(list[0].chars().count(), 63);
        assert!(list[0].starts_with("\"0 xx") && list[0].ends_with("x…\""), "{}", list[0]);
        assert_eq!(quoted(" short "), "\"short\"");
    }
}
