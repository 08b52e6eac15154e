//! The two runs: each sends the results of its ops, which are compared in the order of the program.
//!
//! Ops are matched by their numbers in the program. If the runs continue with different ops, such as
//! after a branch or another number of iterations, the op with the smaller number is skipped: it is
//! in the branch or the loop that the other run has left.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender};
use std::thread;

use halo_core::Literal;
use halo_runtime::custom_call::CustomCall;
use halo_runtime::{CustomCallSite, Error, Executable, Result};

use super::errors::{OpErrors, Tolerance};
use crate::observation::Observed;

/// The stack of a run, for deeply nested programs.
const STACK: usize = 256 << 20;

/// The result of an op, and its operands.
pub struct Step {
    pub site: CustomCallSite,
    /// The number of the op, and of the result.
    pub key: (i64, i64),
    /// The result first.
    pub values: Vec<Literal>,
}

impl Step {
    /// The values of a call; `None` if it is about a loop.
    pub fn of(call: &CustomCall<'_>) -> Result<Option<Self>, String> {
        let attributes = &call.site.attributes;
        if attributes.text("event")? != "result" {
            return Ok(None);
        }
        Ok(Some(Self {
            site: call.site.clone(),
            key: (attributes.integer("number")?, attributes.integer("result")?),
            values: call.operands.iter().map(|view| view.to_literal()).collect::<Result<_, _>>()?,
        }))
    }

    pub fn observed(&self) -> Result<Observed<'_>> {
        let observed = Observed::of(&self.site, self.values.iter().map(Into::into));
        observed.map_err(Error::internal)
    }
}

/// A program that sends the results of its ops.
pub struct Side {
    pub executable: Box<dyn Executable>,
    /// Receives `None` after the run.
    pub sender: SyncSender<Option<Step>>,
}

/// The ops of two runs.
#[derive(Default)]
pub struct Compared {
    /// By their numbers.
    pub ops: BTreeMap<(i64, i64), OpErrors>,
    /// The first op whose results differ.
    pub first: Option<(i64, i64)>,
    pub divergence: Option<Divergence>,
    pub failures: [Option<Error>; 2],
}

/// The ops that only one of the runs has executed.
pub struct Divergence {
    /// The first one, and its side.
    pub location: String,
    pub op: String,
    pub side: usize,
    /// The number of results on each side.
    pub counts: [u64; 2],
}

/// Runs both programs, and compares their ops.
///
/// # Errors
/// Returns an error if a thread cannot be started, or ops cannot be compared.
pub fn run(
    sides: &[Side],
    receivers: Vec<Receiver<Option<Step>>>,
    inputs: &[Literal],
    tolerance: Tolerance,
) -> Result<Compared> {
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for side in sides {
            let run = move || {
                let result = side.executable.run(inputs);
                // The comparison may have ended.
                let _ = side.sender.send(None);
                result
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            threads.push(thread.map_err(|error| Error::execution(error.to_string()))?);
        }
        let mut compared = Compared::default();
        let merged = merge(&receivers, tolerance, &mut compared);
        // Ends a run that still sends.
        drop(receivers);
        for (thread, failure) in threads.into_iter().zip(&mut compared.failures) {
            let result = thread.join().unwrap_or_else(|_| Err(Error::internal("a run panicked")));
            *failure = result.err();
        }
        merged.map(|()| compared)
    })
}

fn merge(
    receivers: &[Receiver<Option<Step>>],
    tolerance: Tolerance,
    compared: &mut Compared,
) -> Result<()> {
    let receive = |side: usize| receivers[side].recv().ok().flatten();
    let (mut one, mut other) = (receive(0), receive(1));
    loop {
        let side = match (&one, &other) {
            (None, None) => return Ok(()),
            (Some(step), Some(expected)) if step.key == expected.key => {
                let op = compared.ops.entry(step.key).or_insert_with(|| OpErrors::of(step));
                op.compare(step, expected, tolerance)?;
                if op.worst.is_some() {
                    compared.first.get_or_insert(step.key);
                }
                (one, other) = (receive(0), receive(1));
                continue;
            }
            (Some(step), Some(expected)) => usize::from(step.key > expected.key),
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
        };
        let skipped = if side == 0 { &mut one } else { &mut other };
        if let Some(step) = skipped {
            let divergence = compared.divergence.get_or_insert_with(|| Divergence {
                location: step.site.location.clone(),
                op: OpErrors::of(step).op,
                side,
                counts: [0; 2],
            });
            divergence.counts[side] += 1;
        }
        *skipped = receive(side);
    }
}
