//! `--stablehlo-wrap-in-composite`: wraps ops of given names in composites.
//!
//! Each op moves to a separate private function, and a composite with the op's name and attributes
//! replaces it, for backends that match composites.
//!
//! ```mlir
//! func.func @main(%a: tensor<f32>) -> tensor<f32> {
//!   %0 = stablehlo.sine %a : tensor<f32>
//!   return %0 : tensor<f32>
//! }
//! ```
//!
//! becomes, for `op-names=stablehlo.sine`,
//!
//! ```mlir
//! func.func @main(%a: tensor<f32>) -> tensor<f32> {
//!   %0 = stablehlo.composite "stablehlo.sine" %a {decomposition = @stablehlo.sine.impl}
//!          : (tensor<f32>) -> tensor<f32>
//!   return %0 : tensor<f32>
//! }
//! func.func private @stablehlo.sine.impl(%a: tensor<f32>) -> tensor<f32> {
//!   %0 = stablehlo.sine %a : tensor<f32>
//!   return %0 : tensor<f32>
//! }
//! ```

use crate::reordering::reads_from_outside;
use halo_ir::{SymbolNames, dictionary_attribute, prelude::*};
use melior::ir::r#type::FunctionType;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Names of the ops to wrap, separated by commas
        op_names: Vec<String> = "",
        /// The version that the composites get
        #[range(0..=2_147_483_647)]
        version: i64 = 0,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-wrap-in-composite",
    "Wrap ops of chosen names in composites of themselves",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["func", "stablehlo"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let Options { op_names, version } = pass.options();
    let mut symbols = SymbolNames::of(module);
    let chosen = module.collect_nested(|op| op_names.iter().any(|name| name == op.name()));
    // Ops inside a wrapped op are moved with it.
    let mut outermost: Vec<Operation> = Vec::new();
    for op in chosen {
        if !outermost.iter().any(|outer| op.is_inside(*outer)) {
            outermost.push(op);
        }
    }
    for op in outermost {
        if reads_from_outside(op) {
            return Err(PassFailure::at(
                op,
                format!(
                    "'{}' cannot be wrapped: its body uses values from outside",
                    op.name()
                ),
            ));
        }
        let base = format!("{}.impl", op.name());
        let symbol = std::iter::once(base.clone())
            .chain((1..).map(|number| format!("{base}{number}")))
            .find(|name| symbols.claim(name))
            .unwrap_or(base);
        wrap(module, op, &symbol, version);
    }
    Ok(())
}

fn wrap<'c>(module: Operation<'c>, op: Operation<'c>, symbol: &str, version: i64) {
    let context = op.context();
    let operands = op.operands();
    let inputs = operands.types();
    let results = op.result_types();
    with_builder(op, |b| {
        let body = b.region(&inputs, |b, arguments| {
            let mut map = ValueMap::new();
            for (operand, argument) in operands.iter().zip(arguments) {
                map.insert(operand.key(), *argument);
            }
            let copy = b.clone_op(op, &mut map);
            func::return_(b, &copy.results());
        });
        if let Some(block) = module.body(0) {
            b.with_insertion_point(|b| {
                b.set_to_end(block);
                let ty = FunctionType::new(context, &inputs, &results).into();
                func::FuncOp::build(&b.at(module.location()), symbol, ty, body)
                    .sym_visibility("private")
                    .insert();
            });
        }
        let attributes = op.attributes();
        let attributes =
            (!attributes.is_empty()).then(|| dictionary_attribute(context, &attributes));
        let version = (version != 0).then_some(version);
        let build = stablehlo::CompositeOp::build;
        let composite = build(b, &operands, op.name(), symbol, &results, Vec::new())
            .maybe(attributes, |it, attributes| {
                it.composite_attributes(attributes)
            })
            .maybe(version, |it, version| it.version(version))
            .insert();
        b.replace(op, &composite.results())
    })
}
