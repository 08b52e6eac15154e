//! `--halo-request-matrix-tiles`: entries of object files request AMX tiles from Linux.
//!
//! The tile registers are 8 KB of state per thread, so Linux lets a process use them only on
//! request (Linux, Documentation/arch/x86/xstate.rst, "Dynamic features in Intel XSAVE"). The JIT
//! requests them for its own process. An object file is linked into another process, so its entry
//! makes the request, for all threads, in each call, which takes 0.1 microseconds. If Linux
//! refuses, the entry returns a status without running the program.
//!
//! ```mlir
//! llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
//!   // ... @main is called, whose kernels call llvm.x86.tdpbssd.internal
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
//!   %refused = llvm.inline_asm has_side_effects "syscall", ... %arch_prctl, %request, %feature
//!   %none = llvm.icmp "ne" %refused, %zero : i64
//!   llvm.cond_br %none, ^refused, ^allowed
//! ^allowed:
//!   // ... @main is called
//! ^refused:
//!   llvm.return %no_tiles : i32
//! }
//! ```

use super::entry_checks::{assembly, check_entries};
use halo_ir::{ops::llvm, prelude::*};
use halo_runtime::host::abi::NO_TILES;

/// The system call number of x86-64, its operation, and the number of the tile state.
const ARCH_PRCTL: i64 = 158;
const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
const XFEATURE_XTILEDATA: i64 = 18;

/// Register constraints: the result, the three numbers, and the registers that a system call
/// clobbers (System V ABI for AMD64, "Linux Conventions").
const REGISTERS: &str = "={ax},{ax},{di},{si},~{rcx},~{r11},~{memory}";

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-request-matrix-tiles",
    "Ask Linux for the tiles of AMX at the start of entry functions",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["llvm"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    if pass.operation().collect_nested(uses_tiles).is_empty() {
        return Ok(());
    }
    check_entries(pass, NO_TILES, |code| {
        let numbers = [ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA];
        let [call, request, feature] = numbers.map(|number| code.constant(code.i64(), number));
        let operands = [call, request, feature];
        Ok((assembly(code, &operands, "syscall", REGISTERS), 0))
    })
}

fn uses_tiles(operation: Operation) -> bool {
    let call = operation.cast::<llvm::CallIntrinsicOp>();
    call.is_some_and(|call| {
        let name = call.intrin();
        ["llvm.x86.tile", "llvm.x86.tdp"].iter().any(|family| name.starts_with(family))
    })
}
