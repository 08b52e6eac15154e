//! The partitions of a program that LLVM compiles separately: a kernel, or several small ones, with
//! the symbols that they refer to, and the functions that call kernels, which are with a kernel if
//! both are small.
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
//! The partitions depend only on the program, so the machine code does not depend on the number of
//! threads.

use super::kernel_digest::{Texts, digest};
use halo_ir::{
    Region, fill_module,
    ops::{
        halo::{KERNEL, kernel_of_symbol},
        llvm,
    },
    prelude::*,
    root_of, with_operations_in,
};
use halo_runtime::Error;
use indexmap::IndexMap;
use melior::ir::{Attribute, Location, Module, attribute::FlatSymbolRefAttribute};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// A partition of a program.
#[derive(Debug)]
pub struct Partition<'c> {
    /// The names of its kernels; [`CALLERS`] for the callers of kernels.
    pub kernels: Vec<String>,
    /// Functions that other partitions or the application refer to.
    roots: Vec<Operation<'c>>,
    /// Symbols that the roots refer to and no other partition defines for them.
    internal: Vec<Operation<'c>>,
    /// The functions of other partitions that are called here.
    imported: Vec<llvm::LLVMFuncOp<'c>>,
    /// The new names of renamed symbols.
    names: Arc<HashMap<&'c str, String>>,
}

/// The name of the partition that calls kernels.
pub const CALLERS: &str = "callers";

/// The minimum number of ops of a partition with a separate module, whose context and passes take
/// LLVM one to two milliseconds.
const LEAST_OPS: usize = 450;

/// The same for a program that would have few partitions of that size: a third of the size, so that
/// several threads are used.
const LEAST_OPS_OF_FEW: usize = 90;

/// The functions of a module of the LLVM dialect, by the kernels that they belong to.
pub struct Functions<'c> {
    /// The ops of all symbols, and whether they are functions of kernels.
    symbols: HashMap<&'c str, (Operation<'c>, bool)>,
    /// The kernels, the largest first.
    pub(crate) kernels: Vec<Group<'c>>,
    /// The callers of kernels.
    pub(crate) callers: Option<Group<'c>>,
    /// The new names of renamed symbols in the partitions.
    names: Arc<HashMap<&'c str, String>>,
}

impl<'c> Functions<'c> {
    /// The functions of a module. `kernel_of` returns the kernel that a function belongs to, `None`
    /// for the callers of kernels.
    pub fn of(module: Operation<'c>, kernel_of: impl Fn(Operation<'c>) -> Option<String>) -> Self {
        let ops = module.body(0).map(Block::operations).unwrap_or_default();
        let mut symbols = HashMap::new();
        let mut kernels: IndexMap<String, Vec<Operation<'c>>> = IndexMap::new();
        let mut callers = Vec::new();
        for op in ops {
            let Some(name) = op.attribute("sym_name").and_then(Attribute::string_value) else {
                continue;
            };
            let is_defined = op.isa::<llvm::LLVMFuncOp>() && op.body(0).is_some();
            let kernel = if is_defined { kernel_of(op) } else { None };
            symbols.insert(name, (op, kernel.is_some()));
            match kernel {
                Some(kernel) => kernels.entry(kernel).or_default().push(op),
                None if is_defined => callers.push(op),
                None => {}
            }
        }
        let kernels = kernels.into_iter();
        let mut kernels: Vec<Group> =
            kernels.map(|(name, functions)| Group::new(name, functions)).collect();
        kernels.sort_by_key(|kernel| Reverse(kernel.ops));
        // Internal symbols are in the partitions that refer to them.
        let internal = Attribute::parse(module.context(), "#llvm.linkage<internal>");
        callers.retain(|function| function.attribute("linkage") != internal);
        let callers = if callers.is_empty() {
            None
        } else {
            Some(Group::new(CALLERS.to_owned(), callers))
        };
        Self {
            symbols,
            kernels,
            callers,
            names: Arc::default(),
        }
    }

    /// The partitions of a program, the largest first.
    pub fn partitions(self) -> Vec<Partition<'c>> {
        let all = self.kernels.iter().chain(&self.callers);
        let ops: usize = all.map(|group| group.ops).sum();
        let least = (ops / 3).clamp(LEAST_OPS_OF_FEW, LEAST_OPS);
        let mut kernels: Vec<_> = self.kernels.into_iter().flat_map(Group::in_parts).collect();
        kernels.sort_by_key(|kernel| Reverse(kernel.ops));
        let mut groups = grouped(kernels, self.callers, least);
        // Threads that take the longest partition first end at about the same time.
        groups.sort_by_key(|group| Reverse(group.ops));
        let groups = groups.into_iter();
        groups.map(|group| Partition::new(group, &self.symbols, &self.names)).collect()
    }

    /// The partition of a kernel on its own.
    pub(crate) fn partition_of(&self, kernel: &Group<'c>) -> Partition<'c> {
        Partition::new(kernel.clone(), &self.symbols, &self.names)
    }

    /// Renames symbols in the partitions. Renamed functions may be in several objects of a program,
    /// all equal.
    pub(crate) fn rename(&mut self, names: HashMap<&'c str, String>) {
        self.names = Arc::new(names);
    }
}

/// Functions that are compiled together.
#[derive(Clone)]
pub(crate) struct Group<'c> {
    /// The kernels, or [`CALLERS`].
    pub kernels: Vec<String>,
    pub functions: Vec<Operation<'c>>,
    /// The number of their ops without constants, which are folded into other instructions.
    ops: usize,
}

impl<'c> Group<'c> {
    pub fn new(name: String, functions: Vec<Operation<'c>>) -> Self {
        let mut ops = 0;
        for function in &functions {
            function.walk(WalkOrder::PreOrder, |op| {
                ops += usize::from(!op.isa::<llvm::ConstantOp>());
            });
        }
        Self {
            kernels: vec![name],
            functions,
            ops,
        }
    }

    /// The parts of a kernel: each other kernel that it calls, and the remaining functions.
    fn in_parts(self) -> Vec<Self> {
        let [kernel] = &self.kernels[..] else {
            return vec![self];
        };
        let (mut parts, mut rest) = (Vec::new(), Vec::new());
        for function in &self.functions {
            match self.part_name(*function) {
                Some(name) => parts.push(Self::new(name.to_owned(), vec![*function])),
                None => rest.push(*function),
            }
        }
        if parts.is_empty() {
            return vec![self];
        }
        parts.push(Self::new(kernel.clone(), rest));
        parts
    }

    /// The names of the parts of a kernel.
    pub fn part_names(&self) -> impl Iterator<Item = String> {
        let functions = self.functions.iter();
        let parts = functions.filter_map(|function| self.part_name(*function));
        let parts = parts.map(str::to_owned);
        self.kernels.iter().cloned().chain(parts)
    }

    /// The name of a function that is marked as a kernel and is not the one of the group.
    fn part_name(&self, function: Operation<'c>) -> Option<&'c str> {
        let name = function.attribute("sym_name").and_then(Attribute::string_value)?;
        let is_other = self.kernels.iter().all(|kernel| kernel != name);
        (is_other && function.has_attribute(KERNEL)).then_some(name)
    }

    /// Returns true if another part of a kernel of another group is here. They are separate so that
    /// two threads compile them.
    fn has_part_of(&self, other: &Self) -> bool {
        let mut kernels = other.whole_kernels();
        kernels.any(|kernel| self.whole_kernels().any(|it| it == kernel))
    }

    /// The kernels whose functions, or parts of them, are here.
    fn whole_kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|name| kernel_of_symbol(name))
    }

    pub fn join(&mut self, other: Self) {
        self.kernels.extend(other.kernels);
        self.functions.extend(other.functions);
        self.ops += other.ops;
    }
}

/// Kernels, the largest first, and their callers: small ones are joined up to the minimum number of
/// ops.
fn grouped<'c>(
    kernels: Vec<Group<'c>>,
    callers: Option<Group<'c>>,
    least_ops: usize,
) -> Vec<Group<'c>> {
    let mut groups: Vec<Group> = Vec::new();
    for kernel in kernels {
        match groups.last_mut() {
            Some(group) if group.ops < least_ops && !group.has_part_of(&kernel) => {
                group.join(kernel)
            }
            _ => groups.push(kernel),
        }
    }
    if let Some(callers) = callers {
        match groups.last_mut() {
            Some(last) if last.ops + callers.ops < least_ops => last.join(callers),
            _ => groups.push(callers),
        }
    }
    groups
}

impl<'c> Partition<'c> {
    fn new(
        group: Group<'c>,
        symbols: &HashMap<&'c str, (Operation<'c>, bool)>,
        names: &Arc<HashMap<&'c str, String>>,
    ) -> Self {
        let roots = group.functions;
        let mut seen: HashSet<&str> = roots
            .iter()
            .filter_map(|op| op.attribute("sym_name").and_then(Attribute::string_value))
            .collect();
        let mut pending = roots.clone();
        let (mut internal, mut imported) = (Vec::new(), Vec::new());
        while let Some(op) = pending.pop() {
            op.walk(WalkOrder::PreOrder, |nested| {
                let Some(symbol) = referred_to(nested) else {
                    return;
                };
                let Some((found, is_kernel)) = symbols.get(symbol) else {
                    return;
                };
                if !seen.insert(symbol) {
                    return;
                }
                match found.cast::<llvm::LLVMFuncOp>() {
                    Some(function) if *is_kernel => imported.push(function),
                    _ => {
                        internal.push(*found);
                        pending.push(*found);
                    }
                }
            });
        }
        Self {
            kernels: group.kernels,
            roots,
            internal,
            imported,
            names: Arc::clone(names),
        }
    }

    /// A hash of a part of one kernel, equal in all programs with the kernel; `None` if the code
    /// depends on something without a hash.
    pub(crate) fn digest(&self, texts: &mut Texts) -> Option<blake3::Hash> {
        if !self.imported.is_empty() {
            return None;
        }
        let all = || self.roots.iter().chain(&self.internal).copied();
        let defined = all().filter(|op| is_defined(*op));
        let names =
            defined.filter_map(|op| op.attribute("sym_name").and_then(Attribute::string_value));
        let numbers = names.enumerate().map(|(number, name)| (name, number));
        digest(all(), &numbers.collect(), texts)
    }

    /// The names of all kernels.
    pub fn name(&self) -> String {
        self.kernels.join(", ")
    }

    /// Runs a function on the partition as a separate module. Its functions are in there meanwhile.
    ///
    /// # Errors
    /// Returns the errors of the function; an internal error if the module cannot be made.
    pub fn with_module<T>(
        &self,
        function: impl FnOnce(Operation<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let first = self.roots.first();
        let context = first.map(|root| root.context());
        let context = context.ok_or_else(|| Error::internal("a part has no function"))?;
        let mut module = Module::new(Location::unknown(context));
        fill_module(&mut module, self, |builder, _, part| part.fill(builder))
            .map_err(Error::internal)?;
        if self.has_copies() {
            return function(root_of(&module));
        }
        let linkages = self.roots.iter().map(|root| root.attribute("linkage"));
        let linkages: Vec<_> = linkages.collect();
        for root in &self.roots {
            root.remove_attribute("linkage");
        }
        let result = with_operations_in(&module, &self.roots, || function(root_of(&module)));
        for (root, linkage) in self.roots.iter().zip(linkages) {
            if let Some(linkage) = linkage {
                root.set_attribute("linkage", linkage);
            }
        }
        result
    }

    /// Returns true if the module has renamed copies of the functions.
    fn has_copies(&self) -> bool {
        !self.names.is_empty()
    }

    fn fill<'m>(&'m self, builder: &Builder<'m>)
    where
        'c: 'm,
    {
        for function in &self.imported {
            let (name, ty) = (function.sym_name(), function.function_type());
            let name = self.names.get(name).map_or(name, |name| name);
            llvm::LLVMFuncOp::build(builder, name, ty, Region::new()).insert();
        }
        for op in &self.internal {
            let copy = builder.clone_op(*op, &mut ValueMap::new());
            self.rename(copy);
        }
        if self.has_copies() {
            for root in &self.roots {
                let copy = builder.clone_op(*root, &mut ValueMap::new());
                copy.remove_attribute("linkage");
                self.rename(copy);
            }
        }
    }

    /// Puts the names that symbols have here into a copy of a function or global.
    fn rename(&self, copy: Operation<'_>) {
        if !self.has_copies() {
            return;
        }
        let context = copy.context();
        if let Some(name) = copy.attribute("sym_name").and_then(Attribute::string_value)
            && let Some(name) = self.names.get(name)
        {
            copy.set_attribute("sym_name", string_attribute(context, name));
            // Another object may define it, too.
            if let Some(linkage) = Attribute::parse(context, "#llvm.linkage<weak_odr>") {
                copy.set_attribute("linkage", linkage);
            }
        }
        copy.walk(WalkOrder::PreOrder, |op| {
            let Some(name) = referred_to(op).and_then(|symbol| self.names.get(symbol)) else {
                return;
            };
            let attribute = if op.isa::<llvm::CallOp>() {
                "callee"
            } else {
                "global_name"
            };
            let name = FlatSymbolRefAttribute::new(context, name);
            op.set_attribute(attribute, name.into());
        });
    }
}

/// Returns true if a function or global is defined here.
fn is_defined(op: Operation) -> bool {
    op.body(0).is_some() || op.has_attribute("value")
}

/// The symbol that an op of a function refers to.
fn referred_to<'c>(op: Operation<'c>) -> Option<&'c str> {
    if let Some(call) = op.cast::<llvm::CallOp>() {
        return call.callee();
    }
    Some(op.cast::<llvm::AddressOfOp>()?.global_name())
}
