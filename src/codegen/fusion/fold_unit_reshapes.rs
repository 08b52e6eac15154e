//! `--halo-fold-unit-reshapes`: reads what a reshape is of, where only dimensions of size 1
//! come or go.
//!
//! A reshape between two elementwise ops keeps upstream's fusion from joining them, and most
//! reshapes of real programs only add a dimension for a broadcast, or drop one behind a
//! gather. They are index maps: the reader leaves out the dimensions that are added, and has
//! index 0 in those that are dropped.
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
//! That is done for what `--halo-fuse-elementwise` then joins. Other reshapes cost nothing,
//! and the passes behind see the shapes that the program has.

use super::{
    fuse_elementwise::{is_cheap, is_used_once, loop_sizes, only_moves, reads_each_once, reduces},
    fuse_gathers::erase_unused,
};
use halo_ir::{
    BuildError, Operation, Value, affine_map_attribute, array_attribute, collect_operations,
    context_of, defining_operation, has_one_use, indexing_maps, operands_of,
    ops::{OperationExt, func, linalg, tensor},
    pass::{PassDeclaration, PassFailure, PassInvocation},
    set_attribute, set_operand, static_shape_of,
};
use melior::ir::{AffineExpr, AffineMap, ValueLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fold-unit-reshapes",
    "Read what was reshaped where only dimensions of size 1 come or go",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    for op in collect_operations(function, |op| op.isa::<linalg::GenericOp>()) {
        fold(op).map_err(|error| PassFailure::internal(function, error))?;
    }
    Ok(())
}

/// Lets an elementwise op read what was reshaped.
fn fold(op: Operation) -> Result<(), BuildError> {
    let Some(generic) = op.cast::<linalg::GenericOp>() else {
        return Ok(());
    };
    let inputs = generic.inputs();
    let maps = indexing_maps(op).unwrap_or_default();
    // The results give the sizes of all loops.
    if reduces(op) || !maps[inputs.len()..].iter().all(AffineMap::is_identity) {
        return Ok(());
    }
    let sizes = loop_sizes(op).unwrap_or_default();
    for (number, input) in inputs.into_iter().enumerate() {
        let Some(reshape) = UnitReshape::of(input) else {
            continue;
        };
        let mut maps = indexing_maps(op).unwrap_or_default();
        maps[number] = reshape.map_of_source(&maps[number]);
        if !reshape.hides_producer(&maps[number], &sizes) {
            continue;
        }
        let maps: Vec<_> = maps.into_iter().map(affine_map_attribute).collect();
        set_operand(op, number, reshape.source);
        set_attribute(op, "indexing_maps", array_attribute(context_of(op), &maps));
        erase_unused(reshape.op)?;
    }
    Ok(())
}

/// A reshape that only adds or removes dimensions of size 1.
struct UnitReshape<'c> {
    op: Operation<'c>,
    source: Value<'c>,
    result: Value<'c>,
    /// For each dimension of the source that of the result, if it is not of size 1.
    dims: Vec<Option<usize>>,
}

impl<'c> UnitReshape<'c> {
    fn of(result: Value<'c>) -> Option<Self> {
        let (op, _) = defining_operation(result)?;
        if !op.isa::<tensor::ExpandShapeOp>() && !op.isa::<tensor::CollapseShapeOp>() {
            return None;
        }
        let source = *operands_of(op).first()?;
        let dims = unit_reshape(source, result)?;
        Some(Self {
            op,
            source,
            result,
            dims,
        })
    }

    /// Whether it stands before an elementwise op that would be fused into a reader with such
    /// a map and loops.
    fn hides_producer(&self, map: &AffineMap, sizes: &[i64]) -> bool {
        let producer = defining_operation(self.source).map(|(op, _)| op);
        producer.is_some_and(|op| {
            op.isa::<linalg::GenericOp>()
                && !reduces(op)
                && (only_moves(op)
                    || is_cheap(op)
                    || is_used_once(op) && has_one_use(self.result) && reads_each_once(map, sizes))
        })
    }

    /// The map of an op that reads the source in place of the result.
    fn map_of_source(&self, map: &AffineMap<'c>) -> AffineMap<'c> {
        let context = context_of(self.op);
        let mut indices = Vec::new();
        for dim in &self.dims {
            let index = dim.and_then(|dim| map.result(dim).ok());
            indices.push(index.unwrap_or_else(|| AffineExpr::constant(context, 0)));
        }
        AffineMap::new(context, map.dim_count(), 0, &indices)
    }
}

/// For each dimension of a tensor that of a reshape of it, if it is not of size 1; `None` if
/// other dimensions come or go.
pub(super) fn unit_reshape(source: Value, result: Value) -> Option<Vec<Option<usize>>> {
    let (from, to) = (
        static_shape_of(source.r#type())?,
        static_shape_of(result.r#type())?,
    );
    let long = |shape: &[i64]| (0..shape.len()).filter(|dim| shape[*dim] != 1).collect();
    let (long_from, long_to): (Vec<usize>, Vec<usize>) = (long(&from), long(&to));
    let is_same = long_from.len() == long_to.len()
        && long_from
            .iter()
            .zip(&long_to)
            .all(|(one, other)| from[*one] == to[*other]);
    let mut places = long_to.into_iter();
    let dims = from
        .iter()
        .map(|size| (*size != 1).then(|| places.next()).flatten());
    is_same.then(|| dims.collect())
}
