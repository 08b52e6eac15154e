//! An op as the verifiers see it: values and attributes by number and name.
//!
//! ODS has checked before that the operands and attributes of the definition
//! are there and of their kind. Where one is not, these functions say so rather
//! than to rely on it.

use super::tensor::{Subject, Tensor, Verdict};
use halo_dialects::ir::{
    Attribute, Operation, Type, Value, attribute_of, defining_operation, element_type,
    i64_array_value, integer_attribute_value, integer_width, name_of, static_shape_of,
};
use melior::ir::{
    ValueLike,
    attribute::{AttributeLike, BoolAttribute, DenseElementsAttribute},
    operation::OperationLike,
};

/// One op.
#[derive(Clone, Copy)]
pub struct Op<'c>(pub Operation<'c>);

impl<'c> Op<'c> {
    /// How many operands the op has.
    pub fn operand_count(self) -> usize {
        self.0.operand_count()
    }

    /// How many results the op has.
    pub fn result_count(self) -> usize {
        self.0.result_count()
    }

    /// An operand. melior prints the op into its error where there is none, and
    /// MLIR verifies an op before it prints it, without end: so the number is
    /// checked here.
    fn operand_value(self, number: usize) -> Option<Value<'c>> {
        let in_range = number < self.operand_count();
        in_range.then(|| self.0.operand(number).ok())?
    }

    /// The type of an operand.
    pub fn operand_type(self, number: usize) -> Result<Type<'c>, String> {
        match self.operand_value(number) {
            Some(operand) => Ok(operand.r#type()),
            None => Err(format!("has no operand {number}")),
        }
    }

    /// The type of a result.
    pub fn result_type(self, number: usize) -> Result<Type<'c>, String> {
        // See `operand_value`.
        let in_range = number < self.result_count();
        match in_range.then(|| self.0.result(number)) {
            Some(Ok(result)) => Ok(result.r#type()),
            _ => Err(format!("has no result {number}")),
        }
    }

    /// An operand that is a tensor.
    pub fn operand(self, number: usize) -> Result<Tensor<'c>, String> {
        Tensor::new(Subject::Operand(number), self.operand_type(number)?)
    }

    /// A result that is a tensor.
    pub fn result(self, number: usize) -> Result<Tensor<'c>, String> {
        Tensor::new(Subject::Result(number), self.result_type(number)?)
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

    /// An attribute that may be absent.
    pub fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        attribute_of(self.0, name)
    }

    /// An attribute that must be there.
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
        self.required(name, i64_array_value)
    }

    /// An `array<i64>` attribute that may be absent.
    pub fn optional_integers(self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).and_then(i64_array_value)
    }

    /// An integer attribute.
    pub fn integer(self, name: &str) -> Result<i64, String> {
        self.required(name, integer_attribute_value)
    }

    /// A boolean or unit attribute; false where it is absent.
    pub fn flag(self, name: &str) -> bool {
        self.attribute(name).is_some_and(|attribute| {
            BoolAttribute::try_from(attribute).map_or(true, |flag| flag.value())
        })
    }

    /// An `array<i1>` attribute that may be absent.
    pub fn booleans(self, name: &str) -> Option<Vec<bool>> {
        let attribute = self.attribute(name)?.to_raw();
        let size = self.bool_array_size(name)?;
        // SAFETY: The attribute was just seen to be an array of as many
        // booleans.
        let element =
            |index| unsafe { mlir_sys::mlirDenseBoolArrayGetElement(attribute, index as isize) };
        Some((0..size).map(element).collect())
    }

    /// How many elements an `array<i1>` attribute has, which may be absent.
    pub fn bool_array_size(self, name: &str) -> Option<usize> {
        let attribute = self.attribute(name)?.to_raw();
        // SAFETY: The attribute is alive, and is asked for its size only where
        // it is an array of booleans.
        unsafe {
            mlir_sys::mlirAttributeIsADenseBoolArray(attribute)
                .then(|| mlir_sys::mlirDenseArrayGetNumElements(attribute) as usize)
        }
    }

    /// A tensor of integers given as an attribute, which may be absent: its
    /// shape and its values in order.
    pub fn integer_elements(self, name: &str) -> Option<(Vec<i64>, Vec<i64>)> {
        elements_of(self.attribute(name)?)
    }

    /// The values of an operand that is a constant vector of integers, such as
    /// a computed shape; `None` for any other operand.
    pub fn constant_operand(self, number: usize) -> Option<Vec<i64>> {
        let (definition, _) = defining_operation(self.operand_value(number)?)?;
        if name_of(definition) != "stablehlo.constant" {
            return None;
        }
        let (shape, values) = elements_of(attribute_of(definition, "value")?)?;
        (shape.len() == 1).then_some(values)
    }

    /// Fails unless the op has as many results as this, `whose` count it is.
    pub fn expect_result_count(self, count: usize, whose: &str) -> Verdict {
        if self.result_count() == count {
            return Ok(());
        }
        Err(format!(
            "has {} results, but {whose} {count}",
            self.result_count()
        ))
    }
}

/// The shape and the values of dense elements of 32 or 64 bits.
fn elements_of(attribute: Attribute) -> Option<(Vec<i64>, Vec<i64>)> {
    let elements = DenseElementsAttribute::try_from(attribute).ok()?;
    let r#type = elements.r#type();
    let width = integer_width(element_type(r#type))?;
    let values = (0..elements.len())
        .map(|index| match width {
            32 => elements.i32_element(index).ok().map(i64::from),
            64 => elements.i64_element(index).ok(),
            _ => None,
        })
        .collect::<Option<_>>()?;
    Some((static_shape_of(r#type)?, values))
}

/// Fails unless an attribute has one entry for each of `count` things.
pub fn expect_size(name: &str, size: usize, count: usize, of: &str) -> Verdict {
    if size == count {
        return Ok(());
    }
    Err(format!(
        "attribute '{name}' has {size} entries, but {of} {count}"
    ))
}

/// Fails unless each entry of an attribute is a dimension of a tensor of this
/// rank.
pub fn expect_dimensions(name: &str, dimensions: &[i64], rank: usize, of: &str) -> Verdict {
    match dimensions
        .iter()
        .find(|dimension| **dimension < 0 || **dimension >= rank as i64)
    {
        None => Ok(()),
        Some(dimension) => Err(format!(
            "attribute '{name}' has dimension {dimension}, but {of} has rank {rank}"
        )),
    }
}

/// Fails where an attribute has an entry twice.
pub fn expect_unique(name: &str, entries: &[i64]) -> Verdict {
    for (index, entry) in entries.iter().enumerate() {
        if entries[..index].contains(entry) {
            return Err(format!("attribute '{name}' has {entry} twice"));
        }
    }
    Ok(())
}

/// Fails unless every entry of an attribute is at least `minimum`.
pub fn expect_at_least(name: &str, entries: &[i64], minimum: i64) -> Verdict {
    match entries.iter().position(|entry| *entry < minimum) {
        None => Ok(()),
        Some(index) => Err(format!(
            "attribute '{name}' has {} for dimension {index}, but must be at least {minimum}",
            entries[index]
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_in_range() {
        assert!(expect_dimensions("dims", &[0, 2], 3, "operand 0").is_ok());
        assert_eq!(
            expect_dimensions("dims", &[0, 3], 3, "operand 0").unwrap_err(),
            "attribute 'dims' has dimension 3, but operand 0 has rank 3"
        );
        assert!(expect_dimensions("dims", &[-1], 3, "operand 0").is_err());
    }

    #[test]
    fn entries_are_unique() {
        assert!(expect_unique("dims", &[1, 0, 2]).is_ok());
        assert_eq!(
            expect_unique("dims", &[1, 0, 1]).unwrap_err(),
            "attribute 'dims' has 1 twice"
        );
    }
}
