use std::fmt;

/// What kind of work a task is. Kept on every task, never asked for (TASK-3).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskType {
    /// Find something out.
    Research,
    /// Change what exists.
    Edit,
    /// Make something new.
    Create,
    /// Remove something.
    Delete,
    /// Write or run tests.
    Test,
    /// Restructure without a change of behaviour.
    Refactor,
    /// Write documentation.
    Documentation,
    /// Configure something.
    Configuration,
    /// Build or compile.
    Build,
    /// Any other kind, in the words of who wrote it.
    Other(Box<str>),
}

impl TaskType {
    const NAMED: [Self; 9] = [
        Self::Research,
        Self::Edit,
        Self::Create,
        Self::Delete,
        Self::Test,
        Self::Refactor,
        Self::Documentation,
        Self::Configuration,
        Self::Build,
    ];

    /// The type of that name in any case; an unknown word becomes [`Other`](Self::Other).
    pub fn from_word(word: &str) -> Self {
        Self::NAMED
            .into_iter()
            .find(|kind| kind.as_str().eq_ignore_ascii_case(word))
            .unwrap_or_else(|| Self::Other(word.into()))
    }

    /// The name in files, or the words of an [`Other`](Self::Other).
    pub fn as_str(&self) -> &str {
        match self {
            Self::Research => "Research",
            Self::Edit => "Edit",
            Self::Create => "Create",
            Self::Delete => "Delete",
            Self::Test => "Test",
            Self::Refactor => "Refactor",
            Self::Documentation => "Documentation",
            Self::Configuration => "Configuration",
            Self::Build => "Build",
            Self::Other(words) => words,
        }
    }
}

impl Default for TaskType {
    fn default() -> Self {
        Self::Other("other".into())
    }
}

impl fmt::Display for TaskType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
