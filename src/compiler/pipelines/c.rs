//! The pipeline from StableHLO to C.

use super::{
    common::{LIBM, bufferized, fusion, hlo, linalg},
    cpu,
    phase::Phase,
};
use halo_codegen::{
    c::lower_to_emitc,
    cleanup,
    fusion::{
        fold_add_into_dest, form_fusion_groups, fuse_gathers, fuse_multi_output, split_reductions,
    },
};
use halo_hlo::transforms::simplify::split_long_sums;
use halo_ir::{pipeline, pipeline::pass};

/// The phases of the C backend, in order.
pub fn phases() -> Vec<Phase> {
    vec![
        hlo(LIBM),
        linalg(&split_long_sums::PASS, false),
        fusion(
            &fuse_gathers::PASS,
            pipeline![
                &form_fusion_groups::PASS,
                &fold_add_into_dest::PASS,
                // C compilers preserve the order of sums.
                pass(&split_reductions::PASS).option("lanes", 1),
            ],
            &fuse_multi_output::PASS,
        ),
        bufferized(),
        cpu::scalar_kernels(),
        emitc(),
    ]
}

/// Lowers kernels to C functions.
fn emitc() -> Phase {
    Phase::new(
        "emitc",
        "Functions of C in EmitC, with the runtime's interface",
        pipeline![&lower_to_emitc::PASS, &cleanup::canonicalize::PASS],
    )
}
