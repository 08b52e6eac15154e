//! The state of the export of a module.

use super::{attributes::StackFrameTable, names::Names};
use halo_hlo_text::HloComputation;
use halo_ir::prelude::*;
use std::collections::HashMap;

pub struct Exporter<'c> {
    pub root: Operation<'c>,
    pub functions: HashMap<&'c str, Operation<'c>>,
    pub entry: &'c str,
    /// Of computations and of instructions.
    pub names: Names,
    /// The computations that functions have become.
    pub exported: HashMap<&'c str, String>,
    pub computations: Vec<HloComputation>,
    pub stack_frames: StackFrameTable,
    /// The format that the program was read from.
    pub file: Option<String>,
}
