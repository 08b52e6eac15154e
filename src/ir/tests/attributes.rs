//! Every structured attribute is read from text, and created again from its
//! parts.

use halo_ir::{
    prelude::*,
    register_dialects,
    stablehlo::{attributes::*, types},
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        Attribute, Type,
        attribute::{ArrayAttribute, BoolAttribute, FloatAttribute, IntegerAttribute},
    },
};

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

fn parse<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    Attribute::parse(context, text).unwrap_or_else(|| panic!("{text} does not parse"))
}

#[test]
fn attributes_are_told_apart() {
    let context = context();
    for (text, kinds) in [
        ("7 : i64", [true, false, false, false]),
        ("true", [true, true, false, false]),
        ("0.5 : f32", [false, false, true, false]),
        ("[7 : i64]", [false, false, false, true]),
        ("dense<7> : tensor<i64>", [false; 4]),
        ("array<i64: 7>", [false; 4]),
    ] {
        let attribute = parse(&context, text);
        let found = [
            attribute.cast::<IntegerAttribute>().is_some(),
            attribute.cast::<BoolAttribute>().is_some(),
            attribute.cast::<FloatAttribute>().is_some(),
            attribute.cast::<ArrayAttribute>().is_some(),
        ];
        assert_eq!(found, kinds, "{text}");
    }
}

/// A dialect is loaded for its attributes and types; otherwise MLIR would end the process.
#[test]
fn dialects_are_loaded_for_their_attributes() {
    assert_eq!(
        ComparisonDirection::Lt.to_attribute(&Context::new()).to_string(),
        "#stablehlo<comparison_direction LT>"
    );
    assert_eq!(
        ComparisonDirection::Lt.to_chlo_attribute(&Context::new()).to_string(),
        "#chlo<comparison_direction LT>"
    );
    let context = Context::new();
    let axis = MeshAttribute::MeshAxis {
        name: "x".to_owned(),
        size: 2,
    };
    assert!(axis.to_attribute(&context).is_some());
    let context = Context::new();
    let accuracy = ResultAccuracy::Highest.to_attribute(&context);
    assert!(accuracy.is_some());
    assert!(types::is_token(types::token(&Context::new())));
    let context = Context::new();
    let f32 = Type::float32(&context);
    let bounded = bounded_tensor_type(&[None], &[Some(8)], f32);
    assert_eq!(bounded.to_string(), "tensor<?xf32, #stablehlo.bounds<8>>");
}

#[test]
fn dot_dimension_numbers() {
    let context = context();
    let attribute = parse(
        &context,
        "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], \
         lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>",
    );
    let dims = DotDimensionNumbers::from_attribute(attribute).unwrap();
    assert_eq!(
        dims,
        DotDimensionNumbers {
            lhs_batching_dimensions: vec![0],
            rhs_batching_dimensions: vec![1],
            lhs_contracting_dimensions: vec![2, 3],
            rhs_contracting_dimensions: vec![0, 2],
        }
    );
    assert_eq!(dims.to_attribute(&context), attribute);
    assert_eq!(GatherDimensionNumbers::from_attribute(attribute), None);
}

#[test]
fn ragged_dot_dimension_numbers() {
    let context = context();
    let attribute = parse(
        &context,
        "#chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], \
         lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3], \
         lhs_ragged_dimensions = [4], rhs_group_dimensions = [5]>",
    );
    let dims = RaggedDotDimensionNumbers::from_attribute(attribute).unwrap();
    assert_eq!(dims.lhs_batching_dimensions, [0]);
    assert_eq!(dims.rhs_batching_dimensions, [1]);
    assert_eq!(dims.lhs_contracting_dimensions, [2]);
    assert_eq!(dims.rhs_contracting_dimensions, [3]);
    assert_eq!(dims.lhs_ragged_dimensions, [4]);
    assert_eq!(dims.rhs_group_dimensions, [5]);
    assert_eq!(dims.to_attribute(&context), attribute);
}

#[test]
fn gather_and_scatter_dimension_numbers() {
    let context = context();
    let attribute = parse(
        &context,
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], \
         operand_batching_dims = [3], start_indices_batching_dims = [4], \
         start_index_map = [5], index_vector_dim = 6>",
    );
    let dims = GatherDimensionNumbers::from_attribute(attribute).unwrap();
    assert_eq!(dims.offset_dims, [1]);
    assert_eq!(dims.collapsed_slice_dims, [2]);
    assert_eq!(dims.operand_batching_dims, [3]);
    assert_eq!(dims.start_indices_batching_dims, [4]);
    assert_eq!(dims.start_index_map, [5]);
    assert_eq!(dims.index_vector_dim, 6);
    assert_eq!(dims.to_attribute(&context), attribute);

    let attribute = parse(
        &context,
        "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], \
         input_batching_dims = [3], scatter_indices_batching_dims = [4], \
         scatter_dims_to_operand_dims = [5], index_vector_dim = 6>",
    );
    let dims = ScatterDimensionNumbers::from_attribute(attribute).unwrap();
    assert_eq!(dims.update_window_dims, [1]);
    assert_eq!(dims.inserted_window_dims, [2]);
    assert_eq!(dims.input_batching_dims, [3]);
    assert_eq!(dims.scatter_indices_batching_dims, [4]);
    assert_eq!(dims.scatter_dims_to_operand_dims, [5]);
    assert_eq!(dims.index_vector_dim, 6);
    assert_eq!(dims.to_attribute(&context), attribute);
}

#[test]
fn conv_dimension_numbers() {
    let context = context();
    let attribute = parse(
        &context,
        "#stablehlo.conv<[b, 1, 0, f]x[0, 1, i, o]->[f, b, 0, 1]>",
    );
    let dims = ConvDimensionNumbers::from_attribute(attribute).unwrap();
    assert_eq!(
        dims,
        ConvDimensionNumbers {
            input_batch_dimension: 0,
            input_feature_dimension: 3,
            input_spatial_dimensions: vec![2, 1],
            kernel_input_feature_dimension: 2,
            kernel_output_feature_dimension: 3,
            kernel_spatial_dimensions: vec![0, 1],
            output_batch_dimension: 1,
            output_feature_dimension: 0,
            output_spatial_dimensions: vec![2, 3],
        }
    );
    assert_eq!(dims.to_attribute(&context), attribute);
}

#[test]
fn contradictory_conv_dimension_numbers_print() {
    let context = context();
    let attribute = ConvDimensionNumbers {
        input_feature_dimension: 7,
        ..Default::default()
    }
    .to_attribute(&context);
    let text = attribute.to_string();
    assert_eq!(text, "#stablehlo.conv<raw input_feature_dimension = 7>");
    assert_eq!(parse(&context, &text), attribute);
}

#[test]
fn dot_algorithm() {
    let context = context();
    let attribute = parse(
        &context,
        "#stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = tf32, \
         accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 2, \
         num_primitive_operations = 3, allow_imprecise_accumulation = true>",
    );
    let algorithm = DotAlgorithm::from_attribute(attribute).unwrap();
    assert_eq!(algorithm.lhs_precision_type, Type::bfloat16(&context));
    assert_eq!(algorithm.accumulation_type, Type::float32(&context));
    assert_eq!(algorithm.lhs_component_count, 1);
    assert_eq!(algorithm.rhs_component_count, 2);
    assert_eq!(algorithm.num_primitive_operations, 3);
    assert!(algorithm.allow_imprecise_accumulation);
    assert_eq!(algorithm.to_attribute(&context), Some(attribute));
}

#[test]
fn result_accuracy() {
    let context = context();
    for (text, accuracy) in [
        (
            "mode = #stablehlo.result_accuracy_mode<DEFAULT>",
            ResultAccuracy::Default,
        ),
        (
            "mode = #stablehlo.result_accuracy_mode<HIGHEST>",
            ResultAccuracy::Highest,
        ),
        (
            "atol = 0.5, rtol = 0.25, ulps = 2, \
             mode = #stablehlo.result_accuracy_mode<TOLERANCE>",
            ResultAccuracy::Tolerance {
                atol: 0.5,
                rtol: 0.25,
                ulps: 2,
            },
        ),
    ] {
        let attribute = parse(&context, &format!("#stablehlo.result_accuracy<{text}>"));
        assert_eq!(ResultAccuracy::from_attribute(attribute), Some(accuracy));
        assert_eq!(accuracy.to_attribute(&context), Some(attribute));
    }
    let negative = ResultAccuracy::Tolerance {
        atol: -1.0,
        rtol: 0.0,
        ulps: 0,
    };
    assert_eq!(negative.to_attribute(&context), None);
}

#[test]
fn channels_aliases_and_bounds() {
    let context = context();
    let attribute = parse(&context, "#stablehlo.channel_handle<handle = 3, type = 1>");
    let channel = ChannelHandle::from_attribute(attribute).unwrap();
    assert_eq!((channel.handle, channel.channel_type), (3, 1));
    assert_eq!(channel.to_attribute(&context), attribute);

    let attribute = parse(
        &context,
        "#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 2, \
         operand_tuple_indices = [1, 0]>",
    );
    let alias = OutputOperandAlias::from_attribute(attribute).unwrap();
    assert_eq!(alias.output_tuple_indices, [0]);
    assert_eq!(alias.operand_index, 2);
    assert_eq!(alias.operand_tuple_indices, [1, 0]);
    assert_eq!(alias.to_attribute(&context), attribute);

    let attribute = parse(&context, "#stablehlo.bounds<3, ?>");
    let extensions = TypeExtensions::from_attribute(attribute).unwrap();
    assert_eq!(extensions.bounds, [Some(3), None]);
    assert_eq!(extensions.to_attribute(&context), attribute);
    assert_eq!(
        parse(&context, "#stablehlo.type_extensions<bounds = [3, ?]>"),
        attribute
    );
}

#[test]
fn enumerations() {
    let context = context();
    let attribute = parse(&context, "#stablehlo<comparison_direction GE>");
    assert_eq!(
        ComparisonDirection::from_attribute(attribute),
        Some(ComparisonDirection::Ge)
    );
    assert_eq!(ComparisonDirection::Ge.to_attribute(&context), attribute);
    assert_eq!(ComparisonType::from_attribute(attribute), None);

    // The enumerations of chlo are read as the same Rust values.
    let chlo = parse(&context, "#chlo<comparison_direction GE>");
    assert_eq!(
        ComparisonDirection::from_attribute(chlo),
        Some(ComparisonDirection::Ge)
    );
    assert_eq!(ComparisonDirection::Ge.to_chlo_attribute(&context), chlo);

    for (text, attribute) in [
        (
            "comparison_type TOTALORDER",
            ComparisonType::TotalOrder.to_attribute(&context),
        ),
        (
            "precision HIGHEST",
            Precision::Highest.to_attribute(&context),
        ),
        ("fft_type IRFFT", FftType::Irfft.to_attribute(&context)),
        (
            "transpose ADJOINT",
            Transpose::Adjoint.to_attribute(&context),
        ),
        (
            "rng_distribution NORMAL",
            RngDistribution::Normal.to_attribute(&context),
        ),
        (
            "rng_algorithm PHILOX",
            RngAlgorithm::Philox.to_attribute(&context),
        ),
    ] {
        assert_eq!(parse(&context, &format!("#stablehlo<{text}>")), attribute);
    }

    let version = CustomCallApiVersion::TypedFfi.to_attribute(&context);
    assert_eq!(version, parse(&context, "4 : i32"));
    assert_eq!(
        CustomCallApiVersion::from_attribute(version),
        Some(CustomCallApiVersion::TypedFfi)
    );
}

#[test]
fn tokens_and_futures() {
    let context = context();
    let token = types::token(&context);
    assert!(types::is_token(token));
    assert_eq!(Type::parse(&context, "!stablehlo.token"), Some(token));
    assert_eq!(types::future_types(token), None);

    let tensor = Type::parse(&context, "tensor<2xf32>").unwrap();
    let future = types::future(&context, &[tensor, tensor]).unwrap();
    assert_eq!(types::future_types(future), Some(vec![tensor, tensor]));
    assert_eq!(types::future(&context, &[token]), None);
}
