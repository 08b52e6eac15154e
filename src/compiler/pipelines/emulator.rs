//! The pipeline from GPU kernels to code for the processor.

use super::{
    common::{clean_up, to_llvm_dialect},
    phase::Phase,
};
use halo_codegen::math;
use halo_gpu_emulator::{emulate_kernels, kernel_entries};
use halo_ir::{pipeline, pipeline::pass};

/// The phases of the emulator, from a module with a `gpu.module` on. With `check_accesses`, kernels
/// detect races and out-of-bounds accesses.
pub fn phases(check_accesses: bool) -> Vec<Phase> {
    vec![
        Phase::new(
            "emulated",
            "Kernels as loops over blocks and threads",
            pipeline![
                pass(&emulate_kernels::PASS).option("check-accesses", check_accesses),
                &math::expand_bf16::PASS,
                clean_up(),
            ],
        ),
        Phase::new(
            "llvm",
            "The LLVM dialect, with the emulator's interface",
            pipeline![to_llvm_dialect(), &kernel_entries::PASS, clean_up()],
        ),
    ]
}
