//! `plangate watch`: the plan on the screen, drawn again after every change of any process.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plangate::session::Watch;
use plangate::store::LoadError;

use super::args::Global;
use super::clean::Clean;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::which::Chosen;
use super::{output, page, wrap};

/// How long a redraw waits for an event before it looks whether the person wants to go or has resized the screen.
const PAUSE: Duration = Duration::from_millis(100);

const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";
const CLEAR: &[u8] = b"\x1b[H\x1b[2J";

pub(crate) fn run(global: &Global, environment: &Environment) -> Result<Exit, Failure> {
    let chosen = Chosen::find(global, environment)?;
    let watch =
        chosen.session.watch().wait().map_err(|error| {
            Failure::new(Exit::Failed, "watch", format!("the plan's files cannot be watched: {error}"))
        })?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    ctrlc::set_handler(move || stopped.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::new(Exit::Failed, "watch", format!("Ctrl-C cannot be handled: {error}")))?;
    if global.json || !std::io::stdout().is_terminal() {
        follow_as_text(global, &chosen, &watch, &stop)
    } else {
        follow_on_screen(&chosen, &watch, &stop)
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

fn follow_on_screen(chosen: &Chosen, watch: &Watch, stop: &AtomicBool) -> Result<Exit, Failure> {
    let mut events = watch.subscribe();
    let _screen = Screen::enter()?;
    let mut drawn = None;
    while !stop.load(Ordering::Relaxed) {
        let size = terminal_size::terminal_size().map(|(width, height)| (width.0, height.0));
        let changed = events.wait(PAUSE).is_some();
        if changed || drawn != Some(size) {
            Screen::draw(&screen(chosen, size.map_or(24, |(_, height)| usize::from(height))))?;
            drawn = Some(size);
        }
    }
    Ok(Exit::Done)
}

/// What fits on the screen: the summary, the checklist around the current task, and the top of the design below.
fn screen(chosen: &Chosen, height: usize) -> String {
    let width = wrap::screen_width();
    let text = match chosen.session.view().wait() {
        Err(error) => unreadable(&error),
        Ok(view) => {
            let parts = [
                page::summary(&view, &chosen.why, width),
                page::checklist(view.state(), width),
                page::design(view.state(), width),
            ];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            parts.join("\n")
        }
    };
    let room = height.saturating_sub(2).max(1);
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = lines.iter().take(room).fold(String::new(), |shown, line| shown + line + "\n");
    if lines.len() > room {
        shown.push_str(&format!("… {} more lines: `plangate show` has them all. ", lines.len() - room));
    }
    shown + "Ctrl-C ends this."
}

fn unreadable(error: &LoadError) -> String {
    format!("{}\n", Clean(&error.to_string()))
}

/// Without a terminal: a line, or a JSON value, after every change.
fn follow_as_text(global: &Global, chosen: &Chosen, watch: &Watch, stop: &AtomicBool) -> Result<Exit, Failure> {
    let mut events = watch.subscribe();
    tell(global, chosen)?;
    while !stop.load(Ordering::Relaxed) {
        if events.wait(PAUSE).is_some() {
            tell(global, chosen)?;
        }
    }
    Ok(Exit::Done)
}

fn tell(global: &Global, chosen: &Chosen) -> Result<(), Failure> {
    match (chosen.session.view().wait(), global.json) {
        (Ok(view), true) => output::line(&plangate::tool::Facts::of_view(&view, 1)),
        (Ok(view), false) => output::text(&(page::summary(&view, &chosen.why, wrap::screen_width()) + "\n")),
        (Err(error), true) => output::line(&Failure::from(error)),
        (Err(error), false) => output::text(&unreadable(&error)),
    }
}
