//! Ops and types of MLIR, as the rules of `halo_stablehlo::semantics` read them.

use super::{op::Op, quantization::Quantized};
use halo_ir::{
    complex_type,
    prelude::*,
    stablehlo::{
        attributes::{
            ChannelHandle, ConvDimensionNumbers, DotDimensionNumbers, FftType,
            GatherDimensionNumbers, Precision, RngAlgorithm, RngDistribution,
            ScatterDimensionNumbers, Transpose, TypeExtensions, bounded_tensor_type,
        },
        types::{future, future_types, is_token, token},
    },
    unranked_tensor_type,
};
use halo_stablehlo::semantics::{self as rules, Body, Dim, Ty};
use melior::ir::r#type::{IntegerType, RankedTensorType, TupleType};
use std::{fmt, ops::Deref};

/// A type of MLIR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlirType<'c>(pub Type<'c>);

impl<'c> Deref for MlirType<'c> {
    type Target = Type<'c>;

    fn deref(&self) -> &Type<'c> {
        &self.0
    }
}

impl<'c> From<Type<'c>> for MlirType<'c> {
    fn from(ty: Type<'c>) -> Self {
        Self(ty)
    }
}

impl fmt::Display for MlirType<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The dimensions of a ranked tensor with their bounds; `None` for any other type.
pub fn dims_of(ty: Type) -> Option<Vec<Dim>> {
    let tensor = ty.cast::<RankedTensorType>()?;
    let sizes = ty.shape()?;
    let bounds = tensor
        .encoding()
        .and_then(TypeExtensions::from_attribute)
        .map(|extensions| extensions.bounds)
        .unwrap_or_default();
    Some(
        sizes
            .into_iter()
            .enumerate()
            .map(|(index, size)| match (size, bounds.get(index)) {
                (Some(size), _) => Dim::Static(size),
                (None, Some(Some(bound))) => Dim::Bounded(*bound),
                (None, _) => Dim::Dynamic,
            })
            .collect(),
    )
}

/// `tensor<dims x element>`
pub fn tensor_of<'c>(dims: &[Dim], element: Type<'c>) -> Type<'c> {
    let sizes: Vec<Option<i64>> = dims.iter().map(|dim| dim.size()).collect();
    let bounds: Vec<Option<i64>> = dims
        .iter()
        .map(|dim| match dim {
            Dim::Bounded(bound) => Some(*bound),
            Dim::Static(_) | Dim::Dynamic => None,
        })
        .collect();
    bounded_tensor_type(&sizes, &bounds, element)
}

/// Returns true if the two types may have a common value at run time.
pub fn types_agree(left: Type, right: Type) -> bool {
    rules::types_agree(MlirType(left), MlirType(right))
}

/// Returns true if two element types are equal up to quantization parameters.
pub fn elements_agree(left: Type, right: Type) -> bool {
    rules::elements_agree(MlirType(left), MlirType(right))
}

/// A declared type, refined by a compatible type.
pub fn refine_type<'c>(declared: Type<'c>, known: Type<'c>) -> Option<Type<'c>> {
    rules::refine_type(MlirType(declared), MlirType(known)).map(|ty| ty.0)
}

fn wrapped(types: Vec<Type<'_>>) -> Vec<MlirType<'_>> {
    types.into_iter().map(MlirType).collect()
}

fn unwrapped<'c>(types: &[MlirType<'c>]) -> Vec<Type<'c>> {
    types.iter().map(|ty| ty.0).collect()
}

impl Ty for MlirType<'_> {
    fn dims(self) -> Option<Vec<Dim>> {
        dims_of(self.0)
    }

    fn element_type(self) -> Self {
        Self(self.0.element_type())
    }

    fn with_element_type(self, element: Self) -> Self {
        Self(self.0.with_element_type(element.0))
    }

    fn tensor_of(self, dims: &[Dim]) -> Self {
        Self(tensor_of(dims, self.0))
    }

    fn unranked_tensor_of(self) -> Self {
        Self(unranked_tensor_type(self.0))
    }

    fn is_tensor(self) -> bool {
        self.0.is_tensor()
    }

    fn is_token(self) -> bool {
        is_token(self.0)
    }

    fn is_float(self) -> bool {
        self.0.is_float()
    }

    fn is_integer(self) -> bool {
        self.0.is_integer()
    }

    fn is_signless(self) -> bool {
        self.0.is_signless()
    }

    fn is_unsigned(self) -> bool {
        self.0.is_unsigned()
    }

    fn bit_width(self) -> Option<u32> {
        self.0.bit_width()
    }

    fn complex_element(self) -> Option<Self> {
        self.0.complex_element().map(Self)
    }

    fn complex_of(self) -> Self {
        Self(complex_type(self.0))
    }

    fn quantized(self) -> Option<rules::Quantized<Self>> {
        let quantized = Quantized::of(self.0)?;
        Some(rules::Quantized {
            storage: Self(quantized.storage()),
            is_signed: quantized.is_signed(),
            expressed: Self(quantized.expressed()),
            range: quantized.range(),
            axis: quantized.axis(),
            parameters: (0..quantized.scale_count())
                .map(|number| quantized.parameters(number))
                .collect(),
        })
    }

    fn tuple_types(self) -> Option<Vec<Self>> {
        let tuple = self.0.cast::<TupleType>()?;
        let types = (0..tuple.type_count()).map_while(|index| tuple.r#type(index).ok());
        Some(types.map(Self).collect())
    }

    fn future_types(self) -> Option<Vec<Self>> {
        future_types(self.0).map(wrapped)
    }
}

impl<'c> rules::Op for Op<'c> {
    type Type = MlirType<'c>;

    fn name(&self) -> &str {
        Op::name(*self)
    }

    fn operand_count(self) -> usize {
        Op::operand_count(self)
    }

    fn result_count(self) -> usize {
        Op::result_count(self)
    }

    fn region_count(self) -> usize {
        Op::region_count(self)
    }

    fn operand_type(self, number: usize) -> Result<MlirType<'c>, String> {
        Op::operand_type(self, number).map(MlirType)
    }

    fn result_type(self, number: usize) -> Result<MlirType<'c>, String> {
        Op::result_type(self, number).map(MlirType)
    }

    fn body(self, region: usize) -> Option<Body<MlirType<'c>>> {
        let block = self.block(region)?;
        let arguments = (0..block.argument_count()).map_while(|number| block.argument(number));
        // An op that is not a terminator returns nothing.
        let terminator = melior::ir::BlockLike::terminator(&block);
        let returned = terminator.map(|terminator| terminator.operands()).unwrap_or_default();
        Some(Body {
            region,
            arguments: arguments.map(|argument| MlirType(argument.ty())).collect(),
            results: returned.into_iter().map(|value| MlirType(value.ty())).collect(),
        })
    }

    fn body_op_names(self, region: usize) -> Vec<String> {
        let operations = self.block(region).map(Block::operations).into_iter().flatten();
        operations.map(|operation| operation.name().to_owned()).collect()
    }

    fn optional_integers(self, name: &str) -> Option<Vec<i64>> {
        Op::optional_integers(self, name)
    }

    fn optional_integer(self, name: &str) -> Option<i64> {
        self.attribute(name).and_then(Attribute::integer_value)
    }

    fn flag(self, name: &str) -> bool {
        Op::flag(self, name)
    }

    fn bool_array_size(self, name: &str) -> Option<usize> {
        Op::bool_array_size(self, name)
    }

    fn integer_elements(self, name: &str) -> Option<(Vec<i64>, Vec<i64>)> {
        Op::integer_elements(self, name)
    }

    fn string(self, name: &str) -> Option<String> {
        self.attribute(name)?.string_value().map(str::to_owned)
    }

    fn case(self, name: &str) -> Option<&'static str> {
        let attribute = self.attribute(name)?;
        match name {
            "fft_type" => FftType::from_attribute(attribute).map(FftType::as_str),
            "rng_algorithm" => RngAlgorithm::from_attribute(attribute).map(RngAlgorithm::as_str),
            "rng_distribution" => {
                RngDistribution::from_attribute(attribute).map(RngDistribution::as_str)
            }
            "transpose_a" => Transpose::from_attribute(attribute).map(Transpose::as_str),
            _ => None,
        }
    }

    fn cases(self, name: &str) -> Vec<&'static str> {
        let entries = self.attribute(name).map(Attribute::array_elements).unwrap_or_default();
        let entries = entries.into_iter().filter_map(Precision::from_attribute);
        entries.map(Precision::as_str).collect()
    }

    fn has(self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    fn value_type(self) -> Option<MlirType<'c>> {
        self.attribute("value").map(|value| MlirType(value.ty()))
    }

    fn layouts(self) -> Result<Option<Vec<Vec<i64>>>, String> {
        let Some(layouts) = self.attribute("layout").filter(|layout| layout.is_array()) else {
            return Ok(None);
        };
        let numbers = |layout: &Attribute| -> Option<Vec<i64>> {
            let entries = layout.is_array().then(|| layout.array_elements())?;
            entries.into_iter().map(Attribute::integer_value).collect()
        };
        let read = |layout: Attribute| {
            numbers(&layout).ok_or_else(|| {
                format!("attribute 'layout' has {layout}, but must have lists of dimensions")
            })
        };
        layouts
            .array_elements()
            .into_iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn dot_dimension_numbers(self) -> Option<rules::DotDimensionNumbers> {
        let numbers = self.attribute("dot_dimension_numbers")?;
        let numbers = DotDimensionNumbers::from_attribute(numbers)?;
        Some(rules::DotDimensionNumbers {
            lhs_batching_dimensions: numbers.lhs_batching_dimensions,
            rhs_batching_dimensions: numbers.rhs_batching_dimensions,
            lhs_contracting_dimensions: numbers.lhs_contracting_dimensions,
            rhs_contracting_dimensions: numbers.rhs_contracting_dimensions,
        })
    }

    fn gather_dimension_numbers(self) -> Option<rules::GatherDimensionNumbers> {
        let numbers = self.attribute("dimension_numbers")?;
        let numbers = GatherDimensionNumbers::from_attribute(numbers)?;
        Some(rules::GatherDimensionNumbers {
            offset_dims: numbers.offset_dims,
            collapsed_slice_dims: numbers.collapsed_slice_dims,
            operand_batching_dims: numbers.operand_batching_dims,
            start_indices_batching_dims: numbers.start_indices_batching_dims,
            start_index_map: numbers.start_index_map,
            index_vector_dim: numbers.index_vector_dim,
        })
    }

    fn scatter_dimension_numbers(self) -> Option<rules::ScatterDimensionNumbers> {
        let numbers = self.attribute("scatter_dimension_numbers")?;
        let numbers = ScatterDimensionNumbers::from_attribute(numbers)?;
        Some(rules::ScatterDimensionNumbers {
            update_window_dims: numbers.update_window_dims,
            inserted_window_dims: numbers.inserted_window_dims,
            input_batching_dims: numbers.input_batching_dims,
            scatter_indices_batching_dims: numbers.scatter_indices_batching_dims,
            scatter_dims_to_operand_dims: numbers.scatter_dims_to_operand_dims,
            index_vector_dim: numbers.index_vector_dim,
        })
    }

    fn conv_dimension_numbers(self) -> Option<rules::ConvDimensionNumbers> {
        let numbers = self.attribute("dimension_numbers")?;
        let numbers = ConvDimensionNumbers::from_attribute(numbers)?;
        Some(rules::ConvDimensionNumbers {
            input_batch_dimension: numbers.input_batch_dimension,
            input_feature_dimension: numbers.input_feature_dimension,
            input_spatial_dimensions: numbers.input_spatial_dimensions,
            kernel_input_feature_dimension: numbers.kernel_input_feature_dimension,
            kernel_output_feature_dimension: numbers.kernel_output_feature_dimension,
            kernel_spatial_dimensions: numbers.kernel_spatial_dimensions,
            output_batch_dimension: numbers.output_batch_dimension,
            output_feature_dimension: numbers.output_feature_dimension,
            output_spatial_dimensions: numbers.output_spatial_dimensions,
        })
    }

    fn channel_handle(self) -> Option<rules::ChannelHandle> {
        let channel = ChannelHandle::from_attribute(self.attribute("channel_handle")?)?;
        Some(rules::ChannelHandle {
            handle: channel.handle,
            channel_type: channel.channel_type,
        })
    }

    fn constant_elements(self, number: usize) -> Option<(Vec<i64>, Vec<i64>)> {
        Op::constant_elements(self, number)
    }

    fn constant_spans(self) -> Option<Vec<i64>> {
        super::spans::constant_spans(self)
    }

    fn integer_type(self, width: u32, unsigned: bool) -> MlirType<'c> {
        MlirType(if unsigned {
            IntegerType::unsigned(self.context(), width).into()
        } else {
            integer_type(self.context(), width)
        })
    }

    fn token_type(self) -> MlirType<'c> {
        MlirType(token(self.context()))
    }

    fn tuple_type(self, types: &[MlirType<'c>]) -> MlirType<'c> {
        MlirType(TupleType::new(self.context(), &unwrapped(types)).into())
    }

    fn future_type(self, types: &[MlirType<'c>]) -> Option<MlirType<'c>> {
        future(self.context(), &unwrapped(types)).map(MlirType)
    }
}
