use crate::model::{InvalidText, Kept, LongText, TaskDrafts, Title};

/// What an `init` says of a new plan.
///
/// ```
/// use plangate::plan::Brief;
///
/// let brief = Brief::new("Swap the cache")?.description("LRU to ARC, same interface")?;
/// # let _ = brief;
/// # Ok::<(), plangate::model::InvalidText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a brief does nothing until a plan is initialised with it"]
pub struct Brief {
    pub(crate) title: Title,
    pub(crate) description: Box<str>,
    pub(crate) background: Background,
    /// Fields that the engine does not know, for the record.
    pub(crate) kept: Kept,
}

impl Brief {
    /// A brief with a title and nothing else.
    ///
    /// # Errors
    /// [`InvalidText`] if the title is blank, too long or not one line.
    pub fn new(title: impl AsRef<str>) -> Result<Self, InvalidText> {
        Ok(Self {
            title: Title::new(title)?,
            description: Box::default(),
            background: Background::default(),
            kept: Kept::default(),
        })
    }

    /// Adds a description, up to 5,000 characters. For a design it goes under `## Notes` of the `.md`.
    ///
    /// # Errors
    /// [`InvalidText`] if it is too long.
    pub fn description(mut self, text: impl AsRef<str>) -> Result<Self, InvalidText> {
        self.description = LongText::for_field("description", text.as_ref())?.as_str().into();
        Ok(self)
    }

    /// Adds what older callers send beside it.
    pub fn background(mut self, background: Background) -> Self {
        self.background = background;
        self
    }
}

/// Texts that older plans carry. They are kept and never asked for (TOOL-5).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Background {
    /// What surrounds the work.
    pub context: Box<str>,
    /// What may go wrong.
    pub risks: Vec<Box<str>>,
    /// How it will be tested.
    pub test_strategy: Box<str>,
    /// What it is built with.
    pub technical_stack: Vec<Box<str>>,
}

/// A plan read from a file: a brief and its tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) brief: Brief,
    pub(crate) tasks: TaskDrafts,
    /// What the file says and the plan has no place for, in a few words each.
    pub(crate) left_out: Vec<String>,
}
