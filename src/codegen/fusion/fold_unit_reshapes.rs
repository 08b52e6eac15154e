//! `--halo-fold-unit-reshapes`: folds reshapes that only add or drop dimensions of size 1 into the
//! indexing maps of their readers.
//!
//! A reshape between two elementwise ops prevents their fusion by upstream. Most reshapes of real
//! programs only add a dimension for a broadcast, or drop one after a gather. They can be index
//! maps: the map of the reader omits added dimensions, and has index 0 in dropped ones.
//!
//! ```mlir
//! %0 = linalg.generic outs(%e : tensor<128xi32>) { linalg.index 0 ... }
//! %1 = tensor.expand_shape %0 [[0, 1]] : tensor<128xi32> into tensor<1x128xi32>
//! %2 = linalg.generic {indexing_maps = [(d0, d1) -> (0, d1), #id]} ins(%1) outs(...)
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = linalg.generic outs(%e : tensor<128xi32>) { linalg.index 0 ... }
//! %2 = linalg.generic {indexing_maps = [(d0, d1) -> (d1), #id]} ins(%0) outs(...)
//! ```
//!
//! Only reshapes between ops that `--halo-fuse-elementwise` then fuses are folded. Other reshapes
//! are free, and later passes get the shapes of the program. The option `explain` emits a remark
//! with the reason for each reshape that stays between two elementwise ops.

use super::{
    fuse_elementwise::{is_cheap, is_used_once, loop_sizes, only_moves, reads_each_once, reduces},
    fuse_gathers::erase_unused,
};
use crate::explain::{Outcome, Reason};
use halo_ir::{affine_map_attribute, prelude::*};
use melior::ir::AffineExpr;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why reshapes are not folded into the indexing maps of their readers
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fold-unit-reshapes",
    "Fold reshapes that add or drop dimensions of size 1 into indexing maps",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    let readers = function.collect_nested(|op| op.isa::<linalg::GenericOp>());
    let readers: Vec<Reader> = readers.into_iter().filter_map(Reader::of).collect();
    for reader in &readers {
        reader.fold();
    }
    if pass.options::<Options>().explain {
        // Unused readers have been erased.
        let left = readers.iter().filter(|reader| reader.op.block().is_some());
        left.for_each(|reader| reader.explain(pass));
    }
    Ok(())
}

/// An elementwise op.
struct Reader<'c> {
    op: Operation<'c>,
    /// The sizes of its loops; empty if any is dynamic.
    sizes: Vec<i64>,
}

impl<'c> Reader<'c> {
    fn of(op: Operation<'c>) -> Option<Self> {
        let inputs = op.cast::<linalg::GenericOp>()?.inputs().len();
        // The results determine the sizes of all loops.
        let are_given = op.indexing_maps()?[inputs..].iter().all(AffineMap::is_identity);
        let sizes = || loop_sizes(op).unwrap_or_default();
        (!reduces(op) && are_given).then(|| Self { op, sizes: sizes() })
    }

    /// Makes the op read the sources of reshapes.
    fn fold(&self) {
        for number in 0..self.inputs().len() {
            let Some((reshape, Ok(map))) = self.folded(number) else {
                continue;
            };
            let mut maps = self.op.indexing_maps().unwrap_or_default();
            maps[number] = map;
            let maps: Vec<_> = maps.into_iter().map(affine_map_attribute).collect();
            let maps = array_attribute(self.op.context(), &maps);
            self.op.set_operand(number, reshape.operands()[0]);
            self.op.set_attribute("indexing_maps", maps);
            erase_unused(reshape);
        }
    }

    /// Emits remarks for reshapes that it still reads.
    fn explain(&self, pass: &PassInvocation) {
        for number in 0..self.inputs().len() {
            if let Some((reshape, Err(reason))) = self.folded(number) {
                let decision = Outcome::NotFoldedIntoReader.because(reason);
                decision.remark(pass, reshape).note(self.op, "the reader");
            }
        }
    }

    fn inputs(&self) -> Vec<Value<'c>> {
        let generic = self.op.cast::<linalg::GenericOp>();
        generic.map_or(Vec::new(), linalg::GenericOp::inputs)
    }

    /// The reshape of an elementwise result that is an input, with the map for reading its source,
    /// or the reason why it is not folded.
    fn folded(&self, number: usize) -> Option<(Operation<'c>, Result<AffineMap<'c>, Reason>)> {
        let result = self.inputs()[number];
        let reshape = result.defining_op()?;
        if !reshape.isa::<tensor::ExpandShapeOp>() && !reshape.isa::<tensor::CollapseShapeOp>() {
            return None;
        }
        let source = *reshape.operands().first()?;
        let producer = source.defining_op()?;
        if !producer.isa::<linalg::GenericOp>() || reduces(producer) {
            return None;
        }
        let own = self.op.indexing_map(number)?;
        let map = unit_reshape(source, result)
            .ok_or(Reason::AddsNonUnitDims)
            .map(|dims| map_of_source(producer.context(), &own, &dims))
            .and_then(|map| {
                // The criterion of `--halo-fuse-elementwise`.
                let is_free = only_moves(producer) || is_cheap(producer);
                if !(is_free || is_used_once(producer) && result.has_one_use()) {
                    return Err(Reason::SourceHasSeveralUses);
                }
                if is_free || reads_each_once(&map, &self.sizes) {
                    Ok(map)
                } else {
                    Err(Reason::ReaderRecomputes)
                }
            });
        Some((reshape, map))
    }
}

/// The map of an op that reads the source of a reshape instead of the result. `dims` are the
/// dimensions from [`unit_reshape`].
fn map_of_source<'c>(
    context: &'c Context,
    map: &AffineMap<'c>,
    dims: &[Option<usize>],
) -> AffineMap<'c> {
    let index = |dim: &Option<usize>| {
        let index = dim.and_then(|dim| map.result(dim).ok());
        index.unwrap_or_else(|| AffineExpr::constant(context, 0))
    };
    let indices: Vec<_> = dims.iter().map(index).collect();
    AffineMap::new(context, map.dim_count(), 0, &indices)
}

/// For each dimension of a tensor, its dimension in a reshape of it, unless its size is 1. Returns
/// `None` if the reshape adds or drops other dimensions.
pub(super) fn unit_reshape(source: Value, result: Value) -> Option<Vec<Option<usize>>> {
    let (from, to) = (source.ty().static_shape()?, result.ty().static_shape()?);
    let long = |shape: &[i64]| (0..shape.len()).filter(|dim| shape[*dim] != 1).collect();
    let (long_from, long_to): (Vec<usize>, Vec<usize>) = (long(&from), long(&to));
    let is_same = long_from.len() == long_to.len()
        && long_from.iter().zip(&long_to).all(|(one, other)| from[*one] == to[*other]);
    let mut places = long_to.into_iter();
    let dims = from.iter().map(|size| (*size != 1).then(|| places.next()).flatten());
    is_same.then(|| dims.collect())
}
