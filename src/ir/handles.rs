//! Handles to IR, and their context.

use melior::{
    Context, ContextRef,
    ir::{BlockRef, OperationRef},
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

/// A handle to an op that is valid while the pass runs and the op exists.
pub type Operation<'c> = OperationRef<'c, 'c>;
/// A handle to a value that is valid while the pass runs and the value exists.
pub type Value<'c> = melior::ir::Value<'c, 'c>;
/// A handle to a block that is valid while the pass runs and the block exists.
pub type Block<'c> = BlockRef<'c, 'c>;
/// A type of the context.
pub type Type<'c> = melior::ir::Type<'c>;
/// An attribute of the context.
pub type Attribute<'c> = melior::ir::Attribute<'c>;
/// A location of the context.
pub type Location<'c> = melior::ir::Location<'c>;

/// The context of a handle of the C interface.
///
/// melior lends a context only for the lifetime of a handle, so one handle is kept for each address
/// of a context.
///
/// # Safety
///
/// The context must be valid for `'c`.
pub(crate) unsafe fn context_from_raw<'c>(raw: mlir_sys::MlirContext) -> &'c Context {
    /// A handle that all threads read.
    struct Kept(&'static ContextRef<'static>);
    // SAFETY: The handle is the address of the context, and is never changed.
    unsafe impl Send for Kept {}

    static KEPT: Mutex<BTreeMap<usize, Kept>> = Mutex::new(BTreeMap::new());
    thread_local! {
        static CONTEXTS: RefCell<HashMap<usize, &'static ContextRef<'static>>> = RefCell::default();
    }
    let key = raw.ptr as usize;
    let handle = CONTEXTS.with_borrow_mut(|contexts| {
        *contexts.entry(key).or_insert_with(|| {
            let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let handle = kept.entry(key).or_insert_with(|| {
                // SAFETY: The handle is used only while the context is valid.
                Kept(Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) })))
            });
            handle.0
        })
    });
    // SAFETY: As above.
    unsafe { handle.to_ref() }
}

/// The module's op.
pub fn root_of<'m>(module: &'m melior::ir::Module) -> Operation<'m> {
    // SAFETY: The op lives as long as the module.
    unsafe { OperationRef::from_raw(module.as_operation().to_raw()) }
}

/// The name of an op, such as `stablehlo.add`; empty if it is not UTF-8.
pub(crate) fn name_of<'c>(operation: Operation<'c>) -> &'c str {
    // SAFETY: Names are interned by the context, which outlives the handle.
    let bytes: &'c [u8] = unsafe {
        let name = mlir_sys::mlirIdentifierStr(mlir_sys::mlirOperationGetName(operation.to_raw()));
        std::slice::from_raw_parts(name.data.cast(), name.length)
    };
    // Passes read names more often than anything else, and the check for ASCII takes a small
    // fraction of the time of the check for UTF-8.
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        unsafe { std::str::from_utf8_unchecked(bytes) }
    } else {
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}
