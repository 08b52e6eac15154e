//! Analyses that are computed once and kept until a pass invalidates them.
//!
//! MLIR's analysis manager keeps one C++ object for each op with Rust analyses; the object holds
//! them by their types. An analysis is `'static`, so it cannot hold handles to IR, only results:
//! numbers, names, and the keys of ops and values
//! ([`OperationExt::key`](crate::OperationExt::key)), which cannot be dereferenced:
//!
//! ```compile_fail
//! use halo_ir::{Operation, pass::Analysis};
//!
//! struct Root<'c>(Operation<'c>);
//!
//! impl<'c> Analysis for Root<'c> {
//!     fn of(root: Operation) -> Self {
//!         Self(root)
//!     }
//! }
//! ```
//!
//! An analysis that is preserved although it is out of date is wrong, but not unsafe.

use crate::handles::Operation;
use std::{
    any::TypeId,
    collections::HashMap,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
};

unsafe extern "C" {
    fn haloFindAnalysis(run: *mut c_void, key: *const c_void) -> *const c_void;
    fn haloKeepAnalysis(
        run: *mut c_void,
        key: *const c_void,
        analysis: *const c_void,
        destroy: extern "C" fn(*const c_void),
    );
    fn haloPreserveAnalysis(run: *mut c_void, key: *const c_void);
}

/// A computed property of an op, which is kept between passes that preserve it:
/// [`PassInvocation::analysis`](super::PassInvocation::analysis).
pub trait Analysis: Send + Sync + 'static {
    /// Analyses an op.
    fn of(operation: Operation) -> Self;
}

/// The id of a type of analyses in MLIR.
fn key_of<A: Analysis>() -> *const c_void {
    static KEYS: Mutex<Option<HashMap<TypeId, &'static u64>>> = Mutex::new(None);
    let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    let key: &'static u64 = keys
        .get_or_insert_default()
        .entry(TypeId::of::<A>())
        .or_insert_with(|| Box::leak(Box::new(0)));
    std::ptr::from_ref(key).cast()
}

/// Frees a kept analysis.
extern "C" fn destroy<A: Analysis>(analysis: *const c_void) {
    // SAFETY: The pointer was made by `find_or_compute` for this type, and MLIR frees it
    // once.
    let analysis = unsafe { Box::from_raw(analysis.cast_mut().cast::<Arc<A>>()) };
    // No panic may cross into C++.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(analysis)));
}

/// The cached analysis of the op of a run, or a new one, which is cached.
///
/// # Safety
///
/// The pass must be running, on a valid op.
pub(super) unsafe fn find_or_compute<A: Analysis>(
    run: *mut c_void,
    operation: Operation,
) -> Arc<A> {
    let key = key_of::<A>();
    // SAFETY: The run is going on; an object under this key is of this type.
    unsafe {
        let found = haloFindAnalysis(run, key).cast::<Arc<A>>();
        if let Some(found) = found.as_ref() {
            return Arc::clone(found);
        }
    }
    let analysis = Arc::new(A::of(operation));
    let kept = Box::into_raw(Box::new(Arc::clone(&analysis)));
    // SAFETY: The pass is running, and takes over the object.
    unsafe { haloKeepAnalysis(run, key, kept.cast_const().cast(), destroy::<A>) };
    analysis
}

/// Marks the analyses of a type as preserved, for the op of a run and the ops in it.
///
/// # Safety
///
/// The pass must be running.
pub(super) unsafe fn preserve<A: Analysis>(run: *mut c_void) {
    // SAFETY: The run is going on, and the key lives for ever.
    unsafe { haloPreserveAnalysis(run, key_of::<A>()) }
}

/// Keeps all analyses valid.
///
/// # Safety
///
/// The pass must be running.
pub(super) unsafe fn preserve_all(run: *mut c_void) {
    // SAFETY: The run is going on.
    unsafe { haloPreserveAnalysis(run, std::ptr::null()) }
}
