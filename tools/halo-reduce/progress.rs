//! The progress line on a terminal.

use crate::program::Size;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    env,
    io::{self, IsTerminal},
    time::Duration,
};

/// The refresh interval of the line.
const PERIOD: Duration = Duration::from_millis(500);

/// `reducing: 43 ops, 17 tests, 5 s`, erased at the end.
pub struct Progress {
    line: Option<ProgressBar>,
    ops: Option<usize>,
}

impl Progress {
    /// A line that is shown if standard error is a terminal that can erase a line.
    pub fn on_terminal() -> Self {
        let is_dumb = env::var_os("TERM").is_none_or(|name| name == "dumb");
        let line = (io::stderr().is_terminal() && !is_dumb).then(|| {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("reducing: {msg}, {elapsed}") {
                line.set_style(style);
            }
            line.enable_steady_tick(PERIOD);
            line
        });
        Self { line, ops: None }
    }

    /// The program has become smaller.
    pub fn shrink(&mut self, size: Size) {
        self.ops = Some(size.ops);
    }

    /// Updates the number of tests.
    pub fn update(&mut self, tests: usize) {
        if let Some(line) = &self.line {
            line.set_message(text(self.ops, tests));
        }
    }

    /// Erases the line.
    pub fn finish(&mut self) {
        if let Some(line) = self.line.take() {
            line.finish_and_clear();
        }
    }
}

fn text(ops: Option<usize>, tests: usize) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let ops = ops.map(|ops| format!("{ops} op{}, ", plural(ops)));
    format!("{}{tests} test{}", ops.unwrap_or_default(), plural(tests))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts() {
        assert_eq!(text(None, 1), "1 test");
        assert_eq!(text(Some(43), 17), "43 ops, 17 tests");
    }
}
