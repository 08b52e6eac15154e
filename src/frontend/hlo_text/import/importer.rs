//! The state of the import of a module.

use crate::hlo_text::options::ImportOptions;
use halo_hlo_text::{HloComputation, HloModule};
use halo_ir::{Builder, Operation, Type};
use melior::Context;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};

/// The common state of all computations of a module.
pub struct Importer<'m> {
    pub context: &'m Context,
    /// At the end of the module.
    pub builder: Builder<'m>,
    pub hlo: &'m HloModule,
    pub file: &'m str,
    pub options: ImportOptions,
    pub computations: HashMap<&'m str, &'m HloComputation>,
    pub functions: RefCell<Functions<'m>>,
}

/// The computations that are functions.
#[derive(Default)]
pub struct Functions<'m> {
    /// Their names, by the address of the computation.
    pub names: HashMap<*const HloComputation, String>,
    pub taken: HashSet<String>,
    /// Computations that are still to be built.
    pub queue: VecDeque<&'m HloComputation>,
    pub built: Vec<(&'m HloComputation, Operation<'m>)>,
    /// The state of scatters, with the names of the functions that they become.
    pub whole_windows: Vec<(String, WholeWindows<'m>)>,
}

/// The key of a function of `xla.whole_windows`.
#[derive(Clone, PartialEq)]
pub struct WholeWindows<'m> {
    pub indices: Type<'m>,
    pub result: Type<'m>,
    /// The dimension of the index components.
    pub dimension: i64,
    /// For each component the last index inside and the first one outside.
    pub limits: Vec<(i64, i64)>,
}
