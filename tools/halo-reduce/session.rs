//! The search: candidates are made of the smallest program so far, and the first one that is
//! interesting takes its place.
//!
//! Several candidates are tested at a time, and the one that counts is the first in their
//! order, whichever test ends first. So the result is the same with any number of workers.

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

/// Why a search ends early.
#[derive(Debug)]
pub enum Halt {
    /// The time is over, or the number of tests reached.
    Limit,
    /// Nothing can be tested, or the output not be written.
    Error(Error),
}

impl<E: Into<Error>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// A reduction: a change that can be made at several sites of a program, at all of them at
/// once or at some.
///
/// A site that was changed is no site any more, or is changed to what it is.
pub struct Reduction {
    pub name: &'static str,
    /// Whether sites are alternatives, of which one is taken at a time.
    pub alternatives: bool,
    /// Whether it gives those before it new sites, where large steps are.
    pub restarts: bool,
    /// How many sites a program has.
    pub sites: fn(&Program) -> usize,
    /// Changes the sites of a range. False where nothing changes.
    pub apply: for<'m> fn(&mut Draft<'m, '_>, Range<usize>) -> bool,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub tests: Option<u64>,
    /// How long a test may take.
    pub test: Duration,
    /// Whether that is so for all, and does not follow from how long the smallest one takes.
    pub is_fixed: bool,
}

/// Candidates may take so many times as long as the program that they are made of, but not
/// less than a while, for the start of a worker: many a loop loses what ends it.
const SLOWER: u32 = 4;
const SHORTEST_LIMIT: Duration = Duration::from_secs(3);

impl Limits {
    /// The program takes so long to test.
    pub fn follow(&mut self, taken: Duration) {
        if !self.is_fixed {
            self.test = taken * SLOWER + SHORTEST_LIMIT;
        }
    }

    /// How long the next test may take.
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

/// A search under way.
pub struct Session<'c> {
    pub program: Program<'c>,
    pub limits: Limits,
    pub interest: Interest,
    /// Whether the failure of the original is no noise.
    pub is_clear: bool,
    pool: Pool,
    /// For passes, which may crash.
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

    /// How many tests were begun.
    pub fn tests(&self) -> usize {
        self.pool.count()
    }

    /// Where the best program is kept.
    pub fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// See [`output`](Self::output).
    pub fn output_ref(&self) -> &Output {
        &self.output
    }

    /// Ends what is shown.
    pub fn finish(&mut self) {
        self.progress.finish();
    }

    /// Tests one program.
    ///
    /// # Errors
    /// If it cannot be tested.
    pub fn test(&mut self, code: Vec<u8>) -> Result<Outcome, Error> {
        self.drain()?;
        let candidate = self.program.candidate(code);
        self.pool.begin(candidate, self.limits.test);
        let (_, outcome) = self.pool.wait().map_err(broken)?;
        Ok(outcome)
    }

    /// Tests a program that is made of the smallest one, which it does not replace.
    ///
    /// # Errors
    /// At the limits, or if it cannot be tested.
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

    /// Waits for the tests whose outcome does not matter any more.
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

    /// The digest of a program and what it is run with.
    fn digest(program: &Program, code: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(code);
        hasher.update(format!("{:?} {:?}", program.entry, program.given).as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// Takes the first of so many candidates that is interesting; its number.
    ///
    /// # Errors
    /// At the limits, or if something cannot be tested.
    pub fn first(
        &mut self,
        count: usize,
        make: impl Fn(&Program<'c>, usize) -> Option<Program<'c>>,
    ) -> Result<Option<usize>, Halt> {
        // What is known of each candidate so far, and those that are tested.
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

    /// Makes a reduction at as many sites as possible: first at all, then at halves of them,
    /// at last at single ones. Returns whether the program is smaller.
    ///
    /// # Errors
    /// As [`first`](Self::first).
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
                // Where sites are left, what follows has moved to the place of the changed.
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

    /// Runs passes on the program, and takes the result where it is interesting and `wanted`.
    ///
    /// # Errors
    /// As [`first`](Self::first).
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
        // One candidate, made beforehand.
        let found = self.first(1, |before, _| before.with_code(code.clone()))?;
        Ok(found.is_some())
    }
}

/// The error of a test that cannot be run.
pub fn broken(error: std::io::Error) -> Error {
    Error::execution(format!("cannot test programs: {error}"))
}
