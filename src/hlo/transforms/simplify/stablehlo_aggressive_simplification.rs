//! `--stablehlo-aggressive-simplification`: algebraic identities and strength reduction.
//!
//! A rewrite must not lengthen any dependence chain: it replaces an op by one of its operands, by a
//! constant, or by a simpler op. Identities hold for all elements of their types, including signed
//! zeros, infinities and NaN: for floats, `x + -0.0` is `x`, and `x + 0.0` is not. There is one
//! file of patterns for each family of ops.
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
mod product;
mod reduction;
mod scatter;
mod shape;
mod slicing;
mod zero_extent;

pub use super::stablehlo_aggressive_folder::Options;
use halo_ir::{apply_without_folding, prelude::*};

pass_options! {
    /// The options of the pass.
    struct SimplificationOptions {
        /// The most elements of a computed result
        fold_op_element_limit: i64 = 65536,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-aggressive-simplification",
    "Simplify StableHLO ops by algebraic identities and cheaper forms",
    run,
)
.dependent_dialects(&["arith", "stablehlo"])
.options::<SimplificationOptions>();

/// All patterns of the pass.
pub fn patterns(options: Options) -> Vec<Pattern<'static>> {
    [
        compare::patterns(options),
        control_flow::patterns(),
        dynamic::patterns(),
        elementwise::patterns(),
        product::patterns(),
        reduction::patterns(),
        scatter::patterns(),
        shape::patterns(),
        slicing::patterns(),
        zero_extent::patterns(),
    ]
    .concat()
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = Options {
        element_limit: pass.options::<SimplificationOptions>().fold_op_element_limit,
        floats: true,
        no_undeclared_effects: false,
    };
    apply_without_folding(pass, &patterns(options))
}
