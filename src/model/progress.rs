/// How many tasks of a checklist stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Not started.
    pub pending: usize,
    /// Started and not ended.
    pub in_progress: usize,
    /// Tried and failed; still open.
    pub failed: usize,
    /// Blocked by something outside the checklist; still open.
    pub blocked: usize,
    /// Done.
    pub completed: usize,
    /// Left out on purpose; counts as ended.
    pub skipped: usize,
}

impl Progress {
    /// All tasks.
    pub const fn total(&self) -> usize {
        self.open() + self.ended()
    }

    /// Tasks that have ended: completed or skipped (TASK-8).
    pub const fn ended(&self) -> usize {
        self.completed + self.skipped
    }

    /// Tasks that have not ended.
    pub const fn open(&self) -> usize {
        self.pending + self.in_progress + self.failed + self.blocked
    }
}
