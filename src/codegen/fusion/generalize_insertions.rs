//! `--halo-generalize-insertions`: turns concatenations and interior padding into elementwise ops.
//!
//! A concatenation is a chain of insertions into an empty tensor, interior padding an insertion with
//! strides into a filled one. On a GPU, each insertion is a kernel that copies. An elementwise op
//! that selects the source of each element by its index is one kernel for all, computes cheap
//! sources instead of loading them, and can be fused into its user:
//!
//! ```mlir
//! %0 = tensor.insert_slice %a into %empty[0, 0] [4, 8] [1, 1]
//! %1 = tensor.insert_slice %b into %0[0, 8] [4, 8] [1, 1]
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = linalg.generic outs(%empty : tensor<4x16xf32>) {
//!   %i = linalg.index 0
//!   %j = linalg.index 1
//!   %2 = arith.cmpi ult, %j, %c8
//!   %3 = scf.if %2 -> (f32) {
//!     %4 = tensor.extract %a[%i, %j]
//!     scf.yield %4
//!   } else {
//!     %5 = arith.subi %j, %c8
//!     %6 = tensor.extract %b[%i, %5]
//!     scf.yield %6
//!   }
//!   linalg.yield %3
//! }
//! ```
//!
//! A rotation (`jnp.roll`) concatenates two slices of one tensor, and becomes reads at shifted
//! indices; a level of an associative scan, which interleaves two tensors by padding, becomes one
//! op.
//!
//! Insertions whose sources are results of reductions, products or loops stay: such an op writes
//! its result in place.

use super::{
    blocks_around_loops,
    fuse_elementwise::reduces,
    fuse_gathers::{erase_unused_with, fuse_read},
    padding::Padding,
    split_concatenations::{Concatenation, Part},
};
use crate::loops::elementwise;
use halo_ir::prelude::*;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-generalize-insertions",
    "Turn concatenations and interior padding into elementwise ops",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "scf", "tensor"]);

/// The maximal depth of the search for an op that writes a source.
const MOST_PRODUCERS: usize = 16;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for block in blocks_around_loops(pass.operation()) {
        for op in block.operations() {
            if op.isa::<tensor::InsertSliceOp>()
                && let Some(insertion) = Insertion::of(op)
            {
                insertion.generalize(op);
            }
        }
    }
    Ok(())
}

/// A tensor that consists of elements of others.
enum Insertion<'c> {
    Concatenation(Concatenation<'c>),
    InteriorPadding(Padding<'c>),
}

impl<'c> Insertion<'c> {
    /// The concatenation that ends with an op, or its interior padding, if an elementwise op should
    /// compute it.
    fn of(last: Operation<'c>) -> Option<Self> {
        if let Some(whole) = Concatenation::of(last, usize::MAX) {
            let (in_place, copied): (Vec<&Part>, Vec<&Part>) = whole
                .parts
                .iter()
                .partition(|part| is_written_in_place(part.value, MOST_PRODUCERS));
            let size = |parts: &[&Part]| parts.iter().map(|part| part.size).sum::<i64>();
            let is_better = copied.len() > 1 && size(&in_place) <= size(&copied);
            return is_better.then_some(Self::Concatenation(whole));
        }
        let padding = Padding::of(last)?;
        let is_interior = padding.strides.iter().any(|stride| *stride > 1);
        let is_read_in_parts = |(user, _): (Operation<'c>, usize)| user.isa::<linalg::GenericOp>();
        let is_better = !is_written_in_place(padding.source, MOST_PRODUCERS)
            || last.results()[0].uses().into_iter().all(is_read_in_parts);
        (is_interior && is_better).then_some(Self::InteriorPadding(padding))
    }

    /// Replaces the last insertion by an elementwise op, into which cheap sources are fused.
    fn generalize(&self, last: Operation<'c>) {
        let dest = last.operands()[1].defining_op();
        let op = with_builder(last, |b| {
            let ty = last.results()[0].ty();
            let rank = ty.sizes().len();
            let maps = [AffineMap::multi_dim_identity(b.context(), rank)];
            let empty = tensor::empty(b, &[], ty);
            let op = elementwise::generic(b, &[], &[empty], &maps, |b, _| {
                let dims = 0..rank as i64;
                let indices: Vec<Value> = dims.map(|dim| linalg::index(b, dim)).collect();
                vec![self.element(b, &indices)]
            });
            b.replace(last, &op.results());
            op
        });
        if let Some(dest) = dest {
            erase_unused_with(dest, |op| op.isa::<tensor::InsertSliceOp>());
        }
        for read in op.collect_nested(|nested| nested.isa::<tensor::ExtractOp>()) {
            fuse_read(read);
        }
    }

    /// Emits the element at an index.
    fn element(&self, b: &Builder<'c>, indices: &[Value<'c>]) -> Value<'c> {
        match self {
            Self::Concatenation(whole) => select(b, whole, &whole.parts, indices),
            Self::InteriorPadding(padding) => padding.element(b, indices).0,
        }
    }
}

/// Emits the element of a concatenation at an index that is in one of some adjacent parts.
fn select<'c>(
    b: &Builder<'c>,
    whole: &Concatenation<'c>,
    parts: &[Part<'c>],
    indices: &[Value<'c>],
) -> Value<'c> {
    let index = indices[whole.dim];
    if let [part] = parts {
        let mut indices = indices.to_vec();
        indices[whole.dim] = index::sub(b, index, part.offset);
        return tensor::extract(b, part.value, &indices);
    }
    let (first, second) = parts.split_at(parts.len() / 2);
    let is_first = index::below(b, index, second[0].offset);
    let of = |parts| move |b: &Builder<'c>| vec![select(b, whole, parts, indices)];
    scf::if_else(b, is_first, of(first), of(second)).results()[0]
}

/// Returns true if the op that computes a value would write it to its place in another tensor.
fn is_written_in_place(value: Value, depth: usize) -> bool {
    let (Some(op), Some(depth)) = (value.defining_op(), depth.checked_sub(1)) else {
        return false;
    };
    if !value.has_one_use() {
        return false;
    }
    match op.name() {
        linalg::FillOp::NAME => false,
        tensor::ExpandShapeOp::NAME | tensor::CollapseShapeOp::NAME => {
            is_written_in_place(op.operands()[0], depth)
        }
        linalg::GenericOp::NAME if !reduces(op) => {
            let generic = linalg::GenericOp::from_unchecked(op);
            generic.inputs().into_iter().any(|input| is_written_in_place(input, depth))
        }
        scf::ForallOp::NAME | scf::ForOp::NAME | scf::WhileOp::NAME => true,
        _ => op.is_structured(),
    }
}
