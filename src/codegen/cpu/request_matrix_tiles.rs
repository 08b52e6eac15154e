//! `--halo-request-matrix-tiles`: programs in object files ask Linux for the tiles of AMX.
//!
//! Their registers are 8 KB that the system has to keep for each thread, so a process may use
//! them only after it has asked (Linux, Documentation/arch/x86/xstate.rst, "Dynamic features in
//! Intel XSAVE"). The compiler asks for its own process. An object file is linked into another
//! one, so its entry asks, for all threads, each time that it is called: the answer stays the
//! same, and costs a tenth of a microsecond. Where the system refuses, nothing is run.
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

use super::{llvm_code::LlvmCode, lower_to_runtime_abi::ENTRY_SUFFIX};
use halo_ir::{
    Operation, RewriteError, collect_operations, integer_type, no_match,
    ops::{
        Op, OperationExt, builtin,
        llvm::{self, ICmpPredicate},
    },
    pass::{PassDeclaration, PassFailure, PassInvocation, emit_error},
    string_value, with_builder,
};
use halo_runtime::host::abi::NO_TILES;
use melior::ir::operation::OperationLike;

/// The system call of x86-64, what it is to do, and the number of the registers of tiles.
const ARCH_PRCTL: i64 = 158;
const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
const XFEATURE_XTILEDATA: i64 = 18;

/// The result, the three numbers, and what a system call changes (System V ABI for AMD64,
/// "Linux Conventions").
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
    let module = pass.operation();
    if collect_operations(module, uses_tiles).is_empty() {
        return Ok(());
    }
    for entry in collect_operations(module, is_entry) {
        with_builder(entry, |b| request(&LlvmCode { b: *b, module }, entry)).map_err(|error| {
            emit_error(entry.location(), &error.to_string());
            PassFailure
        })?;
    }
    Ok(())
}

fn uses_tiles(operation: Operation) -> bool {
    let call = operation.cast::<llvm::CallIntrinsicOp>();
    call.is_some_and(|call| {
        let name = call.intrin();
        ["llvm.x86.tile", "llvm.x86.tdp"]
            .iter()
            .any(|family| name.starts_with(family))
    })
}

/// Whether an op is the function that applications call.
fn is_entry(operation: Operation) -> bool {
    operation.isa::<llvm::LLVMFuncOp>()
        && (operation.attribute("sym_name").ok().and_then(string_value))
            .is_some_and(|name| name.ends_with(ENTRY_SUFFIX))
}

fn request<'c>(code: &LlvmCode<'c>, entry: Operation<'c>) -> Result<(), RewriteError> {
    let b = &code.b;
    let block = halo_ir::body_of(entry, 0).ok_or_else(|| no_match("a region is empty"))?;
    b.set_to_start(block);
    let numbers = [ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA];
    let numbers = numbers.map(|number| code.constant(code.i64(), number));
    let [call, request, feature] = numbers;
    let refused = llvm::InlineAsmOp::build(b, &[call?, request?, feature?], "syscall", REGISTERS)
        .has_side_effects(true)
        .res_type(code.i64())
        .value()?;
    let zero = code.constant(code.i64(), 0)?;
    let is_refused = llvm::ICmpOp::build(b, ICmpPredicate::Ne, refused, zero).insert()?;
    let allowed = halo_ir::split_after(is_refused.operation())
        .ok_or_else(|| no_match("the comparison is in no block"))?;
    let stopped =
        halo_ir::add_block_behind(block).ok_or_else(|| no_match("the block is in no region"))?;
    b.set_to_end(stopped);
    let status = integer_type(b.context(), 32);
    let status = code.constant(status, NO_TILES.into())?;
    llvm::ReturnOp::build(b).arg(status).insert()?;
    b.set_to_end(block);
    llvm::cond_br(b, is_refused.res(), &[], &[], stopped, allowed)?;
    Ok(())
}
