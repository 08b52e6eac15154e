//! `--halo-lower-private-memory`: memory of single threads in its own address space.
//!
//! On GPUs of AMD the stack of a thread is in address space 5, where LLVM's verifier wants all
//! `alloca`s. Their users take pointers to any space: LLVM finds out again which one it is.
//!
//! ```mlir
//! %0 = llvm.alloca %n x f32 : (i64) -> !llvm.ptr
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = llvm.alloca %n x f32 : (i64) -> !llvm.ptr<5>
//! %0 = llvm.addrspacecast %1 : !llvm.ptr<5> to !llvm.ptr
//! ```

use halo_ir::{
    ops::{gpu::GPUModuleOp, llvm},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-private-memory",
    "Put the memory of single threads where GPUs of AMD have it",
    run,
)
.on::<GPUModuleOp>()
.dependent_dialects(&["llvm"]);

/// The memory of a thread.
const PRIVATE: &str = "!llvm.ptr<5>";

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let is_anywhere = |op: halo_ir::Operation| {
        op.cast::<llvm::AllocaOp>()
            .is_some_and(|alloca| alloca.res().ty().to_string() != PRIVATE)
    };
    pass.for_each(is_anywhere, |b, op| {
        let Some(alloca) = op.cast::<llvm::AllocaOp>() else {
            return Ok(());
        };
        let private = Type::parse(b.context(), PRIVATE)
            .ok_or_else(|| RewriteError::Invalid(format!("internal error: no type {PRIVATE}")))?;
        let moved = llvm::AllocaOp::build(b, alloca.array_size(), alloca.elem_type(), private)
            .maybe(alloca.alignment(), |op, alignment| op.alignment(alignment))
            .value();
        let cast = llvm::addrspacecast(b, moved, alloca.res().ty());
        b.replace(op, &[cast]);
        Ok::<_, RewriteError>(())
    })
}
