//! `--halo-check-vector-length`: entries of object files verify the vector lengths of SVE and of
//! SME's streaming mode.
//!
//! Code for SVE of a fixed length, such as for `a64fx`, computes wrong results on registers of
//! another length, since the instructions are the same for all lengths. The JIT compiles for the
//! host. An object file may run on any machine, so its entry compares the length first,
//! with one instruction, and returns a status if it differs.
//!
//! ```mlir
//! llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
//!   // ... @main is called
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
//!   %bytes = llvm.inline_asm has_side_effects "rdvl $0, #1", "=r" : () -> i64
//!   %differs = llvm.icmp "ne" %bytes, %c64 : i64
//!   llvm.cond_br %differs, ^refused, ^same
//! ^same:
//!   // ... @main is called
//! ^refused:
//!   llvm.return %wrong_vector_length : i32
//! }
//! ```
//!
//! Inline assembly is used because LLVM folds `llvm.vscale` to the function's `vscale_range`.
//!
//! The streaming vector length is checked if the program has streaming functions. `rdsvl` reads it,
//! but needs SME in the processor, and Linux may disable SME for a program. So on Linux the entry
//! calls `prctl` with `PR_SME_GET_VL` (Linux, Documentation/arch/arm64/sme.rst, "prctl()
//! extensions"), which returns an error without SME and takes 0.1 microseconds. Other systems are
//! assumed to match the compilation target.

use super::{
    entry_checks::{assembly, check_entries},
    llvm_code::LlvmCode,
};
use crate::contraction::isa::sme::STREAMING;
use halo_ir::{ops::llvm, prelude::*};
use halo_runtime::host::abi::WRONG_VECTOR_LENGTH;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The SVE vector length that the code assumes, in bits; 0 if none
        #[range(0..=2048)]
        bits: i64 = 0,
        /// The streaming vector length that the code assumes, in bits; 0 if none
        #[range(0..=2048)]
        streaming_bits: i64 = 0,
        /// The target system is Linux, where `prctl` reports the streaming vector length
        linux: bool = true,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-check-vector-length",
    "Compare the length of the registers of SVE at the start of entry functions",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["llvm"])
.options::<Options>();

/// The system call number of `prctl` on ARM64, and its operation.
const PRCTL: i64 = 167;
const PR_SME_GET_VL: i64 = 64;
/// The bits of the result that are the length in bytes.
const PR_SME_VL_LEN_MASK: i64 = 0xffff;

/// Register constraints of the system call: the result, then the call number and the operation.
const REGISTERS: &str = "={x0},{x8},{x0},~{memory}";

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let streams = |op: Operation| op.isa::<llvm::LLVMFuncOp>() && op.has_attribute(STREAMING);
    let has_streaming = !pass.operation().collect_nested(streams).is_empty();
    if options.streaming_bits > 0 && has_streaming {
        check_entries(pass, WRONG_VECTOR_LENGTH, |code| {
            let length = if options.linux {
                answer_of_linux(code)
            } else {
                assembly(code, &[], "rdsvl $0, #1", "=r")
            };
            Ok((length, options.streaming_bits / 8))
        })?;
    }
    if options.bits > 0 {
        check_entries(pass, WRONG_VECTOR_LENGTH, |code| {
            let length = assembly(code, &[], "rdvl $0, #1", "=r");
            Ok((length, options.bits / 8))
        })?;
    }
    Ok(())
}

/// The streaming vector length in bytes, or another number without SME.
fn answer_of_linux<'c>(code: &LlvmCode<'c>) -> Value<'c> {
    let numbers = [PRCTL, PR_SME_GET_VL, PR_SME_VL_LEN_MASK];
    let [call, question, mask] = numbers.map(|number| code.constant(code.i64(), number));
    let answer = assembly(code, &[call, question], "svc #0", REGISTERS);
    llvm::and(&code.b, answer, mask)
}
