use std::fmt;

/// Why a text is refused, with the field that it was meant for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}")]
#[non_exhaustive]
pub struct InvalidText {
    /// The field's name as a caller writes it, such as `title`.
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: TextProblem,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextProblem {
    /// Nothing but white space.
    #[error("is required: it must not be blank")]
    Blank,
    /// Longer than the field's limit.
    #[error("has {found} characters: at most {limit} are allowed")]
    TooLong {
        /// Characters given.
        found: usize,
        /// Characters allowed.
        limit: usize,
    },
    /// A line break or another control character, where a single line is wanted.
    #[error("must be one line without control characters: {0:?} is not allowed")]
    Control(char),
}

fn check(field: &'static str, text: &str, limit: usize, one_line: bool, blank: bool) -> Result<(), InvalidText> {
    let refuse = |problem| Err(InvalidText { field, problem });
    if !blank && text.trim().is_empty() {
        return refuse(TextProblem::Blank);
    }
    let found = text.chars().count();
    if found > limit {
        return refuse(TextProblem::TooLong { found, limit });
    }
    // U+2028 and U+2029 end a line for many readers, and a forged line would forge the outline.
    let breaks_line = |c: &char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    match text.chars().find(breaks_line) {
        Some(character) if one_line => refuse(TextProblem::Control(character)),
        _ => Ok(()),
    }
}

macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $field:literal, $limit:literal, one_line: $one_line:literal, blank: $blank:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The longest text, in characters.
            pub const MAX_LENGTH: usize = $limit;

            /// Checks `text` and takes it unchanged.
            ///
            /// # Errors
            /// [`InvalidText`] names the field and what is wrong with it.
            pub fn new(text: impl AsRef<str>) -> Result<Self, InvalidText> {
                Self::for_field($field, text.as_ref())
            }

            /// As [`new`](Self::new), with another name for the field in the error.
            ///
            /// # Errors
            /// [`InvalidText`] names `field` and what is wrong with it.
            pub fn for_field(field: &'static str, text: &str) -> Result<Self, InvalidText> {
                check(field, text, $limit, $one_line, $blank)?;
                Ok(Self(text.into()))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text! {
    /// The title of a plan or a task: 1 to 200 characters on one line. A line break in it would forge the outline.
    ///
    /// ```
    /// use plangate::model::Title;
    ///
    /// assert_eq!(Title::new("Swap the cache")?.as_str(), "Swap the cache");
    /// assert!(Title::new("Swap\n## Context").is_err());
    /// # Ok::<(), plangate::model::InvalidText>(())
    /// ```
    Title, "title", 200, one_line: true, blank: false
}
text! {
    /// The description of a task: 1 to 5,000 characters, not blank (TASK-3).
    Description, "description", 5000, one_line: false, blank: false
}
text! {
    /// A longer free text of a caller, such as a plan's description or a task's output: up to 5,000 characters.
    LongText, "text", 5000, one_line: false, blank: true
}
text! {
    /// One acceptance criterion: up to 5,000 characters. A blank one is kept and counts as none.
    Criterion, "acceptance_criteria", 5000, one_line: false, blank: true
}

/// The body of a session `.md`: any UTF-8 text of at most 1 MiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body(Box<str>);

impl Body {
    /// The longest body, in bytes.
    pub const MAX_BYTES: usize = 1024 * 1024;

    /// Checks the length of `text` and takes it unchanged.
    ///
    /// # Errors
    /// [`BodyTooLong`] if it is over [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn new(text: impl Into<Box<str>>) -> Result<Self, BodyTooLong> {
        let text = text.into();
        if text.len() > Self::MAX_BYTES {
            return Err(BodyTooLong { bytes: text.len() });
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A body over the limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the body of the .md has {bytes} bytes: at most {} (1 MiB) are allowed; shorten it", Body::MAX_BYTES)]
#[non_exhaustive]
pub struct BodyTooLong {
    /// Bytes given.
    pub bytes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: TASK-3
    #[test]
    fn a_title_is_one_line_of_1_to_200_characters() {
        assert!(Title::new("ä".repeat(200)).is_ok());
        assert_eq!(Title::new("ä".repeat(201)).unwrap_err().problem, TextProblem::TooLong { found: 201, limit: 200 });
        for blank in ["", " ", "\t\u{a0}"] {
            assert_eq!(Title::new(blank).unwrap_err().problem, TextProblem::Blank, "{blank:?}");
        }
        for bad in ['\n', '\r', '\0', '\u{1b}', '\u{85}', '\u{2028}'] {
            assert_eq!(Title::new(format!("a{bad}b")).unwrap_err().problem, TextProblem::Control(bad));
        }
    }

    // spec: TASK-3
    #[test]
    fn a_description_is_required_and_may_have_lines() {
        assert!(Description::new("a\nb").is_ok());
        assert_eq!(Description::new("\n ").unwrap_err().to_string(), "description is required: it must not be blank");
        assert!(Description::new("x".repeat(5001)).is_err());
        assert!(LongText::new("").is_ok());
    }

    #[test]
    fn a_body_has_at_most_a_mebibyte() {
        assert!(Body::new("x".repeat(Body::MAX_BYTES)).is_ok());
        assert_eq!(Body::new("x".repeat(Body::MAX_BYTES + 1)), Err(BodyTooLong { bytes: Body::MAX_BYTES + 1 }));
    }
}
