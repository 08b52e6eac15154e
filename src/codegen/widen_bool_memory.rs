//! `--halo-widen-bool-memory`: loads and stores booleans as bytes.
//!
//! A `memref<i1>` has a byte for each element, but its loads and stores are lowered to LLVM's `i1`.
//! LLVM's vectorizer rejects loops with such accesses, since a vector of `i1` in memory would be
//! packed bits. Therefore masks are loaded and stored as bytes:
//!
//! ```mlir
//! %0 = llvm.load %p : !llvm.ptr -> i1
//! llvm.store %1, %q : i1, !llvm.ptr
//! ```
//!
//! becomes
//!
//! ```mlir
//! %byte = llvm.load %p : !llvm.ptr -> i8
//! %0 = llvm.icmp "ne" %byte, %zero : i8
//! %2 = llvm.zext %1 : i1 to i8
//! llvm.store %2, %q : i8, !llvm.ptr
//! ```

use halo_ir::{
    ops::llvm::{self, ICmpPredicate},
    prelude::*,
};
use melior::ir::Type;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-widen-bool-memory",
    "Load and store booleans as bytes, so that loops over masks vectorize",
    run,
)
.dependent_dialects(&["llvm"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    pass.for_each(accesses_bool, |builder, operation| {
        if let Some(load) = operation.cast::<llvm::LoadOp>() {
            return widen_load(builder, load);
        }
        if let Some(store) = operation.cast::<llvm::StoreOp>() {
            return widen_store(builder, store);
        }
        if let Some(address) = operation.cast::<llvm::GEPOp>() {
            widen_address(builder, address);
        }
    })
}

/// Returns true if an op loads, stores or addresses booleans in memory. Few ops do.
fn accesses_bool(operation: Operation) -> bool {
    let ty = match operation.name() {
        llvm::LoadOp::NAME => llvm::LoadOp::from_unchecked(operation).res().ty(),
        llvm::StoreOp::NAME => llvm::StoreOp::from_unchecked(operation).value().ty(),
        llvm::GEPOp::NAME => llvm::GEPOp::from_unchecked(operation).elem_type(),
        _ => return false,
    };
    is_bool(ty)
}

fn is_bool(ty: Type) -> bool {
    ty.integer_width() == Some(1)
}

fn widen_load<'c>(builder: &Builder<'c>, load: llvm::LoadOp<'c>) {
    let byte_type = integer_type(builder.context(), 8);
    let byte = llvm::LoadOp::build(builder, load.addr(), byte_type).alignment(1).value();
    let zero = llvm::mlir_constant(builder, integer_attribute(byte_type, 0), byte_type);
    let value = llvm::icmp(builder, ICmpPredicate::Ne, byte, zero);
    builder.replace(load.operation(), &[value])
}

fn widen_store<'c>(builder: &Builder<'c>, store: llvm::StoreOp<'c>) {
    let value = store.value();
    let byte = llvm::zext(builder, value, integer_type(builder.context(), 8));
    store.set_operand(0, byte);
}

/// Changes the element type of an address computation from booleans to bytes.
fn widen_address<'c>(builder: &Builder<'c>, address: llvm::GEPOp<'c>) {
    address.set_elem_type(integer_type(builder.context(), 8));
}
