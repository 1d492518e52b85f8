//! The `plangate` program.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing))]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
