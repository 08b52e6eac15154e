//! Structured ops on tensors of static shape: `linalg.generic` with its maps, fills, transposes
//! and reshapes.

use crate::{outcome::Outcome, prelude::*};
use melior::ir::AffineExpr;

/// A tensor of undefined contents.
#[track_caller]
pub fn empty<'c>(b: &Builder<'c>, ty: Type<'c>) -> Value<'c> {
    let sizes = ty.sizes();
    let ty = tensor_type(&sizes, ty.element_type());
    tensor::empty(b, &[], ty)
}

/// A tensor with one scalar everywhere.
#[track_caller]
pub fn filled<'c>(b: &Builder<'c>, scalar: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let destination = empty(b, ty);
    let element = ty.element_type();
    let body = b.region(&[element, element], |b, arguments| {
        linalg::yield_(b, &arguments[..1]);
    });
    let types = [destination.ty()];
    linalg::FillOp::build(b, &[scalar], &[destination], &types, body).value()
}

/// An affine map from loops to the dimensions of an operand.
#[track_caller]
pub fn map<'c>(b: &Builder<'c>, loops: usize, results: &[AffineExpr<'c>]) -> AffineMap<'c> {
    AffineMap::new(b.context(), loops, 0, results)
}

/// The map that takes each listed loop to a dimension.
#[track_caller]
pub fn projection<'c>(b: &Builder<'c>, loops: usize, dimensions: &[usize]) -> AffineMap<'c> {
    let results: Vec<_> = dimensions
        .iter()
        .map(|position| AffineExpr::dim(b.context(), *position))
        .collect();
    map(b, loops, &results)
}

/// A `linalg.generic` under construction.
pub struct Generic<'c> {
    /// Operands that are read, each with its map.
    pub inputs: Vec<(Value<'c>, AffineMap<'c>)>,
    /// Operands that are written, each with its map.
    pub outputs: Vec<(Value<'c>, AffineMap<'c>)>,
    /// One iterator a loop.
    pub iterators: Vec<IteratorType>,
}

impl<'c> Generic<'c> {
    /// Creates the op. The body gets the elements of the inputs and then of the
    /// outputs, and returns the new elements of the outputs.
    pub fn build<R: Outcome<Vec<Value<'c>>>>(
        &self,
        b: &Builder<'c>,
        body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
    ) -> R::Of<Vec<Value<'c>>> {
        let values = |operands: &[(Value<'c>, AffineMap<'c>)]| -> Vec<Value<'c>> {
            operands.iter().map(|(value, _)| *value).collect()
        };
        let maps: Vec<AffineMap> =
            self.inputs.iter().chain(&self.outputs).map(|(_, map)| *map).collect();
        let (inputs, outputs) = (values(&self.inputs), values(&self.outputs));
        let body = |b: &Builder<'c>, elements: &[Value<'c>]| body(b, elements).into_result();
        let op = linalg::generic(b, &inputs, &outputs, &maps, &self.iterators, body);
        R::of(op.map(linalg::GenericOp::result_tensors))
    }
}

/// A generic that computes each element of a result from elements of inputs
/// that maps find for it. Where the result is an element, the inputs are elements too,
/// and the body is built without a generic.
#[track_caller]
pub fn gather_elements<'c, R: Outcome<Value<'c>>>(
    b: &Builder<'c>,
    inputs: Vec<(Value<'c>, AffineMap<'c>)>,
    result: Type<'c>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<Value<'c>> {
    if !result.is_tensor() {
        let elements: Vec<_> = inputs.into_iter().map(|(element, _)| element).collect();
        return R::of(body(b, &elements).into_result());
    }
    let rank = result.sizes().len();
    let destination = empty(b, result);
    let identity = AffineMap::multi_dim_identity(b.context(), rank);
    let generic = Generic {
        inputs,
        outputs: vec![(destination, identity)],
        iterators: vec![IteratorType::Parallel; rank],
    };
    let results = generic.build(b, |b, elements| Ok(vec![body(b, elements).into_result()?]));
    R::of(results.map(|results| results[0]))
}

/// A tensor whose dimension `i` is dimension `permutation[i]` of another.
#[track_caller]
pub fn transpose<'c>(b: &Builder<'c>, value: Value<'c>, permutation: &[i64]) -> Value<'c> {
    let from = value.ty().sizes();
    if permutation.iter().enumerate().all(|(to, from)| to as i64 == *from) {
        return value;
    }
    let sizes: Vec<i64> = permutation.iter().map(|from_| from[*from_ as usize]).collect();
    // A permutation of dimensions of size 1 moves nothing.
    if permutation
        .iter()
        .filter(|dimension| from[**dimension as usize] != 1)
        .is_sorted()
    {
        return reshape(b, value, &sizes);
    }
    let mut positions = vec![0; from.len()];
    for (to, from) in permutation.iter().enumerate() {
        positions[*from as usize] = to;
    }
    let map = projection(b, from.len(), &positions);
    let result = tensor_type(&sizes, value.ty().element_type());
    gather_elements(b, vec![(value, map)], result, |_, arguments| arguments[0])
}

/// A tensor whose elements run backwards along some dimensions.
#[track_caller]
pub fn reverse<'c>(b: &Builder<'c>, value: Value<'c>, reversed: &[i64]) -> Value<'c> {
    let sizes = value.ty().sizes();
    let indices: Vec<AffineExpr> = sizes
        .iter()
        .enumerate()
        .map(|(position, size)| {
            let index = AffineExpr::dim(b.context(), position);
            if reversed.contains(&(position as i64)) {
                let minus_one = AffineExpr::constant(b.context(), -1);
                AffineExpr::constant(b.context(), size - 1) + index * minus_one
            } else {
                index
            }
        })
        .collect();
    let map = map(b, sizes.len(), &indices);
    gather_elements(b, vec![(value, map)], value.ty(), |_, arguments| {
        arguments[0]
    })
}

/// Changes the shape of a tensor without moving elements.
#[track_caller]
pub fn reshape<'c>(b: &Builder<'c>, value: Value<'c>, sizes: &[i64]) -> Value<'c> {
    let from = value.ty().sizes();
    let element = value.ty().element_type();
    if from == sizes {
        return value;
    }
    if let Some(groups) = reassociation(&from, sizes) {
        let lists: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
        let ty = tensor_type(sizes, element);
        return tensor::collapse_shape(b, value, &lists, ty);
    }
    if let Some(groups) = reassociation(sizes, &from) {
        let lists: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
        let ty = tensor_type(sizes, element);
        return tensor::expand_shape(b, value, &lists, &[], sizes, ty);
    }
    if from.contains(&0) {
        return empty(b, tensor_type(sizes, element));
    }
    // Neither shape refines the other: through a shape that refines both, where
    // there is one, else through one dimension, which every shape refines.
    let middle = common_refinement(&from, sizes)
        .filter(|middle| {
            reassociation(middle, &from).is_some() && reassociation(middle, sizes).is_some()
        })
        .unwrap_or_else(|| vec![from.iter().product()]);
    let value = reshape(b, value, &middle);
    reshape(b, value, sizes)
}

/// Which runs of `fine` dimensions make up each dimension of `coarse`, where
/// such runs exist.
fn reassociation(fine: &[i64], coarse: &[i64]) -> Option<Vec<Vec<i64>>> {
    if coarse.is_empty() {
        return fine.iter().all(|size| *size == 1).then(Vec::new);
    }
    if fine.len() < coarse.len() || fine.contains(&0) || coarse.contains(&0) {
        return None;
    }
    let mut groups = Vec::new();
    let mut next = 0;
    for size in coarse {
        let mut group = vec![next as i64];
        let mut product = *fine.get(next)?;
        next += 1;
        while product < *size {
            product *= *fine.get(next)?;
            group.push(next as i64);
            next += 1;
        }
        if product != *size {
            return None;
        }
        groups.push(group);
    }
    // Trailing dimensions of size 1 belong to the last group.
    while next < fine.len() {
        if fine[next] != 1 {
            return None;
        }
        groups.last_mut()?.push(next as i64);
        next += 1;
    }
    Some(groups)
}

/// The coarsest shape from which both shapes result by collapsing adjacent
/// dimensions.
fn common_refinement(left: &[i64], right: &[i64]) -> Option<Vec<i64>> {
    if left.contains(&0) || right.contains(&0) {
        return None;
    }
    let (mut left, mut right) = (left.to_vec(), right.to_vec());
    left.reverse();
    right.reverse();
    let mut shape = Vec::new();
    let (mut a, mut b) = (1, 1);
    loop {
        if a == 1 {
            a = left.pop().unwrap_or(1);
        }
        if b == 1 {
            b = right.pop().unwrap_or(1);
        }
        if a == 1 && left.is_empty() && b == 1 && right.is_empty() {
            break;
        }
        if a == 1 || b == 1 {
            continue;
        }
        let step = if a % b == 0 {
            b
        } else if b % a == 0 {
            a
        } else {
            return None;
        };
        shape.push(step);
        a /= step;
        b /= step;
    }
    (!shape.is_empty()).then_some(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_join_neighbours() {
        assert_eq!(
            reassociation(&[2, 3, 4], &[6, 4]),
            Some(vec![vec![0, 1], vec![2]])
        );
        assert_eq!(reassociation(&[2, 3, 4], &[8, 3]), None);
        assert_eq!(reassociation(&[1, 1], &[]), Some(vec![]));
        assert_eq!(reassociation(&[4, 1, 1], &[4]), Some(vec![vec![0, 1, 2]]));
    }

    #[test]
    fn shapes_meet_in_their_common_refinement() {
        assert_eq!(common_refinement(&[6, 4], &[2, 12]), Some(vec![2, 3, 4]));
        assert_eq!(common_refinement(&[4, 6], &[6, 4]), None);
    }
}
