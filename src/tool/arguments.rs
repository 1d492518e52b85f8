use std::fmt;

/// What the `plan` tool can be asked to do, in the order in which its schema lists it (TOOL-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolOperation {
    /// Begin a design, a checklist or an import.
    Init,
    /// Append tasks.
    AddTasks,
    /// Append one task, its fields flat: an alias (TASK-2).
    AddTask,
    /// Start a task.
    Start,
    /// Complete a task.
    Complete,
    /// Skip a task.
    Skip,
    /// Mark a task as failed.
    Fail,
    /// Look at the plan.
    Status,
}

/// The arguments that a task takes: those of `add_task`, and the fields of each of `tasks`.
pub(super) const TASK: &[&str] = &[
    "title",
    "description",
    "acceptance_criteria",
    "dependencies",
    "task_type",
    "complexity",
    "artifacts",
    "context",
    "risks",
    "test_strategy",
    "technical_stack",
];

impl ToolOperation {
    /// Every operation.
    pub const ALL: [Self; 8] =
        [Self::AddTasks, Self::AddTask, Self::Init, Self::Start, Self::Complete, Self::Skip, Self::Fail, Self::Status];

    /// The name in a call.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::AddTasks => "add_tasks",
            Self::AddTask => "add_task",
            Self::Start => "start",
            Self::Complete => "complete",
            Self::Skip => "skip",
            Self::Fail => "fail",
            Self::Status => "status",
        }
    }

    /// The operation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.as_str() == name)
    }

    /// The arguments that it takes, beside `operation` (TOOL-4).
    pub const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Init => &[
                "title",
                "description",
                "mode",
                "tasks",
                "file_path",
                "context",
                "risks",
                "test_strategy",
                "technical_stack",
                "task_type",
                "complexity",
                "artifacts",
            ],
            Self::AddTasks => &["tasks"],
            Self::AddTask => TASK,
            Self::Start => &["task", "task_order"],
            Self::Complete => &["task", "task_order", "output", "action"],
            Self::Skip => &["task", "task_order", "reason"],
            Self::Fail => &["task", "task_order", "output"],
            Self::Status => &["page"],
        }
    }
}

impl fmt::Display for ToolOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name that was probably meant.
pub(super) fn nearest(found: &str, names: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    // A text of any length would be compared in time of its length squared.
    if found.len() > 64 {
        return None;
    }
    let distance = |name: &&str| strsim::damerau_levenshtein(&found.to_lowercase(), name);
    names.into_iter().min_by_key(distance).filter(|name| distance(name) <= 1 + name.len() / 3)
}
