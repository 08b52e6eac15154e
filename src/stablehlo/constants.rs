//! Constants from numbers of Rust.

use crate::{
    builder::{Builder, Results, Value},
    error::ErrorKind,
    semantics::Ty,
    types::{ElementType, Type},
};
use halo_vhlo::{Attribute, Type as Vhlo};

/// A number of Rust that is an element of constants.
pub trait Element: Copy {
    const TYPE: ElementType;

    /// Appends the element as it is in memory, with the lowest byte first.
    fn write(self, bytes: &mut Vec<u8>);
}

macro_rules! element {
    ($($rust:ty => $case:ident,)+) => {
        $(impl Element for $rust {
            const TYPE: ElementType = ElementType::$case;

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        })+
    };
}

element! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => UI8, u16 => UI16, u32 => UI32, u64 => UI64,
    f32 => F32, f64 => F64,
}

/// A float of 16 bits, by its bits; `half::f16` has them as `to_bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct F16(pub u16);

/// A float of 16 bits with the exponents of `f32`, by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BF16(pub u16);

impl Element for F16 {
    const TYPE: ElementType = ElementType::F16;

    fn write(self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
    }
}

impl Element for BF16 {
    const TYPE: ElementType = ElementType::BF16;

    fn write(self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
    }
}

impl Element for bool {
    const TYPE: ElementType = ElementType::I1;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }
}

/// A complex number: the real and the imaginary part.
impl Element for [f32; 2] {
    const TYPE: ElementType = ElementType::ComplexF32;

    fn write(self, bytes: &mut Vec<u8>) {
        self.into_iter().for_each(|part| part.write(bytes));
    }
}

impl Element for [f64; 2] {
    const TYPE: ElementType = ElementType::ComplexF64;

    fn write(self, bytes: &mut Vec<u8>) {
        self.into_iter().for_each(|part| part.write(bytes));
    }
}

/// An operand of an elementwise op: a value, or a number for all elements of the other operand's
/// type.
pub trait Operand<'b> {
    /// The value, of the type of another.
    fn like(self, other: Value<'b>) -> Value<'b>;
}

impl<'b> Operand<'b> for Value<'b> {
    fn like(self, _: Value<'b>) -> Value<'b> {
        self
    }
}

impl<'b> Operand<'b> for f64 {
    #[track_caller]
    fn like(self, other: Value<'b>) -> Value<'b> {
        other.full_like(self)
    }
}

/// Numbers of at most 53 bits.
impl<'b> Operand<'b> for i32 {
    #[track_caller]
    fn like(self, other: Value<'b>) -> Value<'b> {
        other.full_like(f64::from(self))
    }
}

impl Builder {
    /// A constant of elements in row-major order.
    #[track_caller]
    pub fn constant<E: Element>(
        &self,
        elements: impl AsRef<[E]>,
        sizes: impl AsRef<[i64]>,
    ) -> Value<'_> {
        let mut bytes = Vec::with_capacity(size_of_val(elements.as_ref()));
        elements.as_ref().iter().for_each(|element| element.write(&mut bytes));
        self.constant_bytes(E::TYPE, sizes, bytes)
    }

    /// A constant of one element.
    #[track_caller]
    pub fn scalar<E: Element>(&self, element: E) -> Value<'_> {
        self.constant([element], [])
    }

    /// A constant of any element type, from its elements as they are in memory, with the lowest
    /// byte first. Booleans and types of fewer than eight bits have a byte for each element;
    /// quantized types have their stored integers.
    #[track_caller]
    pub fn constant_bytes(
        &self,
        element: ElementType,
        sizes: impl AsRef<[i64]>,
        bytes: impl AsRef<[u8]>,
    ) -> Value<'_> {
        let result = self.types.intern(&Type::tensor(element.clone(), sizes.as_ref()));
        let stored = match element {
            ElementType::Quantized(quantization) => quantization.storage,
            other => other,
        };
        let ty = self.types.intern(&Type::tensor(stored.clone(), sizes.as_ref()));
        let bytes = bytes.as_ref();
        let expected = sizes.as_ref().iter().try_fold(1_i64, |count, size| {
            (*size >= 0).then(|| count.checked_mul(*size)).flatten()
        });
        let element = self.types.intern_element(&stored);
        let Some(size) = self.element_bytes(element) else {
            let found = self.types.describe(result);
            let expected = "a tensor of StableHLO's element types".to_owned();
            let kind = ErrorKind::ResultType {
                result: 0,
                expected,
                found,
            };
            return self.fail("stablehlo.constant", kind);
        };
        let found = bytes.len() / size;
        if expected != i64::try_from(found).ok() || !bytes.len().is_multiple_of(size) {
            let expected = expected.unwrap_or(i64::MAX);
            let kind = ErrorKind::ElementCount { expected, found };
            return self.fail("stablehlo.constant", kind);
        }
        let is_boolean = self.types.vhlo(element) == Vhlo::Boolean;
        // The bits beyond a narrow type are zero.
        let mask = match self.types.get(element).bit_width() {
            Some(width) if !is_boolean && width < 8 => (1 << width) - 1,
            _ => 0xff,
        };
        let bytes: Vec<u8> = bytes.iter().map(|byte| byte & mask).collect();
        let is_splat = bytes.chunks(size).all(|element| *element == bytes[..size]);
        let data: Vec<u8> = match (is_boolean, is_splat && found > 0) {
            (true, true) => vec![if bytes[0] == 0 { 0 } else { 0xff }],
            (true, false) => bytes
                .chunks(8)
                .map(|chunk| {
                    let bits = chunk.iter().enumerate();
                    bits.fold(0, |byte, (bit, value)| byte | u8::from(*value != 0) << bit)
                })
                .collect(),
            (false, true) => bytes[..size].to_vec(),
            (false, false) => bytes,
        };
        let value = self.types.attribute(Attribute::Tensor {
            ty,
            data: data.into(),
        });
        self.one(
            "constant",
            &[],
            vec![("value", value)],
            Results::Types(vec![result]),
        )
    }

    /// The bytes of an element in memory.
    fn element_bytes(&self, element: halo_vhlo::TypeId) -> Option<usize> {
        let element = self.types.get(element);
        match element.complex_element() {
            Some(part) => Some(2 * (part.bit_width()? as usize).div_ceil(8)),
            None => Some((element.bit_width()? as usize).div_ceil(8)).filter(|size| *size != 3),
        }
    }

    /// A constant scalar of a type from a number.
    #[track_caller]
    pub(crate) fn number(&self, element: &ElementType, number: f64) -> Value<'_> {
        let id = self.types.intern_element(element);
        let ty = self.types.get(id);
        let not_representable = ErrorKind::NotRepresentable {
            number: number.to_string(),
            ty: Type::tensor(element.clone(), []),
        };
        match element {
            ElementType::F32 => self.scalar(number as f32),
            ElementType::F64 => self.scalar(number),
            ElementType::ComplexF32 => self.scalar([number as f32, 0.0]),
            ElementType::ComplexF64 => self.scalar([number, 0.0]),
            ElementType::Quantized(_) => self.fail("full_like", not_representable),
            _ if ty.is_float() => self.scalar(number).convert(element.clone()),
            _ => {
                let width = ty.bit_width().unwrap_or(1);
                let is_unsigned = ty.is_unsigned() || width == 1;
                let (minimum, maximum) = if is_unsigned {
                    (0.0, 2_f64.powi(width as i32) - 1.0)
                } else {
                    let half = 2_f64.powi(width as i32 - 1);
                    (-half, half - 1.0)
                };
                if number.fract() != 0.0 || !(minimum..=maximum).contains(&number) {
                    return self.fail("full_like", not_representable);
                }
                let bits = if is_unsigned {
                    (number as u64).to_le_bytes()
                } else {
                    (number as i64).to_le_bytes()
                };
                let size = (width as usize).div_ceil(8);
                self.constant_bytes(element.clone(), [], &bits[..size])
            }
        }
    }
}
