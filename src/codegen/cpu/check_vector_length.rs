//! `--halo-check-vector-length`: programs in object files compare the length of the registers of
//! SVE with the one that their code counts on, and that of SME's streaming mode.
//!
//! Code for SVE of a known length, such as that for `a64fx`, has vectors of this length, and would
//! compute something else with registers of another one: instructions are the same for all
//! lengths. The JIT knows the machine. An object file is linked into programs for any, so its entry
//! compares first, which is one instruction, and runs nothing where the length differs.
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
//! It is assembly because LLVM takes the number of `llvm.vscale` from the function's attribute.
//!
//! The length of streaming mode is compared if the program has functions in it. `rdsvl` reads it,
//! which a processor without SME does not have, and Linux may keep SME from programs. So on
//! Linux the entry asks the system (`prctl` with `PR_SME_GET_VL`; Linux,
//! Documentation/arch/arm64/sme.rst, "prctl() extensions"), whose answer is an error without SME.
//! It takes a tenth of a microsecond. Elsewhere it counts on the processor that was named.

use super::{
    entry_checks::{assembly, check_entries},
    llvm_code::LlvmCode,
    sme::STREAMING,
};
use halo_ir::{ops::llvm, prelude::*};
use halo_runtime::host::abi::WRONG_VECTOR_LENGTH;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The length in bits; 0 if code counts on none
        #[range(0..=2048)]
        bits: i64 = 0,
        /// The same in streaming mode
        #[range(0..=2048)]
        streaming_bits: i64 = 0,
        /// The system is Linux, which knows whether there is streaming mode
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

/// The system call of ARM64, and what it is asked.
const PRCTL: i64 = 167;
const PR_SME_GET_VL: i64 = 64;
/// The bits of the answer that are a length in bytes.
const PR_SME_VL_LEN_MASK: i64 = 0xffff;

/// The result and the two numbers, in registers of the system call.
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

/// The bytes of a vector in streaming mode, or another number without it.
fn answer_of_linux<'c>(code: &LlvmCode<'c>) -> Value<'c> {
    let numbers = [PRCTL, PR_SME_GET_VL, PR_SME_VL_LEN_MASK];
    let [call, question, mask] = numbers.map(|number| code.constant(code.i64(), number));
    let answer = assembly(code, &[call, question], "svc #0", REGISTERS);
    llvm::and(&code.b, answer, mask)
}
