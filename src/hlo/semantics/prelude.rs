//! The names that most rules use.

use halo_stablehlo::semantics;

pub use super::mlir::{MlirType, dims_of};
pub use halo_stablehlo::semantics::{
    Dim, Op as _, Subject, Ty as _, VerifyResult, expect_dimensions, expect_unique, one,
};

pub type Inference<'c> = semantics::Inference<MlirType<'c>>;
pub type Inferred<'c> = semantics::Inferred<MlirType<'c>>;
pub type Tensor<'c> = semantics::Tensor<MlirType<'c>>;
