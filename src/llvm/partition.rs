//! The parts of a program that LLVM compiles apart: a kernel, or several small ones, with
//! what they refer to, and the functions that call kernels.
//!
//! ```mlir
//! llvm.func internal @kernel(%x: !llvm.ptr) attributes {halo.kernel} { ... }
//! llvm.func @main(%x: !llvm.ptr) {
//!   llvm.call @kernel(%x) : (!llvm.ptr) -> ()
//!   llvm.return
//! }
//! ```
//!
//! becomes two modules,
//!
//! ```mlir
//! llvm.func @kernel(%x: !llvm.ptr) attributes {halo.kernel} { ... }
//! ```
//!
//! and
//!
//! ```mlir
//! llvm.func @kernel(!llvm.ptr)
//! llvm.func @main(%x: !llvm.ptr) { ... }
//! ```
//!
//! The parts follow from the program alone, so the machine code does not depend on the
//! number of threads that make it.

use halo_ir::{
    BuildError, Builder, Operation, Region, ValueMap, WalkOrder, WalkResult, attribute_of, body_of,
    clone_operation, context_of, fill_module, operations_of,
    ops::{OperationExt, llvm},
    string_value, walk,
};
use halo_runtime::Error;
use melior::ir::{Attribute, Location, Module};
use std::collections::{HashMap, HashSet};

/// A part of a program.
#[derive(Debug)]
pub struct Partition<'c> {
    /// The names of its kernels; of what calls kernels, [`CALLERS`].
    pub name: String,
    /// Functions that other parts refer to, or the application.
    roots: Vec<Operation<'c>>,
    /// What the roots refer to and no other part defines for them.
    internal: Vec<Operation<'c>>,
    /// The functions of other parts that are called here.
    imported: Vec<llvm::LLVMFuncOp<'c>>,
}

/// The name of the part that calls kernels.
pub const CALLERS: &str = "callers";

/// How many ops make a part worth a module of its own, whose context and passes take LLVM
/// one to two milliseconds.
const LEAST_OPS: usize = 500;

/// The parts of a module of the LLVM dialect, the largest first. `kernel_of` names the
/// kernel that a function belongs to; what belongs to none calls kernels.
pub fn partitions<'c>(
    module: Operation<'c>,
    kernel_of: impl Fn(Operation<'c>) -> Option<String>,
) -> Vec<Partition<'c>> {
    let ops = body_of(module, 0).map(operations_of).unwrap_or_default();
    let mut symbols = HashMap::new();
    let mut kernels: Vec<(String, Vec<Operation<'c>>)> = Vec::new();
    let mut callers = Vec::new();
    for op in ops {
        let Some(name) = attribute_of(op, "sym_name").and_then(string_value) else {
            continue;
        };
        let is_defined = op.isa::<llvm::LLVMFuncOp>() && body_of(op, 0).is_some();
        let kernel = if is_defined { kernel_of(op) } else { None };
        symbols.insert(name, (op, kernel.is_some()));
        match kernel {
            Some(kernel) => match kernels.iter_mut().find(|(name, _)| *name == kernel) {
                Some((_, functions)) => functions.push(op),
                None => kernels.push((kernel, vec![op])),
            },
            None if is_defined => callers.push(op),
            None => {}
        }
    }
    let mut sized: Vec<(usize, Partition<'c>)> = grouped(kernels)
        .into_iter()
        .map(|(name, roots)| Partition::new(name, roots, &symbols))
        .collect();
    // What is internal is in the parts that refer to it.
    let internal = Attribute::parse(context_of(module), "#llvm.linkage<internal>");
    callers.retain(|function| attribute_of(*function, "linkage") != internal);
    if !callers.is_empty() {
        sized.push(Partition::new(CALLERS.to_owned(), callers, &symbols));
    }
    // Threads that take the longest part first end at about the same time.
    sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    sized.into_iter().map(|(_, partition)| partition).collect()
}

/// Kernels with their names and functions, small ones joined.
fn grouped<'c>(kernels: Vec<(String, Vec<Operation<'c>>)>) -> Vec<(String, Vec<Operation<'c>>)> {
    let mut sized: Vec<(usize, String, Vec<Operation>)> = kernels
        .into_iter()
        .map(|(name, functions)| {
            (
                functions.iter().copied().map(op_count).sum(),
                name,
                functions,
            )
        })
        .collect();
    sized.sort_by_key(|(size, ..)| std::cmp::Reverse(*size));
    let mut groups: Vec<(usize, Vec<String>, Vec<Operation>)> = Vec::new();
    for (size, name, functions) in sized {
        match groups.last_mut() {
            Some((total, names, all)) if *total < LEAST_OPS => {
                *total += size;
                names.push(name);
                all.extend(functions);
            }
            _ => groups.push((size, vec![name], functions)),
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|(_, names, functions)| (names.join(", "), functions))
        .collect()
}

fn op_count(op: Operation) -> usize {
    let mut count = 0;
    walk(op, WalkOrder::PreOrder, |_| {
        count += 1;
        WalkResult::Advance
    });
    count
}

impl<'c> Partition<'c> {
    /// A part, and how many ops its functions have.
    fn new(
        name: String,
        roots: Vec<Operation<'c>>,
        symbols: &HashMap<&'c str, (Operation<'c>, bool)>,
    ) -> (usize, Self) {
        let mut size = 0;
        let mut partition = Self {
            name,
            roots: roots.clone(),
            internal: Vec::new(),
            imported: Vec::new(),
        };
        let mut seen: HashSet<&str> = roots
            .iter()
            .filter_map(|op| attribute_of(*op, "sym_name").and_then(string_value))
            .collect();
        let mut pending = roots;
        while let Some(op) = pending.pop() {
            walk(op, WalkOrder::PreOrder, |nested| {
                size += 1;
                if let Some(symbol) = referred_to(nested)
                    && let Some((found, is_kernel)) = symbols.get(symbol)
                    && seen.insert(symbol)
                {
                    match found.cast::<llvm::LLVMFuncOp>() {
                        Some(function) if *is_kernel => partition.imported.push(function),
                        _ => {
                            partition.internal.push(*found);
                            pending.push(*found);
                        }
                    }
                }
                WalkResult::Advance
            });
        }
        (size, partition)
    }

    /// The part as a module of its own.
    pub fn module(&self) -> Result<Module<'c>, Error> {
        let first = self.roots.first();
        let context = first.map(|root| context_of(*root));
        let context = context.ok_or_else(|| Error::internal("a part has no function"))?;
        let mut module = Module::new(Location::unknown(context));
        fill_module(&mut module, self, |builder, _, part| part.fill(builder))
            .and_then(|filled| filled)
            .map_err(Error::internal)?;
        Ok(module)
    }

    fn fill<'m>(&'m self, builder: &Builder<'m>) -> Result<(), BuildError>
    where
        'c: 'm,
    {
        for function in &self.imported {
            let (name, r#type) = (function.sym_name(), function.function_type());
            llvm::LLVMFuncOp::build(builder, name, r#type, Region::new()).insert()?;
        }
        for op in &self.internal {
            clone_operation(builder, *op, &mut ValueMap::new());
        }
        for root in &self.roots {
            let copy = clone_operation(builder, *root, &mut ValueMap::new());
            halo_ir::remove_attribute(copy, "linkage");
        }
        Ok(())
    }
}

/// The symbol that an op of a function refers to.
fn referred_to<'c>(op: Operation<'c>) -> Option<&'c str> {
    if let Some(call) = op.cast::<llvm::CallOp>() {
        return call.callee();
    }
    Some(op.cast::<llvm::AddressOfOp>()?.global_name())
}
