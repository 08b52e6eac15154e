//! Correspondence of the dimensions of an op's operands and results.
//!
//! A rule names the *factors* of an op: each dimension of an operand or a result is a factor, or
//! several from major to minor, and dimensions with a common factor have the same sharding. The
//! [`Kind`] of a factor determines the cost of dividing it.
//!
//! ```text
//! dot_general   ([b, i, k], [b, k, j]) -> [b, i, j]   b, i, j parallel; k reduced by add
//! reduce        ([i, k]) -> [i]                       i parallel; k reduced by its body
//! reshape 8x6   ([i j, k]) -> [i, j, k]               to 2x4x6; all parallel
//! slice         ([i, w]) -> [i, w]                    i whole rows; w a window
//! sort          ([i, s]) -> [i, s]                    i parallel; s whole
//! ```
//!
//! Propagation and partitioning use the same rules, one function for each op, in the file of its
//! family. An op without a rule is computed on whole operands by every partition.

mod contraction;
mod custom;
pub mod elementwise;
mod indexing;
mod linear_algebra;
mod reduction;
mod rule;
mod shape;
mod slicing;
mod windows;

use halo_ir::prelude::*;

pub use contraction::split_group_count;
use rule::{Build, Draft};
pub use rule::{Combiner, Factor, Factors, Kind, Rule, Tensor, Window, sizes_of};

impl Rule {
    /// The rule of an op, if it has one.
    pub fn of(op: Operation) -> Option<Self> {
        let name = op.name();
        if op.isa::<stablehlo::CustomCallOp>() {
            return custom::given(op);
        }
        // Padding cannot hold quantized values.
        let mut values = op.operands().into_iter().chain(op.results());
        if values.any(|value| value.ty().element_type().is_quantized()) {
            return None;
        }
        let find = |table: &[(&str, Build)]| {
            let found = table.iter().find(|(own, _)| *own == name)?;
            let mut draft = Draft::new(op);
            found.1(op, &mut draft)?;
            Some(draft.finish())
        };
        if elementwise::is_elementwise(op) {
            let mut draft = Draft::new(op);
            elementwise::same_positions(op, &mut draft)?;
            return Some(draft.finish());
        }
        TABLES.iter().find_map(|table| find(table))
    }
}

/// The rules of all families.
const TABLES: &[&[(&str, Build)]] = &[
    elementwise::RULES,
    contraction::RULES,
    indexing::RULES,
    linear_algebra::RULES,
    reduction::RULES,
    shape::RULES,
    slicing::RULES,
    windows::RULES,
];
