//! Slices of the array of a file, and files that are written in slices.

use std::fs::File;
use std::io::{BufReader, Seek};
use std::path::{Path, PathBuf};

use super::{Header, check_values, descr, header, resolve};
use crate::{ElementType, Error, Literal, Result, Shape};

/// The array of a file, whose elements are elsewhere, such as in a mapping of the file.
pub struct Array {
    path: PathBuf,
    header: Header,
    shape: Shape,
    offset: u64,
}

impl Array {
    /// Reads the header of a file; `expected` is as for [`read`](super::read).
    ///
    /// # Errors
    /// Returns the errors of [`read`](super::read); also an error if the file is shorter than its
    /// array.
    pub fn open(path: &Path, expected: Option<ElementType>) -> Result<Self> {
        let fail = |message: String| Error::file(path.display().to_string(), message);
        let file = File::open(path).map_err(|error| fail(error.to_string()))?;
        let size = file.metadata().map_err(|error| fail(error.to_string()))?;
        if size.is_dir() {
            return Err(fail("is a directory".to_owned()));
        }
        let mut source = BufReader::new(file);
        let header = Header::read(&mut source).map_err(fail)?;
        let offset = source.stream_position();
        let offset = offset.map_err(|error| fail(error.to_string()))?;
        let element_type = resolve(&header, expected).map_err(fail)?;
        let shape = Shape::new(element_type, header.shape.clone());
        let shape = shape.map_err(|error| fail(error.to_string()))?;
        if size.len() < offset + shape.byte_size() as u64 {
            let bytes = shape.byte_size();
            return Err(fail(format!(
                "the file ends before the {bytes} bytes of {shape}"
            )));
        }
        Ok(Self {
            path: path.to_owned(),
            header,
            shape,
            offset,
        })
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// A copy of a slice, from all bytes of the file.
    ///
    /// # Errors
    /// Returns an error if the part is not in the array, memory is exhausted, or a value is invalid
    /// for its type.
    pub fn part(&self, file: &[u8], start: &[usize], sizes: &[usize]) -> Result<Literal> {
        let fail = |message: String| Error::file(self.path.display().to_string(), message);
        let dims = self.shape.dims();
        let ends = start.iter().zip(sizes).map(|(start, size)| start.checked_add(*size));
        let is_inside = start.len() == dims.len()
            && sizes.len() == dims.len()
            && ends.zip(dims).all(|(end, dim)| end.is_some_and(|end| end <= *dim));
        if !is_inside {
            let shape = &self.shape;
            return Err(fail(format!(
                "{shape} has no part of {sizes:?} from {start:?}"
            )));
        }
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let elements = file.get(offset..).ok_or_else(|| fail("the file is too short".into()))?;
        let shape = Shape::new(self.shape.element_type(), sizes)?;
        let mut part = Literal::try_zeros(shape)?;
        let strides = self.strides();
        let width = self.shape.element_type().byte_width();
        let outer = sizes.len().saturating_sub(1);
        let (row, row_stride) = match sizes.last() {
            Some(size) => (*size, strides[outer]),
            None => (1, 1),
        };
        let rows: usize = sizes[..outer].iter().product();
        let mut targets = part.bytes_mut().chunks_mut((row * width).max(1));
        let mut index = vec![0; outer];
        for _ in 0..if row == 0 { 0 } else { rows } {
            let from_start = start.iter().zip(&strides).map(|(start, stride)| start * stride);
            let within = index.iter().zip(&strides).map(|(index, stride)| index * stride);
            let first = from_start.chain(within).sum::<usize>() * width;
            let Some(target) = targets.next() else { break };
            let short = || fail("the file is too short".to_owned());
            if row_stride == 1 {
                let source = elements.get(first..first + target.len()).ok_or_else(short)?;
                target.copy_from_slice(source);
            } else {
                for (number, target) in target.chunks_mut(width).enumerate() {
                    let first = first + number * row_stride * width;
                    let source = elements.get(first..first + width).ok_or_else(short)?;
                    target.copy_from_slice(source);
                }
            }
            for dimension in (0..outer).rev() {
                index[dimension] += 1;
                if index[dimension] < sizes[dimension] {
                    break;
                }
                index[dimension] = 0;
            }
        }
        let element_type = self.shape.element_type();
        if self.header.big_endian {
            let number = element_type.real_part().byte_width();
            for number in part.bytes_mut().chunks_mut(number) {
                number.reverse();
            }
        }
        check_values(element_type, &self.header, part.bytes_mut()).map_err(fail)?;
        Ok(part)
    }

    /// The distance between adjacent elements along each dimension.
    fn strides(&self) -> Vec<usize> {
        let dims = self.shape.dims();
        let product = |dims: &[usize]| dims.iter().product();
        (0..dims.len())
            .map(|dimension| {
                if self.header.fortran_order {
                    product(&dims[..dimension])
                } else {
                    product(&dims[dimension + 1..])
                }
            })
            .collect()
    }
}

/// The header of a file; the elements follow in row-major order.
pub fn preamble(shape: &Shape) -> Vec<u8> {
    header::encode(descr(shape.element_type()), shape.dims())
}
