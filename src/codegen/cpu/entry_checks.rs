//! What entry functions ask the machine before they run anything.
//!
//! Object files are linked into programs that their compiler does not know, and some code needs
//! more than the processor's instructions: tiles that Linux has to allow, or registers of a
//! length. Entries return a status where it is not there.

use super::{llvm_code::LlvmCode, lower_to_runtime_abi::ENTRY_SUFFIX};
use halo_ir::{
    ops::llvm::{self, ICmpPredicate},
    prelude::*,
};

/// A number that `answer` computes at the start of an entry, and the one that it is to be.
pub type Question<'c> = (Value<'c>, i64);

/// Lets all entries of a module return a status where an answer is not the one that is needed.
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
            // What is on the stack stays in the first block: elsewhere, LLVM takes it for memory
            // whose size it does not know.
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

/// Assembly with a number as its result, which is neither left out nor moved.
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

/// Whether an op is the function that applications call.
fn is_entry(operation: Operation) -> bool {
    operation.isa::<llvm::LLVMFuncOp>()
        && operation
            .attribute("sym_name")
            .and_then(Attribute::string_value)
            .is_some_and(|name| name.ends_with(ENTRY_SUFFIX))
}
