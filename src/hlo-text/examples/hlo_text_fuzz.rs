//! Parses randomly edited texts for a number of seconds: `cargo run --release -p halo-hlo-text
//! --example hlo_text_fuzz -- SECONDS [FIRST]`.
//!
//! Reports the number of a text that crashes the parser, or that it reads slowly; `FIRST` begins
//! with that number.

#[path = "../tests/support/edits.rs"]
mod edits;

use std::{
    panic::catch_unwind,
    process::ExitCode,
    time::{Duration, Instant},
};

/// The time limit for a text.
const LIMIT: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse());
    let seconds = arguments.next().and_then(Result::ok).unwrap_or(60);
    let first: u64 = arguments.next().and_then(Result::ok).unwrap_or(0);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut number, mut failures, mut read) = (first, 0, 0_u64);
    while Instant::now() < end {
        let text = edits::text(number);
        let start = Instant::now();
        if catch_unwind(|| edits::check(&text)).is_err() || start.elapsed() > LIMIT {
            failures += 1;
            eprintln!("case {number}: failed after {:?}", start.elapsed());
        }
        read += u64::from(number % 16 == 0 && halo_hlo_text::parse(&text).is_ok());
        number += 1;
    }
    let count = number - first;
    println!(
        "{count} cases, about {} of them HLO, {failures} failures",
        read * 16
    );
    // On Linux: the most memory that was used at a time.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmHWM")) {
        println!("{line}");
    }
    ExitCode::from(u8::from(failures > 0))
}
