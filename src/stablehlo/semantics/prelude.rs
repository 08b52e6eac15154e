//! The names that most rules use.

pub use super::{
    dims::Dim,
    inferred::{Inference, Inferred, one},
    op::{Op, expect_at_least, expect_dimensions, expect_size, expect_unique, required},
    tensor::{Subject, Tensor, VerifyResult, dims_of, expect_same_type},
    ty::Ty,
};
