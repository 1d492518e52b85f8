//! Reads an outline that somebody wrote.

use std::mem;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::found::Outline;
use super::part::{Part, Step};
use super::prose::{Prose, Split, after_label, one_line};
use super::source::{Lines, normalise};
use super::template::{CONTEXT, DONE_WHEN, Label, STEPS, is_placeholder};

/// Scans `body` by the rules of [`Outline`].
pub(super) fn scan(body: &str) -> Outline {
    let source = normalise(body);
    let mut scanner = Scanner::new(&source);
    // Task list marks are read as marks: `1. [ ]` has no text.
    for (event, range) in Parser::new_ext(&source, Options::ENABLE_TASKLISTS).into_offset_iter() {
        scanner.event(event, range);
    }
    scanner.outline
}

/// The section that the scan is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Context,
    Steps,
    Other,
}

/// The item of a top-level list that the scan is in.
enum Open {
    Label {
        line: usize,
    },
    /// A step, or an unindented bullet after one.
    Step(OpenStep),
}

struct OpenStep {
    /// An unindented bullet gives the step nothing but criteria.
    bullet: bool,
    /// The step's first text is its title and the beginning of its description.
    begun: bool,
    /// For each open item, outermost first: is it a criterion, or inside of one?
    criteria: Vec<bool>,
}

struct Scanner<'a> {
    source: &'a str,
    lines: Lines,
    section: Section,
    /// How many lists, items and quotes are open.
    depth: usize,
    /// Whether the open top-level list is numbered.
    numbered: bool,
    /// Whether a bullet could belong to a step: one was seen since the last heading.
    after_step: bool,
    /// Where the open top-level heading began.
    heading: Option<usize>,
    item: Option<Open>,
    /// The text of the heading or of the item, as far as it is not stored yet.
    prose: Prose,
    in_code: bool,
    html: String,
    outline: Outline,
}

impl<'a> Scanner<'a> {
    fn new(source: &'a str) -> Self {
        Scanner {
            source,
            lines: Lines::of(source),
            section: Section::Other,
            depth: 0,
            numbered: false,
            after_step: false,
            heading: None,
            item: None,
            prose: Prose::default(),
            in_code: false,
            html: String::new(),
            outline: Outline {
                empty: source.trim().is_empty(),
                title: None,
                context: None,
                parts: Default::default(),
                steps_heading: None,
                steps: Vec::new(),
            },
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range.start),
            Event::End(tag) => self.end(tag),
            // Text that belongs to no heading or item is not collected at all.
            _ if self.heading.is_none() && self.item.is_none() => {}
            Event::Text(text) => self.text(&text, range),
            Event::Code(text) => self.prose.push_opaque(&text),
            Event::InlineHtml(html) if html.starts_with("<!--") => {}
            Event::InlineHtml(html) => self.prose.push_opaque(&html),
            Event::Html(html) => self.html.push_str(&html),
            Event::SoftBreak | Event::HardBreak => self.prose.push("\n"),
            Event::Rule => self.prose.end_line(),
            // Extensions that are not switched on, and the mark of a task list.
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, offset: usize) {
        match tag {
            Tag::Heading { .. } if self.depth == 0 => self.heading = Some(offset),
            Tag::List(first) => {
                if self.depth == 0 {
                    self.numbered = first.is_some();
                }
                self.depth += 1;
            }
            Tag::Item => {
                self.depth += 1;
                self.start_item(offset);
            }
            Tag::BlockQuote(_) => {
                self.depth += 1;
                self.prose.end_line();
            }
            Tag::CodeBlock(_) => {
                self.in_code = true;
                self.prose.end_line();
            }
            Tag::Paragraph | Tag::HtmlBlock | Tag::Heading { .. } => self.prose.end_line(),
            // Inline tags, and extensions that are not switched on.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => match self.heading.take() {
                Some(offset) => self.end_heading(level, offset),
                None => self.prose.end_line(),
            },
            TagEnd::List(_) | TagEnd::BlockQuote(_) => {
                self.depth -= 1;
                self.prose.end_line();
            }
            TagEnd::Item => {
                self.end_item();
                self.depth -= 1;
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.prose.end_line();
            }
            TagEnd::HtmlBlock => {
                let html = mem::take(&mut self.html);
                self.prose.push_opaque(&without_comments(&html));
                self.prose.end_line();
            }
            TagEnd::Paragraph => self.prose.end_line(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        let escaped = self.source.get(..range.start).is_some_and(|s| s.ends_with('\\'));
        let literal = self.source.get(range) == Some(text);
        if self.in_code || !literal {
            self.prose.push_opaque(text);
        } else if escaped {
            let first = text.chars().next().map_or(0, char::len_utf8);
            let (first, rest) = text.split_at_checked(first).unwrap_or((text, ""));
            self.prose.push_opaque(first);
            self.prose.push(rest);
        } else {
            self.prose.push(text);
        }
    }

    fn end_heading(&mut self, level: HeadingLevel, offset: usize) {
        let prose = mem::take(&mut self.prose);
        let name = one_line(prose.text());
        let line = self.lines.number(offset);
        self.after_step = false;
        match level {
            HeadingLevel::H1 => {
                self.section = Section::Other;
                if self.outline.title.is_none() && !is_blank(&name) {
                    // Only an underlined heading has several lines.
                    self.outline.title = Some(prose.text().replace('\n', " "));
                }
            }
            HeadingLevel::H2 if name.eq_ignore_ascii_case(CONTEXT) => {
                self.section = Section::Context;
                self.outline.context.get_or_insert(line);
            }
            HeadingLevel::H2 if name.eq_ignore_ascii_case(STEPS) => {
                self.section = Section::Steps;
                self.outline.steps_heading.get_or_insert(line);
            }
            HeadingLevel::H2 => self.section = Section::Other,
            // A deeper heading divides its section and does not end it.
            _ => {}
        }
    }

    fn start_item(&mut self, offset: usize) {
        if self.depth == 2 {
            self.item = self.open_item(offset);
        } else if matches!(self.item, Some(Open::Step(_))) {
            self.store_step_text();
            if let Some(Open::Step(step)) = &mut self.item {
                let criterion = step.criteria.last().copied().unwrap_or(false);
                step.criteria.push(criterion);
            }
        } else {
            self.prose.end_line();
        }
    }

    fn open_item(&mut self, offset: usize) -> Option<Open> {
        let line = self.lines.number(offset);
        let bullet = !self.numbered;
        match self.section {
            Section::Context => return Some(Open::Label { line }),
            Section::Steps if self.numbered => {
                self.outline.steps.push(Step {
                    number: self.number_at(offset),
                    title: String::new(),
                    description: String::new(),
                    done_when: Vec::new(),
                    line,
                });
                self.after_step = true;
            }
            Section::Steps if self.after_step => {}
            Section::Steps | Section::Other => return None,
        }
        Some(Open::Step(OpenStep { bullet, begun: false, criteria: vec![false] }))
    }

    /// The number that is written at `offset`. The parser keeps only that of a list's first item.
    fn number_at(&self, offset: usize) -> u32 {
        let text = self.source.get(offset..).unwrap_or_default().trim_start();
        text.bytes()
            .take_while(u8::is_ascii_digit)
            .fold(0, |number: u32, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    }

    fn end_item(&mut self) {
        match &self.item {
            Some(Open::Step(_)) => {
                self.store_step_text();
                if let Some(Open::Step(step)) = &mut self.item {
                    step.criteria.pop();
                }
            }
            Some(Open::Label { line }) if self.depth == 2 => {
                let line = *line;
                self.store_label(line);
            }
            Some(Open::Label { .. }) | None => self.prose.end_line(),
        }
        if self.depth == 2 {
            self.item = None;
        }
    }

    fn store_label(&mut self, line: usize) {
        let prose = mem::take(&mut self.prose);
        let found = Label::ALL.into_iter().find_map(|label| Some((label, after_label(prose.text(), label.name())?)));
        let Some((label, text)) = found else { return };
        let text = filled(text);
        if let Some(slot) = self.outline.parts.get_mut(label as usize)
            && (slot.is_none() || !text.is_empty() && slot.as_ref().is_some_and(|p| p.text.is_empty()))
        {
            *slot = Some(Part { text, line });
        }
    }

    /// Stores what was collected since the last item of the step began or ended.
    fn store_step_text(&mut self) {
        let prose = mem::take(&mut self.prose);
        let (Some(Open::Step(open)), Some(step)) = (&mut self.item, self.outline.steps.last_mut()) else {
            return;
        };
        let nested = open.bullet || open.criteria.len() > 1;
        let text = prose.text();
        let begins = nested.then(|| after_label(text, DONE_WHEN)).flatten();
        let criterion = match open.criteria.last_mut() {
            Some(criterion) if begins.is_some() => {
                *criterion = true;
                true
            }
            Some(criterion) => *criterion,
            None => false,
        };
        if criterion {
            let text = one_line(begins.unwrap_or(text));
            if !is_blank(&text) {
                step.done_when.push(text);
            }
        } else if open.bullet {
            // An unindented bullet that is no criterion belongs to no step.
        } else if !nested && !open.begun {
            let Split { title, description } = prose.split();
            step.title = filled(&title);
            step.description = filled(&description);
        } else if !is_blank(text) {
            if !step.description.is_empty() {
                step.description.push('\n');
            }
            step.description.push_str(text);
        }
        open.begun = true;
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty() || is_placeholder(text)
}

/// `text` if somebody wrote it, else nothing.
fn filled(text: &str) -> String {
    if is_blank(text) { String::new() } else { text.to_owned() }
}

/// An HTML block without its comments. One that is not closed reaches to the end.
pub(crate) fn without_comments(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, comment)) = rest.split_once("<!--") {
        text.push_str(before);
        rest = match comment {
            // `<!-->` and `<!--->` are whole comments.
            _ if comment.starts_with('>') => comment.strip_prefix('>'),
            _ if comment.starts_with("->") => comment.strip_prefix("->"),
            _ => comment.split_once("-->").map(|(_, after)| after),
        }
        .unwrap_or_default();
    }
    text.push_str(rest);
    text
}
