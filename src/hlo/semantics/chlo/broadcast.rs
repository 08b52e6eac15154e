//! CHLO ops with NumPy broadcasting.
//!
//! For incompatible shapes nothing is inferred, and the op's expansion reports an error: the path
//! may be dead code.

use super::same_elements;
use crate::semantics::{mlir::elements_agree, op::Op, prelude::*};
use halo_ir::{complex_type, prelude::*};

/// The size that two dimensions broadcast to. `exact` means that every size or bound is known: then
/// a bound is compatible only with the same bound, because a value of fewer entries than the bound
/// would not match a static size.
fn broadcast_dim(left: Dim, right: Dim, exact: bool) -> Option<Dim> {
    match (left, right) {
        (Dim::Static(1), other) | (other, Dim::Static(1)) => Some(other),
        (left, right) if left == right => Some(left),
        (Dim::Static(_), Dim::Static(_)) => None,
        _ if exact => None,
        // One of them is known to be more than one, so the other is equal.
        (Dim::Static(size), _) | (_, Dim::Static(size)) => Some(Dim::Static(size)),
        _ => Some(Dim::Dynamic),
    }
}

/// The shape that NumPy's rule gives for several shapes, aligned at their last dimensions.
fn broadcast_shapes(shapes: &[Vec<Dim>]) -> Option<Vec<Dim>> {
    let exact = shapes.iter().flatten().all(|dim| *dim != Dim::Dynamic);
    let rank = shapes.iter().map(Vec::len).max()?;
    let mut result = vec![Dim::Static(1); rank];
    for shape in shapes {
        for (entry, dim) in result[rank - shape.len()..].iter_mut().zip(shape) {
            let dim = match dim {
                Dim::Bounded(_) if !exact => Dim::Dynamic,
                dim => *dim,
            };
            *entry = broadcast_dim(*entry, dim, exact)?;
        }
    }
    Some(result)
}

/// The same for two shapes, where `dimensions` maps the dimensions of lower rank to the other's.
fn broadcast_along(left: &[Dim], right: &[Dim], dimensions: &[i64]) -> Option<Vec<Dim>> {
    let (large, small) = if left.len() > right.len() {
        (left, right)
    } else {
        (right, left)
    };
    if dimensions.len() != small.len() {
        return None;
    }
    let mut result = large.to_vec();
    for (position, dim) in dimensions.iter().zip(small) {
        let entry = result.get_mut(usize::try_from(*position).ok()?)?;
        *entry = broadcast_dim(*entry, *dim, false)?;
    }
    Some(result)
}

/// The shape that the operands broadcast to, if they are ranked and compatible.
fn shape(op: Op) -> Option<Vec<Dim>> {
    let shapes = op.operands().map(|(_, ty)| dims_of(ty)).collect::<Option<Vec<_>>>()?;
    match (op.optional_integers("broadcast_dimensions"), &shapes[..]) {
        (Some(dimensions), [left, right]) => broadcast_along(left, right, &dimensions),
        _ => broadcast_shapes(&shapes),
    }
}

fn result<'c>(op: Op<'c>, element: Type<'c>) -> Inference<'c> {
    one(Inferred::Tensor {
        dims: shape(op),
        element: Some(element.into()),
    })
}

/// Ops of one element type.
pub fn same_type(op: Op) -> Inference {
    let element = same_elements(op)?;
    result(op, element)
}

/// The op `chlo.broadcast_compare`: a boolean for each pair.
pub fn compare(op: Op) -> Inference {
    same_elements(op)?;
    result(op, integer_type(op.context(), 1))
}

/// The op `chlo.broadcast_complex`: complex numbers of the operands' floats.
pub fn complex(op: Op) -> Inference {
    let element = same_elements(op)?;
    result(op, complex_type(element))
}

/// The op `chlo.broadcast_select`: both choices have one element type.
pub fn select(op: Op) -> Inference {
    let [on_true, on_false] = [op.operand_type(1)?, op.operand_type(2)?].map(Type::element_type);
    if !elements_agree(on_true, on_false) {
        return Err(format!(
            "operand 2 has element type {on_false}, but operand 1 has element type {on_true}"
        ));
    }
    result(op, on_true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const B10: Dim = Dim::Bounded(10);

    fn statics(sizes: &[i64]) -> Vec<Dim> {
        sizes.iter().copied().map(Dim::Static).collect()
    }

    #[test]
    fn shapes_are_aligned_at_the_end() {
        let shapes = [statics(&[5]), statics(&[10, 1])];
        assert_eq!(broadcast_shapes(&shapes), Some(statics(&[10, 5])));
        assert_eq!(broadcast_shapes(&[statics(&[10]), statics(&[5])]), None);
    }

    #[test]
    fn a_bound_goes_with_itself_and_with_one() {
        let bounded = vec![B10];
        assert_eq!(
            broadcast_shapes(&[bounded.clone(), statics(&[1])]),
            Some(bounded.clone())
        );
        assert_eq!(
            broadcast_shapes(&[bounded.clone(), bounded.clone()]),
            Some(bounded.clone())
        );
        assert_eq!(broadcast_shapes(&[bounded, statics(&[10])]), None);
    }

    #[test]
    fn an_unknown_size_is_that_of_the_other() {
        let dynamic = vec![Dim::Dynamic];
        assert_eq!(
            broadcast_shapes(&[dynamic.clone(), statics(&[3])]),
            Some(statics(&[3]))
        );
        assert_eq!(
            broadcast_shapes(&[dynamic.clone(), statics(&[1])]),
            Some(dynamic)
        );
    }

    #[test]
    fn dimensions_are_explicit() {
        let (large, small) = (statics(&[2, 3]), statics(&[2]));
        assert_eq!(broadcast_along(&large, &small, &[0]), Some(large.clone()));
        assert_eq!(broadcast_along(&large, &small, &[1]), None);
        assert_eq!(broadcast_along(&large, &small, &[2]), None);
    }
}
