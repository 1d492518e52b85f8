//! `plangate watch`: the plan on the screen, drawn again after every change of any process.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use plangate::event::Subscription;
use plangate::plan::StateName;
use plangate::session::Watch;
use plangate::store::LoadError;
use plangate::tool::Facts;

use super::args::Global;
use super::clean::Clean;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::{Answer, Failure};
use super::page::{self, Tasks};
use super::which::{Chosen, Why};
use super::{output, wrap};

/// How long a redraw waits for an event before it looks whether the person wants to go or has resized the screen.
const PAUSE: Duration = Duration::from_millis(100);

/// How often a session that has no plan is asked whether the folder leads to another by now.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// How many tasks are shown before the one that matters now.
const BEFORE: usize = 2;

const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";
const CLEAR: &[u8] = b"\x1b[H\x1b[2J";

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let mut follower = Follower::of(global, environment, Chosen::find(global, environment)?)?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    ctrlc::set_handler(move || stopped.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::new(Exit::Failed, "watch", format!("Ctrl-C cannot be handled: {error}")))?;
    if global.json || !std::io::stdout().is_terminal() {
        follow_as_text(&mut follower, &stop)
    } else {
        follow_on_screen(&mut follower, &stop)
    }
}

/// A session's plan as it changes; and, where no session was named, the session that the folder leads to.
struct Follower<'a> {
    global: &'a Global,
    environment: &'a Environment,
    chosen: Chosen,
    events: Subscription,
    /// Events come as long as this lives.
    _watch: Watch,
    looked: Instant,
}

impl<'a> Follower<'a> {
    fn of(global: &'a Global, environment: &'a Environment, chosen: Chosen) -> Result<Self, Failure> {
        let watch = chosen.session.watch().wait().map_err(|error| {
            Failure::new(Exit::Failed, "watch", format!("the plan's files cannot be watched: {error}"))
        })?;
        let events = watch.subscribe();
        Ok(Self { global, environment, chosen, events, _watch: watch, looked: Instant::now() })
    }

    /// Waits for a moment. Whether there is something new.
    fn wait(&mut self) -> Result<bool, Failure> {
        let mut changed = self.events.wait(PAUSE).is_some();
        while self.events.try_next().is_some() {
            changed = true;
        }
        if (changed || self.looked.elapsed() >= LOOK_AGAIN) && self.is_over() {
            self.looked = Instant::now();
            // Several sessions at once: this one stays until it is clear which is meant.
            if let Ok(chosen) = Chosen::find(self.global, self.environment)
                && chosen.session.id() != self.chosen.session.id()
            {
                *self = Self::of(self.global, self.environment, chosen)?;
                return Ok(true);
            }
        }
        Ok(changed)
    }

    /// Whether the folder may lead to another session by now: a plan that was entered for it has been taken over, or has
    /// ended.
    fn is_over(&self) -> bool {
        let named = matches!(self.chosen.why, Why::Argument | Why::Variable(_));
        !named && matches!(self.chosen.session.view().wait(), Ok(view) if view.state_name() == StateName::NoPlan)
    }
}

/// The alternate screen, left again however the program ends.
struct Screen;

impl Screen {
    fn enter() -> std::io::Result<Self> {
        let mut out = std::io::stdout().lock();
        out.write_all(ENTER)?;
        out.flush()?;
        Ok(Self)
    }

    fn draw(text: &str) -> std::io::Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(CLEAR)?;
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let mut out = std::io::stdout().lock();
        // The terminal may be gone; there is nobody to tell then.
        let _ = out.write_all(LEAVE).and_then(|()| out.flush());
    }
}

fn follow_on_screen(follower: &mut Follower<'_>, stop: &AtomicBool) -> Result<Exit, Failure> {
    let _screen = Screen::enter()?;
    let mut drawn = None;
    while !stop.load(Ordering::Relaxed) {
        let size = terminal_size::terminal_size().map_or((80, 24), |(width, height)| (width.0, height.0));
        if drawn != Some(size) {
            Screen::draw(&screen(&follower.chosen, size.0.into(), size.1.into()))?;
            drawn = Some(size);
        }
        if follower.wait()? {
            drawn = None;
        }
    }
    Ok(Exit::Done)
}

/// What fits on the screen: the summary, the checklist around the current task, and the top of the design below.
fn screen(chosen: &Chosen, width: usize, height: usize) -> String {
    let (text, tasks, design) = match chosen.session.view().wait() {
        Err(error) => (unreadable(&error), Tasks::default(), String::new()),
        Ok(view) => (
            page::summary(&view, &chosen.why, width),
            Tasks::of(view.state(), width),
            page::design(view.state(), width),
        ),
    };
    // The last row is for the way out.
    let mut sheet = Sheet { text: String::new(), width, room: height.saturating_sub(1) };
    sheet.take(&text);
    sheet.take("\n");
    let above = first_shown(&tasks, sheet.room.saturating_sub(1), width);
    if above > 0 {
        sheet.take(&format!("… {above} tasks above\n"));
    }
    let mut fitted = tasks.lines.iter().skip(above).all(|lines| sheet.take(lines));
    if !design.is_empty() {
        let gap = if tasks.lines.is_empty() { "" } else { "\n" };
        fitted &= sheet.take(&format!("{gap}{design}"));
    }
    let more = if fitted { "" } else { "More: `plangate show`. " };
    let foot = wrap::wrap(&format!("{more}Ctrl-C ends this."), width);
    sheet.text + foot.first().map_or("", String::as_str)
}

/// How many tasks are left out at the top, so that the one that matters now is on the screen.
fn first_shown(tasks: &Tasks, room: usize, width: usize) -> usize {
    let mut rows = 0;
    let from_the_end = tasks.lines.iter().rev().take_while(|lines| {
        rows += rows_of(lines, width);
        rows <= room
    });
    let last_page = tasks.lines.len() - from_the_end.count();
    tasks.focus.saturating_sub(BEFORE).min(last_page)
}

/// A screen that is filled from the top.
struct Sheet {
    text: String,
    width: usize,
    room: usize,
}

impl Sheet {
    /// Adds lines as long as there is room. Whether all of them are there.
    fn take(&mut self, lines: &str) -> bool {
        for line in lines.lines() {
            let rows = wrap::rows(&strip_str(line).to_string(), self.width);
            if rows > self.room {
                self.room = 0;
                return false;
            }
            self.room -= rows;
            self.text.push_str(line);
            self.text.push('\n');
        }
        true
    }
}

fn rows_of(lines: &str, width: usize) -> usize {
    strip_str(lines).to_string().lines().map(|line| wrap::rows(line, width)).sum()
}

fn unreadable(error: &LoadError) -> String {
    format!("{}\n", Clean(&error.to_string()))
}

/// Without a terminal: a few lines, or a JSON value on one, after every change.
fn follow_as_text(follower: &mut Follower<'_>, stop: &AtomicBool) -> Result<Exit, Failure> {
    tell(&follower.chosen, follower.global.json)?;
    while !stop.load(Ordering::Relaxed) {
        if follower.wait()? {
            tell(&follower.chosen, follower.global.json)?;
        }
    }
    Ok(Exit::Done)
}

fn tell(chosen: &Chosen, json: bool) -> Result<(), Failure> {
    match (chosen.session.view().wait(), json) {
        (Ok(view), true) => output::line(&Facts::of_view(&view, 1)),
        (Ok(view), false) => output::text(&(page::summary(&view, &chosen.why, wrap::screen_width()) + "\n")),
        (Err(error), true) => output::line(&Answer { error: &error.into() }),
        (Err(error), false) => output::text(&unreadable(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(count: usize, focus: usize) -> Tasks {
        Tasks { lines: (1..=count).map(|number| format!("[ ] {number}\n")).collect(), focus }
    }

    #[test]
    fn the_task_that_matters_now_is_on_the_screen() {
        assert_eq!(first_shown(&tasks(5, 4), 10, 80), 0, "all of them fit");
        assert_eq!(first_shown(&tasks(50, 0), 10, 80), 0);
        assert_eq!(first_shown(&tasks(50, 20), 10, 80), 18);
        assert_eq!(first_shown(&tasks(50, 49), 10, 80), 40, "the last page is full");
    }

    #[test]
    fn a_sheet_takes_what_its_rows_hold() {
        let mut sheet = Sheet { text: String::new(), width: 4, room: 3 };
        assert!(sheet.take("\u{1b}[1mabcd\u{1b}[0m\nabcdef\n"));
        assert!(!sheet.take("x\n"));
        let mut sheet = Sheet { text: String::new(), width: 4, room: 2 };
        assert!(sheet.take("\n\n"));
        assert!(!sheet.take("\n"), "an empty line takes a row");
    }
}
