//! The tiers of a program for one shape: quick code at first, optimized code later.
//!
//! ```text
//! first meeting    quick code is made and run
//! second meeting   quick code runs, optimized code is made in the background
//! later            quick code runs until the other one is ready, which takes its place
//! ```
//!
//! A shape that is met once has cost a quick compilation alone, and one that is met often
//! runs at full speed after a while, for which nobody has waited. If a compilation in the
//! background fails, quick code stays, and no other one is begun. Threads that meet a new
//! shape at the same time wait for one compilation.
//!
//! Both tiers give the same results, bit for bit: a target makes quick code by other sizes
//! of blocks and fewer passes, neither of which changes the order of operations on floats.

use super::Inputs;
use halo_core::Literal;
use halo_runtime::{
    Executable, Result,
    background::{Cancellation, Jobs},
};
use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What an executable is compiled for.
#[derive(Clone, Copy, Debug)]
pub enum Compilation<'a> {
    /// For a caller who waits.
    FirstMeeting,
    /// To run later, until it is cancelled.
    Background(&'a Cancellation),
}

/// How much was done for the speed of an executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Little, so that it was ready soon.
    Quick,
    /// All that the target knows.
    Full,
}

/// An executable with its tier.
pub struct Compiled {
    pub executable: Box<dyn Executable>,
    pub tier: Tier,
}

/// Makes an executable for inputs. In the background it is a fully optimized one.
pub type Specialize = dyn Fn(Inputs<'_>, Compilation<'_>) -> Result<Compiled> + Send + Sync;

/// The program for one set of inputs.
pub struct Specialization {
    arguments: String,
    sizes: Vec<Literal>,
    state: Mutex<State>,
}

enum State {
    /// It was not compiled, or that failed.
    New,
    Quick {
        executable: Arc<dyn Executable>,
        /// Whether it was, or is to be, compiled with full optimization.
        is_optimized: bool,
    },
    Full(Arc<dyn Executable>),
}

impl Specialization {
    /// A program that is not compiled, for [`Inputs`].
    pub fn new(arguments: String, sizes: Vec<Literal>) -> Self {
        Self {
            arguments,
            sizes,
            state: Mutex::new(State::New),
        }
    }

    /// The executable for a run. The first call compiles it, and the second one has it
    /// optimized in the background.
    ///
    /// # Errors
    /// Those of the compilation; the next call begins anew.
    pub fn meet(
        self: &Arc<Self>,
        specialize: &Arc<Specialize>,
        jobs: &Jobs,
    ) -> Result<Arc<dyn Executable>> {
        let mut state = self.state();
        let executable = match &*state {
            State::Full(executable) => return Ok(Arc::clone(executable)),
            State::Quick { executable, .. } => Arc::clone(executable),
            State::New => {
                // Others that meet this shape wait here.
                let compiled = specialize(self.inputs(), Compilation::FirstMeeting)?;
                let executable: Arc<dyn Executable> = Arc::from(compiled.executable);
                *state = match compiled.tier {
                    Tier::Full => State::Full(Arc::clone(&executable)),
                    Tier::Quick => State::Quick {
                        executable: Arc::clone(&executable),
                        is_optimized: false,
                    },
                };
                return Ok(executable);
            }
        };
        drop(state);
        self.optimize(specialize, jobs);
        Ok(executable)
    }

    /// Whether quick code runs.
    pub fn is_quick(&self) -> bool {
        matches!(*self.state(), State::Quick { .. })
    }

    /// Has quick code optimized in the background, once.
    pub fn optimize(self: &Arc<Self>, specialize: &Arc<Specialize>, jobs: &Jobs) {
        let State::Quick { is_optimized, .. } = &mut *self.state() else {
            return;
        };
        if mem::replace(is_optimized, true) {
            return;
        }
        let (this, specialize) = (Arc::downgrade(self), Arc::clone(specialize));
        jobs.submit(move |cancellation| {
            // A table that was full may have dropped it.
            let Some(this) = this.upgrade() else {
                return;
            };
            let compiled = specialize(this.inputs(), Compilation::Background(cancellation));
            let Ok(Compiled {
                executable,
                tier: Tier::Full,
            }) = compiled
            else {
                return;
            };
            let quick = mem::replace(&mut *this.state(), State::Full(Arc::from(executable)));
            // Outside of the lock; runs of it may go on.
            drop(quick);
        });
    }

    fn inputs(&self) -> Inputs<'_> {
        Inputs {
            arguments: &self.arguments,
            sizes: &self.sizes,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
