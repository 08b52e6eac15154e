//! Types of VHLO as MLIR's.

use super::import::{Failure, Importer, fail};
use halo_ir::{prelude::*, stablehlo::types};
use halo_vhlo::{
    Type as Vhlo, TypeId,
    types::{Builtin, FloatFormat, QuantizedStorage, Signedness},
};
use melior::ir::{
    Type,
    r#type::{FunctionType, IntegerType, TupleType},
};

impl<'c> Importer<'c, '_> {
    /// Creates a type whose parts have been imported.
    pub fn make_type(&self, ty: &Vhlo) -> Result<Type<'c>, Failure> {
        let context = self.context;
        Ok(match ty {
            Vhlo::Boolean => halo_ir::integer_type(context, 1),
            Vhlo::Float(format) | Vhlo::Builtin(Builtin::Float(format)) => {
                self.parse_type(float_name(*format))?
            }
            Vhlo::Integer {
                width,
                unsigned: false,
            } => halo_ir::integer_type(context, *width),
            Vhlo::Integer { width, .. } => IntegerType::unsigned(context, *width).into(),
            Vhlo::Builtin(Builtin::Integer { width, signedness }) => match signedness {
                Signedness::Signless => halo_ir::integer_type(context, *width),
                Signedness::Signed => IntegerType::signed(context, *width).into(),
                Signedness::Unsigned => IntegerType::unsigned(context, *width).into(),
            },
            Vhlo::Index | Vhlo::Builtin(Builtin::Index) => Type::index(context),
            Vhlo::Complex(element) | Vhlo::Builtin(Builtin::Complex(element)) => {
                halo_ir::untrusted::checked_complex_type(self.ty(*element)?)
                    .ok_or("a complex type whose elements are not numbers")?
            }
            Vhlo::Function { inputs, outputs }
            | Vhlo::Builtin(Builtin::Function { inputs, outputs }) => {
                FunctionType::new(context, &self.types_of(inputs)?, &self.types_of(outputs)?).into()
            }
            Vhlo::RankedTensor {
                shape,
                element,
                encoding,
            }
            | Vhlo::Builtin(Builtin::RankedTensor {
                shape,
                element,
                encoding,
            }) => {
                let encoding = encoding.map(|encoding| self.attribute(encoding)).transpose()?;
                let element = self.ty(*element)?;
                halo_ir::untrusted::checked_tensor_type(self.location, shape, element, encoding)
                    .ok_or("a tensor type that is not valid")?
            }
            Vhlo::UnrankedTensor(element) | Vhlo::Builtin(Builtin::UnrankedTensor(element)) => {
                halo_ir::untrusted::checked_unranked_type(self.location, self.ty(*element)?)
                    .ok_or("a tensor type that is not valid")?
            }
            Vhlo::RankedBuffer { shape, element } => {
                halo_ir::untrusted::checked_memref_type(self.location, shape, self.ty(*element)?)
                    .ok_or("a buffer type that is not valid")?
            }
            Vhlo::Token => types::token(context),
            Vhlo::Tuple(elements) | Vhlo::Builtin(Builtin::Tuple(elements)) => {
                TupleType::new(context, &self.types_of(elements)?).into()
            }
            Vhlo::Future(elements) => types::future(context, &self.types_of(elements)?)
                .ok_or("a future of a type that is not a tensor")?,
            Vhlo::UniformQuantized {
                storage,
                scale,
                zero_point,
            } => {
                let scale = float_text(*scale)?;
                let (storage, expressed) = self.storage(storage)?;
                self.parse_type(&format!(
                    "!quant.uniform<{storage}:{expressed}, {scale}:{zero_point}>"
                ))?
            }
            Vhlo::UniformQuantizedPerAxis {
                storage,
                dimension,
                scales,
                zero_points,
            } => {
                if scales.len() != zero_points.len() {
                    return fail("a quantized type of unequal scales and zero points");
                }
                let parameters = scales
                    .iter()
                    .zip(zero_points)
                    .map(|(scale, zero_point)| Ok(format!("{}:{zero_point}", float_text(*scale)?)));
                let parameters = parameters.collect::<Result<Vec<_>, Failure>>()?.join(", ");
                let (storage, expressed) = self.storage(storage)?;
                self.parse_type(&format!(
                    "!quant.uniform<{storage}:{expressed}:{dimension}, {{{parameters}}}>"
                ))?
            }
            Vhlo::Witness => self.parse_type("!shape.witness")?,
            Vhlo::None | Vhlo::Builtin(Builtin::None) => Type::none(context),
            Vhlo::Text(text) => {
                let text =
                    std::str::from_utf8(text).map_err(|_| "a type that is not valid UTF-8")?;
                self.parse_type(text)?
            }
        })
    }

    fn types_of(&self, ids: &[TypeId]) -> Result<Vec<Type<'c>>, Failure> {
        ids.iter().map(|id| self.ty(*id)).collect()
    }

    /// The storage type of a quantized type with its limits, and the expressed
    /// type.
    fn storage(&self, storage: &QuantizedStorage) -> Result<(String, Type<'c>), Failure> {
        let stored = self.ty(storage.storage)?;
        let sign = if storage.flags & 1 == 1 { "i" } else { "u" };
        let width = stored.integer_width().ok_or("a quantized type that stores no integers")?;
        let (min, max) = (storage.min, storage.max);
        let text = format!("{sign}{width}<{min}:{max}>");
        Ok((text, self.ty(storage.expressed)?))
    }

    fn parse_type(&self, text: &str) -> Result<Type<'c>, Failure> {
        halo_ir::limits::check(text.as_bytes()).map_err(|error| error.to_string())?;
        Type::parse(self.context, text)
            .ok_or_else(|| format!("the type '{text}' is not valid").into())
    }
}

/// MLIR's name of a float type.
pub(super) fn float_name(format: FloatFormat) -> &'static str {
    match format {
        FloatFormat::BF16 => "bf16",
        FloatFormat::F16 => "f16",
        FloatFormat::F32 => "f32",
        FloatFormat::F64 => "f64",
        FloatFormat::TF32 => "tf32",
        FloatFormat::F4E2M1FN => "f4E2M1FN",
        FloatFormat::F6E2M3FN => "f6E2M3FN",
        FloatFormat::F6E3M2FN => "f6E3M2FN",
        FloatFormat::F8E3M4 => "f8E3M4",
        FloatFormat::F8E4M3 => "f8E4M3",
        FloatFormat::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
        FloatFormat::F8E4M3FN => "f8E4M3FN",
        FloatFormat::F8E4M3FNUZ => "f8E4M3FNUZ",
        FloatFormat::F8E5M2 => "f8E5M2",
        FloatFormat::F8E5M2FNUZ => "f8E5M2FNUZ",
        FloatFormat::F8E8M0FNU => "f8E8M0FNU",
    }
}

/// A number in MLIR's syntax, with a point.
fn float_text(bits: u64) -> Result<String, Failure> {
    let value = f64::from_bits(bits);
    if !value.is_finite() {
        return fail("a quantized type with a scale that is not a number");
    }
    let text = format!("{value:e}");
    Ok(match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    })
}
