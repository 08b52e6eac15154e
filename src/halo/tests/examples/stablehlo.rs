use halo::{
    compiler,
    ir::{
        diagnostics::parse_module,
        root_of,
        semantics::{Speculatability, speculatability_of},
        stablehlo::attributes::{
            ComparisonDirection, CustomCallApiVersion, DotAlgorithm, DotDimensionNumbers,
            MeshAttribute, Precision, ResultAccuracy,
        },
    },
    melior::ir::{Attribute, Type},
    prelude::*,
};

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %product = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT]
    : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %product : tensor<2x4xf32>
}";

/// The attributes of StableHLO are values in Rust.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    let product = root_of(&module).collect_nested(|op| op.isa::<stablehlo::DotGeneralOp>())[0];
    let dot = product.cast::<stablehlo::DotGeneralOp>().ok_or("no product")?;
    let numbers: DotDimensionNumbers = dot.dot_dimension_numbers();
    assert_eq!(numbers.lhs_contracting_dimensions, [1]);
    assert_eq!(
        dot.precision_config(),
        Some(vec![Precision::High, Precision::Default])
    );
    assert_eq!(
        speculatability_of(product),
        Some(Speculatability::Speculatable)
    );

    // To MLIR's attribute and back.
    let attribute = numbers.to_attribute(&context);
    assert_eq!(
        DotDimensionNumbers::from_attribute(attribute),
        Some(numbers)
    );
    let less = ComparisonDirection::Lt;
    assert_eq!(less.as_str(), "LT");
    for attribute in [
        less.to_attribute(&context),
        less.to_chlo_attribute(&context),
    ] {
        assert_eq!(ComparisonDirection::from_attribute(attribute), Some(less));
    }
    let version = CustomCallApiVersion::TypedFfi;
    let read = CustomCallApiVersion::from_attribute(version.to_attribute(&context));
    assert_eq!(read, Some(version));
    let accuracy = ResultAccuracy::Tolerance {
        atol: 0.0,
        rtol: 0.0,
        ulps: 2,
    };
    let attribute = accuracy.to_attribute(&context).ok_or("no accuracy")?;
    assert_eq!(ResultAccuracy::from_attribute(attribute), Some(accuracy));
    let f32 = Type::float32(&context);
    let algorithm = DotAlgorithm {
        lhs_precision_type: f32,
        rhs_precision_type: f32,
        accumulation_type: f32,
        lhs_component_count: 1,
        rhs_component_count: 1,
        num_primitive_operations: 1,
        allow_imprecise_accumulation: false,
    };
    let attribute: Attribute = algorithm.to_attribute(&context).ok_or("no algorithm")?;
    assert_eq!(DotAlgorithm::from_attribute(attribute), Some(algorithm));
    let axis = MeshAttribute::MeshAxis {
        name: "x".to_owned(),
        size: 2,
    };
    let attribute = axis.to_attribute(&context).ok_or("no axis")?;
    assert_eq!(MeshAttribute::from_attribute(attribute), Some(axis));
    assert!(dot.result().ty() == Type::parse(&context, "tensor<2x4xf32>").ok_or("no type")?);
    Ok(())
}
