//! The pipeline from GPU kernels to code for the processor.

use super::{Phase, common::to_llvm_dialect};
use halo_codegen::{cleanup, math};
use halo_gpu_emulator::{emulate_kernels, kernel_entries};
use halo_ir::{pipeline, pipeline::pass};

/// The phases of the emulator, from a module with a `gpu.module` on. With `check_accesses`, kernels
/// detect races and out-of-bounds accesses.
pub fn phases(check_accesses: bool) -> Vec<Phase> {
    let mut to_llvm = to_llvm_dialect();
    to_llvm.append(pipeline![
        &kernel_entries::PASS,
        &cleanup::canonicalize::PASS,
        &cleanup::cse::PASS,
    ]);
    vec![
        Phase::new(
            "emulated",
            "Kernels as loops over blocks and threads",
            pipeline![
                pass(&emulate_kernels::PASS).option("check-accesses", check_accesses),
                &math::expand_bf16::PASS,
                &cleanup::canonicalize::PASS,
                &cleanup::cse::PASS,
            ],
        ),
        Phase::new(
            "llvm",
            "The LLVM dialect, with the emulator's interface",
            to_llvm,
        ),
    ]
}
