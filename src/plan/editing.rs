use super::{Active, Approval, ApprovalRecord, Header, Markdown, Refusal, Step, Warning};
use crate::model::{Checklist, Kept, Title};
use crate::outline::{Gap, Outline};

/// A design is being written in the session `.md`; there is no checklist (LIFE-4).
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(Clone))]
pub struct Editing {
    pub(crate) header: Header,
    pub(crate) markdown: Markdown,
    /// Tasks of an older plan that maps to Editing, until they are in the archive (LEG-5). Never written.
    pub(crate) legacy_tasks: Checklist,
}

impl Editing {
    pub(crate) fn new(header: Header, markdown: Markdown) -> Self {
        Self { header, markdown, legacy_tasks: Checklist::default() }
    }

    /// What the plan has beside its state.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The session `.md` as it was found.
    pub fn markdown(&self) -> &Markdown {
        &self.markdown
    }

    /// The outline of the `.md`; that of an empty text if there is no usable one.
    pub fn outline(&self) -> Outline {
        Outline::scan(self.markdown.text().unwrap_or_default())
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let md = || self.header.site.md().to_owned();
        let mut warnings = Vec::new();
        match &self.markdown {
            Markdown::Missing => warnings.push(Warning::MarkdownMissing { md: md() }),
            Markdown::Unusable(problem) => {
                warnings.push(Warning::MarkdownUnusable { md: md(), problem: problem.clone() });
            }
            Markdown::Text { .. } => warnings.extend(self.outline().gaps().into_iter().map(Warning::Outline)),
        }
        if !self.legacy_tasks.is_empty() {
            warnings.push(Warning::LegacyTasks { count: self.legacy_tasks.len() });
        }
        warnings
    }

    /// Takes a text into the record, byte for byte. Where there is no usable one, the last stays (MIRROR-4).
    pub(crate) fn with_markdown(&self, markdown: Markdown, step: &Step<'_>) -> Self {
        let mut header = self.header.touched(step.now);
        if let Some(text) = markdown.text() {
            header.description = text.into();
            if let Some(title) = Outline::scan(text).title().and_then(|title| Title::new(title).ok()) {
                header.title = title.as_str().into();
            }
        }
        Self { header, markdown, legacy_tasks: Checklist::default() }
    }

    /// The same plan with the `.md` as it is now, the record not yet changed.
    pub(crate) fn with_unchanged(&self, markdown: Markdown) -> Self {
        Self { header: self.header.clone(), markdown, legacy_tasks: self.legacy_tasks.clone() }
    }

    /// Whether the record already says what `markdown` says.
    pub(crate) fn mirrors(&self, markdown: &Markdown) -> bool {
        self.legacy_tasks.is_empty() && markdown.text().is_none_or(|text| *text == *self.header.description)
    }

    /// What approval needs and the `.md` lacks.
    pub fn gaps(&self) -> Vec<Gap> {
        self.outline().gaps()
    }

    /// Approves the text that the person saw (LIFE-8, LIFE-11).
    pub(crate) fn approve(&self, approval: &Approval, step: &Step<'_>) -> Result<Active, Refusal> {
        let md = || self.header.site.md().to_owned();
        let digest = match &self.markdown {
            Markdown::Missing => return Err(Refusal::MarkdownMissing { md: md() }),
            Markdown::Unusable(problem) => {
                return Err(Refusal::MarkdownUnusable { md: md(), problem: problem.clone() });
            }
            Markdown::Text { digest, .. } => *digest,
        };
        let gaps = self.gaps();
        if !gaps.is_empty() {
            return Err(Refusal::OutlineIncomplete { md: md(), gaps });
        }
        if digest != approval.seen {
            return Err(Refusal::DigestChanged { md: md(), seen: approval.seen, found: digest });
        }
        let mut header = self.with_markdown(self.markdown.clone(), step).header;
        header.approved_at = Some(step.now);
        header.extras.approval = Some(ApprovalRecord {
            by: approval.by.clone(),
            via: approval.via.clone(),
            at: step.now,
            digest,
            guarded: approval.guarded,
            kept: Kept::default(),
        });
        Ok(Active::new(header, Checklist::default(), self.markdown.clone()))
    }
}
