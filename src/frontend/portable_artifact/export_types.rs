//! Conversion of types of MLIR to VHLO.

use super::{export::Exporter, import_types::float_name};
use halo_hlo::semantics::quantization::Quantized;
use melior::ir::TypeLike;

use halo_ir::{prelude::*, stablehlo::types};
use halo_vhlo::{
    Type as Vhlo, TypeId,
    types::{Builtin, DYNAMIC, FloatFormat, QuantizedStorage, Signedness},
};
use melior::ir::{
    Type,
    r#type::{FunctionType, IntegerType, TupleType},
};

const FLOATS: [FloatFormat; 16] = [
    FloatFormat::BF16,
    FloatFormat::F16,
    FloatFormat::F32,
    FloatFormat::F64,
    FloatFormat::TF32,
    FloatFormat::F4E2M1FN,
    FloatFormat::F6E2M3FN,
    FloatFormat::F6E3M2FN,
    FloatFormat::F8E3M4,
    FloatFormat::F8E4M3,
    FloatFormat::F8E4M3B11FNUZ,
    FloatFormat::F8E4M3FN,
    FloatFormat::F8E4M3FNUZ,
    FloatFormat::F8E5M2,
    FloatFormat::F8E5M2FNUZ,
    FloatFormat::F8E8M0FNU,
];

fn float_format(ty: Type) -> Option<FloatFormat> {
    let text = ty.to_string();
    FLOATS.into_iter().find(|format| float_name(*format) == text)
}

impl<'c> Exporter<'c> {
    /// The number of a type of VHLO.
    pub fn ty(&mut self, ty: Type<'c>) -> Result<TypeId, String> {
        let key = ty.to_raw().ptr as usize;
        if let Some(id) = self.type_ids.get(&key) {
            return Ok(*id);
        }
        let made = self.make_type(ty)?;
        let id = self.types.intern(made);
        self.type_ids.insert(key, id);
        Ok(id)
    }

    fn make_type(&mut self, ty: Type<'c>) -> Result<Vhlo, String> {
        let no_equivalent = || format!("has the type '{ty}', which has no equivalent in VHLO");
        if let Some(integer) = ty.cast::<IntegerType>() {
            return match (integer.width(), integer.is_signed(), integer.is_unsigned()) {
                (1, false, false) => Ok(Vhlo::Boolean),
                (width @ (2 | 4 | 8 | 16 | 32 | 64), false, unsigned) => {
                    Ok(Vhlo::Integer { width, unsigned })
                }
                _ => Err(no_equivalent()),
            };
        }
        if ty.is_index() {
            return Ok(Vhlo::Index);
        }
        if ty.is_float() {
            return float_format(ty).map(Vhlo::Float).ok_or_else(no_equivalent);
        }
        if let Some(element) = ty.complex_element() {
            return Ok(Vhlo::Complex(self.ty(element)?));
        }
        if types::is_token(ty) {
            return Ok(Vhlo::Token);
        }
        if let Some(elements) = types::future_types(ty) {
            return Ok(Vhlo::Future(self.types_of(elements)?));
        }
        if let Some(function) = ty.cast::<FunctionType>() {
            let inputs = (0..function.input_count()).filter_map(|at| function.input(at).ok());
            let outputs = (0..function.result_count()).filter_map(|at| function.result(at).ok());
            let (inputs, outputs): (Vec<_>, Vec<_>) = (inputs.collect(), outputs.collect());
            return Ok(Vhlo::Function {
                inputs: self.types_of(inputs)?,
                outputs: self.types_of(outputs)?,
            });
        }
        if let Some(tuple) = ty.cast::<TupleType>() {
            let elements = (0..tuple.type_count()).filter_map(|at| tuple.r#type(at).ok());
            let elements: Vec<_> = elements.collect();
            return Ok(Vhlo::Tuple(self.types_of(elements)?));
        }
        if ty.is_quantized() {
            return self.quantized(Quantized::of(ty).ok_or_else(no_equivalent)?);
        }
        let shape = || -> Option<Vec<i64>> {
            let shape = ty.shape()?;
            Some(shape.into_iter().map(|size| size.unwrap_or(DYNAMIC)).collect())
        };
        if ty.is_tensor() {
            let encoding = ty.encoding();
            let encoding = encoding.map(|encoding| self.attribute(encoding)).transpose()?;
            return Ok(Vhlo::RankedTensor {
                shape: shape().ok_or_else(no_equivalent)?,
                element: self.ty(ty.element_type())?,
                encoding,
            });
        }
        if ty.is_memref() && ty.has_identity_layout() {
            return Ok(Vhlo::RankedBuffer {
                shape: shape().ok_or_else(no_equivalent)?,
                element: self.ty(ty.element_type())?,
            });
        }
        match &*ty.to_string() {
            "none" => Ok(Vhlo::None),
            "!shape.witness" => Ok(Vhlo::Witness),
            text if text.starts_with("tensor<*x") => {
                Ok(Vhlo::UnrankedTensor(self.ty(ty.element_type())?))
            }
            _ => Err(no_equivalent()),
        }
    }

    fn types_of(&mut self, types: Vec<Type<'c>>) -> Result<Vec<TypeId>, String> {
        types.into_iter().map(|ty| self.ty(ty)).collect()
    }

    fn quantized(&mut self, quantized: Quantized<'c>) -> Result<Vhlo, String> {
        let (min, max) = quantized.range();
        let storage = QuantizedStorage {
            flags: u64::from(quantized.is_signed()),
            storage: self.ty(quantized.storage())?,
            expressed: self.ty(quantized.expressed())?,
            min,
            max,
        };
        let parameters = (0..quantized.scale_count()).map(|at| quantized.parameters(at));
        let bits = |(scale, zero_point): (f64, i64)| (scale.to_bits(), zero_point);
        Ok(match quantized.axis() {
            Some(axis) => {
                let (scales, zero_points) = parameters.map(bits).unzip();
                Vhlo::UniformQuantizedPerAxis {
                    storage,
                    dimension: u64::try_from(axis).unwrap_or_default(),
                    scales,
                    zero_points,
                }
            }
            None => {
                let (scale, zero_point) = bits(quantized.parameters(0));
                Vhlo::UniformQuantized {
                    storage,
                    scale,
                    zero_point,
                }
            }
        })
    }

    /// The number of a type of MLIR itself, for types that VHLO lacks.
    pub fn builtin_type(&mut self, ty: Type<'c>) -> Result<TypeId, String> {
        let made = if let Some(integer) = ty.cast::<IntegerType>() {
            Builtin::Integer {
                width: integer.width(),
                signedness: match (integer.is_signed(), integer.is_unsigned()) {
                    (true, _) => Signedness::Signed,
                    (_, true) => Signedness::Unsigned,
                    _ => Signedness::Signless,
                },
            }
        } else if ty.is_index() {
            Builtin::Index
        } else if let Some(format) = float_format(ty) {
            Builtin::Float(format)
        } else if ty.is_tensor() && ty.encoding().is_none() {
            let shape = ty.shape().unwrap_or_default();
            Builtin::RankedTensor {
                shape: shape.into_iter().map(|size| size.unwrap_or(DYNAMIC)).collect(),
                element: self.builtin_type(ty.element_type())?,
                encoding: None,
            }
        } else if let Some(element) = ty.complex_element() {
            Builtin::Complex(self.builtin_type(element)?)
        } else {
            let text = ty.to_string();
            return Ok(self.types.intern(Vhlo::Text(text.into_bytes().into())));
        };
        Ok(self.types.intern(Vhlo::Builtin(made)))
    }
}
