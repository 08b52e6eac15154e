//! `--halo-split-reductions`: splits long reductions into blocks, and combines the results of the
//! blocks.
//!
//! The rounding error of a sequential sum of `n` floats grows with `n`: the sum of a million terms
//! of 1e-5 is 0.8 % too small. With blocks it grows with the logarithm of `n`. The blocks are also
//! independent iterations, so that the reduction of a tall, narrow matrix has work for all threads.
//!
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
//!     iterator_types = ["reduction", "parallel"]}
//!     ins(%x : tensor<65536x3xf32>) outs(%init : tensor<3xf32>) { arith.addf }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %partial = linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (k * 256 + i, j)>,
//!         affine_map<(k, i, j) -> (i)>, affine_map<(k, i, j) -> (k, j)>],
//!     iterator_types = ["parallel", "reduction", "parallel"]}
//!     ins(%x, %block : tensor<65536x3xf32>, tensor<256xi8>)
//!     outs(%neutral : tensor<256x3xf32>) { arith.addf }
//! %0 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>],
//!     iterator_types = ["reduction", "parallel"]}
//!     ins(%partial : tensor<256x3xf32>) outs(%init : tensor<3xf32>) { arith.addf }
//! ```
//!
//! The remainder after the last whole block is reduced first, and is the initial value for
//! combining the blocks. Of several reduction loops, the inner ones stay in a block as long as it
//! is short, and the outer ones become loops over blocks.
//!
//! Not split are matrix products, unless there are no vectors for `--halo-lower-contractions`; ops
//! in the loops of fusion groups, which reduce a row each; and sums of complex numbers. Reductions
//! without rounding errors, such as a maximum, are split for parallelism if they have few results.
//!
//! Upstream's `linalg::splitReduction` splits one loop of an op with one result, into blocks
//! that divide it.

use super::fuse_elementwise::loop_sizes;
use crate::{
    loops::{
        access::Operator,
        contraction::{Body, Groups},
        prelude::*,
        reduction::carried_combiner,
    },
    structured::{self, Generic},
};
use halo_hlo::blocks::block_length;
use halo_ir::prelude::*;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The partial sums in registers of a contiguous reduction; 1 without vectors
        lanes: i64 = 64,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-split-reductions",
    "Split long reductions into blocks",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "tensor"])
.options::<Options>();

/// The maximal terms of a sequential sum: the relative rounding error of equal f32 terms is then
/// below 5e-6.
const LONGEST: i64 = 512;
/// The maximal terms of a block.
const BLOCK: i64 = 256;
/// Reductions of at least so many terms to at most so few results are split for parallelism.
const MANY_TERMS: i64 = 1 << 17;
const FEW_RESULTS: i64 = 16;
/// Elements of the operands for each partial result.
const OPERANDS_FOR_PARTIAL: i64 = 8;
/// The shortest row that is summed in vector lanes.
const SHORTEST_ROW: i64 = 16;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let lanes = pass.options::<Options>().lanes.max(1);
    let is_free = |op: Operation| op.enclosing::<scf::ForallOp>().is_none();
    let mut pending = pass
        .operation()
        .collect_nested(|op| op.isa::<linalg::GenericOp>() && is_free(op));
    while let Some(op) = pending.pop() {
        if let Some(reduction) = LongReduction::of(op, lanes) {
            let split = with_builder(op, |b| reduction.split(b))
                .map_err(|error| PassFailure::internal(op, error))?;
            pending.extend(split);
        }
    }
    Ok(())
}

/// A reduction to be split.
struct LongReduction<'c> {
    op: Operation<'c>,
    body: Block<'c>,
    inputs: Vec<Value<'c>>,
    outputs: Vec<Value<'c>>,
    maps: Vec<AffineMap<'c>>,
    kinds: Vec<IteratorType>,
    sizes: Vec<i64>,
    combiners: Vec<Combiner<'c>>,
    blocks: Blocks,
}

/// The division of reduction loops into blocks.
struct Blocks {
    /// The loops that become loops over blocks.
    moved: Vec<usize>,
    /// The loop whose range is divided, and the length of a block.
    divided: Option<(usize, i64)>,
}

impl Blocks {
    /// Blocks of at most `most` terms of some loops, the innermost last; blocks of a row are whole
    /// vectors of `lanes` terms.
    fn of(loops: &[(usize, i64)], most: i64, (row, lanes): (Option<usize>, i64)) -> Self {
        let mut blocks = Self {
            moved: Vec::new(),
            divided: None,
        };
        let mut terms = 1;
        for (dim, size) in loops.iter().rev() {
            let unit = if row == Some(*dim) { lanes } else { 1 };
            if terms * size <= most && blocks.moved.is_empty() && blocks.divided.is_none() {
                terms *= size;
            } else if 4 * terms < most && blocks.divided.is_none() && blocks.moved.is_empty() {
                blocks.divided = Some((*dim, block_length(*size, most / terms, unit)));
            } else {
                blocks.moved.insert(0, *dim);
            }
        }
        blocks
    }

    /// The number of blocks for each result.
    fn count(&self, sizes: &[i64]) -> i64 {
        let divided = self.divided.map(|(dim, length)| sizes[dim] / length);
        product(self.moved.iter().map(|dim| sizes[*dim]).chain(divided))
    }
}

impl<'c> LongReduction<'c> {
    /// The op as a reduction to be split, if it is one.
    fn of(op: Operation<'c>, lanes: i64) -> Option<Self> {
        let generic = op.cast::<linalg::GenericOp>()?;
        let kinds = generic.iterator_types();
        if !kinds.contains(&IteratorType::Reduction) {
            return None;
        }
        let (inputs, outputs) = (generic.inputs(), generic.outputs());
        let (maps, sizes, body) = (op.indexing_maps()?, loop_sizes(op)?, op.body(0)?);
        let is_reduced = |dim: usize| kinds.get(dim) == Some(&IteratorType::Reduction);
        let reduced: Vec<(usize, i64)> = (0..kinds.len())
            .filter(|dim| is_reduced(*dim))
            .map(|dim| (dim, sizes[dim]))
            .collect();
        let terms = product(reduced.iter().map(|(_, size)| *size));
        let results =
            product((0..kinds.len()).filter(|dim| !is_reduced(*dim)).map(|dim| sizes[dim]));
        let row = reduced.iter().copied().find(|(dim, size)| {
            *size >= SHORTEST_ROW && inputs.iter().zip(&maps).all(|(_, map)| is_row(map, *dim))
        });
        let has_vectors = lanes > 1;
        let lanes = row.map_or(1, |(_, size)| lanes.min(size));
        if terms <= LONGEST * lanes || results == 0 {
            return None;
        }
        let arguments = body.arguments();
        let yielded = body.terminator()?.operands();
        let combiners = (yielded.iter().zip(arguments.get(inputs.len()..)?))
            .map(|(value, argument)| carried_combiner(*value, *argument))
            .collect::<Option<Vec<_>>>()?;
        let is_rounded = |combiner: &Combiner| {
            let op = combiner.operation;
            combiner.ty().is_float() && (op.isa::<arith::AddFOp>() || op.isa::<arith::MulFOp>())
        };
        let is_result = |map: &AffineMap| {
            map.result_count() + reduced.len() == kinds.len()
                && (0..map.result_count()).all(|position| {
                    let index = map.result(position).ok().filter(|index| index.is_dim());
                    index.is_some_and(|index| !is_reduced(index.dim_position()))
                })
        };
        let (of_inputs, of_outputs) = maps.split_at(inputs.len());
        let is_for_threads = terms >= MANY_TERMS && results < FEW_RESULTS;
        let blocks = Blocks::of(&reduced, BLOCK * lanes, (row.map(|(dim, _)| dim), lanes));
        let partial = results.saturating_mul(blocks.count(&sizes));
        let elements = inputs.iter().filter_map(|input| input.ty().element_count());
        let elements = elements.fold(0, i64::saturating_add);
        let is_split = op.results().len() == outputs.len()
            && (combiners.iter().any(is_rounded) || is_for_threads)
            && of_outputs.iter().all(is_result)
            && (!has_vectors || !is_product(body, of_inputs, of_outputs))
            && partial.saturating_mul(OPERANDS_FOR_PARTIAL) <= elements;
        is_split.then_some(Self {
            op,
            body,
            blocks,
            inputs,
            outputs,
            maps,
            kinds,
            sizes,
            combiners,
        })
    }

    /// Replaces the op. Returns the reductions that may still be long.
    fn split(&self, b: &Builder<'c>) -> RewriteResult<Vec<Operation<'c>>> {
        let mut made = Vec::new();
        let mut starts = self.outputs.clone();
        if let Some((dim, length)) = self.blocks.divided
            && self.sizes[dim] % length != 0
        {
            let whole = self.sizes[dim] - self.sizes[dim] % length;
            starts = self.reduce_from(b, (dim, whole), &starts)?;
            made.extend(defining(&starts));
        }
        let partial = self.reduce_blocks(b)?;
        let results = self.combine(b, &partial, &starts);
        made.extend(defining(&results));
        b.replace(self.op, &results);
        Ok(made)
    }

    /// Emits the reduction of the terms of a loop from `first` on.
    fn reduce_from(
        &self,
        b: &Builder<'c>,
        (dim, first): (usize, i64),
        starts: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let loops = self.kinds.len();
        let index = |of: usize| {
            if of == dim {
                sum(Expr::Dim(of), Expr::Constant(first))
            } else {
                Expr::Dim(of)
            }
        };
        let (of_inputs, of_outputs) = self.maps.split_at(self.inputs.len());
        let generic = Generic {
            inputs: self.inputs_at(
                b,
                of_inputs,
                (loops, &index),
                (dim, self.sizes[dim] - first),
            )?,
            outputs: starts.iter().copied().zip(of_outputs.iter().copied()).collect(),
            iterators: self.kinds.clone(),
        };
        Ok(self.build(b, &generic, (loops, &index)))
    }

    /// The number of a loop in the reductions of blocks: the loop over blocks precedes the loop in
    /// a block.
    fn shifted(&self, dim: usize) -> usize {
        let is_later = |(divided, _)| dim >= divided;
        dim + usize::from(self.blocks.divided.is_some_and(is_later))
    }

    /// The loops that index the results of blocks, in memory order, with their sizes and true for
    /// loops over blocks.
    fn partial_loops(&self) -> Vec<(usize, i64, bool)> {
        let mut loops = Vec::new();
        for (dim, size) in self.sizes.iter().enumerate() {
            let is_moved = self.blocks.moved.contains(&dim);
            match self.blocks.divided {
                Some((divided, length)) if divided == dim => loops.push((dim, size / length, true)),
                _ if is_moved || self.kinds[dim] == IteratorType::Parallel => {
                    loops.push((self.shifted(dim), *size, is_moved));
                }
                _ => {}
            }
        }
        loops
    }

    /// Emits the reductions of all whole blocks.
    fn reduce_blocks(&self, b: &Builder<'c>) -> RewriteResult<Vec<Value<'c>>> {
        let partial = self.partial_loops();
        let divided = self.blocks.divided;
        let loops = self.kinds.len() + usize::from(divided.is_some());
        let index = |of: usize| match divided {
            Some((dim, length)) if of == dim => sum(
                Expr::Binary(
                    Operator::Multiply,
                    Box::new(Expr::Dim(of)),
                    Box::new(Expr::Constant(length)),
                ),
                Expr::Dim(of + 1),
            ),
            _ => Expr::Dim(self.shifted(of)),
        };
        let of_inputs = &self.maps[..self.inputs.len()];
        let inputs = match divided {
            Some((dim, length)) => {
                self.inputs_at(b, of_inputs, (loops, &index), (dim + 1, length))?
            }
            None => (self.inputs.iter().copied().zip(of_inputs.iter().copied())).collect(),
        };
        let mut iterators = vec![IteratorType::Reduction; loops];
        let mut dims = Vec::new();
        for (dim, ..) in &partial {
            iterators[*dim] = IteratorType::Parallel;
            dims.push(*dim);
        }
        let sizes: Vec<i64> = partial.iter().map(|(_, size, _)| *size).collect();
        let mut outputs = Vec::new();
        for (output, combiner) in self.outputs.iter().zip(&self.combiners) {
            let ty = tensor_type(&sizes, output.ty().element_type());
            let start = structured::filled(b, combiner.neutral(b), ty);
            outputs.push((start, structured::projection(b, loops, &dims)));
        }
        let generic = Generic {
            inputs,
            outputs,
            iterators,
        };
        Ok(self.build(b, &generic, (loops, &index)))
    }

    /// Combines the results of the blocks with the initial values.
    fn combine(
        &self,
        b: &Builder<'c>,
        partial: &[Value<'c>],
        starts: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let partial_loops = self.partial_loops();
        let loops = partial_loops.len();
        let all: Vec<usize> = (0..loops).collect();
        let iterators = partial_loops.iter().map(|(_, _, is_of_blocks)| {
            if *is_of_blocks {
                IteratorType::Reduction
            } else {
                IteratorType::Parallel
            }
        });
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let of_outputs = &self.maps[self.inputs.len()..];
        for ((partial, start), map) in partial.iter().zip(starts).zip(of_outputs) {
            let indices = (0..map.result_count()).filter_map(|position| map.result(position).ok());
            let result: Vec<usize> = indices
                .filter_map(|index| {
                    let dim = self.shifted(index.dim_position());
                    partial_loops.iter().position(|(own, ..)| *own == dim)
                })
                .collect();
            inputs.push((*partial, structured::projection(b, loops, &all)));
            outputs.push((*start, structured::projection(b, loops, &result)));
        }
        let generic = Generic {
            inputs,
            outputs,
            iterators: iterators.collect(),
        };
        generic.build(b, |b, elements| {
            let (partial, sums) = elements.split_at(self.combiners.len());
            let combined = self.combiners.iter().zip(partial).zip(sums);
            let combined =
                combined.map(|((combiner, value), sum)| combiner.combine(b, *sum, *value));
            combined.collect::<Vec<_>>()
        })
    }

    /// The inputs with maps for the new loops, and a tensor whose size is the extent of a loop.
    fn inputs_at(
        &self,
        b: &Builder<'c>,
        maps: &[AffineMap<'c>],
        (loops, index): (usize, &impl Fn(usize) -> Expr),
        (dim, extent): (usize, i64),
    ) -> RewriteResult<Vec<(Value<'c>, AffineMap<'c>)>> {
        let mut inputs = Vec::new();
        for (input, map) in self.inputs.iter().zip(maps) {
            let mut indices = Vec::new();
            for position in 0..map.result_count() {
                let mut result = map.result(position).ok().and_then(Expr::from_affine);
                let result = result.as_mut().ok_or_else(|| {
                    RewriteError::Invalid("internal error: an index is not affine".into())
                })?;
                result.rename(index);
                indices.push(result.to_affine(b.context()));
            }
            inputs.push((*input, structured::map(b, loops, &indices)));
        }
        let bounds = tensor_type(&[extent], integer_type(b.context(), 8));
        let bounds = structured::empty(b, bounds);
        inputs.push((bounds, structured::projection(b, loops, &[dim])));
        Ok(inputs)
    }

    /// Builds the op with a copy of the body.
    fn build(
        &self,
        b: &Builder<'c>,
        generic: &Generic<'c>,
        (loops, index): (usize, &impl Fn(usize) -> Expr),
    ) -> Vec<Value<'c>> {
        let results = generic.build(b, |b, elements| {
            let (inputs, sums) = elements.split_at(generic.inputs.len());
            let inputs = &inputs[..self.inputs.len()];
            b.clone_body(self.body, &[inputs, sums].concat())
        });
        if let Some(op) = defining(&results) {
            for old in op.collect_nested(|nested| nested.isa::<linalg::IndexOp>()) {
                let dim = index_dimension(old).unwrap_or_default();
                with_builder(old, |b| {
                    let ivs = (0..loops).map(|dim| linalg::index(b, dim as i64));
                    let ivs = ivs.collect::<Vec<_>>();
                    b.replace(old, &[index(dim).emit(b, &ivs)])
                });
            }
        }
        results
    }
}

fn product(sizes: impl Iterator<Item = i64>) -> i64 {
    sizes.fold(1, i64::saturating_mul)
}

fn sum(lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary(Operator::Add, Box::new(lhs), Box::new(rhs))
}

/// The defining op of some results.
fn defining<'c>(results: &[Value<'c>]) -> Option<Operation<'c>> {
    results.first()?.defining_op()
}

/// Returns true if an operand is contiguous along a loop, or invariant in it.
fn is_row(map: &AffineMap, dim: usize) -> bool {
    let strides: Vec<i64> = (0..map.result_count())
        .filter_map(|position| map.result(position).ok().and_then(Expr::from_affine))
        .map(|index| index.coefficient(dim))
        .collect();
    let Some((last, outer)) = strides.split_last() else {
        return true;
    };
    outer.iter().all(|stride| *stride == 0) && matches!(last, 0 | 1)
}

/// Returns true if an op with these maps is a product with reuse of its operands, which its body may
/// compute.
fn is_product(body: Block, inputs: &[AffineMap], outputs: &[AffineMap]) -> bool {
    let [result] = outputs else {
        return false;
    };
    let arguments = body.arguments();
    let read = inputs.iter().zip(&arguments);
    let read = read.filter(|(_, argument)| !argument.is_unused());
    let read: Vec<AffineMap> = read.map(|(map, _)| *map).collect();
    let [lhs, rhs] = match (&read[..], Body::of(body)) {
        ([lhs, rhs], _) => [vec![*lhs], vec![*rhs]],
        (_, Some(product)) => product.multiplicands.map(|multiplicand| {
            let numbers = multiplicand.arguments(body).into_iter();
            numbers.filter_map(|number| inputs.get(number).copied()).collect()
        }),
        _ => return false,
    };
    let mentions = |maps: &[AffineMap], dim: usize| {
        let results = |map: &AffineMap| (0..map.result_count()).collect::<Vec<_>>();
        maps.iter().any(|map| {
            let mut indices = (results(map).into_iter())
                .filter_map(|position| map.result(position).ok().and_then(Expr::from_affine));
            indices.any(|index| index.mentions(dim))
        })
    };
    let groups = Groups::infer(0..result.dim_count(), |dim| {
        [&lhs, &rhs, &vec![*result]].map(|maps| mentions(maps, dim))
    });
    groups.is_some_and(|groups| {
        [Group::M, Group::N].into_iter().any(|group| !groups[group].is_empty())
    })
}
