//! The option that measures plans of products, on the command lines of tools that run programs.

use std::env;
use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use halo_runtime::{Error, Result};

const VARIABLE: &str = "HALO_TUNE";

/// The time for measurements by default.
const DEFAULT: Duration = Duration::from_secs(10);

/// The option that measures plans of products.
#[derive(Args, Clone, Debug, Default)]
pub struct TuningArguments {
    /// Time plans of products and convolutions for at most TIME, such as 30s or 500ms, and compile
    /// the program by the fastest ones, which --cache-dir keeps; 0s only uses plans that are kept
    /// [default without TIME: 10s; without --tune: HALO_TUNE, which is 1 or a time, or none]
    #[arg(
        long,
        value_name = "TIME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10s",
        value_parser = time
    )]
    pub tune: Option<Duration>,
}

impl TuningArguments {
    /// The time for measurements that the command line or the environment specifies.
    ///
    /// # Errors
    /// Returns an invalid-input error if the environment has an invalid value.
    pub fn budget(&self) -> Result<Option<Duration>> {
        self.budget_with(env::var_os(VARIABLE))
    }

    fn budget_with(&self, variable: Option<OsString>) -> Result<Option<Duration>> {
        let text = variable.unwrap_or_default();
        match (self.tune, &*text.to_string_lossy()) {
            (Some(given), _) => Ok(Some(given)),
            (None, "" | "0") => Ok(None),
            (None, "1") => Ok(Some(DEFAULT)),
            (None, text) => time(text).map(Some).map_err(|error| {
                Error::invalid(format!("{VARIABLE}: '{text}': {error}, or 1 or 0"))
            }),
        }
    }
}

/// Parses a time, a whole number of seconds or milliseconds.
fn time(text: &str) -> Result<Duration, String> {
    let parts = text.strip_suffix("ms").map(|digits| (digits, 1));
    let parts = parts.or_else(|| text.strip_suffix('s').map(|digits| (digits, 1000)));
    let number = parts.and_then(|(digits, unit)| digits.parse::<u32>().ok().zip(Some(unit)));
    let (number, unit) = number.ok_or("expected a time such as 30s or 500ms")?;
    Ok(Duration::from_millis(u64::from(number) * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_comes_before_the_environment() {
        let budget = |tune: Option<u64>, variable: &str| {
            let tune = tune.map(Duration::from_millis);
            let found = TuningArguments { tune }.budget_with(Some(variable.into()));
            found.map(|budget| budget.map(|budget| budget.as_millis()))
        };
        assert_eq!(budget(None, "").unwrap(), None);
        assert_eq!(budget(None, "0").unwrap(), None);
        assert_eq!(budget(None, "1").unwrap(), Some(10_000));
        assert_eq!(budget(None, "500ms").unwrap(), Some(500));
        assert_eq!(budget(Some(0), "30s").unwrap(), Some(0));
        assert_eq!(
            budget(None, "5m").unwrap_err().to_string(),
            "HALO_TUNE: '5m': expected a time such as 30s or 500ms, or 1 or 0"
        );
    }

    #[test]
    fn times_have_units() {
        assert_eq!(time("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(time("0s"), Ok(Duration::ZERO));
        for wrong in ["", "s", "ms", "10", "-1s", "1.5s", "99999999999s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
