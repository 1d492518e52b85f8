//! The program as a person and as an agent run it: what each command answers in each state, as text and as JSON, with its
//! exit code; and what is asked on a terminal.
#![cfg(feature = "cli")]

mod archive;
mod check;
mod confirm;
mod doctor;
mod enter;
mod folders;
mod gate;
mod hostile;
mod list;
mod manual;
mod page;
#[cfg(unix)]
mod person;
mod place;
mod plain;
#[cfg(unix)]
mod readme;
mod show;
mod status;
#[cfg(unix)]
mod terminal;
mod tool;
mod unreadable;
#[cfg(unix)]
mod watch;
mod which;
