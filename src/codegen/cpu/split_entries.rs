//! `--halo-split-entries`: splits long entry functions.
//!
//! The entry of a program with thousands of kernels is one block of as many calls, and the few
//! addresses that all calls use are live in the whole block. LLVM's register allocator takes time
//! quadratic in the uses of such a value (`RAGreedy::tryLocalSplit`). Each piece of a long block
//! becomes a function, which clones addresses and constants and takes all other values as
//! arguments. Ops whose results are used in later pieces are not moved.
//!
//! ```mlir
//! llvm.func @main(%arena: !llvm.ptr) attributes {halo.entry} {
//!   llvm.call @main_kernel_0(%arena)
//!   // ... and some hundred more
//!   llvm.return
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @main(%arena: !llvm.ptr) attributes {halo.entry} {
//!   llvm.call @main_piece_0(%arena)
//!   // ...
//!   llvm.return
//! }
//! llvm.func internal @main_piece_0(%arena: !llvm.ptr) attributes {no_inline, optimize_none} {
//!   llvm.call @main_kernel_0(%arena)
//!   // ...
//!   llvm.return
//! }
//! ```

use super::{
    llvm_code::{LlvmCode, skip_optimization},
    lower_to_runtime_abi::ENTRY_SUFFIX,
};
use halo_ir::{
    SymbolNames,
    ops::{halo::ENTRY, llvm},
    prelude::*,
};
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The number of ops per piece; blocks of up to twice as many are not split
        #[range(1..=i64::MAX)]
        piece_ops: usize = 512,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-split-entries",
    "Cut the long blocks of entry functions into functions",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["llvm"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let length = pass.options::<Options>().piece_ops;
    let entries =
        module.collect_nested(|op| op.isa::<llvm::LLVMFuncOp>() && op.has_attribute(ENTRY));
    let mut names = SymbolNames::of(module);
    for entry in entries {
        let name = entry.attribute("sym_name").and_then(Attribute::string_value);
        let name = name.map(|name| name.strip_suffix(ENTRY_SUFFIX).unwrap_or(name));
        let mut splitter = Splitter {
            module,
            names: &mut names,
            prefix: format!("{}_piece_", name.unwrap_or_default()),
            length,
        };
        let blocks: Vec<Block> = entry.blocks();
        let split = blocks.into_iter().try_for_each(|block| splitter.split(block));
        split.map_err(|error| PassFailure::at(entry, error))?;
    }
    Ok(())
}

struct Splitter<'a, 'c> {
    module: Operation<'c>,
    names: &'a mut SymbolNames,
    /// The name prefix of the pieces.
    prefix: String,
    length: usize,
}

impl<'c> Splitter<'_, 'c> {
    fn split(&mut self, block: Block<'c>) -> RewriteResult {
        let mut ops = block.operations();
        ops.pop();
        if ops.len() <= 2 * self.length {
            return Ok(());
        }
        let made_anew = made_anew(&ops);
        let (addresses, rest): (Vec<_>, Vec<_>) =
            ops.into_iter().partition(|op| made_anew.contains(&op.key()));
        for piece in rest.chunks(self.length) {
            self.outline(closed_end(piece), &made_anew)?;
        }
        for op in addresses.into_iter().rev() {
            if op.results().into_iter().all(Value::is_unused) {
                with_builder(op, |b| b.erase(op));
            }
        }
        Ok(())
    }

    /// Outlines the ops of a piece, which have no users outside of it.
    fn outline(&mut self, piece: &[Operation<'c>], made_anew: &HashSet<usize>) -> RewriteResult {
        let Some(first) = piece.first().copied() else {
            return Ok(());
        };
        let mut captures = Captures {
            made_anew,
            inside: piece.iter().copied().map(Operation::key).collect(),
            seen: HashSet::new(),
            ops: Vec::new(),
            values: Vec::new(),
        };
        for operand in piece.iter().copied().flat_map(Operation::operands) {
            captures.take(operand);
        }
        let Captures { values, ops, .. } = captures;
        let name = self.names.fresh(&self.prefix);
        let types = values.types();
        let parameters: Vec<String> = types.iter().map(ToString::to_string).collect();
        let ty = format!("!llvm.func<void ({})>", parameters.join(", "));
        with_builder(first, |b| {
            let code = LlvmCode {
                b: *b,
                module: self.module,
            };
            code.call_symbol(&name, &values, None);
            let function = code.function(&name, &ty, &types, true, |code, arguments| {
                let keys = values.iter().map(|value| value.key());
                let mut map: ValueMap = keys.zip(arguments.iter().copied()).collect();
                for op in ops.iter().chain(piece) {
                    code.b.clone_op(*op, &mut map);
                }
                llvm::return_(&code.b);
                Ok(())
            })?;
            skip_optimization(function);
            for op in piece.iter().rev() {
                b.erase(*op);
            }
            Ok(())
        })
    }
}

/// The ops that a piece clones, and the values that it captures.
struct Captures<'a, 'c> {
    /// The ops of the block that every piece clones.
    made_anew: &'a HashSet<usize>,
    /// The ops of the piece.
    inside: HashSet<usize>,
    seen: HashSet<usize>,
    /// The clones, in dependence order.
    ops: Vec<Operation<'c>>,
    values: Vec<Value<'c>>,
}

impl<'c> Captures<'_, 'c> {
    fn take(&mut self, value: Value<'c>) {
        if !self.seen.insert(value.key()) {
            return;
        }
        let Some(op) = value.defining_op() else {
            self.values.push(value);
            return;
        };
        let key = op.key();
        if self.made_anew.contains(&key) {
            for operand in op.operands() {
                self.take(operand);
            }
            self.ops.push(op);
        } else if !self.inside.contains(&key) {
            self.values.push(value);
        }
    }
}

/// Constants, and addresses within block arguments or globals.
fn made_anew(ops: &[Operation]) -> HashSet<usize> {
    let mut found = HashSet::new();
    for op in ops {
        let is_address = matches!(
            op.name(),
            llvm::ConstantOp::NAME
                | llvm::ZeroOp::NAME
                | llvm::AddressOfOp::NAME
                | llvm::GEPOp::NAME
        );
        let is_free =
            |operand: Value| operand.defining_op().is_none_or(|op| found.contains(&op.key()));
        if is_address && op.operands().into_iter().all(is_free) {
            found.insert(op.key());
        }
    }
    found
}

/// The longest suffix of a piece whose results have no uses outside of it.
fn closed_end<'a, 'c>(piece: &'a [Operation<'c>]) -> &'a [Operation<'c>] {
    let mut inside = HashSet::new();
    for (number, op) in piece.iter().enumerate().rev() {
        let is_used =
            |value: Value| value.uses().iter().any(|(user, _)| !inside.contains(&user.key()));
        if op.results().into_iter().any(is_used) {
            return &piece[number + 1..];
        }
        inside.insert(op.key());
    }
    piece
}
