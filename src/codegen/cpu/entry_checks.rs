//! Checks at the start of entry functions.
//!
//! Object files are linked into unknown programs, and some code needs more than the processor's
//! instructions: tiles that Linux must enable, or a vector length. Entries return a status if a
//! requirement fails.

use super::{llvm_code::LlvmCode, lower_to_runtime_abi::ENTRY_SUFFIX};
use halo_ir::{
    ops::llvm::{self, ICmpPredicate},
    prelude::*,
};

/// A number computed at the start of an entry, and its expected value.
pub type Question<'c> = (Value<'c>, i64);

/// Makes all entries of a module return `status` if a number differs from the expected one.
pub fn check_entries(
    pass: &PassInvocation,
    status: i32,
    ask: impl for<'c> Fn(&LlvmCode<'c>) -> RewriteResult<Question<'c>>,
) -> Result<(), PassFailure> {
    let module = pass.operation();
    for entry in module.collect_nested(is_entry) {
        let checked = with_builder(entry, |b| {
            let code = LlvmCode { b: *b, module };
            let block = entry.body(0).ok_or_else(|| no_match("a region is empty"))?;
            // Allocas stay in the first block: LLVM treats allocas elsewhere as dynamically sized.
            let first = block.operations().into_iter();
            let first =
                first.take_while(|op| op.isa::<llvm::AllocaOp>() || op.isa::<llvm::ConstantOp>());
            match first.filter(|op| op.isa::<llvm::AllocaOp>()).last() {
                Some(last) => b.set_after(last),
                None => b.set_to_start(block),
            }
            let (answer, needed) = ask(&code)?;
            let needed = code.constant(code.i64(), needed);
            let is_other = llvm::ICmpOp::build(b, ICmpPredicate::Ne, answer, needed).insert();
            let rest = is_other
                .operation()
                .split_block_after()
                .ok_or_else(|| no_match("the comparison is in no block"))?;
            let stopped =
                block.append_sibling().ok_or_else(|| no_match("the block is in no region"))?;
            b.set_to_end(stopped);
            let status = code.constant(integer_type(b.context(), 32), status.into());
            llvm::ReturnOp::build(b).arg(status).insert();
            b.set_to_end(block);
            llvm::cond_br(b, is_other.res(), &[], &[], stopped, rest);
            Ok::<_, RewriteError>(())
        });
        checked.map_err(|error| PassFailure::at(entry, error))?;
    }
    Ok(())
}

/// Inline assembly with side effects and a number as its result.
pub fn assembly<'c>(
    code: &LlvmCode<'c>,
    operands: &[Value<'c>],
    text: &str,
    registers: &str,
) -> Value<'c> {
    let assembly = llvm::InlineAsmOp::build(&code.b, operands, text, registers);
    let assembly = assembly.has_side_effects(true).res_type(code.i64());
    assembly.value()
}

/// Whether an op is an entry function.
fn is_entry(operation: Operation) -> bool {
    operation.isa::<llvm::LLVMFuncOp>()
        && operation
            .attribute("sym_name")
            .and_then(Attribute::string_value)
            .is_some_and(|name| name.ends_with(ENTRY_SUFFIX))
}
