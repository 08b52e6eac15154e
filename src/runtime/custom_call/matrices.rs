//! Batches of matrices as the numerical functions take them: columns one after
//! the other.

use std::sync::{Mutex, PoisonError};

use halo_core::{Complex, ElementType, Layout, NativeType, Shape};
use halo_numerics::Number;

use super::{CustomCall, CustomCallSite, Handler, View, ViewMut};

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

    /// A copy of a matrix, its columns one after the other.
    pub fn read<T: Copy>(&self, elements: &[T], number: usize) -> Vec<T> {
        let origin = self.origins[number];
        let mut result = Vec::with_capacity(self.rows * self.columns);
        for column in 0..self.columns {
            let first = origin + column * self.column_stride;
            match self.row_stride {
                1 => result.extend_from_slice(&elements[first..first + self.rows]),
                stride => {
                    result.extend((0..self.rows).map(|row| elements[first + row * stride]));
                }
            }
        }
        result
    }

    /// Writes a matrix, given as its columns one after the other.
    pub fn write<T: Copy>(&self, elements: &mut [T], number: usize, matrix: &[T]) {
        let origin = self.origins[number];
        for column in 0..self.columns {
            let first = origin + column * self.column_stride;
            let from = &matrix[column * self.rows..][..self.rows];
            match self.row_stride {
                1 => elements[first..first + self.rows].copy_from_slice(from),
                stride => {
                    for (row, value) in from.iter().enumerate() {
                        elements[first + row * stride] = *value;
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
