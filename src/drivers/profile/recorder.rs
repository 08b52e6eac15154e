//! The recording of measurements.

use halo_backend::{CompileEvent, CompileObserver};
use halo_runtime::{
    memory_observer::{MemoryEvent, MemoryObserver},
    run_observer::{Part, RunObserver, Site, Slice, Work},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

/// The maximum number of slices, about 100 MB; a larger trace is too long for its viewers.
const MOST_SLICES: usize = 1 << 20;

/// The maximum number of runs whose times are kept.
const MOST_RUNS: usize = 1 << 12;

/// The kinds of slices without a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A step of the compiler.
    Compile,
    /// A run of the program.
    Run,
    /// A copy of bytes to or from the device.
    Transfer(u64),
    /// Another step of the tool.
    Tool,
}

/// The subject of a slice.
#[derive(Clone, Debug)]
pub enum Label {
    Step(Step, String),
    Site(Arc<Site>, Part),
}

/// A slice of the time of a thread, since the begin of the recording.
#[derive(Clone, Debug)]
pub struct RecordedSlice {
    pub label: Label,
    /// The number of the thread.
    pub thread: usize,
    pub start: Duration,
    pub end: Duration,
    pub has_failed: bool,
}

/// The sum of the slices of a site.
#[derive(Clone, Debug)]
pub struct SiteTotal {
    pub site: Arc<Site>,
    /// The number of calls, and their time.
    pub count: u64,
    pub time: Duration,
    /// The time in each run, up to the last one with a call.
    pub of_runs: Vec<Duration>,
    /// The threads that ran a part of it.
    pub threads: BTreeSet<usize>,
}

/// The counted runs, and their parts.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub runs: u64,
    pub time: Duration,
    /// The time of each of the first runs.
    pub of_runs: Vec<Duration>,
    /// The time in which callers of kernels waited for other threads.
    pub waits: Duration,
    pub sites: Vec<SiteTotal>,
}

/// The sum of all sites with the same work at one location.
#[derive(Clone, Debug)]
pub struct PlaceTotal<'a> {
    /// The first of them.
    pub site: &'a Site,
    pub count: u64,
    pub time: Duration,
    /// The time in each of the first runs.
    pub of_runs: Vec<Duration>,
    /// The threads that ran a part of it.
    pub threads: BTreeSet<usize>,
    /// The bytes that all calls touch, if all are known.
    pub bytes: Option<u64>,
}

impl Totals {
    /// The sums by kind of work, name and location with its callers, in this order.
    pub fn by_place(&self) -> Vec<PlaceTotal<'_>> {
        type Key<'a> = (Work, &'a str, &'a str, &'a [String]);
        let mut places: BTreeMap<Key<'_>, PlaceTotal<'_>> = BTreeMap::new();
        for total in self.sites.iter().filter(|total| total.count > 0) {
            let site = &*total.site;
            let location = (&site.location[..], &site.callers[..]);
            let key = (site.work, &site.name[..], location.0, location.1);
            let place = places.entry(key).or_insert_with(|| PlaceTotal {
                site,
                count: 0,
                time: Duration::ZERO,
                of_runs: vec![Duration::ZERO; self.of_runs.len()],
                threads: BTreeSet::new(),
                bytes: Some(0),
            });
            place.count += total.count;
            place.time += total.time;
            for (sum, own) in place.of_runs.iter_mut().zip(&total.of_runs) {
                *sum += *own;
            }
            place.threads.extend(&total.threads);
            let bytes = site.bytes.and_then(|bytes| bytes.checked_mul(total.count));
            let both = place.bytes.zip(bytes);
            place.bytes = both.and_then(|(all, own)| all.checked_add(own));
        }
        places.into_values().collect()
    }
}

/// The used memory from a time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    pub memory: String,
    pub time: Duration,
    pub in_use: u64,
}

/// All that was measured.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    pub slices: Vec<RecordedSlice>,
    /// In the order of the changes.
    pub memory: Vec<MemoryUse>,
    /// The names of the threads.
    pub threads: Vec<String>,
    pub left_out: usize,
    pub totals: Totals,
}

#[derive(Default)]
struct State {
    recorded: Recorded,
    threads: HashMap<ThreadId, usize>,
    /// The totals by the addresses of their sites.
    sites: HashMap<usize, usize>,
    /// Compilations, without a name, and phases that have begun.
    open: Vec<(usize, Option<String>, Instant)>,
    /// Whether the current run is included in the summary.
    counts: bool,
}

/// Records the events that observers of compilations and runs receive.
pub struct Recorder {
    origin: Instant,
    state: Mutex<State>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            origin: Instant::now(),
            state: Mutex::default(),
        }
    }
}

impl Recorder {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All measurements until now.
    pub fn recorded(&self) -> Recorded {
        self.state().recorded.clone()
    }

    /// Measures a step of the tool.
    pub fn step<T, E>(&self, name: &str, function: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.measured(Step::Tool, name, function)
    }

    /// Measures a copy of bytes to or from the device.
    pub fn transfer<T, E>(
        &self,
        (name, bytes): (&str, u64),
        function: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        self.measured(Step::Transfer(bytes), name, function)
    }

    /// Measures a run. `counts` includes it in the summary.
    pub fn run<T, E>(
        &self,
        name: &str,
        counts: bool,
        function: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        self.state().counts = counts;
        let outcome = self.measured(Step::Run, name, function);
        self.state().counts = false;
        outcome
    }

    fn measured<T, E>(
        &self,
        step: Step,
        name: &str,
        function: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let start = Instant::now();
        let outcome = function();
        let end = Instant::now();
        let mut state = self.state();
        if step == Step::Run && state.counts {
            let totals = &mut state.recorded.totals;
            totals.runs += 1;
            let time = end.saturating_duration_since(start);
            totals.time += time;
            if totals.of_runs.len() < MOST_RUNS {
                totals.of_runs.push(time);
            }
        }
        let label = Label::Step(step, name.to_owned());
        let thread = state.thread();
        state.add(self.origin, (label, thread), (start, end), outcome.is_err());
        outcome
    }
}

impl State {
    /// The number of the thread that calls.
    fn thread(&mut self) -> usize {
        let current = thread::current();
        let names = &mut self.recorded.threads;
        *self.threads.entry(current.id()).or_insert_with(|| {
            let number = names.len();
            names.push(match (number, current.name()) {
                (_, Some(name)) => name.to_owned(),
                // The main thread of the tool.
                (0, None) => "main".to_owned(),
                (_, None) => format!("thread {number}"),
            });
            number
        })
    }

    fn add(
        &mut self,
        origin: Instant,
        (label, thread): (Label, usize),
        (start, end): (Instant, Instant),
        has_failed: bool,
    ) {
        if self.recorded.slices.len() >= MOST_SLICES {
            self.recorded.left_out += 1;
            return;
        }
        self.recorded.slices.push(RecordedSlice {
            label,
            thread,
            start: start.saturating_duration_since(origin),
            end: end.saturating_duration_since(origin),
            has_failed,
        });
    }

    /// Adds a slice of a site to the sums.
    fn count(&mut self, slice: &Slice<'_>, thread: usize) {
        let time = slice.end.saturating_duration_since(slice.start);
        let totals = &mut self.recorded.totals;
        // The total keeps the site alive, so that no other one has its address.
        let key = Arc::as_ptr(slice.site).addr();
        let index = *self.sites.entry(key).or_insert_with(|| {
            totals.sites.push(SiteTotal {
                site: Arc::clone(slice.site),
                count: 0,
                time: Duration::ZERO,
                of_runs: Vec::new(),
                threads: BTreeSet::new(),
            });
            totals.sites.len() - 1
        });
        let run = usize::try_from(totals.runs).unwrap_or(usize::MAX);
        let Some(total) = totals.sites.get_mut(index) else {
            return;
        };
        match slice.part {
            Part::Whole => {
                total.threads.insert(thread);
                total.count += 1;
                total.time += time;
                if run < MOST_RUNS {
                    let length = total.of_runs.len().max(run + 1);
                    total.of_runs.resize(length, Duration::ZERO);
                    total.of_runs[run] += time;
                }
            }
            Part::Task { .. } => {
                total.threads.insert(thread);
            }
            Part::Wait => totals.waits += time,
        }
    }

    /// The begin of a compilation step whose end and duration are reported. The duration was
    /// measured a little earlier, so the computed begin may be within the last slice of its thread:
    /// then the step contains that slice.
    fn start(&self, origin: Instant, thread: usize, (end, time): (Instant, Duration)) -> Instant {
        let start = end.checked_sub(time).unwrap_or(origin);
        let mut slices = self.recorded.slices.iter().rev();
        match slices.find(|slice| slice.thread == thread) {
            Some(last) if start < origin + last.end => start.min(origin + last.start),
            _ => start,
        }
    }

    fn compile_slice(
        &mut self,
        origin: Instant,
        name: &str,
        (start, end): (Instant, Instant),
        has_failed: bool,
    ) {
        let label = Label::Step(Step::Compile, name.to_owned());
        let thread = self.thread();
        self.add(origin, (label, thread), (start, end), has_failed);
    }
}

impl RunObserver for Recorder {
    fn observe(&self, slice: &Slice<'_>) {
        let mut state = self.state();
        let thread = state.thread();
        if state.counts {
            state.count(slice, thread);
        }
        let label = Label::Site(Arc::clone(slice.site), slice.part);
        let time = (slice.start, slice.end);
        state.add(self.origin, (label, thread), time, slice.has_failed);
    }
}

impl MemoryObserver for Recorder {
    fn observe(&self, event: &MemoryEvent<'_>) {
        let recorded = &mut self.state().recorded;
        if recorded.memory.len() >= MOST_SLICES {
            recorded.left_out += 1;
            return;
        }
        recorded.memory.push(MemoryUse {
            memory: event.memory.to_owned(),
            time: event.time.saturating_duration_since(self.origin),
            in_use: event.in_use,
        });
    }
}

impl CompileObserver for Recorder {
    fn wants_passes(&self) -> bool {
        true
    }

    fn observe(&self, event: &CompileEvent<'_>) {
        let now = Instant::now();
        let mut state = self.state();
        let thread = state.thread();
        let before = |state: &State, time| state.start(self.origin, thread, (now, time));
        match *event {
            CompileEvent::CompilationStarted => state.open.push((thread, None, now)),
            CompileEvent::PhaseStarted { name } => {
                state.open.push((thread, Some(name.to_owned()), now));
            }
            CompileEvent::PhaseFinished { name, time } => {
                // For inserted passes, only the end is reported.
                let is_last = state
                    .open
                    .last()
                    .is_some_and(|(on, open, _)| *on == thread && open.as_deref() == Some(name));
                let begun = is_last.then(|| state.open.pop()).flatten();
                let start = begun.map(|(_, _, start)| start);
                let start = start.unwrap_or_else(|| before(&state, time));
                state.compile_slice(self.origin, name, (start, now), false);
            }
            CompileEvent::CompilationFinished => {
                // The failure occurred in the phases that are still open.
                while let Some((_, name, start)) = state.open.pop() {
                    let is_compilation = name.is_none();
                    let name = name.as_deref().unwrap_or("compilation");
                    state.compile_slice(self.origin, name, (start, now), !is_compilation);
                    if is_compilation {
                        break;
                    }
                }
            }
            CompileEvent::PassFinished { name, time }
            | CompileEvent::KernelFinished { name, time } => {
                let start = before(&state, time);
                state.compile_slice(self.origin, name, (start, now), false);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of an inserted pass is reported twice, as the end of a pass and of a step.
    #[test]
    fn a_step_holds_the_slice_that_it_seems_to_begin_in() {
        let recorder = Recorder {
            origin: Instant::now().checked_sub(Duration::from_secs(10)).unwrap(),
            state: Mutex::default(),
        };
        let ended = |event: CompileEvent<'_>| CompileObserver::observe(&recorder, &event);
        for (name, seconds) in [("first", 6), ("second", 4)] {
            let time = Duration::from_secs(seconds);
            ended(CompileEvent::PassFinished { name, time });
        }
        let slices = recorder.recorded().slices;
        let [first, second] = &slices[..] else {
            panic!("{slices:?}");
        };
        assert_eq!(first.start, second.start);
        assert!(first.end <= second.end);
    }
}
