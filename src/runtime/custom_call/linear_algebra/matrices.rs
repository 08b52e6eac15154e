//! Batches of matrices in column-major order, as the numerical functions require.

use std::sync::{Mutex, PoisonError};

use halo_core::{Complex, ElementType, Layout, NativeType, Shape};
use halo_numerics::linear_algebra::{Failure, MatMut, MatRef, Number, Triangle};

use crate::custom_call::{CustomCall, CustomCallSite, Handler, ParallelFor, View, ViewMut};

/// Multiplications that are worth a thread, in a triangular system: about 80
/// microseconds.
const SOLVE_GRAIN: usize = 1 << 23;

/// The minimum number of right-hand sides that are solved together, enough to fill vectors.
const SIDES: usize = 16;

/// Element types that matrices are factored in.
pub(super) trait Element: NativeType + Number<Real: NativeType + Into<f64>> {
    fn nan() -> Self;
}

impl Element for f32 {
    fn nan() -> Self {
        Self::NAN
    }
}

impl Element for f64 {
    fn nan() -> Self {
        Self::NAN
    }
}

impl Element for Complex<f32> {
    fn nan() -> Self {
        Self::new(f32::NAN, f32::NAN)
    }
}

impl Element for Complex<f64> {
    fn nan() -> Self {
        Self::new(f64::NAN, f64::NAN)
    }
}

/// The memory layout of the matrices of a batch. The vectors of a batch are matrices of one column.
#[derive(Clone, Debug)]
pub(super) struct MatrixBatch {
    pub rows: usize,
    pub columns: usize,
    row_stride: usize,
    column_stride: usize,
    /// The index of the first element of each matrix.
    origins: Vec<usize>,
    /// Whether the matrices are contiguous in the memory of their array.
    is_dense: bool,
}

impl MatrixBatch {
    /// The last `rank` dimensions of a shape, at most two.
    pub fn new(shape: &Shape, layout: &Layout, rank: usize) -> Result<Self, String> {
        let strides = layout.strides(shape).map_err(|error| error.to_string())?;
        let outer = shape.rank().checked_sub(rank);
        let outer = outer.ok_or_else(|| format!("{shape} has less than {rank} dimensions"))?;
        let dims = shape.dims();
        let size_and_stride = |number: usize| {
            if number < rank {
                (dims[outer + number], strides[outer + number])
            } else {
                (1, 0)
            }
        };
        let ((rows, row_stride), (columns, column_stride)) =
            (size_and_stride(0), size_and_stride(1));
        let mut origins = vec![0];
        for (size, stride) in dims[..outer].iter().zip(&strides) {
            let before = std::mem::take(&mut origins);
            for origin in before {
                origins.extend((0..*size).map(|index| origin + index * stride));
            }
        }
        let strides = (row_stride, column_stride);
        let is_dense = (strides == (1, rows) || strides == (columns, 1))
            && origins
                .iter()
                .enumerate()
                .all(|(number, origin)| *origin == number * rows * columns);
        Ok(Self {
            rows,
            columns,
            row_stride,
            column_stride,
            origins,
            is_dense,
        })
    }

    /// The number of matrices.
    pub fn count(&self) -> usize {
        self.origins.len()
    }

    /// A column-major copy of a matrix.
    pub fn read<T: Copy>(&self, elements: &[T], number: usize) -> Vec<T> {
        if self.rows == 0 || self.columns == 0 {
            return Vec::new();
        }
        let origin = self.origins[number];
        if self.row_stride == 1 {
            let mut result = Vec::with_capacity(self.rows * self.columns);
            for column in 0..self.columns {
                let first = origin + column * self.column_stride;
                result.extend_from_slice(&elements[first..first + self.rows]);
            }
            return result;
        }
        let mut result = Vec::new();
        if let Some(first) = elements.get(origin) {
            result.resize(self.rows * self.columns, *first);
        }
        self.each_element(|row, column| {
            let from = origin + row * self.row_stride + column * self.column_stride;
            result[column * self.rows + row] = elements[from];
        });
        result
    }

    /// Writes a matrix, given in column-major order.
    pub fn write<T: Copy>(&self, elements: &mut [T], number: usize, matrix: &[T]) {
        let origin = self.origins[number];
        if self.row_stride == 1 {
            for (column, from) in matrix.chunks(self.rows.max(1)).enumerate() {
                let first = origin + column * self.column_stride;
                elements[first..first + self.rows].copy_from_slice(from);
            }
            return;
        }
        self.each_element(|row, column| {
            let to = origin + row * self.row_stride + column * self.column_stride;
            elements[to] = matrix[column * self.rows + row];
        });
    }

    /// A matrix that consists of all elements.
    fn view<'a, T>(&self, elements: &'a [T]) -> MatRef<'a, T> {
        match self.row_stride {
            1 => MatRef::from_column_major_slice(elements, self.rows, self.columns),
            _ => MatRef::from_row_major_slice(elements, self.rows, self.columns),
        }
    }

    /// The same, mutable.
    fn view_mut<'a, T>(&self, elements: &'a mut [T]) -> MatMut<'a, T> {
        match self.row_stride {
            1 => MatMut::from_column_major_slice_mut(elements, self.rows, self.columns),
            _ => MatMut::from_row_major_slice_mut(elements, self.rows, self.columns),
        }
    }

    /// Calls a function for the row and column of each element, by blocks whose rows
    /// and columns stay in the first cache.
    fn each_element(&self, mut body: impl FnMut(usize, usize)) {
        const BLOCK: usize = 16;
        for first_column in (0..self.columns).step_by(BLOCK) {
            for first_row in (0..self.rows).step_by(BLOCK) {
                for column in first_column..self.columns.min(first_column + BLOCK) {
                    for row in first_row..self.rows.min(first_row + BLOCK) {
                        body(row, column);
                    }
                }
            }
        }
    }
}

/// The matrices of an operand.
pub(super) struct Input<'a, T> {
    pub batch: MatrixBatch,
    elements: &'a [T],
}

impl<'a, T: NativeType> Input<'a, T> {
    pub fn new(view: &View<'a>, rank: usize) -> Result<Self, String> {
        Ok(Self {
            batch: MatrixBatch::new(view.shape, view.layout, rank)?,
            elements: view.as_slice()?,
        })
    }

    pub fn read(&self, number: usize) -> Vec<T> {
        self.batch.read(self.elements, number)
    }

    /// Calls a function with a matrix.
    pub fn with<R>(&self, number: usize, body: impl FnOnce(MatRef<'_, T>) -> R) -> R {
        let (rows, columns) = (self.batch.rows, self.batch.columns);
        if self.batch.is_dense {
            let elements = &self.elements[self.batch.origins[number]..][..rows * columns];
            return body(self.batch.view(elements));
        }
        body(MatRef::from_column_major_slice(
            &self.read(number),
            rows,
            columns,
        ))
    }
}

/// The matrices of a result, which threads write one after the other.
pub(super) struct Output<'a, T> {
    pub batch: MatrixBatch,
    elements: Mutex<&'a mut [T]>,
}

impl<'a, T: NativeType> Output<'a, T> {
    pub fn new(view: &'a mut ViewMut<'_>, rank: usize) -> Result<Self, String> {
        Ok(Self {
            batch: MatrixBatch::new(view.shape, view.layout, rank)?,
            elements: Mutex::new(view.as_mut_slice()?),
        })
    }

    pub fn write(&self, number: usize, matrix: &[T]) {
        let mut elements = self.elements.lock().unwrap_or_else(PoisonError::into_inner);
        self.batch.write(&mut elements, number, matrix);
    }

    /// Calls a function with all matrices, for writing.
    pub fn with_all(self, body: impl FnOnce(Vec<MatMut<'_, T>>)) {
        let Self { batch, elements } = self;
        let elements = elements.into_inner().unwrap_or_else(PoisonError::into_inner);
        let size = batch.rows * batch.columns;
        if size == 0 {
            let matrices = (0..batch.count()).map(|_| batch.view_mut(&mut []));
            return body(matrices.collect());
        }
        if batch.is_dense {
            let matrices = elements.chunks_exact_mut(size);
            return body(matrices.map(|matrix| batch.view_mut(matrix)).collect());
        }
        let mut matrices: Vec<T> = vec![bytemuck::Zeroable::zeroed(); batch.count() * size];
        let views = matrices.chunks_exact_mut(size);
        let view = |matrix| MatMut::from_column_major_slice_mut(matrix, batch.rows, batch.columns);
        body(views.map(view).collect());
        for (number, matrix) in matrices.chunks_exact(size).enumerate() {
            batch.write(elements, number, matrix);
        }
    }
}

/// Calls a function for each matrix of a batch, on several threads.
pub(super) fn each(parallel_for: ParallelFor<'_>, count: usize, body: impl Fn(usize) + Sync) {
    parallel_for(count as i64, 1, &|begin, end| {
        for number in begin as usize..end as usize {
            body(number);
        }
    });
}

/// Factors the matrices of a batch, reading and writing one triangle. `finish` gets the number of a
/// matrix, its factor in the lower triangle of a view, and the outcome.
pub(super) fn factor_cholesky<T: Element>(
    parallel_for: ParallelFor<'_>,
    (a, factor): (&Input<'_, T>, Output<'_, T>),
    lower: bool,
    finish: impl Fn(usize, MatMut<'_, T>, Result<(), Failure>) + Sync,
) {
    factor.with_all(|factors| {
        let factors: Vec<_> = factors.into_iter().map(Mutex::new).collect();
        each(parallel_for, factors.len(), |number| {
            let mut factor = factors[number].lock().unwrap_or_else(PoisonError::into_inner);
            a.with(number, |a| {
                T::copy(a, factor.as_mut());
                // The upper factor is the transpose of the lower factor of the transpose.
                let (a, mut factor) = if lower {
                    (a, factor.as_mut())
                } else {
                    (a.transpose(), factor.as_mut().transpose_mut())
                };
                let outcome = T::cholesky(a, factor.as_mut());
                finish(number, factor, outcome);
            });
        });
    });
}

/// Solves the triangular systems of a batch. The right-hand sides of a system are
/// shared among threads.
pub(super) fn solve_triangular<T: Element>(
    parallel_for: ParallelFor<'_>,
    (a, b, x): (&Input<'_, T>, &Input<'_, T>, Output<'_, T>),
    triangle: Triangle,
) {
    let (order, sides) = if triangle.left {
        (b.batch.rows, b.batch.columns)
    } else {
        (b.batch.columns, b.batch.rows)
    };
    // A right-hand side takes about order^2 multiplications.
    let wanted = (SOLVE_GRAIN / (order * order).max(1)).max(SIDES);
    let together = sides.div_ceil(sides.div_ceil(wanted).max(1)).max(1);
    x.with_all(|solutions| {
        let mut parts = Vec::new();
        for (number, mut rest) in solutions.into_iter().enumerate() {
            for first in (0..sides).step_by(together) {
                let count = together.min(sides - first);
                let (part, others) = if triangle.left {
                    rest.split_at_col_mut(count)
                } else {
                    rest.split_at_row_mut(count)
                };
                rest = others;
                parts.push((number, first, Mutex::new(part)));
            }
        }
        let grain = (wanted / together).max(1);
        parallel_for(parts.len() as i64, grain as i64, &|begin, end| {
            for (number, first, part) in &parts[begin as usize..end as usize] {
                let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
                b.with(*number, |b| {
                    let (rows, columns) = part.shape();
                    let b = if triangle.left {
                        b.subcols(*first, columns)
                    } else {
                        b.subrows(*first, rows)
                    };
                    T::copy(b, part.as_mut());
                });
                a.with(*number, |a| T::solve_triangular(a, part.as_mut(), triangle));
            }
        });
    });
}

/// A handler for matrices of one type.
pub(super) type Run = fn(&mut CustomCall<'_>) -> Result<(), String>;

/// The handler for the element type of a call's first operand: `f32`, `f64`, and complex numbers of
/// them.
pub(super) fn for_element(site: &CustomCallSite, runs: [Run; 4]) -> Result<Run, String> {
    let element = site.operands.first().map(Shape::element_type);
    let types = [
        ElementType::F32,
        ElementType::F64,
        ElementType::Complex64,
        ElementType::Complex128,
    ];
    let number = types.iter().position(|known| Some(*known) == element);
    match (number.and_then(|number| runs.get(number)), element) {
        (Some(run), _) => Ok(*run),
        (None, Some(element)) => Err(format!("there is no factorization of {element}")),
        (None, None) => Err("an operand is missing".to_owned()),
    }
}

/// The handler that runs a function.
pub(super) fn handler(run: Run) -> Handler {
    std::sync::Arc::new(run)
}
