//! Sections `replica_id` and `partition_id`.

use super::super::{
    call::{Call, single},
    evaluator::Evaluated,
};
use halo_core::{Literal, Scalar};

/// Section `replica_id`.
pub fn replica_id(call: &Call) -> Evaluated {
    number(call, call.evaluator.process.replica)
}

/// Section `partition_id`.
pub fn partition_id(call: &Call) -> Evaluated {
    number(call, call.evaluator.process.partition)
}

fn number(call: &Call, number: usize) -> Evaluated {
    let mut result = Literal::zeros(call.result_shape(0)?);
    result.set(0, Scalar::Int(number as i128));
    single(result)
}
