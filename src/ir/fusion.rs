//! Upstream's fusion of structured ops, with a custom rule.

use crate::{graveyard::read_only, handles::Operation, pass::PassInvocation, rewrite::fuel};
use halo_core::panics::{self, Panic};
use melior::ir::OperationRef;
use mlir_sys::MlirOperation;
use std::cell::{Cell, RefCell};

/// Decides whether the op that defines operand `number` of `consumer` is fused into it.
pub type Rule = for<'c> fn(producer: Operation<'c>, consumer: Operation<'c>, number: usize) -> bool;

unsafe extern "C" {
    fn haloFuseElementwise(
        root: MlirOperation,
        control: extern "C" fn(MlirOperation, MlirOperation, isize) -> bool,
    ) -> bool;
}

/// The name of upstream's pattern.
const FUSION: &str = "mlir::linalg::populateElementwiseOpsFusionPatterns";

thread_local! {
    static RULE: Cell<Option<Rule>> = const { Cell::new(None) };
    static PANIC: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

extern "C" fn control(producer: MlirOperation, consumer: MlirOperation, number: isize) -> bool {
    // SAFETY: Upstream hands over valid ops for the length of this call.
    let (producer, consumer) = unsafe {
        (
            OperationRef::from_raw(producer),
            OperationRef::from_raw(consumer),
        )
    };
    let Some(rule) = RULE.get() else {
        return false;
    };
    // No panic may cross into C++. If the rule panics, nothing more is fused, and the panic is
    // resumed after the driver.
    let decide = || panics::catch(|| read_only(|| rule(producer, consumer, number as usize)));
    let is_applied = |fuses: &Result<bool, Panic>| !matches!(fuses, Ok(false));
    match fuel::apply(FUSION, producer, decide, is_applied).unwrap_or(Ok(false)) {
        Ok(fuses) => fuses,
        Err(panic) => {
            RULE.set(None);
            PANIC.replace(Some(panic));
            false
        }
    }
}

/// Fuses elementwise structured ops of a pass into their users, according to a rule that cannot
/// change them. Returns true if the rewriting converged.
///
/// # Panics
/// Panics if the rule does.
pub fn fuse_elementwise(pass: &mut PassInvocation, rule: Rule) -> bool {
    let before = RULE.replace(Some(rule));
    // SAFETY: The op is valid, no handle to its contents is alive, and the
    // callback outlives the call.
    let ended = unsafe { haloFuseElementwise(pass.operation().to_raw(), control) };
    RULE.set(before);
    fuel::end(pass.operation());
    if let Some(panic) = PANIC.take() {
        panic.resume();
    }
    ended
}
