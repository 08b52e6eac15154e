//! The names that most functions on ops use.

pub use super::{
    call::{Call, single},
    evaluator::{Evaluated, Failure},
};
