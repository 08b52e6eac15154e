//! Uniform access to existing and planned ops for verification and inference: values and attributes
//! by index and name.
//!
//! ODS has checked before that the operands and attributes of the definition exist and have the
//! right kind. These functions still return an error otherwise.

use halo_ir::{
    ops::{self, OPERAND_SEGMENT_SIZES},
    prelude::*,
    semantics::OpParts,
};
use halo_stablehlo::semantics::Subject;
use melior::ir::AttributeLike;
use melior::{
    StringRef,
    ir::attribute::{BoolAttribute, DenseElementsAttribute},
};
use std::cell::Cell;

/// One op.
#[derive(Clone, Copy)]
pub enum Op<'c> {
    /// An existing op.
    Built(Operation<'c>),
    /// The parts of a planned op, without results.
    Planned(&'c OpParts<'c>),
}

impl<'c> Op<'c> {
    /// The name, such as `stablehlo.add`.
    pub fn name(self) -> &'c str {
        match self {
            Self::Built(operation) => operation.name(),
            Self::Planned(parts) => parts.name,
        }
    }

    /// Returns true if the op has a given type.
    pub fn isa<O: ops::Op<'c>>(self) -> bool {
        self.name() == O::NAME
    }

    /// The context for new types.
    pub fn context(self) -> &'c Context {
        match self {
            Self::Built(operation) => operation.context(),
            Self::Planned(parts) => parts.context,
        }
    }

    /// The op, if it exists.
    pub fn operation(self) -> Option<Operation<'c>> {
        match self {
            Self::Built(operation) => Some(operation),
            Self::Planned(_) => None,
        }
    }

    /// The number of operands.
    pub fn operand_count(self) -> usize {
        match self {
            Self::Built(operation) => operation.operand_count(),
            Self::Planned(parts) => parts.operands.len(),
        }
    }

    /// The number of results.
    pub fn result_count(self) -> usize {
        self.operation().map_or(0, |op| op.result_count())
    }

    /// The number of regions.
    pub fn region_count(self) -> usize {
        match self {
            Self::Built(operation) => operation.region_count(),
            Self::Planned(parts) => parts.regions.len(),
        }
    }

    /// The first block of a region.
    pub fn block(self, region: usize) -> Option<Block<'c>> {
        match self {
            Self::Built(operation) => {
                (region < operation.region_count()).then(|| operation.body(region)).flatten()
            }
            Self::Planned(parts) => parts.regions.get(region)?.first_block(),
        }
    }

    /// An operand. The index is checked here, because melior prints the op into its error, and MLIR
    /// verifies an op before it prints it, which would recurse infinitely.
    pub fn operand_value(self, number: usize) -> Option<Value<'c>> {
        match self {
            Self::Built(operation) => (number < operation.operand_count())
                .then(|| operation.operand(number))
                .flatten(),
            Self::Planned(parts) => parts.operands.get(number).copied(),
        }
    }

    /// The type of an operand.
    pub fn operand_type(self, number: usize) -> Result<Type<'c>, String> {
        match self.operand_value(number) {
            Some(operand) => Ok(operand.ty()),
            None => Err(format!("has no operand {number}")),
        }
    }

    /// The type of a result.
    pub fn result_type(self, number: usize) -> Result<Type<'c>, String> {
        let types = self.operation().map(Operation::result_types);
        match types.and_then(|types| types.get(number).copied()) {
            Some(ty) => Ok(ty),
            None => Err(format!("has no result {number}")),
        }
    }

    /// The types of all operands, with their names.
    pub fn operands(self) -> impl Iterator<Item = (Subject, Type<'c>)> {
        (0..self.operand_count()).filter_map(move |number| {
            Some((Subject::Operand(number), self.operand_type(number).ok()?))
        })
    }

    /// The types of all results, with their names.
    pub fn results(self) -> impl Iterator<Item = (Subject, Type<'c>)> {
        (0..self.result_count()).filter_map(move |number| {
            Some((Subject::Result(number), self.result_type(number).ok()?))
        })
    }

    /// An optional attribute.
    pub fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        match self {
            Self::Built(operation) => operation.attribute(name),
            Self::Planned(parts) => {
                let dictionary = parts.attributes?;
                // SAFETY: The attribute is a dictionary, and its elements live as long as the
                // context; null represents none.
                unsafe {
                    let raw = mlir_sys::mlirDictionaryAttrGetElementByName(
                        dictionary.to_raw(),
                        StringRef::new(name).to_raw(),
                    );
                    (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw))
                }
            }
        }
    }

    /// A required attribute.
    pub fn required<T>(
        self,
        name: &str,
        read: impl FnOnce(Attribute<'c>) -> Option<T>,
    ) -> Result<T, String> {
        self.attribute(name)
            .and_then(read)
            .ok_or_else(|| format!("has no attribute '{name}' of the kind that it needs"))
    }

    /// An `array<i64>` attribute.
    pub fn integers(self, name: &str) -> Result<Vec<i64>, String> {
        self.required(name, Attribute::i64_array_value)
    }

    /// An optional `array<i64>` attribute.
    pub fn optional_integers(self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).and_then(Attribute::i64_array_value)
    }

    /// An integer attribute.
    pub fn integer(self, name: &str) -> Result<i64, String> {
        self.required(name, Attribute::integer_value)
    }

    /// A boolean or unit attribute; false if absent.
    pub fn flag(self, name: &str) -> bool {
        self.attribute(name).is_some_and(|attribute| {
            attribute.cast::<BoolAttribute>().is_none_or(|flag| flag.value())
        })
    }

    /// An optional `array<i1>` attribute.
    pub fn booleans(self, name: &str) -> Option<Vec<bool>> {
        let attribute = self.attribute(name)?.to_raw();
        let size = self.bool_array_size(name)?;
        // SAFETY: The attribute is an array of this many booleans.
        let element =
            |index| unsafe { mlir_sys::mlirDenseBoolArrayGetElement(attribute, index as isize) };
        Some((0..size).map(element).collect())
    }

    /// The number of elements of an optional `array<i1>` attribute.
    pub fn bool_array_size(self, name: &str) -> Option<usize> {
        let attribute = self.attribute(name)?.to_raw();
        // SAFETY: The attribute is alive, and its size is only read if it is an array of booleans.
        unsafe {
            mlir_sys::mlirAttributeIsADenseBoolArray(attribute)
                .then(|| mlir_sys::mlirDenseArrayGetNumElements(attribute) as usize)
        }
    }

    /// An optional attribute with an integer tensor: its shape and its values in order.
    pub fn integer_elements(self, name: &str) -> Option<(Vec<i64>, Vec<i64>)> {
        elements_of(self.attribute(name)?)
    }

    /// The values of a constant integer vector operand, such as a computed shape; `None` for any
    /// other operand.
    pub fn constant_operand(self, number: usize) -> Option<Vec<i64>> {
        let (shape, values) = self.constant_elements(number)?;
        (shape.len() == 1).then_some(values)
    }

    /// The shape and the values of a constant integer operand.
    pub fn constant_elements(self, number: usize) -> Option<(Vec<i64>, Vec<i64>)> {
        if CONSTANTS_ARE_UNKNOWN.get() {
            return None;
        }
        let constant = self.operand_value(number)?;
        elements_of(constant.defined_by::<stablehlo::ConstantOp>()?.value())
    }

    /// The number of values of each operand in the definition.
    pub fn operand_segments(self) -> Option<Vec<usize>> {
        let sizes = self.attribute(OPERAND_SEGMENT_SIZES)?.i32_array_value()?.into_iter();
        sizes.map(|size| usize::try_from(size).ok()).collect()
    }
}

/// The shape and the values of dense elements of 32 or 64 bits.
pub fn elements_of(attribute: Attribute) -> Option<(Vec<i64>, Vec<i64>)> {
    let elements = attribute.cast::<DenseElementsAttribute>()?;
    let ty = attribute.ty();
    let width = ty.element_type().integer_width()?;
    let values = (0..elements.len())
        .map(|index| match width {
            32 => elements.i32_element(index).ok().map(i64::from),
            64 => elements.i64_element(index).ok(),
            _ => None,
        })
        .collect::<Option<_>>()?;
    Some((ty.static_shape()?, values))
}

thread_local! {
    static CONSTANTS_ARE_UNKNOWN: Cell<bool> = const { Cell::new(false) };
}

/// Returns true if an op is valid for unknown operand values. If it is not valid for the values
/// that folding found, it computes an impossible size, which is an error in the program.
pub fn is_valid_for_other_values(operation: Operation) -> bool {
    CONSTANTS_ARE_UNKNOWN.set(true);
    let is_valid = operation.verify();
    CONSTANTS_ARE_UNKNOWN.set(false);
    is_valid
}
