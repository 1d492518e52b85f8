//! A Markdown checklist: every item with an empty checkbox is a task, in the order of the file.
//!
//! - The plan's title is the first heading of level 1; its description is the text before the first item, or the title.
//! - A task's title is the first line of its item. Its description is the further text of the item: paragraphs, code and
//!   items without a checkbox. An item without any has its whole text as description, and so has one whose first paragraph
//!   goes on after its first line, or whose title had to be cut.
//! - An item waits for the items that are nested in it. Those are done in their order: each waits for the one before it, and
//!   the first for what the outer item waits for. Items at the top level wait for nothing but what is nested in them.
//! - An item counts as nested in the nearest open item around it. Checked items are left out, and what is nested in them
//!   moves one level up.
//! - Marks become plain text; a link keeps its address in brackets behind its text. HTML comments are no text.
//! - Whatever else stands after the first item is left out, and listed.

use std::mem;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::left_out::{LeftOut, quoted};
use super::{ImportError, ImportProblem, texts};
use crate::model::{Dependency, Description, TaskDraft, TaskDrafts, Title};
use crate::outline::{Lines, normalise, without_comments};
use crate::plan::{Background, Brief, Import};

pub(super) fn import(text: &str, untitled: Title) -> Result<Import, ImportError> {
    let source = normalise(text);
    let mut reader = Reader::new(&source);
    for (event, range) in Parser::new_ext(&source, Options::ENABLE_TASKLISTS).into_offset_iter() {
        reader.event(event, &range);
    }
    reader.import(untitled)
}

/// One paragraph, heading or piece of code.
struct Block {
    text: String,
    /// It begins an item without a checkbox.
    is_bullet: bool,
}

/// An item with a checkbox.
struct Item {
    line: usize,
    is_checked: bool,
    blocks: Vec<Block>,
    /// The nearest item around it that has an empty checkbox.
    parent: Option<usize>,
}

/// A list item that is open.
struct Open {
    /// The item, if it has a checkbox.
    item: Option<usize>,
    /// Whether a text of it was seen.
    begun: bool,
}

struct Reader {
    lines: Lines,
    title: Option<String>,
    /// The text before the first item.
    before: Vec<Block>,
    items: Vec<Item>,
    open: Vec<Open>,
    left_out: LeftOut,
    /// The text of the open block, and the line where it began.
    text: String,
    line: usize,
    heading: Option<HeadingLevel>,
    /// The links that are open: where their text begins, and where they lead.
    links: Vec<(usize, String)>,
    html: String,
}

impl Reader {
    fn new(source: &str) -> Self {
        Self {
            lines: Lines::of(source),
            title: None,
            before: Vec::new(),
            items: Vec::new(),
            open: Vec::new(),
            left_out: LeftOut::default(),
            text: String::new(),
            line: 1,
            heading: None,
            links: Vec::new(),
            html: String::new(),
        }
    }

    fn event(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.push(&text, range.start),
            Event::InlineHtml(html) if html.starts_with("<!--") => {}
            Event::InlineHtml(html) => self.push(&html, range.start),
            Event::Html(html) => self.html.push_str(&html),
            Event::SoftBreak | Event::HardBreak => self.text.push('\n'),
            Event::TaskListMarker(is_checked) => self.mark(is_checked, range.start),
            // Extensions that are not switched on, and a rule between two parts.
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) | Event::Rule => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, offset: usize) {
        match tag {
            Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. } => {
                let address = if title.is_empty() { dest_url.into_string() } else { format!("{dest_url} \"{title}\"") };
                self.links.push((self.text.len(), address));
            }
            Tag::Emphasis | Tag::Strong => {}
            Tag::Heading { level, .. } => {
                self.end_block();
                self.heading = Some(level);
            }
            Tag::Item => {
                self.end_block();
                self.open.push(Open { item: None, begun: false });
            }
            _ => self.end_block(),
        }
        if self.text.is_empty() {
            self.line = self.lines.number(offset);
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link | TagEnd::Image => {
                if let Some((start, address)) = self.links.pop()
                    && !address.is_empty()
                    && self.text.get(start..) != Some(address.as_str())
                {
                    self.text.push_str(&format!(" ({address})"));
                }
            }
            TagEnd::Emphasis | TagEnd::Strong => {}
            TagEnd::HtmlBlock => {
                let html = mem::take(&mut self.html);
                self.text.push_str(&without_comments(&html));
                self.end_block();
            }
            TagEnd::Item => {
                self.end_block();
                if let Some(open) = self.open.pop() {
                    self.end_item(&open);
                }
            }
            _ => self.end_block(),
        }
    }

    fn push(&mut self, text: &str, offset: usize) {
        if self.text.is_empty() {
            self.line = self.lines.number(offset);
        }
        self.text.push_str(text);
    }

    /// A checkbox: it comes before every text of its item.
    fn mark(&mut self, is_checked: bool, offset: usize) {
        let is_open = |index: &usize| self.items.get(*index).is_some_and(|item| !item.is_checked);
        let parent = self.open.iter().rev().filter_map(|open| open.item).find(is_open);
        let line = self.lines.number(offset);
        if let Some(open) = self.open.last_mut() {
            open.item = Some(self.items.len());
            self.items.push(Item { line, is_checked, blocks: Vec::new(), parent });
        }
    }

    /// Lists an item that is no task.
    fn end_item(&mut self, open: &Open) {
        let Some(item) = open.item.and_then(|index| self.items.get(index)) else { return };
        if item.is_checked {
            let text = item.blocks.first().map_or("", |block| &block.text);
            self.left_out.add(|| format!("the checked item {} (line {})", quoted(text), item.line));
        } else if item.blocks.is_empty() {
            self.left_out.add(|| format!("the blank item in line {}", item.line));
        }
    }

    /// Gives the text of the open block to whom it belongs.
    fn end_block(&mut self) {
        let heading = self.heading.take();
        let text = mem::take(&mut self.text);
        // The first line of a piece of code keeps its indentation.
        let text = text.trim_end().trim_start_matches('\n');
        if text.is_empty() {
            return;
        }
        if heading == Some(HeadingLevel::H1) && self.title.is_none() && self.open.is_empty() {
            self.title = Some(text.to_owned());
            return;
        }
        let is_bullet =
            self.open.last_mut().is_some_and(|open| !mem::replace(&mut open.begun, true) && open.item.is_none());
        let block = Block { text: text.to_owned(), is_bullet };
        let owner = self.open.iter().rev().find_map(|open| open.item);
        if let Some(item) = owner.and_then(|index| self.items.get_mut(index)) {
            item.blocks.push(block);
        } else if self.items.is_empty() {
            self.before.push(block);
        } else {
            let what = match heading {
                Some(_) => "the heading",
                None if !self.open.is_empty() => "the item without a checkbox",
                None => "the text",
            };
            let line = self.line;
            self.left_out.add(|| format!("{what} {} (line {line})", quoted(text)));
        }
    }

    fn import(self, untitled: Title) -> Result<Import, ImportError> {
        let mut tasks = Tasks::default();
        let mut numbers: Vec<Option<usize>> = Vec::with_capacity(self.items.len());
        for item in &self.items {
            // What is nested in an item that is left out moves up.
            let parent = item.parent.and_then(|parent| numbers.get(parent).copied().flatten());
            let draft = if item.is_checked { None } else { item.draft()? };
            numbers.push(draft.map(|draft| tasks.add(draft, parent)).or(parent));
        }
        let nothing = match self.items.iter().any(|item| item.is_checked) {
            true => ImportProblem::NothingOpen,
            false => ImportProblem::NothingInMarkdown,
        };
        let tasks = TaskDrafts::try_from(tasks.drafts()).map_err(|_| ImportError::in_line(1, nothing))?;
        let short = self.title.as_deref().and_then(texts::short);
        let mut description = joined(&self.before);
        if let (Some(title), Some(false)) = (&self.title, short.as_ref().map(|short| short.is_whole)) {
            description = format!("{title}\n\n{description}").trim_end().to_owned();
        }
        let title = short.map_or(untitled, |short| short.title);
        if description.is_empty() {
            title.as_str().clone_into(&mut description);
        }
        let brief = Brief {
            title,
            description: description.into(),
            background: Background::default(),
            kept: Default::default(),
        };
        Ok(Import { brief, tasks, left_out: self.left_out.into_list() })
    }
}

impl Item {
    /// The task; `None` if the item has no text.
    fn draft(&self) -> Result<Option<TaskDraft>, ImportError> {
        let Some((first, further)) = self.blocks.split_first() else { return Ok(None) };
        let (line, goes_on) = match first.text.split_once('\n') {
            Some((line, _)) => (line, true),
            None => (first.text.as_str(), false),
        };
        let Some(short) = texts::short(line) else { return Ok(None) };
        let is_further = short.is_whole && !goes_on && !further.is_empty();
        let description = joined(if is_further { further } else { &self.blocks });
        let description = Description::new(description)
            .map_err(|error| ImportError::in_line(self.line, ImportProblem::Text(error.problem)))?;
        Ok(Some(TaskDraft::from_parts(short.title, description)))
    }
}

fn joined(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        if !text.is_empty() {
            text.push_str(if block.is_bullet { "\n" } else { "\n\n" });
        }
        if block.is_bullet {
            text.push_str("- ");
        }
        text.push_str(&block.text);
    }
    text
}

/// The tasks so far, with what each waits for.
#[derive(Default)]
struct Tasks(Vec<Nested>);

struct Nested {
    draft: TaskDraft,
    /// What comes before it: the item before in the same outer item, else what the outer one waits for.
    before: Option<usize>,
    inner: Vec<usize>,
}

impl Tasks {
    /// Adds a task that is nested in `parent`, and gives its index.
    fn add(&mut self, draft: TaskDraft, parent: Option<usize>) -> usize {
        let index = self.0.len();
        let outer = parent.and_then(|parent| self.0.get_mut(parent));
        let before = outer.and_then(|outer| {
            let before = outer.inner.last().copied().or(outer.before);
            outer.inner.push(index);
            before
        });
        self.0.push(Nested { draft, before, inner: Vec::new() });
        index
    }

    fn drafts(self) -> Vec<TaskDraft> {
        let finish = |Nested { mut draft, before, inner }: Nested| {
            let number = |index: usize| Dependency::Number(index as u64 + 1);
            draft.dependencies.extend(before.into_iter().chain(inner).map(number));
            draft
        };
        self.0.into_iter().map(finish).collect()
    }
}
