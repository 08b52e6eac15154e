//! The typed builders make ops that verify, and the accessors read them.

use halo_ir::{
    ops::{chlo, stablehlo},
    register_dialects,
    semantics::{OpParts, SemanticsHooks, VerifyError, install_hooks},
    stablehlo::attributes::ComparisonDirection,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        Block, BlockLike, Location, Type, ValueLike, attribute::DenseI64ArrayAttribute,
        operation::OperationLike,
    },
};

/// The types that this test's ops have. Attributes come as a dictionary.
fn infer<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError> {
    let text = parts.attributes.map(|attributes| attributes.to_string());
    let r#type = match parts.name {
        "stablehlo.transpose" if text == Some("{permutation = array<i64: 1, 0>}".to_owned()) => {
            Type::parse(parts.context, "tensor<3x2xf32>")
        }
        "stablehlo.compare" => Type::parse(parts.context, "tensor<2x3xi1>"),
        _ => parts.operands.first().map(|operand| operand.r#type()),
    };
    r#type.map(|r#type| vec![r#type]).ok_or("unknown".into())
}

#[test]
fn ops_are_built_and_read() {
    let hooks = SemanticsHooks {
        infer,
        ..SemanticsHooks::default()
    };
    install_hooks(hooks).unwrap();
    let registry = DialectRegistry::new();
    register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    let location = Location::unknown(&context);
    let tensor = Type::parse(&context, "tensor<2x3xf32>").unwrap();
    let transposed = Type::parse(&context, "tensor<3x2xf32>").unwrap();
    let predicate = Type::parse(&context, "tensor<2x3xi1>").unwrap();

    let block = Block::new(&[(tensor, location)]);
    let x = block.argument(0).unwrap().into();

    // The type of the result is that of the operands.
    let sum = block.append_operation(stablehlo::add(&context, x, x, location).into());
    assert!(sum.verify());
    assert_eq!(sum.result(0).unwrap().r#type(), tensor);
    let square = block.append_operation(chlo::square(&context, x, location).into());
    assert!(square.verify());
    assert_eq!(square.result(0).unwrap().r#type(), tensor);

    let permutation = DenseI64ArrayAttribute::new(&context, &[1, 0]);
    let transpose = stablehlo::transpose(&context, x, permutation.into(), location);
    assert_eq!(transpose.permutation().unwrap(), permutation.into());
    let transpose = block.append_operation(transpose.into());
    assert!(transpose.verify());
    assert_eq!(transpose.result(0).unwrap().r#type(), transposed);

    let direction = ComparisonDirection::Lt.to_attribute(&context);
    let compare = stablehlo::compare(&context, x, x, direction, location);
    assert_eq!(compare.comparison_direction().unwrap(), direction);
    let compare = block.append_operation(compare.into());
    assert!(compare.verify());
    assert_eq!(compare.result(0).unwrap().r#type(), predicate);
}
