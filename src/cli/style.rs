//! The few styles of the program's texts.

use anstyle::{AnsiColor, Style};

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEAD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const CODE: Style = AnsiColor::Cyan.on_default();
