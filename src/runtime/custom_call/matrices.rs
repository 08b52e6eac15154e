//! Batches of matrices as the numerical functions take them: columns one after
//! the other.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use halo_core::{Complex, ElementType, Layout, NativeType, Shape};
use halo_numerics::{Number, Triangle};

use super::{CustomCall, CustomCallSite, Handler, View, ViewMut};

/// Multiplications that are worth a thread, in a triangular system: about 150
/// microseconds. The caller fetches the solution from the cache of the other thread,
/// which takes half as long for a system of 256 rows.
const SOLVE_GRAIN: usize = 1 << 24;

/// The fewest right-hand sides that are solved together, of which there are enough
/// for vectors.
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

/// Where the elements of the matrices of a batch lie. The vectors of a batch
/// are matrices of one column.
#[derive(Clone, Debug)]
pub(super) struct MatrixBatch {
    pub rows: usize,
    pub columns: usize,
    row_stride: usize,
    column_stride: usize,
    /// The place of the first element of each matrix.
    origins: Vec<usize>,
}

impl MatrixBatch {
    /// The last `rank` dimensions of a shape, of which there are at most two.
    pub fn new(shape: &Shape, layout: &Layout, rank: usize) -> Result<Self, String> {
        let strides = layout.strides(shape).map_err(|error| error.to_string())?;
        let outer = shape.rank().checked_sub(rank);
        let outer = outer.ok_or_else(|| format!("{shape} has less than {rank} dimensions"))?;
        let dims = shape.dims();
        let size_and_stride = |number: usize| match number < rank {
            true => (dims[outer + number], strides[outer + number]),
            false => (1, 0),
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
        Ok(Self {
            rows,
            columns,
            row_stride,
            column_stride,
            origins,
        })
    }

    /// How many matrices there are.
    pub fn count(&self) -> usize {
        self.origins.len()
    }

    /// The batch of these columns of each matrix.
    pub fn columns(&self, columns: Range<usize>) -> Self {
        let first = columns.start * self.column_stride;
        Self {
            columns: columns.len(),
            origins: self.origins.iter().map(|origin| origin + first).collect(),
            ..*self
        }
    }

    /// The batch of these rows of each matrix.
    pub fn rows(&self, rows: Range<usize>) -> Self {
        let first = rows.start * self.row_stride;
        Self {
            rows: rows.len(),
            origins: self.origins.iter().map(|origin| origin + first).collect(),
            ..*self
        }
    }

    /// A copy of a matrix, its columns one after the other.
    pub fn read<T: Copy>(&self, elements: &[T], number: usize) -> Vec<T> {
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

    /// Writes a matrix, given as its columns one after the other.
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

    /// A part of a matrix.
    pub fn read_part(&self, part: &MatrixBatch, number: usize) -> Vec<T> {
        part.read(self.elements, number)
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
        self.write_part(&self.batch, number, matrix);
    }

    /// Writes a part of a matrix.
    pub fn write_part(&self, part: &MatrixBatch, number: usize, matrix: &[T]) {
        let mut elements = self.elements.lock().unwrap_or_else(PoisonError::into_inner);
        part.write(&mut elements, number, matrix);
    }
}

/// Calls a function for each matrix of a batch, on several threads.
pub(super) fn each(
    parallel_for: super::ParallelFor<'_>,
    count: usize,
    body: impl Fn(usize) + Sync,
) {
    parallel_for(count as i64, 1, &|begin, end| {
        for number in begin as usize..end as usize {
            body(number);
        }
    });
}

/// Solves the triangular systems of a batch. The right-hand sides of a system are
/// shared among threads.
pub(super) fn solve_triangular<T: Element>(
    parallel_for: super::ParallelFor<'_>,
    (a, b, x): (&Input<'_, T>, &Input<'_, T>, &Output<'_, T>),
    triangle: Triangle,
) {
    let (order, sides) = match triangle.left {
        true => (b.batch.rows, b.batch.columns),
        false => (b.batch.columns, b.batch.rows),
    };
    let part_of = |batch: &MatrixBatch, sides| match triangle.left {
        true => batch.columns(sides),
        false => batch.rows(sides),
    };
    let count = b.batch.count() * sides;
    // A side takes about order^2 multiplications.
    let grain = (SOLVE_GRAIN / (order * order).max(1)).max(SIDES);
    parallel_for(count as i64, grain as i64, &|begin, end| {
        let (mut next, end) = (begin as usize, end as usize);
        while next < end {
            let (number, first) = (next / sides, next % sides);
            let last = sides.min(first + end - next);
            let (from, to) = (
                part_of(&b.batch, first..last),
                part_of(&x.batch, first..last),
            );
            let mut solution = b.read_part(&from, number);
            let size = (from.rows, from.columns);
            T::solve_triangular(&a.read(number), &mut solution, size, triangle);
            x.write_part(&to, number, &solution);
            next += last - first;
        }
    });
}

/// A function of a call whose matrices are of one type.
pub(super) type Run = fn(&mut CustomCall<'_>) -> Result<(), String>;

/// The function for the element type of a call's first operand: those for
/// `f32`, `f64`, and complex numbers of them.
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
