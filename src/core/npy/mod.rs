//! numpy's `.npy` files.
//!
//! Reading supports format versions 1 to 3, either byte order and either storage order. Types that
//! numpy lacks come from `ml_dtypes`, which saves them as raw bytes (`<V2`, `|V1`): the reader
//! takes the expected element type. Writing creates little-endian row-major files, which are
//! renamed to their name when they are complete.

mod array;
mod header;

pub use array::{Array, preamble};

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use crate::{AlignedBuffer, ElementType, Error, Layout, Literal, Result, Shape, file};
use header::{Header, Kind};

/// Reads a file. `expected` resolves raw bytes and integers that represent a narrower type;
/// otherwise the literal has the file's type, which the caller may compare.
///
/// # Errors
/// Returns an error if the file cannot be read or is not an `.npy` file of known element types; the
/// message starts with the file's name.
pub fn read(path: &Path, expected: Option<ElementType>) -> Result<Literal> {
    let name = path.display().to_string();
    let open = || {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            Err(std::io::ErrorKind::IsADirectory.into())
        } else {
            Ok(file)
        }
    };
    let file = open().map_err(|error: std::io::Error| Error::file(&name, error))?;
    read_from(&mut BufReader::new(file), &name, expected)
}

/// Reads from a stream that errors call `name`.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn read_from(
    source: &mut impl Read,
    name: &str,
    expected: Option<ElementType>,
) -> Result<Literal> {
    let fail = |message: String| Error::file(name, message);
    let header = Header::read(source).map_err(fail)?;
    let element_type = resolve(&header, expected).map_err(fail)?;
    let shape =
        Shape::new(element_type, header.shape.clone()).map_err(|error| fail(error.to_string()))?;
    let mut buffer = AlignedBuffer::try_zeroed(shape.byte_size(), crate::buffer::ALIGNMENT)
        .ok_or_else(|| fail(format!("no memory for {shape}")))?;
    source.read_exact(buffer.as_bytes_mut()).map_err(|error| {
        fail(match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                format!(
                    "the file ends before the {} bytes of {shape}",
                    shape.byte_size()
                )
            }
            _ => error.to_string(),
        })
    })?;
    if header.big_endian {
        let part = element_type.real_part().byte_width();
        for number in buffer.as_bytes_mut().chunks_mut(part) {
            number.reverse();
        }
    }
    check_values(element_type, &header, buffer.as_bytes_mut()).map_err(fail)?;
    if header.fortran_order && shape.rank() > 1 {
        buffer = to_row_major(&shape, buffer.as_bytes()).map_err(|e| fail(e.to_string()))?;
    }
    Literal::from_buffer(shape, buffer)
}

/// The element type of the file's contents.
fn resolve(header: &Header, expected: Option<ElementType>) -> Result<ElementType, String> {
    use ElementType as T;
    let fits = |candidate: T| {
        candidate.byte_width() == header.item_size
            && match header.kind {
                // ml_dtypes saves its f8E5M2 as a float, its other types as void.
                Kind::Void => !candidate.is_boolean(),
                Kind::Float => candidate.is_float() && header.item_size == 1,
                Kind::Signed => candidate.is_signed_integer(),
                Kind::Unsigned => candidate.is_unsigned_integer(),
                Kind::Bool | Kind::Complex => false,
            }
    };
    if let Some(expected) = expected.filter(|expected| fits(*expected)) {
        return Ok(expected);
    }
    match (header.kind, header.item_size) {
        (Kind::Bool, 1) => Ok(T::I1),
        (Kind::Signed, 1) => Ok(T::I8),
        (Kind::Signed, 2) => Ok(T::I16),
        (Kind::Signed, 4) => Ok(T::I32),
        (Kind::Signed, 8) => Ok(T::I64),
        (Kind::Unsigned, 1) => Ok(T::Ui8),
        (Kind::Unsigned, 2) => Ok(T::Ui16),
        (Kind::Unsigned, 4) => Ok(T::Ui32),
        (Kind::Unsigned, 8) => Ok(T::Ui64),
        (Kind::Float, 1) => Ok(T::F8E5M2),
        (Kind::Float, 2) => Ok(T::F16),
        (Kind::Float, 4) => Ok(T::F32),
        (Kind::Float, 8) => Ok(T::F64),
        (Kind::Complex, 8) => Ok(T::Complex64),
        (Kind::Complex, 16) => Ok(T::Complex128),
        (Kind::Void, 2) => Ok(T::BF16),
        (Kind::Void, 1) => Err(format!(
            "raw bytes (descr '{}') say nothing of their element type",
            header.descr
        )),
        _ => Err(format!("no element type for descr '{}'", header.descr)),
    }
}

/// Makes booleans 0 or 1, and rejects integers that their type cannot hold.
fn check_values(
    element_type: ElementType,
    header: &Header,
    bytes: &mut [u8],
) -> Result<(), String> {
    if element_type.is_boolean() {
        for byte in &mut *bytes {
            *byte = u8::from(*byte != 0);
        }
    } else if element_type.is_integer() && element_type.bit_width() < 8 {
        let unused = 8 - element_type.bit_width();
        for byte in bytes {
            let fitted = if element_type.is_signed_integer() {
                ((*byte << unused) as i8 >> unused) as u8
            } else {
                *byte << unused >> unused
            };
            if fitted != *byte && header.kind != Kind::Void {
                let value = match header.kind {
                    Kind::Signed => i32::from(*byte as i8),
                    _ => i32::from(*byte),
                };
                return Err(format!("{value} does not fit in {element_type}"));
            }
            *byte = fitted;
        }
    }
    Ok(())
}

fn to_row_major(shape: &Shape, bytes: &[u8]) -> Result<AlignedBuffer> {
    let width = shape.element_type().byte_width();
    let strides = Layout::column_major(shape.rank()).strides(shape)?;
    let mut result = AlignedBuffer::zeroed(bytes.len());
    let targets = result.as_bytes_mut().chunks_mut(width);
    for (target, index) in targets.zip(shape.indices()) {
        let source: usize = index.iter().zip(&strides).map(|(i, stride)| i * stride).sum();
        target.copy_from_slice(&bytes[source * width..][..width]);
    }
    Ok(result)
}

/// Writes a file by [`file::write_whole`].
///
/// # Errors
/// Returns an error if the directory or the disk does not allow it.
pub fn write(path: &Path, literal: &Literal) -> Result<()> {
    file::write_whole(path, |file| write_to(file, literal))
}

/// Writes to a stream.
///
/// # Errors
/// Returns an error if the stream fails.
pub fn write_to(mut target: impl Write, literal: &Literal) -> std::io::Result<()> {
    let descr = descr(literal.element_type());
    target.write_all(&header::encode(descr, literal.dims()))?;
    target.write_all(literal.bytes())
}

/// The name of a type in a file. Types unknown to numpy become raw bytes, which `ml_dtypes`
/// reinterprets; the narrow integers, whose bytes are ordinary numbers, become bytes.
fn descr(element_type: ElementType) -> &'static str {
    use ElementType as T;
    match element_type {
        T::I1 => "|b1",
        T::I2 | T::I4 | T::I8 => "|i1",
        T::I16 => "<i2",
        T::I32 => "<i4",
        T::I64 => "<i8",
        T::Ui2 | T::Ui4 | T::Ui8 => "|u1",
        T::Ui16 => "<u2",
        T::Ui32 => "<u4",
        T::Ui64 => "<u8",
        T::BF16 => "<V2",
        T::F16 => "<f2",
        T::F32 => "<f4",
        T::F64 => "<f8",
        T::Complex64 => "<c8",
        T::Complex128 => "<c16",
        _ => "|V1",
    }
}

#[cfg(test)]
mod tests;
