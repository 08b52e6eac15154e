//! The search: candidates are derived from the smallest program so far, and the first interesting
//! one replaces it.
//!
//! Several candidates are tested at a time, and the first interesting one in their order counts,
//! whichever test ends first. So the result does not depend on the number of workers.

use crate::{
    interest::{Interest, Outcome},
    output::Output,
    pool::Pool,
    process::Worker,
    program::{Draft, Program, Size},
    progress::Progress,
};
use halo::runtime::Error;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    time::{Duration, Instant},
};

/// The reason for an early end of the search.
#[derive(Debug)]
pub enum Halt {
    /// The time limit or the number of tests was reached.
    Limit,
    /// A test cannot be run, or the output not be written.
    Error(Error),
}

impl<E: Into<Error>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// A reduction: a change that can be made at several sites of a program, at all or some of them.
///
/// A changed site is not a site any more, or the change is idempotent.
pub struct Reduction {
    pub name: &'static str,
    /// Set if sites are alternatives, tried one at a time.
    pub alternatives: bool,
    /// Set if it gives earlier reductions new sites for large steps.
    pub restarts: bool,
    /// The number of sites of a program.
    pub sites: fn(&Program) -> usize,
    /// Changes a range of sites. Returns false if nothing changes.
    pub apply: for<'m> fn(&mut Draft<'m, '_>, Range<usize>) -> bool,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub tests: Option<u64>,
    /// The time limit of a test.
    pub test: Duration,
    /// Set if the limit is fixed, and does not depend on the time of the smallest program.
    pub is_fixed: bool,
}

/// Candidates may take this many times as long as the program that they are derived from, with a
/// minimum for the start of a worker: many loops lose their exit condition.
const SLOWER: u32 = 4;
const SHORTEST_LIMIT: Duration = Duration::from_secs(3);

impl Limits {
    /// Adapts the limit to the time of the program's test.
    pub fn follow(&mut self, taken: Duration) {
        if !self.is_fixed {
            self.test = taken * SLOWER + SHORTEST_LIMIT;
        }
    }

    /// The time limit of the next test.
    fn of_next(&self) -> Duration {
        let left = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(self.test, |left| left.min(self.test))
    }
}

/// A candidate under test.
struct Tested<'c> {
    number: usize,
    program: Program<'c>,
    text: Vec<u8>,
    digest: [u8; 32],
    begun: Instant,
    taken: Duration,
}

/// A running search.
pub struct Session<'c> {
    pub program: Program<'c>,
    pub limits: Limits,
    pub interest: Interest,
    /// Set if the failure of the original is not noise.
    pub is_clear: bool,
    pool: Pool,
    /// Runs passes, which may crash.
    transformer: Worker,
    output: Output,
    progress: Progress,
    /// The digests of programs that are not interesting, or have been the smallest.
    seen: HashSet<[u8; 32]>,
}

impl<'c> Session<'c> {
    pub fn new(
        program: Program<'c>,
        (interest, is_clear): (Interest, bool),
        limits: Limits,
        (pool, transformer): (Pool, Worker),
        output: Output,
    ) -> Self {
        Self {
            program,
            limits,
            interest,
            is_clear,
            pool,
            transformer,
            output,
            progress: Progress::on_terminal(),
            seen: HashSet::new(),
        }
    }

    /// The number of tests begun.
    pub fn tests(&self) -> usize {
        self.pool.count()
    }

    /// The output with the best program.
    pub fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// See [`output`](Self::output).
    pub fn output_ref(&self) -> &Output {
        &self.output
    }

    /// Ends the progress line.
    pub fn finish(&mut self) {
        self.progress.finish();
    }

    /// Tests one program.
    ///
    /// # Errors
    /// Returns an error if it cannot be tested.
    pub fn test(&mut self, code: Vec<u8>) -> Result<Outcome, Error> {
        self.drain()?;
        let candidate = self.program.candidate(code);
        self.pool.begin(candidate, self.limits.test);
        let (_, outcome) = self.pool.wait().map_err(broken)?;
        Ok(outcome)
    }

    /// Tests a program derived from the smallest one, without replacing it.
    ///
    /// # Errors
    /// Returns an error at the limits, or if it cannot be tested.
    pub fn probe(
        &mut self,
        change: impl for<'m> FnOnce(&mut Draft<'m, '_>) -> bool,
    ) -> Result<Option<Outcome>, Halt> {
        self.check_limits()?;
        let Some(program) = self.program.changed(change) else {
            return Ok(None);
        };
        self.drain()?;
        let candidate = program.candidate(program.text());
        self.pool.begin(candidate, self.limits.of_next());
        let (_, outcome) = self.pool.wait().map_err(broken)?;
        Ok(Some(outcome))
    }

    /// Waits for running tests whose outcome is not needed.
    fn drain(&mut self) -> Result<(), Error> {
        while self.pool.has_tests() {
            self.pool.wait().map_err(broken)?;
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), Halt> {
        let is_late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let most = self.limits.tests;
        if is_late || most.is_some_and(|most| self.tests() as u64 >= most) {
            Err(Halt::Limit)
        } else {
            Ok(())
        }
    }

    /// The digest of a program and its inputs.
    fn digest(program: &Program, code: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(code);
        hasher.update(format!("{:?} {:?}", program.entry, program.given).as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// Takes the first interesting candidate; returns its index.
    ///
    /// # Errors
    /// Returns an error at the limits, or if a test cannot be run.
    pub fn first(
        &mut self,
        count: usize,
        make: impl Fn(&Program<'c>, usize) -> Option<Program<'c>>,
    ) -> Result<Option<usize>, Halt> {
        // The outcome of each candidate so far, and the running tests.
        let mut verdicts = vec![None; count];
        let mut tested: HashMap<usize, Tested<'c>> = HashMap::new();
        let mut accepted: HashMap<usize, Tested<'c>> = HashMap::new();
        let mut next = 0;
        loop {
            let decided = verdicts.iter().position(|verdict| *verdict != Some(false));
            match decided {
                None => return Ok(None),
                Some(number) if verdicts[number] == Some(true) => {
                    if let Some(tested) = accepted.remove(&number) {
                        self.limits.follow(tested.taken);
                        self.accept(tested.program, &tested.text)?;
                    }
                    return Ok(Some(number));
                }
                Some(_) => {}
            }
            let is_needed = next < count && !verdicts.contains(&Some(true));
            if is_needed && self.pool.has_free_lane() {
                self.check_limits()?;
                let number = next;
                next += 1;
                let Some(program) = make(&self.program, number) else {
                    verdicts[number] = Some(false);
                    continue;
                };
                let text = program.text();
                let digest = Self::digest(&program, &text);
                if self.seen.contains(&digest) {
                    verdicts[number] = Some(false);
                    continue;
                }
                let Some(code) = self.output.code_for_test(&program, &text) else {
                    verdicts[number] = Some(false);
                    continue;
                };
                let candidate = program.candidate(code);
                let limit = self.limits.of_next();
                if let Some(ticket) = self.pool.begin(candidate, limit) {
                    let one = Tested {
                        number,
                        program,
                        text,
                        digest,
                        begun: Instant::now(),
                        taken: Duration::ZERO,
                    };
                    tested.insert(ticket, one);
                }
                self.progress.update(self.tests());
                continue;
            }
            let (ticket, outcome) = self.pool.wait().map_err(broken)?;
            let Some(mut one) = tested.remove(&ticket) else {
                continue;
            };
            // It had less time than others.
            if outcome == Outcome::TimedOut {
                self.check_limits()?;
            }
            one.taken = one.begun.elapsed();
            let is_interesting = self.interest.accepts(&outcome);
            verdicts[one.number] = Some(is_interesting);
            if is_interesting {
                accepted.insert(one.number, one);
            } else {
                self.seen.insert(one.digest);
            }
        }
    }

    fn accept(&mut self, program: Program<'c>, text: &[u8]) -> Result<(), Halt> {
        self.seen.insert(Self::digest(&program, text));
        self.program = program;
        let size = self.program.size();
        self.progress.shrink(size);
        self.output.keep(&self.program, text)?;
        Ok(())
    }

    /// Applies a reduction at as many sites as possible: first at all, then at halves of them,
    /// finally at single ones. Returns true if the program is smaller.
    ///
    /// # Errors
    /// Like [`first`](Self::first).
    pub fn reduce(&mut self, reduction: &Reduction) -> Result<bool, Halt> {
        let mut is_smaller = false;
        let mut length = if reduction.alternatives {
            1
        } else {
            (reduction.sites)(&self.program)
        };
        while length > 0 {
            let mut start = 0;
            loop {
                let sites = (reduction.sites)(&self.program);
                let range = move |number: usize| {
                    let begin = start + number * length;
                    begin..(begin + length).min(sites)
                };
                let count = sites.saturating_sub(start).div_ceil(length);
                let found = self.first(count, |program, number| {
                    program.changed(|draft| (reduction.apply)(draft, range(number)))
                })?;
                let Some(number) = found else {
                    break;
                };
                is_smaller = true;
                // If sites are left, the next ones have moved to the index of the changed ones.
                let left = (reduction.sites)(&self.program);
                start = if reduction.alternatives {
                    0
                } else if left < sites {
                    range(number).start
                } else {
                    range(number).end
                };
            }
            length /= 2;
        }
        if is_smaller {
            let (ops, tests) = (self.program.size().ops, self.tests());
            tracing::debug!(
                reduction = reduction.name,
                ops,
                tests,
                "the program is smaller"
            );
        }
        Ok(is_smaller)
    }

    /// Runs passes on the program, and takes the result if it is interesting and `wanted`.
    ///
    /// # Errors
    /// Like [`first`](Self::first).
    pub fn transform(
        &mut self,
        pipeline: &str,
        wanted: impl Fn(Size, Size) -> bool,
    ) -> Result<bool, Halt> {
        self.check_limits()?;
        let code = self.program.text();
        let limit = self.limits.of_next();
        let changed = self.transformer.transform(code, pipeline, limit).map_err(broken)?;
        let Some(code) = changed else {
            return Ok(false);
        };
        let Some(program) = self.program.with_code(code.clone()) else {
            return Ok(false);
        };
        if !wanted(self.program.size(), program.size()) {
            return Ok(false);
        }
        // A single candidate, made beforehand.
        let found = self.first(1, |before, _| before.with_code(code.clone()))?;
        Ok(found.is_some())
    }
}

/// The error of a test that cannot be run.
pub fn broken(error: std::io::Error) -> Error {
    Error::execution(format!("cannot test programs: {error}"))
}
