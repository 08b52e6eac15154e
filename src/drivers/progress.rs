//! The line that a terminal shows while a long compilation runs.
//!
//! It shows the running phase, the number of compiled kernels, and the time since the begin of the
//! compilation. It appears after a second and is erased at the end, before anything else is
//! written. It has no colors.

use halo_backend::observer::{CompileEvent, CompileObserver};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    env,
    io::{self, IsTerminal},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Shorter compilations show nothing.
const DELAY: Duration = Duration::from_secs(1);

/// The interval at which the line is redrawn.
const PERIOD: Duration = Duration::from_millis(100);

/// Shows the progress of compilations on standard error, if it is a terminal.
pub struct Progress {
    shared: Arc<Shared>,
    /// The drawing thread, during a compilation.
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when the last compilation has ended.
    ended: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The progress of the compilations.
#[derive(Default)]
struct State {
    /// The number of nested compilations in progress.
    depth: usize,
    phase: String,
    kernels_found: usize,
    kernels_finished: usize,
}

impl State {
    fn note(&mut self, event: &CompileEvent<'_>) {
        match *event {
            CompileEvent::CompilationStarted => {
                if self.depth == 0 {
                    *self = Self::default();
                }
                self.depth += 1;
            }
            CompileEvent::CompilationFinished => self.depth = self.depth.saturating_sub(1),
            CompileEvent::PhaseStarted { name } => name.clone_into(&mut self.phase),
            CompileEvent::KernelsFound { count } => self.kernels_found += count,
            CompileEvent::KernelFinished { .. } => self.kernels_finished += 1,
            _ => {}
        }
    }

    fn text(&self, elapsed: Duration) -> String {
        let kernels = match self.kernels_found {
            0 => String::new(),
            found => format!(", {} of {found} kernels", self.kernels_finished.min(found)),
        };
        let seconds = elapsed.as_secs();
        format!("compiling: {}{kernels}, {seconds} s", self.phase)
    }
}

impl Progress {
    /// One that draws, if standard error is a terminal that can erase a line.
    pub fn on_terminal() -> Option<Self> {
        let is_dumb = env::var_os("TERM").is_none_or(|name| name == "dumb");
        (io::stderr().is_terminal() && !is_dumb).then(|| Self {
            shared: Arc::default(),
            thread: Mutex::default(),
        })
    }

    fn thread(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CompileObserver for Progress {
    fn observe(&self, event: &CompileEvent<'_>) {
        let mut state = self.shared.state();
        state.note(event);
        let depth = state.depth;
        drop(state);
        match event {
            CompileEvent::CompilationStarted if depth == 1 => {
                let shared = Arc::clone(&self.shared);
                let draw = move || draw(&shared, Line::new(ProgressDrawTarget::stderr()));
                // Without a thread, nothing is shown.
                *self.thread() = thread::Builder::new().spawn(draw).ok();
            }
            CompileEvent::CompilationFinished if depth == 0 => {
                self.shared.ended.notify_all();
                if let Some(thread) = self.thread().take() {
                    // A panic while drawing does not affect the compilation.
                    let _ = thread.join();
                }
            }
            _ => {}
        }
    }
}

/// Draws until the compilation ends, then erases the line.
fn draw(shared: &Shared, mut line: Line) {
    let start = Instant::now();
    let mut wait = DELAY;
    let mut state = shared.state();
    while state.depth > 0 {
        let waited = shared.ended.wait_timeout(state, wait);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if state.depth > 0 {
            line.update(&state, start.elapsed());
        }
        wait = PERIOD;
    }
    drop(state);
    line.erase();
}

/// The line on the terminal.
struct Line {
    bar: ProgressBar,
    is_shown: bool,
}

impl Line {
    fn new(target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            is_shown: false,
        }
    }

    /// Shows the progress of a compilation that has taken long enough.
    fn update(&mut self, state: &State, elapsed: Duration) {
        if elapsed >= DELAY {
            self.bar.set_message(state.text(elapsed));
            self.is_shown = true;
        }
    }

    fn erase(&self) {
        if self.is_shown {
            self.bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;

    /// A terminal of one line. indicatif's in-memory terminal requires a feature, which would make
    /// `cargo test` build other tools than `cargo build`.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<Written>>);

    #[derive(Debug, Default)]
    struct Written {
        line: String,
        bytes: usize,
        escapes: bool,
    }

    impl Terminal {
        fn written(&self) -> MutexGuard<'_, Written> {
            self.0.lock().unwrap()
        }

        fn contents(&self) -> String {
            self.written().line.trim_end().to_owned()
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            60
        }

        fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
            assert_eq!(lines, 0, "there is one line");
            Ok(())
        }

        fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
            self.move_cursor_up(lines)
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            assert!(text.is_empty(), "{text:?} would stay");
            Ok(())
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            let mut written = self.written();
            written.line.push_str(text);
            written.bytes += text.len();
            written.escapes |= text.contains('\u{1b}');
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.written().line.clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn line() -> (Line, Terminal) {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        (Line::new(target), terminal)
    }

    const STARTED: CompileEvent<'_> = CompileEvent::CompilationStarted;
    const FINISHED: CompileEvent<'_> = CompileEvent::CompilationFinished;

    #[test]
    fn a_long_compilation_has_a_line_that_is_erased() {
        let (mut line, terminal) = line();
        let mut state = State::default();
        state.note(&STARTED);
        state.note(&CompileEvent::PhaseStarted { name: "fusion" });
        line.update(&state, Duration::from_millis(999));
        assert_eq!(terminal.contents(), "");
        line.update(&state, Duration::from_millis(1000));
        assert_eq!(terminal.contents(), "compiling: fusion, 1 s");
        state.note(&CompileEvent::PhaseStarted { name: "asm" });
        state.note(&CompileEvent::KernelsFound { count: 40 });
        for _ in 0..12 {
            state.note(&CompileEvent::KernelFinished {
                name: "kernel",
                time: Duration::ZERO,
            });
        }
        line.update(&state, Duration::from_secs(75));
        assert_eq!(
            terminal.contents(),
            "compiling: asm, 12 of 40 kernels, 75 s"
        );
        line.erase();
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_short_compilation_writes_nothing() {
        let (mut line, terminal) = line();
        line.update(&State::default(), Duration::from_millis(10));
        line.erase();
        assert_eq!(terminal.written().bytes, 0);
    }

    #[test]
    fn the_line_has_no_colors() {
        let (mut line, terminal) = line();
        line.update(&State::default(), Duration::from_secs(2));
        assert_eq!(terminal.contents(), "compiling: , 2 s");
        assert!(!terminal.written().escapes);
    }

    #[test]
    fn a_compilation_inside_of_another_one_counts_on() {
        let mut state = State::default();
        let found = CompileEvent::KernelsFound { count: 2 };
        for event in [STARTED, found, STARTED, found, FINISHED] {
            state.note(&event);
        }
        assert_eq!((state.depth, state.kernels_found), (1, 4));
        state.note(&FINISHED);
        state.note(&STARTED);
        assert_eq!((state.depth, state.kernels_found), (1, 0));
    }

    #[test]
    fn the_thread_ends_with_the_compilation() {
        let progress = Progress {
            shared: Arc::default(),
            thread: Mutex::default(),
        };
        for _ in 0..2 {
            progress.observe(&STARTED);
            assert!(progress.thread().is_some());
            progress.observe(&STARTED);
            progress.observe(&FINISHED);
            assert!(progress.thread().is_some());
            progress.observe(&FINISHED);
            assert!(progress.thread().is_none());
        }
    }
}
