//! The log of a tool on standard error, if `HALO_LOG` enables it.
//!
//! The crates of Halo log their decisions by `tracing`: phases, entries of the cache, tiers of
//! code, plug-ins, backends. Without the subscriber that this module installs, each event costs a
//! comparison.

use std::{
    env,
    io::{self, IsTerminal},
};
use tracing_subscriber::{EnvFilter, fmt::time::uptime};

/// The variable with the filter: a level, such as `debug`, or parts of Halo with their levels, such
/// as `halo_backend=trace,halo_compiler=debug`; `halo=debug` is all of it.
pub const VARIABLE: &str = "HALO_LOG";

/// The words that are levels.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Returns true if a log is requested.
pub(crate) fn is_wanted() -> bool {
    env::var_os(VARIABLE).is_some_and(|filter| !filter.is_empty())
}

/// Begins the log, if requested. A second call in a process changes nothing.
///
/// # Errors
/// Returns one line of text if the filter is wrong.
pub fn start() -> Result<(), String> {
    let Some(text) = env::var_os(VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(());
    };
    let text = text.to_str();
    let text = text.ok_or_else(|| format!("{VARIABLE}: the filter is not valid UTF-8"))?;
    let filter = filter(text)?;
    let has_colors = io::stderr().is_terminal()
        && env::var_os("NO_COLOR").is_none_or(|variable| variable.is_empty());
    // It fails if a log exists already.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(has_colors)
        .with_timer(uptime())
        .try_init();
    Ok(())
}

fn filter(text: &str) -> Result<EnvFilter, String> {
    // The library accepts any word as the name of a crate, including a misspelled level.
    let directives: Vec<&str> = text.split(',').map(str::trim).collect();
    for directive in &directives {
        let is_level = LEVELS.iter().any(|level| directive.eq_ignore_ascii_case(level));
        if !(is_level || directive.starts_with("halo") || directive.starts_with('[')) {
            return Err(format!(
                "{VARIABLE}: '{directive}' is neither a level ({}) nor a part of Halo with a \
                 level, such as halo_backend=debug",
                LEVELS.join(", ")
            ));
        }
    }
    let parsed = EnvFilter::builder().parse(directives.join(","));
    parsed.map_err(|error| format!("{VARIABLE}: '{text}' is not a filter: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_levels_and_parts_of_halo() {
        for text in [
            "debug",
            "TRACE",
            "halo=trace",
            "halo_backend=trace, halo_compiler=debug",
            "info,halo_compiler[phase]=trace",
        ] {
            assert!(filter(text).is_ok(), "{text}");
        }
        let error = filter("debgu").unwrap_err();
        assert!(
            error.starts_with("HALO_LOG: 'debgu' is neither a level (off, error"),
            "{error}"
        );
        let error = filter("halo=lots").unwrap_err();
        assert!(
            error.starts_with("HALO_LOG: 'halo=lots' is not a filter: "),
            "{error}"
        );
        assert!(!error.contains('\n'));
        assert!(filter("debug,").is_err());
    }
}
