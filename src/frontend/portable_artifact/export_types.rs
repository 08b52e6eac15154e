//! Types of MLIR as those of VHLO.

use super::{export::Exporter, import_types::float_name};
use halo_hlo::semantics::quantization::Quantized;

use halo_ir::stablehlo::types;
use halo_vhlo::{
    Type as Vhlo, TypeId,
    types::{Builtin, DYNAMIC, FloatFormat, QuantizedStorage, Signedness},
};
use melior::ir::{
    Type, TypeLike,
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

fn float_format(r#type: Type) -> Option<FloatFormat> {
    let text = r#type.to_string();
    FLOATS.into_iter().find(|format| float_name(*format) == text)
}

impl<'c> Exporter<'c> {
    /// The number of a type of VHLO.
    pub fn r#type(&mut self, r#type: Type<'c>) -> Result<TypeId, String> {
        let key = r#type.to_raw().ptr as usize;
        if let Some(id) = self.type_ids.get(&key) {
            return Ok(*id);
        }
        let made = self.make_type(r#type)?;
        let id = self.types.intern(made);
        self.type_ids.insert(key, id);
        Ok(id)
    }

    fn make_type(&mut self, r#type: Type<'c>) -> Result<Vhlo, String> {
        let no_equivalent = || format!("has the type '{type}', which has no equivalent in VHLO");
        if let Some(integer) = halo_ir::type_as::<IntegerType>(r#type) {
            return match (integer.width(), integer.is_signed(), integer.is_unsigned()) {
                (1, false, false) => Ok(Vhlo::Boolean),
                (width @ (2 | 4 | 8 | 16 | 32 | 64), false, unsigned) => {
                    Ok(Vhlo::Integer { width, unsigned })
                }
                _ => Err(no_equivalent()),
            };
        }
        if halo_ir::is_index(r#type) {
            return Ok(Vhlo::Index);
        }
        if halo_ir::is_float(r#type) {
            return float_format(r#type).map(Vhlo::Float).ok_or_else(no_equivalent);
        }
        if let Some(element) = halo_ir::complex_element(r#type) {
            return Ok(Vhlo::Complex(self.r#type(element)?));
        }
        if types::is_token(r#type) {
            return Ok(Vhlo::Token);
        }
        if let Some(elements) = types::future_types(r#type) {
            return Ok(Vhlo::Future(self.types_of(elements)?));
        }
        if let Some(function) = halo_ir::type_as::<FunctionType>(r#type) {
            let inputs = (0..function.input_count()).filter_map(|at| function.input(at).ok());
            let outputs = (0..function.result_count()).filter_map(|at| function.result(at).ok());
            let (inputs, outputs): (Vec<_>, Vec<_>) = (inputs.collect(), outputs.collect());
            return Ok(Vhlo::Function {
                inputs: self.types_of(inputs)?,
                outputs: self.types_of(outputs)?,
            });
        }
        if let Some(tuple) = halo_ir::type_as::<TupleType>(r#type) {
            let elements = (0..tuple.type_count()).filter_map(|at| tuple.r#type(at).ok());
            let elements: Vec<_> = elements.collect();
            return Ok(Vhlo::Tuple(self.types_of(elements)?));
        }
        if halo_ir::quantized(r#type) {
            return self.quantized(Quantized::of(r#type).ok_or_else(no_equivalent)?);
        }
        let shape = || -> Option<Vec<i64>> {
            let shape = halo_ir::shape_of(r#type)?;
            Some(shape.into_iter().map(|size| size.unwrap_or(DYNAMIC)).collect())
        };
        if halo_ir::is_tensor(r#type) {
            let encoding = halo_ir::encoding_of(r#type);
            let encoding = encoding.map(|encoding| self.attribute(encoding)).transpose()?;
            return Ok(Vhlo::RankedTensor {
                shape: shape().ok_or_else(no_equivalent)?,
                element: self.r#type(halo_ir::element_type(r#type))?,
                encoding,
            });
        }
        if halo_ir::is_memref(r#type) && halo_ir::has_identity_layout(r#type) {
            return Ok(Vhlo::RankedBuffer {
                shape: shape().ok_or_else(no_equivalent)?,
                element: self.r#type(halo_ir::element_type(r#type))?,
            });
        }
        match &*r#type.to_string() {
            "none" => Ok(Vhlo::None),
            "!shape.witness" => Ok(Vhlo::Witness),
            text if text.starts_with("tensor<*x") => Ok(Vhlo::UnrankedTensor(
                self.r#type(halo_ir::element_type(r#type))?,
            )),
            _ => Err(no_equivalent()),
        }
    }

    fn types_of(&mut self, types: Vec<Type<'c>>) -> Result<Vec<TypeId>, String> {
        types.into_iter().map(|r#type| self.r#type(r#type)).collect()
    }

    fn quantized(&mut self, quantized: Quantized<'c>) -> Result<Vhlo, String> {
        let (min, max) = quantized.range();
        let storage = QuantizedStorage {
            flags: u64::from(quantized.is_signed()),
            storage: self.r#type(quantized.storage())?,
            expressed: self.r#type(quantized.expressed())?,
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
    pub fn builtin_type(&mut self, r#type: Type<'c>) -> Result<TypeId, String> {
        let made = if let Some(integer) = halo_ir::type_as::<IntegerType>(r#type) {
            Builtin::Integer {
                width: integer.width(),
                signedness: match (integer.is_signed(), integer.is_unsigned()) {
                    (true, _) => Signedness::Signed,
                    (_, true) => Signedness::Unsigned,
                    _ => Signedness::Signless,
                },
            }
        } else if halo_ir::is_index(r#type) {
            Builtin::Index
        } else if let Some(format) = float_format(r#type) {
            Builtin::Float(format)
        } else if halo_ir::is_tensor(r#type) && halo_ir::encoding_of(r#type).is_none() {
            let shape = halo_ir::shape_of(r#type).unwrap_or_default();
            Builtin::RankedTensor {
                shape: shape.into_iter().map(|size| size.unwrap_or(DYNAMIC)).collect(),
                element: self.builtin_type(halo_ir::element_type(r#type))?,
                encoding: None,
            }
        } else if let Some(element) = halo_ir::complex_element(r#type) {
            Builtin::Complex(self.builtin_type(element)?)
        } else {
            let text = r#type.to_string();
            return Ok(self.types.intern(Vhlo::Text(text.into_bytes().into())));
        };
        Ok(self.types.intern(Vhlo::Builtin(made)))
    }
}
