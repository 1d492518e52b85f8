use super::result::Receipt;
use super::{Plan, Transition};
use crate::model::Body;
use crate::plan::{Active, Approval, Editing, EndingHow, Markdown, NoPlan};

/// While the design is written: write it, sync it, have it approved, or discard it.
impl Plan<Editing> {
    /// Writes the whole session `.md` and mirrors it in the record (MIRROR-1).
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse. If the record cannot be saved, the `.md` is the source of truth and
    /// the next [`sync`](Self::sync) heals the record (MIRROR-4).
    pub fn write_markdown(self, body: Body) -> Transition<Editing, Plan<Editing>> {
        self.transition(
            move |desk, state| {
                let markdown = Markdown::from_bytes(body.as_str().as_bytes().to_vec());
                let next = desk.step(|step| state.with_markdown(markdown, step));
                let revision = desk.save(&next, Some(body.as_str()))?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Takes what is in the session `.md` into the record, byte for byte; what cannot be used leaves the last text, with a
    /// warning (MIRROR-1, MIRROR-4). Writes nothing where the record says it already.
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse.
    pub fn sync(self) -> Transition<Editing, Plan<Editing>> {
        self.transition(
            |desk, state| {
                let markdown = desk.markdown()?;
                if state.mirrors(&markdown) {
                    return Ok((state.with_unchanged(markdown), desk.from()));
                }
                let next = desk.step(|step| state.with_markdown(markdown, step));
                let revision = desk.save(&next, None)?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Approves the text that the person saw; the plan is then active and its checklist empty (LIFE-8). A person's act.
    ///
    /// # Errors
    /// `outline-incomplete` with every gap named; `digest-changed` if the `.md` is not the text that the person saw.
    pub fn approve(self, approval: Approval) -> Transition<Editing, Plan<Active>> {
        self.transition(
            move |desk, state| {
                let found = state.with_unchanged(desk.markdown()?);
                let next = desk.step(|step| found.approve(&approval, step))?;
                let revision = desk.save(&next, None)?;
                Ok((next, revision))
            },
            |landing, (next, revision)| landing.plan(next, revision),
        )
    }

    /// Discards the plan: `.md` and record go to the archive, marked (LIFE-9). A person's act.
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse.
    pub fn discard(self) -> Transition<Editing, (Plan<NoPlan>, Receipt)> {
        self.transition(
            |desk, state| {
                let markdown = desk.markdown()?;
                let next = desk.step(|step| state.with_markdown(markdown, step));
                let (revision, receipt) = desk.end((&next).into(), EndingHow::Discarded)?;
                Ok((NoPlan::new(state.header().site().clone()), revision, receipt))
            },
            |landing, (next, revision, receipt)| (landing.plan(next, revision), receipt),
        )
    }
}
