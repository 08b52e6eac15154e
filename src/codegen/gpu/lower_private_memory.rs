//! `--halo-lower-private-memory`: moves private memory to its address space.
//!
//! On AMD GPUs the stack of a thread is in address space 5, which LLVM's verifier requires for all
//! `alloca`s. Their users get generic pointers; LLVM infers the address space again.
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
    "Move private memory to the address space of AMD GPUs",
    run,
)
.on::<GPUModuleOp>()
.dependent_dialects(&["llvm"]);

/// The type of pointers to private memory.
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
