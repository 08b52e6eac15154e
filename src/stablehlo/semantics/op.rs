//! The ops of a representation of programs: operands and attributes by index and name.
//!
//! Rules return an error where an operand or attribute of the definition is missing or of another
//! kind; the representation usually has checked that before.

use super::{
    body::Body,
    tensor::{Subject, Tensor, VerifyResult},
    ty::Ty,
};

/// Dimension numbers of `dot_general`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DotDimensionNumbers {
    pub lhs_batching_dimensions: Vec<i64>,
    pub rhs_batching_dimensions: Vec<i64>,
    pub lhs_contracting_dimensions: Vec<i64>,
    pub rhs_contracting_dimensions: Vec<i64>,
}

/// Dimension numbers of `gather` and `dynamic_gather`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatherDimensionNumbers {
    pub offset_dims: Vec<i64>,
    pub collapsed_slice_dims: Vec<i64>,
    pub operand_batching_dims: Vec<i64>,
    pub start_indices_batching_dims: Vec<i64>,
    pub start_index_map: Vec<i64>,
    pub index_vector_dim: i64,
}

/// Dimension numbers of `scatter`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScatterDimensionNumbers {
    pub update_window_dims: Vec<i64>,
    pub inserted_window_dims: Vec<i64>,
    pub input_batching_dims: Vec<i64>,
    pub scatter_indices_batching_dims: Vec<i64>,
    pub scatter_dims_to_operand_dims: Vec<i64>,
    pub index_vector_dim: i64,
}

/// Dimension numbers of `convolution` and `dynamic_conv`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvDimensionNumbers {
    pub input_batch_dimension: i64,
    pub input_feature_dimension: i64,
    pub input_spatial_dimensions: Vec<i64>,
    pub kernel_input_feature_dimension: i64,
    pub kernel_output_feature_dimension: i64,
    pub kernel_spatial_dimensions: Vec<i64>,
    pub output_batch_dimension: i64,
    pub output_feature_dimension: i64,
    pub output_spatial_dimensions: Vec<i64>,
}

/// The number and the kind of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelHandle {
    pub handle: i64,
    pub channel_type: i64,
}

/// An op, which exists or is planned. Planned ops have no results.
pub trait Op: Copy {
    type Type: Ty;

    /// The name with the dialect, such as `stablehlo.add`.
    fn name(&self) -> &str;
    fn operand_count(self) -> usize;
    fn result_count(self) -> usize;
    fn region_count(self) -> usize;
    fn operand_type(self, number: usize) -> Result<Self::Type, String>;
    fn result_type(self, number: usize) -> Result<Self::Type, String>;
    /// A region as a function; `None` if it has no block.
    fn body(self, region: usize) -> Option<Body<Self::Type>>;
    /// The names of the ops in a region, the terminator last.
    fn body_op_names(self, region: usize) -> Vec<String>;
    /// The values of an `array<i64>` attribute.
    fn optional_integers(self, name: &str) -> Option<Vec<i64>>;
    /// An integer attribute.
    fn optional_integer(self, name: &str) -> Option<i64>;
    /// A boolean or unit attribute; false if absent.
    fn flag(self, name: &str) -> bool;
    /// The number of elements of an `array<i1>` attribute.
    fn bool_array_size(self, name: &str) -> Option<usize>;
    /// An attribute with an integer tensor: its shape and its values in order.
    fn integer_elements(self, name: &str) -> Option<(Vec<i64>, Vec<i64>)>;
    fn string(self, name: &str) -> Option<String>;
    /// The case of an enumeration, such as `NORMAL`.
    fn case(self, name: &str) -> Option<&'static str>;
    /// The cases of a list of enumerations, such as `precision_config`.
    fn cases(self, name: &str) -> Vec<&'static str>;
    /// Returns true if the op has an attribute.
    fn has(self, name: &str) -> bool;
    /// The type of the attribute `value` of a constant.
    fn value_type(self) -> Option<Self::Type>;
    /// The layouts of an `infeed`, each as its numbers; an error if they are no such lists.
    fn layouts(self) -> Result<Option<Vec<Vec<i64>>>, String>;
    fn dot_dimension_numbers(self) -> Option<DotDimensionNumbers>;
    fn gather_dimension_numbers(self) -> Option<GatherDimensionNumbers>;
    fn scatter_dimension_numbers(self) -> Option<ScatterDimensionNumbers>;
    fn conv_dimension_numbers(self) -> Option<ConvDimensionNumbers>;
    fn channel_handle(self) -> Option<ChannelHandle>;
    /// The shape and the values of an operand that is an integer constant.
    fn constant_elements(self, number: usize) -> Option<(Vec<i64>, Vec<i64>)>;
    /// The sizes of a `real_dynamic_slice` with unit strides whose limits are its starts plus
    /// constants.
    fn constant_spans(self) -> Option<Vec<i64>>;
    /// An integer type: signless, or unsigned.
    fn integer_type(self, width: u32, unsigned: bool) -> Self::Type;
    fn token_type(self) -> Self::Type;
    fn tuple_type(self, types: &[Self::Type]) -> Self::Type;
    /// A future of values; `None` unless they are tensors.
    fn future_type(self, types: &[Self::Type]) -> Option<Self::Type>;

    /// A region as a function, which must have a block.
    fn function(self, region: usize) -> Result<Body<Self::Type>, String> {
        self.body(region).ok_or_else(|| format!("has no block in region {region}"))
    }

    /// An operand that is a tensor.
    fn operand(self, number: usize) -> Result<Tensor<Self::Type>, String> {
        Tensor::new(Subject::Operand(number), self.operand_type(number)?)
    }

    /// All operands, which must be tensors.
    fn tensors(self) -> Result<Vec<Tensor<Self::Type>>, String> {
        (0..self.operand_count()).map(|number| self.operand(number)).collect()
    }

    /// A result that is a tensor.
    fn result(self, number: usize) -> Result<Tensor<Self::Type>, String> {
        Tensor::new(Subject::Result(number), self.result_type(number)?)
    }

    /// The types of all operands, with their names.
    fn operands(self) -> Vec<(Subject, Self::Type)> {
        (0..self.operand_count())
            .filter_map(|number| Some((Subject::Operand(number), self.operand_type(number).ok()?)))
            .collect()
    }

    /// The types of all results, with their names.
    fn results(self) -> Vec<(Subject, Self::Type)> {
        (0..self.result_count())
            .filter_map(|number| Some((Subject::Result(number), self.result_type(number).ok()?)))
            .collect()
    }

    /// The values of a required `array<i64>` attribute.
    fn integers(self, name: &str) -> Result<Vec<i64>, String> {
        required(name, self.optional_integers(name))
    }

    /// A required integer attribute.
    fn integer(self, name: &str) -> Result<i64, String> {
        required(name, self.optional_integer(name))
    }

    /// The values of a constant integer vector operand, such as a computed shape; `None` for any
    /// other operand.
    fn constant_operand(self, number: usize) -> Option<Vec<i64>> {
        let (shape, values) = self.constant_elements(number)?;
        (shape.len() == 1).then_some(values)
    }

    /// Fails unless the op has `count` results, described by `whose`.
    fn expect_result_count(self, count: usize, whose: &str) -> VerifyResult {
        if self.result_count() == count {
            return Ok(());
        }
        Err(format!(
            "has {} results, but {whose} {count}",
            self.result_count()
        ))
    }
}

/// The value of a required attribute.
pub fn required<T>(name: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("has no attribute '{name}' of the kind that it needs"))
}

/// Fails unless an attribute has `count` entries.
pub fn expect_size(name: &str, size: usize, count: usize, of: &str) -> VerifyResult {
    if size == count {
        return Ok(());
    }
    Err(format!(
        "attribute '{name}' has {size} entries, but {of} {count}"
    ))
}

/// Fails unless each entry of an attribute is a dimension of a tensor of this rank.
pub fn expect_dimensions(name: &str, dimensions: &[i64], rank: usize, of: &str) -> VerifyResult {
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

/// Fails if an attribute has duplicate entries.
pub fn expect_unique(name: &str, entries: &[i64]) -> VerifyResult {
    for (index, entry) in entries.iter().enumerate() {
        if entries[..index].contains(entry) {
            return Err(format!("attribute '{name}' has {entry} twice"));
        }
    }
    Ok(())
}

/// Fails unless every entry of an attribute is at least `minimum`.
pub fn expect_at_least(name: &str, entries: &[i64], minimum: i64) -> VerifyResult {
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
