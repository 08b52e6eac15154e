//! `--stablehlo-target-independent-optimization`: simplification and folding to
//! a fixed point.
//!
//! The patterns of [`--stablehlo-aggressive-simplification`] and
//! [`--stablehlo-aggressive-folder`] together, since each often enables the
//! other.
//!
//! ```mlir
//! %zero = stablehlo.constant dense<0> : tensor<i32>
//! %one = stablehlo.constant dense<1> : tensor<i32>
//! %index = stablehlo.add %zero, %one : tensor<i32>
//! %0 = stablehlo.dynamic_slice %a, %index, sizes = [2]
//!        : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.slice %a [1:3] : (tensor<4xf32>) -> tensor<2xf32>
//! ```
//!
//! [`--stablehlo-aggressive-simplification`]: halo_hlo::transforms::simplify::stablehlo_aggressive_simplification
//! [`--stablehlo-aggressive-folder`]: halo_hlo::transforms::simplify::stablehlo_aggressive_folder

use halo_hlo::transforms::simplify::{
    stablehlo_aggressive_folder::{self as folder, FolderOptions, Options},
    stablehlo_aggressive_simplification as simplification,
};
use halo_ir::apply_without_folding;
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-target-independent-optimization",
    "Simplify StableHLO ops and compute those on constants, to a fixed point",
    run,
)
.dependent_dialects(&["arith", "stablehlo"])
.options::<FolderOptions>()
.source(include_str!("stablehlo_target_independent_optimization.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = Options::of(pass);
    // Constant operands are folded before simplification merges them into non-constant values, such
    // as the operands of a concatenation.
    apply_without_folding(pass, &folder::patterns(options))?;
    let mut patterns = simplification::patterns(options);
    patterns.extend(folder::patterns(options));
    apply_without_folding(pass, &patterns)
}
