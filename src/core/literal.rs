//! Literals: array values in host memory.
//!
//! The elements are in row-major order, without gaps, in memory aligned for vector loads,
//! [`ElementType::byte_width`] bytes per element. They are accessible as typed slices
//! ([`Literal::as_slice`]) for code with a static element type, and as [`Scalar`]s
//! ([`Literal::get`]) for code that handles all types.

use num_complex::Complex;

use crate::element_type::Class;
use crate::{AlignedBuffer, ElementType, Error, NativeType, Result, Scalar, Shape};

/// A value with its shape.
#[derive(Clone)]
pub struct Literal {
    shape: Shape,
    storage: AlignedBuffer,
}

impl Literal {
    /// A literal whose elements are all zero bits: zero in every type but `f8E8M0FNU`, which has no
    /// zero and gets its smallest number.
    pub fn zeros(shape: Shape) -> Self {
        Self {
            storage: AlignedBuffer::zeroed(shape.byte_size()),
            shape,
        }
    }

    /// Like [`zeros`](Self::zeros), for a shape that may be too large.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted.
    pub fn try_zeros(shape: Shape) -> Result<Self> {
        match AlignedBuffer::try_zeroed(shape.byte_size(), crate::buffer::ALIGNMENT) {
            Some(storage) => Ok(Self { shape, storage }),
            None => Err(Error::OutOfMemory(shape)),
        }
    }

    /// A literal from row-major elements in native byte order.
    ///
    /// # Errors
    /// Returns an error if the number of bytes is not the shape's.
    pub fn from_bytes(shape: Shape, bytes: &[u8]) -> Result<Self> {
        check_size(&shape, bytes.len())?;
        Ok(Self {
            shape,
            storage: bytes.into(),
        })
    }

    /// Like [`from_bytes`](Self::from_bytes), taking the memory over.
    ///
    /// # Errors
    /// Returns an error if the buffer's length is not the shape's size.
    pub fn from_buffer(shape: Shape, storage: AlignedBuffer) -> Result<Self> {
        check_size(&shape, storage.len())?;
        Ok(Self { shape, storage })
    }

    /// A literal of the element type that `T` represents by itself.
    ///
    /// # Errors
    /// Returns an error if the dimensions do not hold as many elements as were given.
    pub fn from_slice<T: NativeType>(dims: &[usize], elements: &[T]) -> Result<Self> {
        let shape = Shape::new(T::ELEMENT_TYPE, dims)?;
        Self::from_bytes(shape, bytemuck::cast_slice(elements))
    }

    /// An `i1` literal.
    ///
    /// # Errors
    /// Returns an error if the dimensions do not hold as many elements as were given.
    pub fn from_bools(dims: &[usize], elements: &[bool]) -> Result<Self> {
        let shape = Shape::new(ElementType::I1, dims)?;
        Self::from_bytes(shape, bytemuck::cast_slice(elements))
    }

    /// A literal whose elements are the results of `element` for each row-major
    /// position, converted as by [`set`](Self::set).
    pub fn from_fn<S: Into<Scalar>>(shape: Shape, mut element: impl FnMut(usize) -> S) -> Self {
        let mut literal = Self::zeros(shape);
        for position in 0..literal.element_count() {
            literal.set(position, element(position));
        }
        literal
    }

    /// A literal without dimensions.
    pub fn scalar<T: NativeType>(element: T) -> Self {
        let storage = AlignedBuffer::from(bytemuck::bytes_of(&element));
        Self {
            shape: Shape::scalar(T::ELEMENT_TYPE),
            storage,
        }
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub fn element_type(&self) -> ElementType {
        self.shape.element_type()
    }

    pub fn dims(&self) -> &[usize] {
        self.shape.dims()
    }

    pub fn element_count(&self) -> usize {
        self.shape.element_count()
    }

    /// The elements as they are stored.
    pub fn bytes(&self) -> &[u8] {
        self.storage.as_bytes()
    }

    /// The elements as they are stored. `i1` must be written as 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.storage.as_bytes_mut()
    }

    /// The memory of the elements.
    pub fn into_buffer(self) -> AlignedBuffer {
        self.storage
    }

    /// The elements as a typed slice; [`NativeType`] maps Rust types to element types.
    ///
    /// # Errors
    /// Returns an error if the elements are stored as another type.
    pub fn as_slice<T: NativeType>(&self) -> Result<&[T]> {
        self.check_native::<T>()?;
        Ok(bytemuck::cast_slice(self.bytes()))
    }

    /// The elements, typed and writable.
    ///
    /// # Errors
    /// Returns an error if the elements are stored as another type.
    pub fn as_mut_slice<T: NativeType>(&mut self) -> Result<&mut [T]> {
        self.check_native::<T>()?;
        Ok(bytemuck::cast_slice_mut(self.bytes_mut()))
    }

    fn check_native<T: NativeType>(&self) -> Result<()> {
        if T::stores(self.element_type()) {
            Ok(())
        } else {
            Err(Error::ElementTypeMismatch {
                actual: self.element_type(),
                requested: T::NAME,
            })
        }
    }

    /// The element at a row-major position.
    ///
    /// # Panics
    /// Panics if there is none, as for slices.
    pub fn get(&self, position: usize) -> Scalar {
        scalar_at(self.element_type(), self.bytes(), position)
    }

    /// Writes the element at a row-major position, converting `value` to the element type: integers
    /// are truncated to their low bits, floats are rounded to the nearest even, complex values lose
    /// the imaginary part in a real type, and `i1` is true if the value differs from zero.
    ///
    /// # Panics
    /// Panics if there is none, as for slices.
    pub fn set(&mut self, position: usize, value: impl Into<Scalar>) {
        let element_type = self.element_type();
        set_scalar_at(element_type, self.bytes_mut(), position, value.into());
    }

    /// [`get`](Self::get) as a real number.
    pub fn get_f64(&self, position: usize) -> f64 {
        self.get(position).to_f64()
    }

    /// [`get`](Self::get) as an integer.
    pub fn get_i128(&self, position: usize) -> i128 {
        self.get(position).to_i128()
    }

    /// [`get`](Self::get) as a complex number.
    pub fn get_complex(&self, position: usize) -> Complex<f64> {
        self.get(position).to_complex()
    }

    /// [`get`](Self::get) as a truth value.
    pub fn get_bool(&self, position: usize) -> bool {
        self.get(position).to_bool()
    }

    /// Returns true if the literal has elements and all have the same bits.
    pub fn is_splat(&self) -> bool {
        let width = self.element_type().byte_width();
        let bytes = self.bytes();
        // Every byte equals the byte one element earlier.
        !bytes.is_empty() && bytes[width..] == bytes[..bytes.len() - width]
    }

    /// The same elements under other dimensions.
    ///
    /// # Errors
    /// Returns an error if the number of elements differs.
    pub fn reshape(self, dims: &[usize]) -> Result<Self> {
        let shape = Shape::new(self.element_type(), dims)?;
        Self::from_buffer(shape, self.storage)
    }

    /// The elements converted to another type, as [`set`](Self::set) does.
    ///
    /// # Errors
    /// Returns an error if the result would not fit in memory.
    pub fn convert(&self, element_type: ElementType) -> Result<Self> {
        let shape = self.shape.with_element_type(element_type)?;
        Ok(Self::from_fn(shape, |position| self.get(position)))
    }
}

impl PartialEq for Literal {
    /// Same shape and same bits: NaN equals itself, and -0 is not 0. To compare values, see
    /// [`compare`](crate::compare::compare).
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.bytes() == other.bytes()
    }
}

impl Eq for Literal {}

fn check_size(shape: &Shape, actual: usize) -> Result<()> {
    let expected = shape.byte_size();
    if actual == expected {
        Ok(())
    } else {
        Err(Error::SizeMismatch {
            shape: shape.clone(),
            expected,
            actual,
        })
    }
}

/// The bits of the real number at `index`, in units of `element_type`'s width; padding bits of
/// sub-byte types are included.
pub(crate) fn bits_at(width: usize, bytes: &[u8], index: usize) -> u64 {
    let mut word = [0; 8];
    word[..width].copy_from_slice(&bytes[index * width..][..width]);
    u64::from_le_bytes(word)
}

fn set_bits_at(width: usize, bytes: &mut [u8], index: usize, bits: u64) {
    bytes[index * width..][..width].copy_from_slice(&bits.to_le_bytes()[..width]);
}

/// The element of `element_type` at a position of `bytes`.
///
/// # Panics
/// Panics if `bytes` ends before it.
pub fn scalar_at(element_type: ElementType, bytes: &[u8], position: usize) -> Scalar {
    let part = element_type.real_part();
    let width = part.byte_width();
    let float = |index| match part {
        ElementType::F32 => f64::from(f32::from_bits(bits_at(width, bytes, index) as u32)),
        _ => match part.float_format() {
            Some(format) => format.to_f64(bits_at(width, bytes, index)),
            None => 0.0,
        },
    };
    match element_type.class() {
        Class::Boolean => Scalar::Bool(bits_at(1, bytes, position) & 1 != 0),
        Class::Unsigned => {
            let unused = 64 - element_type.bit_width();
            Scalar::Int(i128::from(
                bits_at(width, bytes, position) << unused >> unused,
            ))
        }
        Class::Signed => {
            let unused = 64 - element_type.bit_width();
            let extended = (bits_at(width, bytes, position) << unused) as i64 >> unused;
            Scalar::Int(i128::from(extended))
        }
        Class::Float => Scalar::Float(float(position)),
        Class::Complex => {
            Scalar::Complex(Complex::new(float(2 * position), float(2 * position + 1)))
        }
    }
}

/// Writes the element of `element_type` at a position of `bytes`, converting
/// `value` as [`Literal::set`] does.
///
/// # Panics
/// Panics if `bytes` ends before it.
pub fn set_scalar_at(element_type: ElementType, bytes: &mut [u8], position: usize, value: Scalar) {
    let part = element_type.real_part();
    let width = part.byte_width();
    let float_bits = |value: f64| match part.float_format() {
        Some(format) => format.from_f64(value),
        None => 0,
    };
    match element_type.class() {
        Class::Boolean => set_bits_at(1, bytes, position, value.to_bool().into()),
        Class::Unsigned => {
            let unused = 64 - element_type.bit_width();
            let bits = (value.to_i128() as u64) << unused >> unused;
            set_bits_at(width, bytes, position, bits);
        }
        Class::Signed => {
            let unused = 64 - element_type.bit_width();
            let extended = ((value.to_i128() as u64) << unused) as i64 >> unused;
            set_bits_at(width, bytes, position, extended as u64);
        }
        Class::Float => set_bits_at(width, bytes, position, float_bits(value.to_f64())),
        Class::Complex => {
            let value = value.to_complex();
            set_bits_at(width, bytes, 2 * position, float_bits(value.re));
            set_bits_at(width, bytes, 2 * position + 1, float_bits(value.im));
        }
    }
}

#[cfg(target_endian = "big")]
compile_error!("literals are read as little-endian words");

#[cfg(test)]
mod tests {
    use super::*;
    use half::bf16;

    fn zeros(text: &str) -> Literal {
        Literal::zeros(text.parse().unwrap())
    }

    #[test]
    fn typed_views_need_the_stored_type() {
        let literal = Literal::from_slice(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(literal.as_slice::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(
            literal.as_slice::<i32>().unwrap_err().to_string(),
            "elements of type f32 cannot be viewed as i32"
        );
        assert!(zeros("tensor<3xi4>").as_slice::<i8>().is_ok());
        assert!(zeros("tensor<3xi4>").as_slice::<u8>().is_err());
        assert!(zeros("tensor<3xf8E5M2>").as_slice::<u8>().is_ok());
        assert!(zeros("tensor<3xi1>").as_slice::<u8>().is_ok());
    }

    #[test]
    fn the_number_of_elements_is_checked() {
        let error = Literal::from_slice(&[3], &[1_i32]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "tensor<3xi32> takes 12 bytes, but 4 were given"
        );
        assert!(zeros("tensor<4xf32>").reshape(&[2, 3]).is_err());
        assert_eq!(
            zeros("tensor<4xf32>").reshape(&[2, 2]).unwrap().dims(),
            [2, 2]
        );
    }

    #[test]
    fn integers_keep_their_low_bits() {
        let cases = [
            ("tensor<i2>", -3, 1),
            ("tensor<i4>", 9, -7),
            ("tensor<ui4>", -1, 15),
            ("tensor<i8>", 200, -56),
            ("tensor<ui8>", -1, 255),
            ("tensor<ui64>", -1, u64::MAX.into()),
            ("tensor<i64>", i128::from(i64::MAX) + 1, i64::MIN.into()),
        ];
        for (shape, written, read) in cases {
            let mut literal = zeros(shape);
            literal.set(0, written);
            assert_eq!(literal.get(0), Scalar::Int(read), "{shape}");
        }
    }

    #[test]
    fn floats_are_rounded_once() {
        let mut literal = zeros("tensor<2xbf16>");
        literal.set(1, 0.1);
        assert_eq!(
            literal.as_slice::<bf16>().unwrap(),
            [bf16::ZERO, bf16::from_bits(0x3dcd)]
        );
        let mut literal = zeros("tensor<complex<f32>>");
        literal.set(0, Complex::new(0.5, -2.0));
        assert_eq!(literal.get_complex(0), Complex::new(0.5, -2.0));
        assert_eq!(literal.get_f64(0), 0.5);
    }

    #[test]
    fn conversion_between_types() {
        let literal = Literal::from_slice(&[3], &[1.75_f64, -2.5, f64::NAN]).unwrap();
        let integers = literal.convert(ElementType::I32).unwrap();
        assert_eq!(integers.as_slice::<i32>().unwrap(), [1, -2, 0]);
        let bools = integers.convert(ElementType::I1).unwrap();
        assert_eq!(bools.bytes(), [1, 1, 0]);
    }

    #[test]
    fn splats() {
        assert!(zeros("tensor<4xf32>").is_splat());
        assert!(zeros("tensor<f32>").is_splat());
        assert!(!zeros("tensor<0xf32>").is_splat());
        assert!(!Literal::from_slice(&[2], &[1_i32, 2]).unwrap().is_splat());
        let zeros = Literal::from_slice(&[2], &[0.0_f32, -0.0]).unwrap();
        assert!(!zeros.is_splat());
    }

    #[test]
    fn equality_is_of_bits() {
        let nan = Literal::scalar(f32::NAN);
        assert!(nan == nan.clone());
        assert!(Literal::scalar(0.0_f32) != Literal::scalar(-0.0_f32));
        assert!(Literal::scalar(0_i32) != Literal::scalar(0_u32));
    }
}
