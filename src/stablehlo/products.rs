//! Products of tensors.

use crate::{
    builder::{Builder, Value},
    cases::Precision,
    error::ErrorKind,
    ops::Attributes,
    semantics::{self, ConvDimensionNumbers, DotAlgorithm, DotDimensionNumbers},
    types::ElementType,
};
use halo_vhlo::{Attribute, AttributeId};

/// The options of `dot_general` and `dot`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotOptions {
    /// The element type of the result; the one of the left operand if `None`.
    pub result: Option<ElementType>,
    /// The precisions of the operands.
    pub precision_config: [Precision; 2],
    /// The arithmetic of `dot_general`.
    pub algorithm: Option<DotAlgorithm<ElementType>>,
}

/// The options of `convolution` and `dynamic_conv`. Empty lists mean no strides, dilations,
/// padding or reversal.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvolutionOptions {
    pub window_strides: Vec<i64>,
    /// Elements before and after each spatial dimension; an operand of `dynamic_conv`.
    pub padding: Vec<[i64; 2]>,
    pub lhs_dilation: Vec<i64>,
    pub rhs_dilation: Vec<i64>,
    pub window_reversal: Vec<bool>,
    pub feature_group_count: i64,
    pub batch_group_count: i64,
    pub precision_config: [Precision; 2],
    /// The element type of the result; the one of the left operand if `None`.
    pub result: Option<ElementType>,
}

impl Default for ConvolutionOptions {
    fn default() -> Self {
        Self {
            window_strides: Vec::new(),
            padding: Vec::new(),
            lhs_dilation: Vec::new(),
            rhs_dilation: Vec::new(),
            window_reversal: Vec::new(),
            feature_group_count: 1,
            batch_group_count: 1,
            precision_config: [Precision::Default; 2],
            result: None,
        }
    }
}

impl Builder {
    fn precisions(&self, config: [Precision; 2]) -> AttributeId {
        let cases = config.map(|case| self.enumeration(Precision::KIND, case as u32));
        self.types.attribute(Attribute::Array(cases.to_vec()))
    }

    fn convolution_attributes(
        &self,
        numbers: &ConvDimensionNumbers,
        options: &ConvolutionOptions,
    ) -> Attributes {
        let mut attributes = vec![
            ("batch_group_count", self.int(options.batch_group_count)),
            ("feature_group_count", self.int(options.feature_group_count)),
            (
                "input_batch_dimension",
                self.int(numbers.input_batch_dimension),
            ),
            (
                "input_feature_dimension",
                self.int(numbers.input_feature_dimension),
            ),
            (
                "input_spatial_dimensions",
                self.list(&numbers.input_spatial_dimensions),
            ),
            (
                "kernel_input_feature_dimension",
                self.int(numbers.kernel_input_feature_dimension),
            ),
            (
                "kernel_output_feature_dimension",
                self.int(numbers.kernel_output_feature_dimension),
            ),
            (
                "kernel_spatial_dimensions",
                self.list(&numbers.kernel_spatial_dimensions),
            ),
            (
                "output_batch_dimension",
                self.int(numbers.output_batch_dimension),
            ),
            (
                "output_feature_dimension",
                self.int(numbers.output_feature_dimension),
            ),
            (
                "output_spatial_dimensions",
                self.list(&numbers.output_spatial_dimensions),
            ),
            (
                "precision_config",
                self.precisions(options.precision_config),
            ),
        ];
        for (name, list) in [
            ("window_strides", &options.window_strides),
            ("lhs_dilation", &options.lhs_dilation),
            ("rhs_dilation", &options.rhs_dilation),
        ] {
            if !list.is_empty() {
                attributes.push((name, self.list(list)));
            }
        }
        if !options.window_reversal.is_empty() {
            let reversal = self.make(|maker| maker.booleans(&options.window_reversal));
            attributes.push(("window_reversal", reversal));
        }
        attributes
    }
}

impl<'b> Value<'b> {
    /// The type of the elements of a product.
    fn product_element(self, declared: &Option<ElementType>) -> ElementType {
        let own = || self.element().unwrap_or(ElementType::F32);
        declared.clone().unwrap_or_else(own)
    }

    /// The op `stablehlo.dot`: the product of vectors and matrices.
    #[track_caller]
    pub fn dot(self, rhs: Value<'b>) -> Self {
        let b = self.builder;
        let results = b.of_element(&self.product_element(&None));
        b.one("dot", &[self, rhs], Vec::new(), results)
    }

    /// The op `stablehlo.dot_general`.
    #[track_caller]
    pub fn dot_general(
        self,
        rhs: Value<'b>,
        numbers: &DotDimensionNumbers,
        options: &DotOptions,
    ) -> Self {
        let b = self.builder;
        let mut attributes = vec![
            (
                "lhs_batching_dimensions",
                b.list(&numbers.lhs_batching_dimensions),
            ),
            (
                "lhs_contracting_dimensions",
                b.list(&numbers.lhs_contracting_dimensions),
            ),
            ("precision_config", b.precisions(options.precision_config)),
            (
                "rhs_batching_dimensions",
                b.list(&numbers.rhs_batching_dimensions),
            ),
            (
                "rhs_contracting_dimensions",
                b.list(&numbers.rhs_contracting_dimensions),
            ),
        ];
        if let Some(algorithm) = &options.algorithm {
            let ty = |element: &ElementType| b.types.get(b.types.intern_element(element));
            let resolved = DotAlgorithm {
                lhs_precision_type: ty(&algorithm.lhs_precision_type),
                rhs_precision_type: ty(&algorithm.rhs_precision_type),
                accumulation_type: ty(&algorithm.accumulation_type),
                lhs_component_count: algorithm.lhs_component_count,
                rhs_component_count: algorithm.rhs_component_count,
                num_primitive_operations: algorithm.num_primitive_operations,
                allow_imprecise_accumulation: algorithm.allow_imprecise_accumulation,
            };
            if let Err(text) = semantics::dot_algorithm(&resolved) {
                return b.fail("stablehlo.dot_general", ErrorKind::Constraint(text));
            }
            let types = |id| b.types.attribute(Attribute::Type(id));
            attributes.extend([
                ("lhs_precision_type", types(resolved.lhs_precision_type.id)),
                ("rhs_precision_type", types(resolved.rhs_precision_type.id)),
                ("accumulation_type", types(resolved.accumulation_type.id)),
                ("lhs_component_count", b.int(algorithm.lhs_component_count)),
                ("rhs_component_count", b.int(algorithm.rhs_component_count)),
                (
                    "num_primitive_operations",
                    b.int(algorithm.num_primitive_operations),
                ),
                (
                    "allow_imprecise_accumulation",
                    b.flag(algorithm.allow_imprecise_accumulation),
                ),
            ]);
        }
        let results = b.of_element(&self.product_element(&options.result));
        b.one("dot_general", &[self, rhs], attributes, results)
    }

    /// The op `stablehlo.einsum`, such as `ab,bc->ac`.
    #[track_caller]
    pub fn einsum(self, rhs: Value<'b>, einsum_config: &str) -> Self {
        let b = self.builder;
        let attributes = vec![("einsum_config", b.string(einsum_config))];
        let results = b.of_element(&self.product_element(&None));
        b.one("einsum", &[self, rhs], attributes, results)
    }

    /// The op `stablehlo.unary_einsum`, such as `ab->ba`.
    #[track_caller]
    pub fn unary_einsum(self, einsum_config: &str) -> Self {
        let b = self.builder;
        let attributes = vec![("einsum_config", b.string(einsum_config))];
        let results = b.of_element(&self.product_element(&None));
        b.one("unary_einsum", &[self], attributes, results)
    }

    /// The op `stablehlo.convolution`.
    #[track_caller]
    pub fn convolution(
        self,
        rhs: Value<'b>,
        numbers: &ConvDimensionNumbers,
        options: &ConvolutionOptions,
    ) -> Self {
        let b = self.builder;
        let mut attributes = b.convolution_attributes(numbers, options);
        if !options.padding.is_empty() {
            attributes.push(("padding", b.matrix(&options.padding)));
        }
        let results = b.of_element(&self.product_element(&options.result));
        b.one("convolution", &[self, rhs], attributes, results)
    }

    /// The op `stablehlo.dynamic_conv`: the padding is a matrix of integers.
    #[track_caller]
    pub fn dynamic_conv(
        self,
        rhs: Value<'b>,
        padding: Value<'b>,
        numbers: &ConvDimensionNumbers,
        options: &ConvolutionOptions,
    ) -> Self {
        let b = self.builder;
        let attributes = b.convolution_attributes(numbers, options);
        let results = b.of_element(&self.product_element(&options.result));
        b.one("dynamic_conv", &[self, rhs, padding], attributes, results)
    }
}

/// The product of the last and the first dimension of matrices, after batching dimensions.
impl<'b> Value<'b> {
    /// The matrix product `[..., m, k] x [..., k, n]`, by `dot_general`.
    #[track_caller]
    pub fn matmul(self, rhs: Value<'b>) -> Self {
        let rank = |value: Value| value.dims().len() as i64;
        let batching: Vec<i64> = (0..rank(self) - 2).collect();
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: batching.clone(),
            rhs_batching_dimensions: batching,
            lhs_contracting_dimensions: vec![rank(self) - 1],
            rhs_contracting_dimensions: vec![(rank(rhs) - 2).max(0)],
        };
        self.dot_general(rhs, &numbers, &Default::default())
    }
}
