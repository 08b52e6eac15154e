//! `--stablehlo-aggressive-simplification`: algebraic identities, and ops that
//! others do at less cost.
//!
//! A rewrite here may lengthen the way of no value: it replaces an op with one
//! of its operands, with a constant, or with an op that says less. Identities
//! hold for the element type that they are applied to, with one exception that
//! compilers of HLO share: `x + 0` and `x - 0` of floats become `x`, which keeps
//! the sign of a zero. The patterns stand in one file for each family of ops.
//!
//! ```mlir
//! %zero = stablehlo.constant dense<0> : tensor<4xi32>
//! %0 = stablehlo.add %zero, %a : tensor<4xi32>
//! %1 = stablehlo.reshape %0 : (tensor<4xi32>) -> tensor<2x2xi32>
//! %2 = stablehlo.reshape %1 : (tensor<2x2xi32>) -> tensor<4x1xi32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = stablehlo.reshape %a : (tensor<4xi32>) -> tensor<4x1xi32>
//! ```

mod compare;
mod control_flow;
mod dynamic;
mod elementwise;
mod reduction;
mod shape;
mod slicing;
mod zero_extent;

pub use super::stablehlo_aggressive_folder::Options;
use halo_ir::pass::{OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption};
use halo_ir::{OptionPattern, apply_without_folding};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "stablehlo-aggressive-simplification",
    summary: "Simplify StableHLO ops by algebraic identities and cheaper forms",
    anchor: "",
    dependent_dialects: &["arith", "stablehlo"],
    options: &[FOLD_OP_ELEMENT_LIMIT],
    run,
};

/// The option that bounds evaluation at compile time.
pub const FOLD_OP_ELEMENT_LIMIT: PassOption = PassOption {
    name: "fold-op-element-limit",
    description: "How many elements a result may have that is computed at compile time",
    default: "65536",
    kind: OptionKind::Integer,
};

/// All patterns of the pass.
pub fn patterns() -> Vec<OptionPattern<Options>> {
    [
        compare::PATTERNS,
        control_flow::PATTERNS,
        dynamic::PATTERNS,
        elementwise::PATTERNS,
        reduction::PATTERNS,
        shape::PATTERNS,
        slicing::PATTERNS,
    ]
    .concat()
    .into_iter()
    .chain(zero_extent::patterns())
    .collect()
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = Options {
        element_limit: pass.integer(FOLD_OP_ELEMENT_LIMIT.name),
        floats: true,
        no_undeclared_effects: false,
    };
    apply_without_folding(pass, &patterns(), &options)
}
