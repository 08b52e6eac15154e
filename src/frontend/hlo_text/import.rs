//! From the tree of HLO text to ops.
//!
//! [`module`] imports the computations, [`instruction`] prepares the arguments of each op's
//! function, and one file for each family of ops has these functions.

mod asynchronous;
mod attributes;
mod bitcast;
mod collectives;
mod computation;
mod control_flow;
mod custom_call;
mod custom_targets;
mod dispatch;
mod elementwise;
mod entry;
mod flagged_window;
mod indexing;
mod instruction;
mod linear_algebra;
mod module;
mod module_attributes;
mod other;
mod reduce_window;
mod reduction;
mod replica_groups;
mod scatter;
mod shape;
mod transfers;
mod types;
mod values;

pub use asynchronous::unwrapped;
pub use module::module;

use super::ImportOptions;
use halo_hlo_text::{HloComputation, HloModule, Position};
use halo_ir::{BuildError, Builder, Operation};
use melior::Context;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};

/// The error of an import, and its position.
#[derive(Clone, Debug)]
pub struct Failure {
    /// `None` until an instruction or a computation is known.
    pub position: Option<Position>,
    pub message: String,
}

/// A failure whose position the caller adds.
fn failure(message: impl Into<String>) -> Failure {
    Failure {
        position: None,
        message: message.into(),
    }
}

impl Failure {
    /// Sets the position, unless it is already set.
    fn at(self, position: Position) -> Self {
        Self {
            position: self.position.or(Some(position)),
            ..self
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        failure(error.to_string())
    }
}

/// The common state of all computations of a module.
struct Importer<'m> {
    context: &'m Context,
    /// At the end of the module.
    builder: Builder<'m>,
    hlo: &'m HloModule,
    file: &'m str,
    options: ImportOptions,
    computations: HashMap<&'m str, &'m HloComputation>,
    functions: RefCell<Functions<'m>>,
}

/// The computations that are functions.
#[derive(Default)]
struct Functions<'m> {
    /// Their names, by the address of the computation.
    names: HashMap<*const HloComputation, String>,
    taken: HashSet<String>,
    /// Computations that are still to be built.
    queue: VecDeque<&'m HloComputation>,
    built: Vec<(&'m HloComputation, Operation<'m>)>,
    /// The state of scatters, with the names of the functions that they become.
    whole_windows: Vec<(String, module::WholeWindows<'m>)>,
}
