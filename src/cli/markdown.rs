//! A `.md` as a terminal shows it: headings, lists and code, no wider than the screen.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::clean::Clean;
use super::style::{CODE, DIM, HEAD, PLAIN};
use super::wrap::wrap;

/// Renders a text for a screen of that width.
pub(crate) fn render(text: &str, width: usize) -> String {
    let clean = Clean(text).to_string();
    let mut page = Page { width, ..Page::default() };
    for event in Parser::new(&clean) {
        page.take(event);
    }
    page.end_paragraph();
    page.out
}

#[derive(Default)]
struct Page {
    width: usize,
    out: String,
    /// The paragraph so far.
    line: String,
    heading: bool,
    code: bool,
    quotes: usize,
    /// The next number of each open list; `None` for one with bullets.
    lists: Vec<Option<u64>>,
    /// What stands before the first line of the next paragraph.
    marker: Option<String>,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                self.gap();
                self.heading = true;
            }
            Event::End(TagEnd::Heading(_)) => {
                self.end_paragraph();
                self.heading = false;
            }
            Event::Start(Tag::Paragraph) if self.marker.is_none() => self.gap(),
            Event::Start(Tag::List(first)) => {
                self.end_paragraph();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(first);
            }
            Event::End(TagEnd::List(_)) => {
                self.end_paragraph();
                self.lists.pop();
            }
            Event::Start(Tag::Item) => {
                self.end_paragraph();
                self.marker = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let marker = format!("{number}. ");
                        *number = number.saturating_add(1);
                        marker
                    }
                    _ => "- ".to_owned(),
                });
            }
            Event::Start(Tag::CodeBlock(_)) => {
                self.end_paragraph();
                self.gap();
                self.code = true;
            }
            Event::End(TagEnd::CodeBlock) => self.code = false,
            Event::Start(Tag::BlockQuote(_)) => {
                self.end_paragraph();
                self.quotes += 1;
            }
            Event::End(TagEnd::BlockQuote(_)) => {
                self.end_paragraph();
                self.quotes = self.quotes.saturating_sub(1);
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) => self.end_paragraph(),
            Event::Text(text) if self.code => self.code_lines(&text),
            Event::Text(text) | Event::InlineHtml(text) => self.line.push_str(&text),
            Event::Code(text) => {
                self.line.push('`');
                self.line.push_str(&text);
                self.line.push('`');
            }
            Event::Html(text) => self.code_lines(&text),
            Event::SoftBreak => self.line.push(' '),
            Event::HardBreak => self.line.push('\n'),
            Event::Rule => {
                self.gap();
                self.out.push_str("---\n");
            }
            _ => {}
        }
    }

    /// An empty line before a block, but not at the top.
    fn gap(&mut self) {
        self.end_paragraph();
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn indent(&self) -> String {
        let mut indent = "  ".repeat(self.lists.len().saturating_sub(1).min(20));
        for _ in 0..self.quotes.min(20) {
            indent.push_str("> ");
        }
        indent
    }

    fn end_paragraph(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.line);
        let marker = self.marker.take();
        let indent = self.indent();
        let hanging = match (&marker, self.lists.is_empty()) {
            (Some(marker), _) => marker.len(),
            (None, false) => 2,
            (None, true) => 0,
        };
        let room = self.width.saturating_sub(indent.len() + hanging).max(10);
        let style = if self.heading { HEAD } else { PLAIN };
        for (position, line) in wrap(&text, room).iter().enumerate() {
            let lead = match (&marker, position) {
                (Some(marker), 0) => marker.clone(),
                _ => " ".repeat(hanging),
            };
            self.out.push_str(&format!("{indent}{lead}{style}{line}{style:#}\n"));
        }
    }

    fn code_lines(&mut self, text: &str) {
        let (indent, style) = (self.indent(), if self.code { CODE } else { DIM });
        for line in text.lines() {
            self.out.push_str(&format!("{indent}    {style}{line}{style:#}\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_headings_lists_and_code_within_the_width() {
        let text = "# Title\n\n## Context\n- **Problem:** a long text that has to be broken\n\n1. one\n2. two\n   - sub\n\n```\ncode\n```\n";
        let page = anstream::adapter::strip_str(&render(text, 24)).to_string();
        let expected = "Title\n\nContext\n\n- Problem: a long text\n  that has to be broken\n\n1. one\n2. two\n  - sub\n\n    code\n";
        pretty_assertions::assert_eq!(page, expected);
    }
}
