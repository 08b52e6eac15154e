//! Types of values, and constants.

use super::{
    failure::{Failure, failure},
    importer::Importer,
};
use halo_core::{ElementType, Literal};
use halo_hlo::literals;
use halo_hlo_text::{ArrayShape, Dimension, Layout, Shape};
use halo_ir::stablehlo::{attributes::bounded_tensor_type, types::token};
use halo_ir::{Attribute, Builder, Type, Value, ops::stablehlo};
use melior::ir::r#type::TupleType;

impl<'m> Importer<'m> {
    /// The type of elements.
    pub fn element_type(&self, element: ElementType) -> Result<Type<'m>, Failure> {
        let parsed = Type::parse(self.context, element.name());
        parsed.ok_or_else(|| failure(format!("there are no values of {}", element.name())))
    }

    /// The unflattened type of a value.
    pub fn type_of(&self, shape: &Shape) -> Result<Type<'m>, Failure> {
        match shape {
            Shape::Array(array) => self.tensor(array),
            Shape::Token => Ok(token(self.context)),
            Shape::Opaque => Err(failure("values of opaque type are not known to StableHLO")),
            Shape::Buffer(array) => {
                let element = self.element_type(array.element_type)?;
                let sizes = static_sizes(array);
                let sizes = sizes.ok_or_else(|| failure("a buffer has a size that is known"))?;
                Ok(halo_ir::memref_type(&sizes, element))
            }
            Shape::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.type_of(element));
                let elements = elements.collect::<Result<Vec<_>, Failure>>()?;
                Ok(TupleType::new(self.context, &elements).into())
            }
        }
    }

    fn tensor(&self, array: &ArrayShape) -> Result<Type<'m>, Failure> {
        let element = self.element_type(array.element_type)?;
        let mut sizes = Vec::new();
        let mut bounds = Vec::new();
        for dimension in &array.dimensions {
            let (size, bound) = match *dimension {
                Dimension::Static(size) => (Some(size), None),
                Dimension::Bounded(bound) => (None, Some(bound)),
                Dimension::Unbounded => (None, None),
            };
            if size.or(bound).is_some_and(|size| size < 0) {
                return Err(failure("a dimension has a negative size"));
            }
            sizes.push(size);
            bounds.push(bound);
        }
        Ok(bounded_tensor_type(&sizes, &bounds, element))
    }

    /// A tensor type of known sizes.
    pub fn tensor_of(&self, sizes: &[i64], element: ElementType) -> Result<Type<'m>, Failure> {
        Ok(halo_ir::tensor_type(sizes, self.element_type(element)?))
    }

    /// The types of the flattened elements of a value.
    pub fn flat_types(&self, shape: &Shape) -> Result<Vec<Type<'m>>, Failure> {
        let parts = leaves(shape).into_iter();
        parts.map(|part| self.type_of(part)).collect()
    }

    /// The attribute of a literal.
    pub fn dense(&self, literal: &Literal) -> Result<Attribute<'m>, Failure> {
        let shape = literal.shape();
        let sizes: Vec<i64> = shape.dims().iter().map(|size| *size as i64).collect();
        let ty = self.tensor_of(&sizes, literal.element_type())?;
        literals::attribute_of(literal, ty).map_err(failure)
    }

    /// A constant of 64-bit integers.
    pub fn integers(&self, builder: &Builder<'m>, values: &[i64]) -> Result<Value<'m>, Failure> {
        let ty = self.tensor_of(&[values.len() as i64], ElementType::I64)?;
        let value = halo_ir::dense_from_integers(ty, values);
        self.constant(builder, value, ty)
    }

    /// A constant of rank 0.
    pub fn number(
        &self,
        builder: &Builder<'m>,
        element: ElementType,
        value: i64,
    ) -> Result<Value<'m>, Failure> {
        let ty = self.tensor_of(&[], element)?;
        self.filled(builder, ty, value)
    }

    /// A splat constant; the type is static.
    pub fn filled(
        &self,
        builder: &Builder<'m>,
        ty: Type<'m>,
        value: i64,
    ) -> Result<Value<'m>, Failure> {
        self.constant(builder, halo_ir::dense_number(ty, value as f64), ty)
    }

    fn constant(
        &self,
        builder: &Builder<'m>,
        value: Option<Attribute<'m>>,
        ty: Type<'m>,
    ) -> Result<Value<'m>, Failure> {
        let value = value.ok_or_else(|| failure(format!("there is no number of type {ty}")))?;
        Ok(stablehlo::ConstantOp::build(builder, value, ty).value())
    }

    /// An integer attribute without a sign.
    pub fn integer_attribute(&self, width: u32, value: i64) -> Attribute<'m> {
        halo_ir::integer_attribute(halo_ir::integer_type(self.context, width), value)
    }

    /// A matrix of integers, from rows of equal length.
    pub fn matrix(&self, rows: &[Vec<i64>], columns: usize) -> Result<Attribute<'m>, Failure> {
        let sizes = [rows.len() as i64, columns as i64];
        let ty = self.tensor_of(&sizes, ElementType::I64)?;
        let values: Vec<i64> = rows.iter().flatten().copied().collect();
        let found = halo_ir::dense_from_integers(ty, &values);
        found.ok_or_else(|| failure(format!("expected rows of {columns} numbers")))
    }

    /// A list of dimensions as `tensor<Nxindex>`, which layouts are.
    pub fn index_vector(&self, values: &[i64]) -> Result<Attribute<'m>, Failure> {
        let ty = halo_ir::tensor_type(&[values.len() as i64], Type::index(self.context));
        let found = halo_ir::dense_from_integers(ty, values);
        found.ok_or_else(|| failure("a layout cannot be written"))
    }
}

/// The array of a shape.
pub fn array_of(shape: &Shape) -> Result<&ArrayShape, Failure> {
    match shape {
        Shape::Array(array) => Ok(array),
        _ => Err(failure("expected an array")),
    }
}

/// The sizes of an array, if all are static.
pub fn static_sizes(array: &ArrayShape) -> Option<Vec<i64>> {
    let size = |dimension: &Dimension| match dimension {
        Dimension::Static(size) => Some(*size),
        Dimension::Bounded(_) | Dimension::Unbounded => None,
    };
    array.dimensions.iter().map(size).collect()
}

/// The non-tuple elements of a shape, from left to right.
pub fn leaves(shape: &Shape) -> Vec<&Shape> {
    let mut found = Vec::new();
    let mut rest = vec![shape];
    while let Some(shape) = rest.pop() {
        match shape {
            Shape::Tuple(elements) => rest.extend(elements.iter().rev()),
            part => found.push(part),
        }
    }
    found
}

/// The dimensions of an array, the fastest varying first; row-major if the text has no layout.
pub fn minor_to_major(array: &ArrayShape) -> Vec<i64> {
    match &array.layout {
        Some(layout) if layout.minor_to_major.len() == array.dimensions.len() => {
            layout.minor_to_major.clone()
        }
        _ => (0..array.dimensions.len() as i64).rev().collect(),
    }
}

/// Returns true if a shape has a layout other than row-major.
pub fn has_custom_layout(shape: &Shape) -> bool {
    leaves(shape).into_iter().any(|part| match part {
        Shape::Array(array) | Shape::Buffer(array) => array.layout.as_ref().is_some_and(|layout| {
            let default = Layout {
                minor_to_major: (0..array.dimensions.len() as i64).rev().collect(),
                ..Layout::default()
            };
            *layout != default
        }),
        _ => false,
    })
}
