//! The `plangate` program. Its surfaces are being built on the library; today it tells its version.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(flag), None) if flag == "--version" || flag == "-V" => {
            println!("plangate {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("plangate: the library is the product so far; the program knows `plangate --version` alone.");
            ExitCode::from(2)
        }
    }
}
