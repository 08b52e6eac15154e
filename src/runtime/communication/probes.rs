//! Values that a program records while it runs, for comparisons.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use halo_core::Literal;
use halo_core::compare::{Rule, compare};

/// The recorded values of each probe, in order.
#[derive(Default)]
pub struct Probes(Mutex<HashMap<String, Vec<Literal>>>);

impl Probes {
    /// Remembers a value.
    pub fn keep(&self, probe: &str, value: Literal) {
        let mut probes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        probes.entry(probe.to_owned()).or_default().push(value);
    }

    /// Compares a value with the value that a probe recorded in its `run`th execution, counted from
    /// 0.
    ///
    /// # Errors
    /// Returns an error message if they differ, or it was not reached so often.
    pub fn expect(&self, probe: &str, run: i64, value: &Literal) -> Result<(), String> {
        let probes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = probes.get(probe).map_or(&[][..], Vec::as_slice);
        let expected = usize::try_from(run).ok().and_then(|run| seen.get(run));
        let expected = expected.ok_or_else(|| {
            format!(
                "finds no run {run} of probe '{probe}', which has {}",
                seen.len()
            )
        })?;
        let comparison =
            compare(value, expected, Rule::EXACT).map_err(|error| error.to_string())?;
        if comparison.passed() {
            Ok(())
        } else {
            Err(comparison.to_string())
        }
    }
}
