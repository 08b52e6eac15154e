//! `--halo-check-vector-length`: programs in object files compare the length of the registers of
//! SVE with the one that their code counts on.
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

use super::entry_checks::check_entries;
use halo_ir::{
    ops::{builtin, llvm},
    pass::{PassDeclaration, PassFailure, PassInvocation},
    pass_options,
};
use halo_runtime::host::abi::WRONG_VECTOR_LENGTH;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The length in bits
        bits: i64 = 512,
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

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let bytes = pass.options::<Options>().bits / 8;
    check_entries(pass, WRONG_VECTOR_LENGTH, |code| {
        let length = llvm::InlineAsmOp::build(&code.b, &[], "rdvl $0, #1", "=r")
            .has_side_effects(true)
            .res_type(code.i64())
            .value()?;
        Ok((length, bytes))
    })
}
