//! Timing a program.

use std::fmt;
use std::time::{Duration, Instant};

use halo_runtime::{DeviceBuffer, Result};

/// The times of a number of runs.
pub struct Timings {
    /// Sorted; not empty.
    runs: Vec<Duration>,
}

impl Timings {
    /// Runs once for warm-up, then `count` times more. The results go to the same buffers every
    /// time, so that only the program is measured; the argument of `run` is true for counted runs.
    /// `finish_compilation` is called after the first run; if it returns true, the new code gets a
    /// warm-up run too.
    ///
    /// # Errors
    /// Returns an error if a run fails.
    pub fn measure(
        run: impl Fn(bool) -> Result<Vec<DeviceBuffer>>,
        finish_compilation: impl FnOnce() -> bool,
        count: u32,
    ) -> Result<Self> {
        run(false)?;
        if finish_compilation() {
            run(false)?;
        }
        let mut runs = Vec::new();
        for _ in 0..count {
            let start = Instant::now();
            let outputs = run(true)?;
            runs.push(start.elapsed());
            drop(outputs);
        }
        Ok(Self::new(runs))
    }

    fn new(mut runs: Vec<Duration>) -> Self {
        runs.sort_unstable();
        Self { runs }
    }

    pub fn minimum(&self) -> Duration {
        self.runs.first().copied().unwrap_or_default()
    }

    /// The median run, or the mean of the two middle ones.
    pub fn median(&self) -> Duration {
        let (low, high) = (
            self.runs.get((self.runs.len().max(1) - 1) / 2),
            self.runs.get(self.runs.len() / 2),
        );
        match (low, high) {
            (Some(low), Some(high)) => (*low + *high) / 2,
            _ => Duration::default(),
        }
    }

    pub fn count(&self) -> usize {
        self.runs.len()
    }
}

/// A duration in a suitable unit, with four digits.
pub struct Human(pub Duration);

impl fmt::Display for Human {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        let (value, unit) = match seconds {
            s if s >= 1.0 => (s, "s"),
            s if s >= 1e-3 => (s * 1e3, "ms"),
            s => (s * 1e6, "us"),
        };
        let decimals = match value {
            v if v >= 100.0 => 1,
            v if v >= 10.0 => 2,
            _ => 3,
        };
        write!(formatter, "{value:.decimals$} {unit}")
    }
}

/// Operations per second, in units of 10^9.
pub fn gflops(operations: f64, time: Duration) -> f64 {
    operations / time.as_secs_f64().max(1e-9) / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timings(micros: &[u64]) -> Timings {
        Timings::new(micros.iter().copied().map(Duration::from_micros).collect())
    }

    #[test]
    fn minimum_and_median() {
        let odd = timings(&[5, 1, 9]);
        assert_eq!(odd.minimum(), Duration::from_micros(1));
        assert_eq!(odd.median(), Duration::from_micros(5));
        assert_eq!(timings(&[4, 1, 2, 9]).median(), Duration::from_micros(3));
        assert_eq!(timings(&[7]).median(), Duration::from_micros(7));
    }

    #[test]
    fn new_code_has_a_first_run_that_is_not_counted() {
        for (replaced, expected) in [(false, 4), (true, 5)] {
            let runs = std::cell::Cell::new(0);
            let counted = std::cell::Cell::new(0);
            let run = |counts: bool| {
                runs.set(runs.get() + 1);
                counted.set(counted.get() + u32::from(counts));
                Ok(Vec::new())
            };
            let finish = || {
                assert_eq!(runs.get(), 1);
                replaced
            };
            let timings = Timings::measure(run, finish, 3).unwrap();
            assert_eq!((timings.count(), runs.get()), (3, expected));
            assert_eq!(counted.get(), 3);
        }
    }

    #[test]
    fn durations_read_well() {
        let text = |nanos| Human(Duration::from_nanos(nanos)).to_string();
        assert_eq!(text(1_234), "1.234 us");
        assert_eq!(text(12_345_678), "12.35 ms");
        assert_eq!(text(123_456_789), "123.5 ms");
        assert_eq!(text(2_000_000_000), "2.000 s");
    }

    #[test]
    fn rates() {
        assert_eq!(gflops(2e9, Duration::from_millis(500)), 4.0);
    }
}
