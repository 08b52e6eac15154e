//! Shapes of which some sizes are known only when the program runs.
//!
//! StableHLO's dynamic ops take a shape as a one-dimensional tensor. What is
//! known of a shape stays a number for as long as possible, so that a program
//! of static shapes gets none of the arithmetic.

use crate::ir::{
    BuildError, Builder, RewriteError, Type, Value, array_attribute, complex_element, element_type,
    float_attribute, i64_array_attribute, integer_attribute, integer_type, is_float, is_integer,
    shape_of, splat_attribute, static_shape_of, tensor_type,
};
use melior::ir::ValueLike;

/// The size of one dimension.
#[derive(Clone, Copy, Debug)]
pub enum Extent<'c> {
    /// Known when the program is compiled.
    Known(i64),
    /// A scalar `tensor<i32>`.
    Computed(Value<'c>),
}

/// The sizes of all dimensions of a tensor.
#[derive(Clone, Debug)]
pub struct Extents<'c>(pub Vec<Extent<'c>>);

/// A scalar `tensor<i32>` constant.
pub fn scalar<'c>(b: &Builder<'c>, number: i64) -> Result<Value<'c>, BuildError> {
    integers(b, &[], number)
}

fn integers<'c>(b: &Builder<'c>, dims: &[i64], number: i64) -> Result<Value<'c>, BuildError> {
    let element = integer_type(b.context(), 32);
    let r#type = tensor_type(dims, element);
    b.op("stablehlo.constant")
        .attribute(
            "value",
            splat_attribute(r#type, integer_attribute(element, number)),
        )
        .result(r#type)
        .value()
}

impl<'c> Extent<'c> {
    /// The size as a scalar.
    pub fn value(self, b: &Builder<'c>) -> Result<Value<'c>, BuildError> {
        match self {
            Self::Known(size) => scalar(b, size),
            Self::Computed(value) => Ok(value),
        }
    }

    /// The size in a type, where it is known.
    fn known(self) -> Option<i64> {
        match self {
            Self::Known(size) => Some(size),
            Self::Computed(_) => None,
        }
    }
}

impl<'c> Extents<'c> {
    /// The sizes of a value.
    pub fn of(b: &Builder<'c>, value: Value<'c>) -> Result<Self, RewriteError> {
        let shape = shape_of(value.r#type()).ok_or_else(|| {
            RewriteError::Invalid("a tensor without a rank cannot be decomposed".to_owned())
        })?;
        let extents = shape.into_iter().enumerate().map(|(dimension, size)| {
            Ok(match size {
                Some(size) => Extent::Known(size),
                None => Extent::Computed(
                    b.op("stablehlo.get_dimension_size")
                        .operands(&[value])
                        .attribute(
                            "dimension",
                            integer_attribute(integer_type(b.context(), 64), dimension as i64),
                        )
                        .result(tensor_type(&[], integer_type(b.context(), 32)))
                        .value()?,
                ),
            })
        });
        Ok(Self(extents.collect::<Result<_, BuildError>>()?))
    }

    /// The sizes as numbers, where all are known.
    pub fn known(&self) -> Option<Vec<i64>> {
        self.0.iter().map(|extent| extent.known()).collect()
    }

    /// The tensor type of these sizes.
    pub fn r#type(&self, element: Type<'c>) -> Type<'c> {
        let sizes: Vec<i64> = self
            .0
            .iter()
            .map(|extent| extent.known().unwrap_or(i64::MIN))
            .collect();
        tensor_type(&sizes, element)
    }

    /// The sizes as a `tensor<Rxi32>`.
    pub fn tensor(&self, b: &Builder<'c>) -> Result<Value<'c>, BuildError> {
        let element = integer_type(b.context(), 32);
        let one = tensor_type(&[1], element);
        let parts = self
            .0
            .iter()
            .map(|extent| match *extent {
                Extent::Known(size) => integers(b, &[1], size),
                Extent::Computed(value) => b.value("stablehlo.reshape", &[value], one),
            })
            .collect::<Result<Vec<_>, _>>()?;
        if let [part] = parts[..] {
            return Ok(part);
        }
        b.op("stablehlo.concatenate")
            .operands(&parts)
            .attribute(
                "dimension",
                integer_attribute(integer_type(b.context(), 64), 0),
            )
            .result(tensor_type(&[parts.len() as i64], element))
            .value()
    }

    /// A value broadcast to these sizes, its dimensions placed at `dimensions`.
    pub fn broadcast(
        &self,
        b: &Builder<'c>,
        value: Value<'c>,
        dimensions: &[i64],
    ) -> Result<Value<'c>, BuildError> {
        let result = self.r#type(element_type(value.r#type()));
        let dimensions = i64_array_attribute(b.context(), dimensions);
        let is_static = self.known().is_some() && static_shape_of(value.r#type()).is_some();
        let (name, operands) = if is_static {
            ("stablehlo.broadcast_in_dim", vec![value])
        } else {
            (
                "stablehlo.dynamic_broadcast_in_dim",
                vec![value, self.tensor(b)?],
            )
        };
        b.op(name)
            .operands(&operands)
            .attribute("broadcast_dimensions", dimensions)
            .result(result)
            .value()
    }

    /// A tensor of zeros, or of `false`.
    pub fn zeros(&self, b: &Builder<'c>, element: Type<'c>) -> Result<Value<'c>, RewriteError> {
        let part = complex_element(element).unwrap_or(element);
        let number = if is_float(part) {
            float_attribute(part, 0.0)
        } else if is_integer(part) {
            integer_attribute(part, 0)
        } else {
            return Err(RewriteError::Invalid(format!(
                "elements of type {element} have no zero"
            )));
        };
        // The elements of a complex constant are pairs.
        let number = if part == element {
            number
        } else {
            array_attribute(b.context(), &[number, number])
        };
        let constant = |r#type: Type<'c>| {
            b.op("stablehlo.constant")
                .attribute("value", splat_attribute(r#type, number))
                .result(r#type)
                .value()
        };
        if self.known().is_some() {
            Ok(constant(self.r#type(element))?)
        } else {
            let scalar = constant(tensor_type(&[], element))?;
            Ok(self.broadcast(b, scalar, &[])?)
        }
    }

    /// A tensor of these sizes whose elements are their index in a dimension.
    pub fn iota(
        &self,
        b: &Builder<'c>,
        element: Type<'c>,
        dimension: usize,
    ) -> Result<Value<'c>, BuildError> {
        let number = integer_attribute(integer_type(b.context(), 64), dimension as i64);
        let (name, operands) = if self.known().is_some() {
            ("stablehlo.iota", Vec::new())
        } else {
            ("stablehlo.dynamic_iota", vec![self.tensor(b)?])
        };
        b.op(name)
            .operands(&operands)
            .attribute("iota_dimension", number)
            .result(self.r#type(element))
            .value()
    }
}

/// Repeats a scalar over a tensor of type `r#type`, whose sizes `shape` gives.
pub fn fill<'c>(
    b: &Builder<'c>,
    scalar: Value<'c>,
    shape: Value<'c>,
    r#type: Type<'c>,
) -> Result<Value<'c>, BuildError> {
    let (name, operands) = if static_shape_of(r#type).is_some() {
        ("stablehlo.broadcast_in_dim", vec![scalar])
    } else {
        ("stablehlo.dynamic_broadcast_in_dim", vec![scalar, shape])
    };
    b.op(name)
        .operands(&operands)
        .attribute(
            "broadcast_dimensions",
            i64_array_attribute(b.context(), &[]),
        )
        .result(r#type)
        .value()
}
