//! `--halo-fuse-contraction-operands`: moves the computation of operands from narrower elements into
//! contractions.
//!
//! Weights of few bits are converted, scaled and multiplied. In memory, the scaled weights take four
//! or eight times the bytes, and reading the weights bounds the speed of products with few rows. So
//! the contraction computes them:
//!
//! ```mlir
//! %0 = linalg.generic {maps = [(g, i, n), (g, n), (g, i, n)]}
//!     ins(%w, %s : tensor<64x64x4096xi8>, tensor<64x4096xf32>) {
//!   %a = arith.sitofp %w : i8 to f32
//!   %b = arith.mulf %a, %s : f32
//! }
//! %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<64x64x4096xf32> into tensor<4096x4096xf32>
//! %2 = linalg.generic {maps = [(m, k), (k, n), (m, n)]} ins(%x, %1) outs(%zero) {
//!   %a = arith.mulf %x, %y
//!   %b = arith.addf %out, %a
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = linalg.generic {maps = [(m, k), (k, n), (k floordiv 64, n), (m, n)]}
//!     ins(%x, %weights, %s : tensor<1x4096xf32>, tensor<4096x4096xi8>, tensor<64x4096xf32>) outs(%zero) {
//!   %a = arith.sitofp %w : i8 to f32
//!   %b = arith.mulf %a, %s : f32
//!   %c = arith.mulf %x, %b
//!   %d = arith.addf %out, %c
//! }
//! ```
//!
//! `--halo-lower-contractions` computes vectors of elements as it packs or streams the operand
//! ([`crate::contraction::computed`]), each element once, or materializes it.
//!
//! An operand is fused if its producers in the block are elementwise ops of cheap arithmetic,
//! reshapes, and concatenations of equal parts, such as the low and the high four bits of bytes; if it takes more
//! bytes than all that they read; and if vectors of elements can be loaded along one of its loops.

use super::{
    blocks_around_loops, fuse_elementwise::FEW_ELEMENTS, fuse_gathers::erase_unused_with, is_cheap,
    split_concatenations::equal_parts,
};
use crate::loops::{
    access::Operator,
    contraction::{Body, Extension},
    lane_offsets::{MOST_LANES, are_uniform, lane_offsets},
    prelude::*,
};
use halo_ir::prelude::*;

/// The maximal ops of the computation of an operand.
const MOST_OPS: usize = 64;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-contraction-operands",
    "Compute operands of contractions from narrower elements in the contractions",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["affine", "arith", "linalg", "tensor"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for block in blocks_around_loops(pass.operation()) {
        for op in block.operations() {
            if let Some(fused) = FusedContraction::of(op) {
                let sources = op.operands().into_iter().filter_map(Value::defining_op);
                let sources = sources.collect::<Vec<_>>();
                with_builder(op, |b| fused.emit(b));
                let is_insertion = |op: Operation| op.isa::<tensor::InsertSliceOp>();
                for source in sources {
                    erase_unused_with(source, is_insertion);
                }
            }
        }
    }
    Ok(())
}

/// An element of a tensor as a function of elements of others.
enum Element<'c> {
    /// An element that is read: a number of [`Sources`].
    Read(usize),
    /// A result of an elementwise op, at the indices of its loops.
    Computed {
        op: Operation<'c>,
        result: usize,
        indices: Vec<Expr>,
        inputs: Vec<Element<'c>>,
    },
    /// An element of one of the parts of a concatenation, by an index.
    Selected { part: Expr, parts: Vec<Element<'c>> },
}

/// The tensors that are read, and their indices.
struct Sources<'c> {
    /// The block of the contraction. Other producers, such as those before a loop, run less often.
    block: Option<Block<'c>>,
    reads: Vec<(Value<'c>, Vec<Expr>)>,
    /// The number of ops that compute.
    length: usize,
}

impl<'c> Sources<'c> {
    fn of(contraction: Operation<'c>) -> Self {
        Self {
            block: contraction.block(),
            reads: Vec::new(),
            length: 0,
        }
    }

    fn read(&mut self, value: Value<'c>, indices: Vec<Expr>) -> Element<'c> {
        let read = (value, indices);
        let known = self.reads.iter().position(|known| *known == read);
        Element::Read(known.unwrap_or_else(|| {
            self.reads.push(read);
            self.reads.len() - 1
        }))
    }

    /// The element of a value at indices, with all producers that can be fused.
    fn element(&mut self, value: Value<'c>, indices: Vec<Expr>) -> Element<'c> {
        if self.length > MOST_OPS {
            return self.read(value, indices);
        }
        let result = value.as_result().filter(|(op, _)| op.block() == self.block);
        let Some((op, result)) = result else {
            return self.read(value, indices);
        };
        if let Some(collapse) = op.cast::<tensor::CollapseShapeOp>()
            && let Some(shape) = collapse.src().ty().static_shape()
        {
            let expanded = expanded_indices(&indices, &collapse.reassociation(), &shape);
            return self.element(collapse.src(), expanded);
        }
        if let Some(expand) = op.cast::<tensor::ExpandShapeOp>()
            && let Some(shape) = value.ty().static_shape()
        {
            let collapsed = collapsed_indices(&indices, &expand.reassociation(), &shape);
            return self.element(expand.src(), collapsed);
        }
        if let Some((dim, parts)) = equal_parts(op) {
            let size = parts[0].ty().static_shape().map_or(1, |shape| shape[dim]);
            let mut own = indices.clone();
            own[dim] = remainder(indices[dim].clone(), size);
            self.length += 2 * parts.len();
            let parts = parts.into_iter().map(|part| self.element(part, own.clone()));
            return Element::Selected {
                parts: parts.collect(),
                part: divided(indices[dim].clone(), size),
            };
        }
        let Some(inputs) = inputs_of(op, &indices) else {
            return self.read(value, indices);
        };
        // The terminator does not compute.
        self.length += op.body(0).map_or(0, |body| body.operations().len().saturating_sub(1));
        let inputs = inputs.into_iter().map(|(input, indices)| self.element(input, indices));
        Element::Computed {
            op,
            result,
            inputs: inputs.collect(),
            indices,
        }
    }
}

/// The inputs of an elementwise op of cheap arithmetic, with their indices at an element of its
/// results.
fn inputs_of<'c>(op: Operation<'c>, indices: &[Expr]) -> Option<Vec<(Value<'c>, Vec<Expr>)>> {
    let generic = op.cast::<linalg::GenericOp>()?;
    let (maps, body) = (op.indexing_maps()?, op.body(0)?);
    let inputs = generic.inputs();
    let (own, of_outputs) = maps.split_at(inputs.len());
    let is_parallel = |kind: &IteratorType| *kind == IteratorType::Parallel;
    let outputs = &body.arguments()[inputs.len()..];
    if !generic.iterator_types().iter().all(is_parallel)
        || !of_outputs.iter().all(AffineMap::is_identity)
        || !outputs.iter().copied().all(Value::is_unused)
        || !body.operations().into_iter().all(is_cheap)
    {
        return None;
    }
    let at = |(input, map): (Value<'c>, &AffineMap<'c>)| {
        let results = (0..map.result_count()).map(|position| {
            let mut index = Expr::from_affine(map.result(position).ok()?)?;
            match index {
                Expr::Dim(dim) => index = indices[dim].clone(),
                _ => index.rename(&|dim| indices[dim].clone()),
            }
            Some(index)
        });
        Some((input, results.collect::<Option<Vec<_>>>()?))
    };
    inputs.into_iter().zip(own).map(at).collect()
}

/// A contraction with fused operands.
struct FusedContraction<'c> {
    op: Operation<'c>,
    sources: Sources<'c>,
    operands: [Element<'c>; 2],
}

impl<'c> FusedContraction<'c> {
    /// A contraction of two tensors, at least one of which is fused.
    fn of(op: Operation<'c>) -> Option<Self> {
        let generic = op.cast::<linalg::GenericOp>()?;
        let [lhs, rhs] = generic.inputs()[..] else {
            return None;
        };
        let body = Body::of(op.body(0)?)?;
        let mut extensions = op.body(0)?.operations().into_iter();
        let is_of_contraction = |inner: Operation<'c>| {
            inner == body.add
                || inner == body.multiply
                || inner.isa::<linalg::YieldOp>()
                || Extension::of(inner).is_some()
        };
        let kinds = generic.iterator_types();
        if !extensions.all(is_of_contraction)
            || kinds.iter().all(|kind| *kind == IteratorType::Parallel)
        {
            return None;
        }
        let maps = op.indexing_maps()?;
        let mut sources = Sources::of(op);
        let mut is_fused = false;
        let mut operands = Vec::new();
        for (value, map) in [lhs, rhs].into_iter().zip(&maps) {
            let indices = (0..map.result_count())
                .map(|position| Expr::from_affine(map.result(position).ok()?))
                .collect::<Option<Vec<_>>>()?;
            let mut own = Sources::of(op);
            own.element(value, indices.clone());
            if is_worth_it(value, &indices, &own) {
                is_fused = true;
                operands.push(sources.element(value, indices));
            } else {
                operands.push(sources.read(value, indices));
            }
        }
        let fused = Self {
            op,
            sources,
            operands: operands.try_into().ok()?,
        };
        (is_fused && fused.has_all_loops()).then_some(fused)
    }

    /// Returns true if each loop has an operand that determines its size.
    fn has_all_loops(&self) -> bool {
        let maps = self.op.indexing_maps().unwrap_or_default();
        let result = maps.last();
        let dims = result.map_or(0, AffineMap::dim_count);
        (0..dims).all(|dim| {
            let mut reads = self.sources.reads.iter().flat_map(|(_, indices)| indices);
            reads.any(|index| *index == Expr::Dim(dim))
                || result.is_some_and(|map| super::position_of(map, dim).is_some())
        })
    }

    fn emit(&self, b: &Builder<'c>) {
        let Some((generic, maps)) =
            self.op.cast::<linalg::GenericOp>().zip(self.op.indexing_maps())
        else {
            return;
        };
        let (dims, context) = (maps[0].dim_count(), b.context());
        let reads = &self.sources.reads;
        let inputs = reads.iter().map(|(value, _)| *value).collect::<Vec<_>>();
        let map = |(_, indices): &(Value<'c>, Vec<Expr>)| {
            let results = indices.iter().map(|index| index.to_affine(context));
            AffineMap::new(context, dims, 0, &results.collect::<Vec<_>>())
        };
        let maps = reads.iter().map(map).chain(maps.last().copied()).collect::<Vec<_>>();
        let body = self.op.body(0);
        let kinds = generic.iterator_types();
        let new = linalg::generic(
            b,
            &inputs,
            &generic.outputs(),
            &maps,
            &kinds,
            |b, elements| {
                let (reads, outputs) = elements.split_at(reads.len());
                let operands = self.operands.iter().map(|operand| operand.emit(b, reads));
                let arguments = operands.chain(outputs.iter().copied()).collect::<Vec<_>>();
                body.map_or(Vec::new(), |body| b.clone_body(body, &arguments))
            },
        );
        for (name, attribute) in self.op.attributes() {
            if new.operation().attribute(name).is_none() {
                new.operation().set_attribute(name, attribute);
            }
        }
        b.replace(self.op, &new.operation().results());
    }
}

impl<'c> Element<'c> {
    fn emit(&self, b: &Builder<'c>, reads: &[Value<'c>]) -> Value<'c> {
        match self {
            Self::Read(number) => reads[*number],
            Self::Computed {
                op,
                result,
                indices,
                inputs,
            } => {
                let mut map = ValueMap::new();
                let body = op.body(0);
                let arguments = body.map(Block::arguments).unwrap_or_default();
                for (argument, input) in arguments.into_iter().zip(inputs) {
                    map.insert(argument.key(), input.emit(b, reads));
                }
                let terminator = body.and_then(Block::terminator);
                for inner in body.map(Block::operations).unwrap_or_default() {
                    if let Some(dim) = index_dimension(inner) {
                        map.insert(inner.results()[0].key(), emit_index(b, &indices[dim]));
                    } else if Some(inner) != terminator {
                        b.clone_op(inner, &mut map);
                    }
                }
                let yielded = terminator.map(Operation::operands).unwrap_or_default();
                mapped(&map, yielded[*result])
            }
            Self::Selected { part, parts } => {
                let part = emit_index(b, part);
                let mut parts = parts.iter().map(|element| element.emit(b, reads)).enumerate();
                let first = parts.next().map(|(_, element)| element);
                let first = first.unwrap_or_else(|| bug("a concatenation has no parts"));
                parts.fold(first, |before, (number, element)| {
                    let is_before = index::compare(b, CmpIPredicate::Ult, part, number as i64);
                    arith::select(b, is_before, before, element)
                })
            }
        }
    }
}

/// Emits an index in the body of an op.
fn emit_index<'c>(b: &Builder<'c>, index: &Expr) -> Value<'c> {
    index.emit_at(b, &|dim| linalg::index(b, dim as i64))
}

/// Returns true if an operand is computed from tensors of fewer bytes, and vectors of its elements
/// can be computed.
fn is_worth_it<'c>(value: Value<'c>, indices: &[Expr], sources: &Sources<'c>) -> bool {
    let Some(elements) = element_count(value) else {
        return false;
    };
    let bytes = |value: Value<'c>| {
        let count = element_count(value).unwrap_or_default();
        count.saturating_mul(value.ty().element_type().byte_width().unwrap_or(1) as i64)
    };
    let mut read: Vec<Value> = Vec::new();
    for (source, _) in &sources.reads {
        if !read.contains(source) {
            read.push(*source);
        }
    }
    let total = read.iter().map(|source| bytes(*source)).fold(0, i64::saturating_add);
    let Some((_, largest)) = sources.reads.iter().max_by_key(|(source, _)| bytes(*source)) else {
        return false;
    };
    let dims = indices.iter().filter_map(|index| match index {
        Expr::Dim(dim) => Some(*dim),
        _ => None,
    });
    // A product is recognized by the loops of its operands. An operand that is computed from the
    // index of a loop, as `one_hot` is, does not read an element for each of its iterations.
    let reads_along = |dim: usize| {
        let mut indices = sources.reads.iter().flat_map(|(_, indices)| indices);
        indices.any(|index| index.mentions(dim))
    };
    let is_static =
        |(source, _): &(Value<'c>, _)| !source.ty().is_tensor() || element_count(*source).is_some();
    let has_vectors = |dim: usize| {
        let offsets = |indices: &[Expr]| lane_offsets(indices, dim, MOST_LANES);
        offsets(largest).is_some_and(|offsets| !are_uniform(&offsets))
            && sources.reads.iter().all(|(_, indices)| offsets(indices).is_some())
    };
    sources.length > 0
        && sources.length <= MOST_OPS
        && elements >= FEW_ELEMENTS
        && sources.reads.iter().all(is_static)
        && sources.reads.iter().all(|(_, indices)| indices.iter().all(has_one_loop))
        && total < bytes(value)
        && dims.clone().all(reads_along)
        && dims.clone().any(has_vectors)
}

/// Returns true if an index is a function of at most one loop. Patches of images have sums of two.
fn has_one_loop(index: &Expr) -> bool {
    match index {
        Expr::Dim(_) | Expr::Constant(_) => true,
        Expr::Binary(Operator::Add, lhs, rhs) => {
            let is_number = |index: &Expr| matches!(index, Expr::Constant(_));
            has_one_loop(lhs) && has_one_loop(rhs) && (is_number(lhs) || is_number(rhs))
        }
        Expr::Binary(_, lhs, rhs) => has_one_loop(lhs) && has_one_loop(rhs),
    }
}

/// The number of elements of a static tensor.
fn element_count(value: Value) -> Option<i64> {
    let shape = value.ty().static_shape()?;
    Some(shape.into_iter().fold(1, i64::saturating_mul))
}

/// The index divided by a number. No index is negative.
fn divided(index: Expr, by: i64) -> Expr {
    match (parts(&index, Operator::FloorDivide), index) {
        (_, index) if by == 1 => index,
        (_, Expr::Constant(value)) => Expr::Constant(value / by),
        (Some((inner, own)), _) => divided(inner, own * by),
        (None, index) => binary(Operator::FloorDivide, index, by),
    }
}

/// The remainder of an index.
fn remainder(index: Expr, by: i64) -> Expr {
    match (parts(&index, Operator::Modulo), index) {
        _ if by == 1 => Expr::Constant(0),
        (_, Expr::Constant(value)) => Expr::Constant(value % by),
        (Some((inner, own)), _) if own % by == 0 => remainder(inner, by),
        (_, index) => binary(Operator::Modulo, index, by),
    }
}

/// `outer * size + inner`, simplified if both are parts of the same index.
fn joined(outer: Expr, size: i64, inner: Expr) -> Expr {
    if let Some((whole, by)) = parts(&inner, Operator::Modulo)
        && by == size
        && divided(whole.clone(), size) == outer
    {
        return whole;
    }
    match (outer, inner) {
        (outer, inner) if size == 1 && inner == Expr::Constant(0) => outer,
        (Expr::Constant(0), inner) => inner,
        (outer, inner) => {
            let outer = binary(Operator::Multiply, outer, size);
            match inner {
                Expr::Constant(0) => outer,
                inner => Expr::Binary(Operator::Add, Box::new(outer), Box::new(inner)),
            }
        }
    }
}

/// The operands of an operation with a number.
fn parts(index: &Expr, operator: Operator) -> Option<(Expr, i64)> {
    match index {
        Expr::Binary(own, lhs, rhs) if *own == operator => match **rhs {
            Expr::Constant(number) => Some(((**lhs).clone(), number)),
            _ => None,
        },
        _ => None,
    }
}

fn binary(operator: Operator, lhs: Expr, rhs: i64) -> Expr {
    Expr::Binary(operator, Box::new(lhs), Box::new(Expr::Constant(rhs)))
}

/// The indices of the dimensions of a shape that is collapsed.
fn expanded_indices(indices: &[Expr], groups: &[Vec<i64>], shape: &[i64]) -> Vec<Expr> {
    // A tensor of one element may be collapsed to rank 0.
    let mut expanded = vec![Expr::Constant(0); shape.len()];
    for (index, group) in indices.iter().zip(groups) {
        let mut rest = index.clone();
        for dim in group.iter().rev().map(|dim| *dim as usize) {
            let is_outermost =
                group.iter().all(|other| *other as usize >= dim || shape[*other as usize] == 1);
            if shape[dim] == 1 {
                continue;
            }
            if is_outermost {
                expanded[dim] = rest;
                break;
            }
            expanded[dim] = remainder(rest.clone(), shape[dim]);
            rest = divided(rest, shape[dim]);
        }
    }
    expanded
}

/// The indices of the collapsed dimensions of a shape.
fn collapsed_indices(indices: &[Expr], groups: &[Vec<i64>], shape: &[i64]) -> Vec<Expr> {
    let collapse = |group: &Vec<i64>| {
        let dims = group.iter().map(|dim| *dim as usize).filter(|dim| shape[*dim] != 1);
        dims.fold(Expr::Constant(0), |outer, dim| {
            joined(outer, shape[dim], indices[dim].clone())
        })
    };
    groups.iter().map(collapse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_pass_reshapes() {
        let groups = [vec![0, 1, 2], vec![3]];
        let indices = [Expr::Dim(1), Expr::Dim(0)];
        let shape = [4, 8, 16, 32];
        let expanded = expanded_indices(&indices, &groups, &shape);
        let part = divided(Expr::Dim(1), 16);
        assert_eq!(
            expanded,
            [
                divided(Expr::Dim(1), 128),
                remainder(part, 8),
                remainder(Expr::Dim(1), 16),
                Expr::Dim(0)
            ]
        );
        assert_eq!(collapsed_indices(&expanded, &groups, &shape), indices);
    }

    #[test]
    fn dimensions_of_size_one_have_no_index() {
        let groups = [vec![0, 1, 2]];
        let expanded = expanded_indices(&[Expr::Dim(0)], &groups, &[1, 64, 1]);
        assert_eq!(
            expanded,
            [Expr::Constant(0), Expr::Dim(0), Expr::Constant(0)]
        );
        assert_eq!(
            collapsed_indices(&expanded, &groups, &[1, 64, 1]),
            [Expr::Dim(0)]
        );
        assert_eq!(
            joined(Expr::Dim(0), 4, Expr::Dim(1)),
            Expr::Binary(
                Operator::Add,
                Box::new(binary(Operator::Multiply, Expr::Dim(0), 4)),
                Box::new(Expr::Dim(1)),
            )
        );
    }
}
