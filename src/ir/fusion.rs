//! Upstream's fusion of structured ops, with a rule of our own.

use crate::Operation;
use melior::ir::OperationRef;
use mlir_sys::MlirOperation;
use std::panic::catch_unwind;

/// Says whether the op that defines operand `number` of `consumer` is to be
/// fused into it.
pub type Rule = for<'c> fn(producer: Operation<'c>, consumer: Operation<'c>, number: usize) -> bool;

unsafe extern "C" {
    fn haloFuseElementwise(
        root: MlirOperation,
        control: extern "C" fn(MlirOperation, MlirOperation, isize) -> bool,
    ) -> bool;
}

thread_local! {
    static RULE: std::cell::Cell<Option<Rule>> = const { std::cell::Cell::new(None) };
}

extern "C" fn control(producer: MlirOperation, consumer: MlirOperation, number: isize) -> bool {
    // SAFETY: Upstream hands over valid ops for the length of this call.
    let (producer, consumer) = unsafe {
        (
            OperationRef::from_raw(producer),
            OperationRef::from_raw(consumer),
        )
    };
    // No panic may cross into C++: where the rule panics, nothing is fused.
    RULE.get().is_some_and(|rule| {
        catch_unwind(|| rule(producer, consumer, number as usize)).unwrap_or(false)
    })
}

/// Fuses elementwise structured ops inside `root` into their users, as the rule
/// says. Returns whether the rewriting came to an end.
pub fn fuse_elementwise(root: Operation, rule: Rule) -> bool {
    let before = RULE.replace(Some(rule));
    // SAFETY: The op is valid; the callback outlives the call.
    let ended = unsafe { haloFuseElementwise(root.to_raw(), control) };
    RULE.set(before);
    ended
}
