//! Substitution.

use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj, solve_unit_lower_triangular_in_place_with_conj,
    solve_unit_upper_triangular_in_place_with_conj, solve_upper_triangular_in_place_with_conj,
};
use faer::{Conj, MatMut, MatRef, Par};

use crate::matrix::Field;

/// What `op(a)` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpose {
    No,
    Transposed,
    /// The transposed conjugate.
    Adjoint,
}

/// The coefficients of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// `op(a) x = b`, else `x op(a) = b`.
    pub left: bool,
    /// Which triangle of `a` is read.
    pub lower: bool,
    /// The diagonal is not read: it is 1.
    pub unit: bool,
    pub transpose: Transpose,
}

pub(crate) fn solve<T: Field>(a: MatRef<'_, T>, b: MatMut<'_, T>, triangle: Triangle) {
    if b.nrows() == 0 || b.ncols() == 0 {
        return;
    }
    // A solution from the right is one from the left of the transposed system.
    let b = if triangle.left { b } else { b.transpose_mut() };
    let flipped = (triangle.transpose != Transpose::No) == triangle.left;
    let a = if flipped { a.transpose() } else { a };
    let conj = match triangle.transpose {
        Transpose::Adjoint => Conj::Yes,
        _ => Conj::No,
    };
    match (triangle.lower != flipped, triangle.unit) {
        (true, false) => solve_lower_triangular_in_place_with_conj(a, conj, b, Par::Seq),
        (true, true) => solve_unit_lower_triangular_in_place_with_conj(a, conj, b, Par::Seq),
        (false, false) => solve_upper_triangular_in_place_with_conj(a, conj, b, Par::Seq),
        (false, true) => solve_unit_upper_triangular_in_place_with_conj(a, conj, b, Par::Seq),
    }
}
