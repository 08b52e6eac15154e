//! Structured ops on tensors: `linalg.generic` with its maps, fills, transposes and reshapes.

use crate::{ops::index::Index, outcome::Outcome, prelude::*};
use melior::ir::AffineExpr;

/// A tensor of undefined contents.
#[track_caller]
pub fn empty<'c>(b: &Builder<'c>, shape: impl Into<Shape<'c>>) -> Value<'c> {
    let shape = shape.into();
    tensor::empty(b, &sizes::values(&shape.sizes), shape.ty())
}

/// A tensor with one scalar everywhere.
#[track_caller]
pub fn filled<'c>(b: &Builder<'c>, scalar: Value<'c>, shape: impl Into<Shape<'c>>) -> Value<'c> {
    let destination = empty(b, shape);
    let element = destination.ty().element_type();
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
    result: impl Into<Shape<'c>>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<Value<'c>> {
    let result = result.into();
    if result.is_element {
        let elements: Vec<_> = inputs.into_iter().map(|(element, _)| element).collect();
        return R::of(body(b, &elements).into_result());
    }
    let rank = result.sizes.len();
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

/// A tensor that computes each element from its indices.
#[track_caller]
pub fn computed<'c>(
    b: &Builder<'c>,
    result: impl Into<Shape<'c>>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let result = result.into();
    let rank = result.sizes.len() as i64;
    gather_elements(b, Vec::new(), result, |b, _| {
        let indices: Vec<Value> = (0..rank).map(|dimension| linalg::index(b, dimension)).collect();
        body(b, &indices)
    })
}

/// A tensor whose dimension `i` is dimension `permutation[i]` of another.
#[track_caller]
pub fn transpose<'c>(b: &Builder<'c>, value: Value<'c>, permutation: &[i64]) -> Value<'c> {
    if permutation.iter().enumerate().all(|(to, from)| to as i64 == *from) {
        return value;
    }
    let from = Size::all(b, value);
    let sizes: Vec<Size> = permutation.iter().map(|from_| from[*from_ as usize]).collect();
    // A permutation of dimensions of size 1 moves nothing.
    if permutation
        .iter()
        .filter(|dimension| from[**dimension as usize].known() != Some(1))
        .is_sorted()
    {
        return reshape_to(b, value, &sizes);
    }
    let mut positions = vec![0; from.len()];
    for (to, from) in permutation.iter().enumerate() {
        positions[*from as usize] = to;
    }
    let map = projection(b, from.len(), &positions);
    let result = Shape::new(sizes, value.ty().element_type());
    gather_elements(b, vec![(value, map)], result, |_, arguments| arguments[0])
}

/// A tensor whose elements run backwards along some dimensions.
#[track_caller]
pub fn reverse<'c>(b: &Builder<'c>, value: Value<'c>, reversed: &[i64]) -> Value<'c> {
    let sizes = Size::all(b, value);
    let shape = Shape::new(sizes.clone(), value.ty().element_type());
    let is_reversed = |position: usize| reversed.contains(&(position as i64));
    let mut reversed_sizes =
        sizes.iter().enumerate().filter(|(position, _)| is_reversed(*position));
    if reversed_sizes.any(|(_, size)| size.known().is_none()) {
        // An affine map has no dynamic sizes.
        let last: Vec<Value> = (sizes.iter().enumerate())
            .filter(|(position, _)| is_reversed(*position))
            .map(|(_, size)| index::sub(b, *size, 1))
            .collect();
        return computed(b, shape, |b, indices| {
            let mut last = last.iter();
            let position = indices.iter().enumerate().map(|(position, index)| {
                let last = is_reversed(position).then(|| last.next()).flatten();
                last.map_or(*index, |last| arith::subi(b, *last, *index))
            });
            tensor::extract(b, value, &position.collect::<Vec<_>>())
        });
    }
    let indices: Vec<AffineExpr> = sizes
        .iter()
        .enumerate()
        .map(|(position, size)| {
            let index = AffineExpr::dim(b.context(), position);
            match size.known() {
                Some(size) if is_reversed(position) => {
                    let minus_one = AffineExpr::constant(b.context(), -1);
                    AffineExpr::constant(b.context(), size - 1) + index * minus_one
                }
                _ => index,
            }
        })
        .collect();
    let map = map(b, sizes.len(), &indices);
    gather_elements(b, vec![(value, map)], shape, |_, arguments| arguments[0])
}

/// Changes the shape of a tensor without moving elements.
#[track_caller]
pub fn reshape<'c>(b: &Builder<'c>, value: Value<'c>, sizes: &[i64]) -> Value<'c> {
    reshape_to(b, value, &sizes::fixed(sizes))
}

/// Changes the shape of a tensor without moving elements, to sizes with as many elements.
#[track_caller]
pub fn reshape_to<'c>(b: &Builder<'c>, value: Value<'c>, sizes: &[Size<'c>]) -> Value<'c> {
    let known: Option<Vec<i64>> = sizes.iter().map(|size| size.known()).collect();
    match (value.ty().static_shape(), known) {
        (Some(from), Some(to)) => reshape_static(b, value, &from, &to),
        _ => reshape_dynamic(b, value, sizes),
    }
}

#[track_caller]
fn reshape_static<'c>(b: &Builder<'c>, value: Value<'c>, from: &[i64], sizes: &[i64]) -> Value<'c> {
    let element = value.ty().element_type();
    if from == sizes {
        return value;
    }
    if let Some(groups) = reassociation(from, sizes) {
        let lists: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
        let ty = tensor_type(sizes, element);
        return tensor::collapse_shape(b, value, &lists, ty);
    }
    if let Some(groups) = reassociation(sizes, from) {
        let lists: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
        let ty = tensor_type(sizes, element);
        return tensor::expand_shape(b, value, &lists, &[], sizes, ty);
    }
    if from.contains(&0) {
        return empty(b, tensor_type(sizes, element));
    }
    // Neither shape refines the other: through a shape that refines both, where
    // there is one, else through one dimension, which every shape refines.
    let middle = common_refinement(from, sizes)
        .filter(|middle| {
            reassociation(middle, from).is_some() && reassociation(middle, sizes).is_some()
        })
        .unwrap_or_else(|| vec![from.iter().product()]);
    let value = reshape(b, value, &middle);
    reshape(b, value, sizes)
}

/// Collapses groups of dimensions that have as many elements before and after, as far as they are
/// known, and expands them.
#[track_caller]
fn reshape_dynamic<'c>(b: &Builder<'c>, value: Value<'c>, to: &[Size<'c>]) -> Value<'c> {
    let from = Size::all(b, value);
    let element = value.ty().element_type();
    let groups = common_groups(&from, to);
    if groups.is_empty() {
        // The only element.
        let ones = vec![1; from.len()];
        let unit = cast(b, value, &sizes::fixed(&ones));
        return reshape(b, unit, &numbers_of(to));
    }
    let sizes_of = |sizes: &[Size<'c>], group: &[i64]| -> Vec<Size<'c>> {
        group.iter().map(|dim| sizes[*dim as usize]).collect()
    };
    // MLIR requires that the size of a group is dynamic if one of its sizes is.
    let size_of_group = |b: &Builder<'c>, group: &[Size<'c>]| match group {
        [size] => *size,
        sizes if sizes.iter().all(|size| size.known().is_some()) => sizes::product(b, sizes),
        sizes => Size::Dynamic(sizes::product(b, sizes).value(b)),
    };
    let (mut collapsed, mut middle, mut expanded) = (Vec::new(), Vec::new(), Vec::new());
    for (before, after) in &groups {
        let after = sizes_of(to, after);
        let size = size_of_group(b, &sizes_of(&from, before));
        collapsed.push(size);
        let is_static = |size: &Size| size.known().is_some();
        match &after[..] {
            [only] => {
                let most_static = if is_static(only) { *only } else { size };
                middle.push(most_static);
                expanded.push(most_static);
            }
            _ => {
                let all_static = after.iter().all(is_static);
                middle.push(if all_static {
                    sizes::product(b, &after)
                } else {
                    Size::Dynamic(size.value(b))
                });
                expanded.extend(after);
            }
        }
    }
    let mut value = value;
    if groups.iter().any(|(before, _)| before.len() != 1) {
        let lists: Vec<&[i64]> = groups.iter().map(|(before, _)| before.as_slice()).collect();
        let ty = tensor_type(&sizes::numbers(&collapsed), element);
        value = tensor::collapse_shape(b, value, &lists, ty);
    }
    value = cast(b, value, &middle);
    if groups.iter().all(|(_, after)| after.len() == 1) {
        return value;
    }
    let lists: Vec<&[i64]> = groups.iter().map(|(_, after)| after.as_slice()).collect();
    let numbers = sizes::numbers(&expanded);
    let ty = tensor_type(&numbers, element);
    tensor::expand_shape(b, value, &lists, &sizes::values(&expanded), &numbers, ty)
}

fn numbers_of(sizes: &[Size]) -> Vec<i64> {
    sizes.iter().map(|size| size.known().unwrap_or(1)).collect()
}

/// `tensor.cast` to other static sizes of the same shape.
#[track_caller]
pub fn cast<'c>(b: &Builder<'c>, value: Value<'c>, to: &[Size<'c>]) -> Value<'c> {
    let ty = tensor_type(&sizes::numbers(to), value.ty().element_type());
    if value.ty() == ty {
        return value;
    }
    tensor::cast(b, value, ty)
}

/// Groups of adjacent dimensions of two shapes with as many elements; one group if it is unknown
/// which ones have as many. None if one of the shapes has no dimension.
fn common_groups<'c>(from: &[Size<'c>], to: &[Size<'c>]) -> Vec<(Vec<i64>, Vec<i64>)> {
    use sizes::Product;
    let mut groups: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
    if from.is_empty() || to.is_empty() {
        return groups;
    }
    let (mut left, mut right) = (0, 0);
    while left < from.len() && right < to.len() {
        let (first_left, first_right) = (left, right);
        (left, right) = (left + 1, right + 1);
        loop {
            let before = Product::of(&from[first_left..left]);
            let after = Product::of(&to[first_right..right]);
            if before.equals(&after) {
                break;
            }
            if before.quotient(&after).is_some() && right < to.len() {
                right += 1;
            } else if after.quotient(&before).is_some() && left < from.len() {
                left += 1;
            } else {
                (left, right) = (from.len(), to.len());
                break;
            }
        }
        let range = |range: std::ops::Range<usize>| range.map(|dim| dim as i64).collect();
        groups.push((range(first_left..left), range(first_right..right)));
    }
    // Trailing dimensions belong to the last group.
    if let Some((before, after)) = groups.last_mut() {
        before.extend((left..from.len()).map(|dim| dim as i64));
        after.extend((right..to.len()).map(|dim| dim as i64));
    }
    groups
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
