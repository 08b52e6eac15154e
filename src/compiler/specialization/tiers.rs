//! The tiers of a program for one shape: baseline code first, optimized code later.
//!
//! ```text
//! first occurrence     baseline code is compiled and run
//! second occurrence    baseline code runs, optimized code is compiled in the background
//! later                baseline code runs until the optimized code replaces it
//! ```
//!
//! A shape that occurs once costs only a baseline compilation, and a shape that occurs often runs
//! at full speed after a while, without waiting. If a background compilation fails, baseline code
//! remains, and no other one is started. Threads with the same new shape wait for one compilation.
//!
//! Both tiers give the same results, bit for bit: baseline code differs in block sizes and in the
//! number of passes, neither of which changes the order of operations on floats.

use super::Inputs;
use halo_backend::background::{Cancellation, Jobs};
use halo_core::Literal;
use halo_runtime::{Executable, Result};
use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The purpose of a compilation.
#[derive(Clone, Copy, Debug)]
pub enum Compilation<'a> {
    /// A caller waits for it.
    FirstMeeting,
    /// Runs in the background, until it is cancelled.
    Background(&'a Cancellation),
}

/// The optimization level of an executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The baseline tier: fast compilation.
    Quick,
    /// Full optimization.
    Full,
}

/// An executable with its tier.
pub struct Compiled {
    pub executable: Box<dyn Executable>,
    pub tier: Tier,
}

/// Makes an executable for inputs. In the background, it is fully optimized.
pub type Specialize = dyn Fn(Inputs<'_>, Compilation<'_>) -> Result<Compiled> + Send + Sync;

/// The program for one set of inputs.
pub struct Specialization {
    arguments: String,
    sizes: Vec<Literal>,
    state: Mutex<State>,
}

enum State {
    /// Not compiled, or the compilation failed.
    New,
    Quick {
        executable: Arc<dyn Executable>,
        /// Set if optimization was started.
        is_optimized: bool,
    },
    Full(Arc<dyn Executable>),
}

impl Specialization {
    /// An uncompiled program, for [`Inputs`].
    pub fn new(arguments: String, sizes: Vec<Literal>) -> Self {
        Self {
            arguments,
            sizes,
            state: Mutex::new(State::New),
        }
    }

    /// Returns the executable for a run. The first call compiles it, and the second one starts
    /// optimization in the background.
    ///
    /// # Errors
    /// Returns the errors of the compilation; the next call tries again.
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
                // Other threads with this shape wait here.
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

    /// Returns true if baseline code runs.
    pub fn is_quick(&self) -> bool {
        matches!(*self.state(), State::Quick { .. })
    }

    /// Starts the optimization of baseline code in the background, once.
    pub fn optimize(self: &Arc<Self>, specialize: &Arc<Specialize>, jobs: &Jobs) {
        let State::Quick { is_optimized, .. } = &mut *self.state() else {
            return;
        };
        if mem::replace(is_optimized, true) {
            return;
        }
        let (this, specialize) = (Arc::downgrade(self), Arc::clone(specialize));
        jobs.submit(move |cancellation| {
            // A full table may have dropped it.
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
            // Drop it outside of the lock; it may still be running.
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
