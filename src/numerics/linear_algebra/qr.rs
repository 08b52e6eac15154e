//! QR in the format of LAPACK's `geqrf` and `orgqr`.
//!
//! The reflections of a block of columns are applied to the others together,
//! as `1 - v t v^H` with a triangular `t` (Schreiber and Van Loan, "A
//! Storage-Efficient WY Representation for Products of Householder
//! Transformations", 1989).

use faer::{
    Mat, MatMut,
    reborrow::{Reborrow, ReborrowMut},
};
use num_traits::One;

use crate::linear_algebra::matrix::{
    Field, Matrix, adjoint, plain, product, subtract_product, view, view_mut,
};
use crate::linear_algebra::reflection;

/// The number of reflections that are applied together.
const BLOCK: usize = 32;

pub(crate) fn factor<T: Field>(a: &mut [T], (rows, columns): Matrix, taus: &mut [T]) {
    let count = rows.min(columns);
    let mut a = view_mut(a, (rows, columns));
    for begin in (0..count).step_by(BLOCK) {
        let end = (begin + BLOCK).min(count);
        for (column, tau) in (begin..end).zip(&mut taus[begin..end]) {
            *tau = reflect(a.rb_mut(), column, end);
        }
        if end < columns {
            let block = Block::new(&a.rb(), begin, &taus[begin..end]);
            let rest = a.rb_mut().subrows_mut(begin, rows - begin);
            block.apply(rest.subcols_mut(end, columns - end), true);
        }
    }
}

pub(crate) fn form_q<T: Field>(a: &mut [T], (rows, columns): Matrix, taus: &[T]) {
    let blocks = blocks(a, (rows, columns), taus);
    let mut q = view_mut(a, (rows, columns));
    for column in 0..columns {
        for row in 0..rows {
            q[(row, column)] = if row == column { T::one() } else { T::zero() };
        }
    }
    for (begin, block) in blocks.iter().rev() {
        let rest = q.rb_mut().subrows_mut(*begin, rows - begin);
        block.apply(rest.subcols_mut(*begin, columns - begin), false);
    }
}

/// `op(q) c`, where `q` is the whole product of the reflections, and `op` the identity or the
/// adjoint.
fn multiply_left<T: Field>(
    a: &[T],
    size: Matrix,
    taus: &[T],
    mut c: MatMut<'_, T>,
    is_adjoint: bool,
) {
    let mut blocks = blocks(a, size, taus);
    if !is_adjoint {
        blocks.reverse();
    }
    for (begin, block) in blocks {
        let rows = c.nrows() - begin;
        block.apply(c.rb_mut().subrows_mut(begin, rows), is_adjoint);
    }
}

/// The same, or `c op(q)`. The other dimension of `c` is passed separately.
pub(crate) fn multiply<T: Field>(
    a: &[T],
    size: Matrix,
    taus: &[T],
    (c, other): (&mut [T], usize),
    (left, is_adjoint): (bool, bool),
) {
    let rows = size.0;
    if left {
        return multiply_left(a, size, taus, view_mut(c, (rows, other)), is_adjoint);
    }
    // The adjoint of the product is a product from the left.
    let mut c = view_mut(c, (other, rows));
    let mut turned = Mat::from_fn(rows, other, |row, column| c[(column, row)].conj());
    multiply_left(a, size, taus, turned.as_mut(), !is_adjoint);
    for column in 0..rows {
        for row in 0..other {
            c[(row, column)] = turned[(column, row)].conj();
        }
    }
}

/// The packed reflections in blocks, each with its first row.
fn blocks<T: Field>(a: &[T], (rows, columns): Matrix, taus: &[T]) -> Vec<(usize, Block<T>)> {
    let count = taus.len().min(rows).min(columns);
    let packed = view(a, (rows, columns));
    (0..count)
        .step_by(BLOCK)
        .map(|begin| {
            let end = (begin + BLOCK).min(count);
            (begin, Block::new(&packed, begin, &taus[begin..end]))
        })
        .collect()
}

/// Makes the reflection that maps a column to a multiple of a unit vector, applies it to the
/// columns up to `end`, and returns its factor.
fn reflect<T: Field>(mut a: MatMut<'_, T>, column: usize, end: usize) -> T {
    let rows = a.nrows();
    let mut vector: Vec<T> = (column..rows).map(|row| a[(row, column)]).collect();
    let tau = reflection::make(&mut vector);
    for (row, value) in (column..rows).zip(vector) {
        a[(row, column)] = value;
    }
    if tau == T::zero() {
        return tau;
    }
    for other in column + 1..end {
        let mut sum = a[(column, other)];
        for row in column + 1..rows {
            sum += a[(row, column)].conj() * a[(row, other)];
        }
        let sum = tau.conj() * sum;
        a[(column, other)] -= sum;
        for row in column + 1..rows {
            let part = a[(row, column)] * sum;
            a[(row, other)] -= part;
        }
    }
    tau
}

/// A product of reflections, `1 - v t v^H`.
struct Block<T: Field> {
    v: Mat<T>,
    t: Mat<T>,
}

impl<T: Field> Block<T> {
    /// The packed reflections that begin in a column.
    fn new(packed: &faer::MatRef<'_, T>, begin: usize, taus: &[T]) -> Self {
        let (rows, count) = (packed.nrows() - begin, taus.len());
        let v = Mat::from_fn(rows, count, |row, column| match row.cmp(&column) {
            std::cmp::Ordering::Less => T::zero(),
            std::cmp::Ordering::Equal => <T as One>::one(),
            std::cmp::Ordering::Greater => packed[(begin + row, begin + column)],
        });
        let mut inner = Mat::zeros(count, count);
        product(inner.as_mut(), adjoint(v.as_ref()), plain(v.as_ref()));
        let mut t = Mat::<T>::zeros(count, count);
        for column in 0..count {
            t[(column, column)] = taus[column];
            for row in 0..column {
                let mut sum = T::zero();
                for k in row..column {
                    sum += t[(row, k)] * inner[(k, column)];
                }
                t[(row, column)] = -taus[column] * sum;
            }
        }
        Self { v, t }
    }

    /// Applies the product, or its adjoint, from the left.
    fn apply(&self, c: MatMut<'_, T>, inverse: bool) {
        if c.ncols() == 0 {
            return;
        }
        let (count, columns) = (self.t.nrows(), c.ncols());
        let mut inner = Mat::zeros(count, columns);
        product(inner.as_mut(), adjoint(self.v.as_ref()), plain(c.rb()));
        let mut scaled = Mat::zeros(count, columns);
        let t = self.t.as_ref();
        let t = if inverse { adjoint(t) } else { plain(t) };
        product(scaled.as_mut(), t, plain(inner.as_ref()));
        subtract_product(c, plain(self.v.as_ref()), plain(scaled.as_ref()));
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use crate::linear_algebra::testing::{
        TestNumber, Wide, adjoint, assert_near, identity, product, random, wide,
    };

    /// Fails unless `a = q r`, with a unitary `q`, and products with the packed `q` agree.
    fn check<T: TestNumber>(rows: usize, columns: usize) {
        let tolerance = 10.0 * T::TOLERANCE;
        let a = random::<T>(rows * columns, 5);
        let (mut packed, rank) = (a.clone(), rows.min(columns));
        let mut taus = vec![T::from_f64(0.0); rank];
        T::qr(&mut packed, (rows, columns), &mut taus);
        let mut q = vec![T::from_f64(0.0); rows * rows];
        q[..rows * rank].copy_from_slice(&packed[..rows * rank]);
        T::form_q(&mut q, (rows, rows), &taus);
        let q = wide(&q);
        assert_near(
            &product(&adjoint(&q, rows), &q, rows, rows),
            &identity(rows),
            tolerance,
        );
        let mut r = wide(&packed);
        for (number, column) in r.chunks_exact_mut(rows.max(1)).enumerate() {
            column[(number + 1).min(rows)..].fill(Wide::default());
        }
        assert_near(&product(&q, &r, rows, rows), &wide(&a), tolerance);
        let c = random::<T>(rows * 3, 6);
        for (is_adjoint, q) in [(false, q.clone()), (true, adjoint(&q, rows))] {
            let (mut left, mut right) = (c.clone(), c.clone());
            let size = (rows, columns);
            T::multiply_q(&packed, size, &taus, (&mut left, 3), (true, is_adjoint));
            assert_near(&wide(&left), &product(&q, &wide(&c), rows, rows), tolerance);
            T::multiply_q(&packed, size, &taus, (&mut right, 3), (false, is_adjoint));
            assert_near(&wide(&right), &product(&wide(&c), &q, 3, rows), tolerance);
        }
    }

    #[test]
    fn factors_and_their_products() {
        for (rows, columns) in [(0, 2), (1, 1), (3, 0), (5, 3), (3, 5), (70, 40)] {
            check::<f32>(rows, columns);
            check::<f64>(rows, columns);
            check::<Complex<f32>>(rows, columns);
            check::<Complex<f64>>(rows, columns);
        }
    }
}
