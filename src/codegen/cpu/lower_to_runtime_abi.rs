//! `--halo-lower-to-runtime-abi`: lowers calls between generated code and the runtime to the LLVM
//! dialect.
//!
//! The runtime calls a program through one C function, and generated code calls
//! the runtime through the functions of the call's context (see
//! `halo_runtime::host::abi`):
//!
//! - an entry function becomes `<name>__entry(context, buffers)`, which takes its
//!   buffers from a table, and returns 0. An entry of dynamic shape takes its sizes from an array,
//!   whose address is the last in the table;
//! - `halo.plan_sizes` becomes `<name>__sizes(sizes)`, which reads the sizes of the inputs, writes
//!   the planned sizes after them, and returns 0, or the number of the first check that fails,
//!   counted from 1;
//! - `halo.parallel_call` becomes a call of the context's `parallel_for`, the
//!   kernel's captures packed into a structure. The runtime calls the kernel with
//!   it, or a wrapper (`task_functions.rs`);
//! - `halo.custom_call` becomes a call of the context's `custom_call`, its
//!   buffers in a table; if it fails, the entry function returns immediately with
//!   a nonzero status. The call's attributes are stored in the module's
//!   `halo.call_sites`, and their index is passed.
//!
//! Operands of the two ops are still buffers, which upstream's conversions
//! leave as casts of descriptors; the descriptors' pointers are passed.
//!
//! ```mlir
//! %buffer = builtin.unrealized_conversion_cast %a : !llvm.struct<...> to memref<64xf32>
//! halo.parallel_call @main_kernel_0 from %begin to %end grain 4 captures(%buffer : memref<64xf32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! %pointer = llvm.extractvalue %a[1] : !llvm.struct<...>
//! %captures = llvm.alloca %one x !llvm.struct<(ptr)> : (i64) -> !llvm.ptr
//! // ... %pointer is stored into it
//! %slot = llvm.getelementptr %context[8] : (!llvm.ptr) -> !llvm.ptr, i8
//! %parallel_for = llvm.load %slot : !llvm.ptr -> !llvm.ptr
//! %task = llvm.mlir.addressof @main_kernel_0 : !llvm.ptr
//! llvm.call %parallel_for(%context, %task, %count, %grain, %captures)
//!   : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> ()
//! ```

use super::{
    llvm_code::{LlvmCode, linkage, skip_optimization},
    task_functions::TaskFunctions,
};
use crate::{contraction::isa::sme::STREAMING, function::clone_computation};
use halo_ir::{
    diagnostics::file_line_column,
    dictionary_attribute,
    ops::{
        OPERAND_SEGMENT_SIZES,
        halo::{
            CALL_SITES, CustomCallOp, ENTRY, KERNEL, ParallelCallOp, PlanSizesOp, VECTORIZED,
            VECTORIZED_IN_LLVM,
        },
        llvm::{self, ICmpPredicate},
    },
    prelude::*,
    type_attribute,
};
use halo_runtime::host::abi::CallContext;

/// The suffix of the C entry point of an entry function.
pub const ENTRY_SUFFIX: &str = "__entry";

/// The suffix of the C function that plans the sizes of an entry of dynamic shape.
pub const SIZES_SUFFIX: &str = "__sizes";

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-to-runtime-abi",
    "Lower entry functions, kernel calls and custom calls to the runtime's C interface",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["halo", "llvm"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let context = module.context();
    let functions =
        module.collect_nested(|op| op.isa::<llvm::LLVMFuncOp>() && op.has_attribute(ENTRY));
    let mut sites = Vec::new();
    with_builder(module, |b| {
        let mut tasks = TaskFunctions::new(LlvmCode { b: *b, module });
        for function in &functions {
            add_tasks(*function, &mut tasks).map_err(|error| failure(*function, &error))?;
        }
        for kernel in module.collect_nested(|op| {
            op.isa::<llvm::LLVMFuncOp>()
                && (op.has_attribute(KERNEL) || op.has_attribute(STREAMING))
        }) {
            seal(kernel, context);
        }
        for function in &functions {
            skip_optimization(*function);
            let entry = Entry {
                code: LlvmCode { b: *b, module },
                tasks: &tasks,
            };
            let lowered = entry.lower(*function, &mut sites);
            let cleaned = lowered.map(|()| erase_unused_casts(b, *function));
            cleaned.map_err(|error| failure(*function, &error))?;
        }
        Ok::<_, PassFailure>(())
    })?;
    if !sites.is_empty() {
        module.set_attribute(CALL_SITES, array_attribute(context, &sites));
    }
    Ok(())
}

fn failure(function: Operation, error: &RewriteError) -> PassFailure {
    PassFailure::at(function, error)
}

/// Adds the functions that the runtime calls for the kernels of an entry function.
fn add_tasks<'c>(function: Operation<'c>, tasks: &mut TaskFunctions<'c>) -> RewriteResult {
    let calls = function.collect_nested(|op| op.isa::<ParallelCallOp>());
    let calls = calls.into_iter().filter_map(|op| op.cast::<ParallelCallOp>());
    let mut shared = calls.filter(|call| !is_one_task(*call));
    shared.try_for_each(|call| tasks.add(call.callee()))
}

/// The attributes of a custom call, and its location.
pub fn call_site<'c>(call: CustomCallOp<'c>) -> Attribute<'c> {
    let operation = call.operation();
    let context = operation.context();
    let mut entries = operation.attributes();
    entries.retain(|(name, _)| *name != OPERAND_SEGMENT_SIZES && !name.contains('.'));
    let location = file_line_column(operation.location()).unwrap_or_default();
    entries.push(("location", string_attribute(context, &location)));
    dictionary_attribute(context, &entries)
}

/// An entry function during its lowering.
struct Entry<'a, 'c> {
    code: LlvmCode<'c>,
    tasks: &'a TaskFunctions<'c>,
}

impl<'c> Entry<'_, 'c> {
    fn lower(&self, function: Operation<'c>, sites: &mut Vec<Attribute<'c>>) -> RewriteResult {
        let entry_block = function.body(0).ok_or_else(|| no_match("a region is empty"))?;
        let context = *entry_block
            .arguments()
            .first()
            .ok_or_else(|| RewriteError::Invalid("an entry function takes no context".into()))?;
        self.define_sizes(function, entry_block)?;
        self.take_table(function, entry_block)?;
        let mut failed = None;
        for call in
            function.collect_nested(|op| op.isa::<ParallelCallOp>() || op.isa::<CustomCallOp>())
        {
            let lowering = Self {
                code: self.code.at(self.code.b.at(call.location())),
                tasks: self.tasks,
            };
            let b = &lowering.code.b;
            b.set_before(call);
            if let Some(call) = call.cast::<ParallelCallOp>() {
                lowering.parallel_call(entry_block, context, call)?;
            } else if let Some(call) = call.cast::<CustomCallOp>() {
                let failed = match failed {
                    Some(failed) => failed,
                    None => *failed.insert(self.failure_block(entry_block)?),
                };
                b.set_before(call.operation());
                let site = call_site(call);
                lowering.custom_call(entry_block, context, call, sites.len() as i64, failed)?;
                sites.push(site);
            }
        }
        Ok(())
    }

    /// Converts a function to the C entry point: it reads its buffers from a table and returns
    /// status 0.
    fn take_table(&self, function: Operation<'c>, block: halo_ir::Block<'c>) -> RewriteResult {
        let code = &self.code;
        let pointer = code.pointer();
        for none in ["arg_attrs", "sym_visibility"] {
            function.remove_attribute(none);
        }
        let arguments = block.arguments();
        let table = block.add_argument(pointer, function.location());
        code.b.set_to_start(block);
        let load_buffer = |number: usize| {
            let slot = code.element_address(table, pointer, &[number as i32]);
            llvm::load(&code.b, slot, pointer)
        };
        let (buffers, sizes): (Vec<Value>, Vec<Value>) =
            arguments.iter().copied().skip(1).partition(|argument| argument.ty() == pointer);
        for (number, argument) in buffers.iter().enumerate() {
            code.b.replace_uses(*argument, load_buffer(number));
        }
        if !sizes.is_empty() {
            let address = load_buffer(buffers.len());
            for (number, argument) in sizes.into_iter().enumerate() {
                let size = self.load_size(address, number);
                code.b.replace_uses(argument, size);
            }
        }
        for index in (1..arguments.len()).rev() {
            block.erase_argument(index);
        }
        for end in function.collect_nested(|op| op.isa::<llvm::ReturnOp>()) {
            code.b.set_before(end);
            self.return_constant(0);
            code.b.erase(end);
        }
        let name = function
            .attribute("sym_name")
            .and_then(Attribute::string_value)
            .ok_or_else(|| no_match("it has no name"))?;
        let name = string_attribute(code.b.context(), &format!("{name}{ENTRY_SUFFIX}"));
        let ty = type_attribute(code.parse_type("!llvm.func<i32 (ptr, ptr)>")?);
        let external = linkage(code.b.context(), "external")?;
        function.set_attribute("sym_name", name);
        function.set_attribute("function_type", ty);
        function.set_attribute("linkage", external);
        Ok(())
    }

    fn load_size(&self, table: Value<'c>, number: usize) -> Value<'c> {
        let size = self.code.i64();
        let slot = self.code.element_address(table, size, &[number as i32]);
        llvm::load(&self.code.b, slot, size)
    }

    /// Defines the function that plans the sizes of an entry of dynamic shape.
    fn define_sizes(&self, entry: Operation<'c>, block: halo_ir::Block<'c>) -> RewriteResult {
        let plans = entry.collect_nested(|op| op.isa::<PlanSizesOp>());
        let Some(plan) = plans.first().and_then(|op| op.cast::<PlanSizesOp>()) else {
            return Ok(());
        };
        let code = &self.code;
        let (pointer, i64) = (code.pointer(), code.i64());
        let name = entry.attribute("sym_name").and_then(Attribute::string_value);
        let name = name.ok_or_else(|| no_match("it has no name"))?;
        let arguments = block.arguments().into_iter().filter(|argument| argument.ty() == i64);
        let arguments: Vec<Value> = arguments.collect();
        let region = code.b.region(&[pointer], |b, parameters| {
            let code = LlvmCode {
                b: *b,
                module: code.module,
            };
            let lowering = Self {
                code,
                tasks: self.tasks,
            };
            let mut map = ValueMap::new();
            for (number, argument) in arguments.iter().enumerate() {
                map.insert(argument.key(), lowering.load_size(parameters[0], number));
            }
            let mut computed = |value: Value<'c>| clone_computation(b, source_of(value), &mut map);
            for (number, size) in plan.sizes().into_iter().enumerate() {
                let number = (arguments.len() + number) as i32;
                let slot = lowering.code.element_address(parameters[0], i64, &[number]);
                llvm::store(b, computed(size)?, slot);
            }
            let mut status = lowering.code.constant(lowering.status(), 0);
            for (number, check) in plan.checks().into_iter().enumerate().rev() {
                let failed = lowering.code.constant(lowering.status(), number as i64 + 1);
                status = llvm::select(b, computed(check)?, status, failed);
            }
            llvm::ReturnOp::build(b).arg(status).insert();
            Ok::<_, RewriteError>(())
        })?;
        let ty = code.parse_type("!llvm.func<i32 (ptr)>")?;
        code.b.set_before(entry);
        llvm::LLVMFuncOp::build(&code.b, &format!("{name}{SIZES_SUFFIX}"), ty, region).insert();
        code.b.erase(plan.operation());
        Ok(())
    }

    /// A block that returns status 1.
    fn failure_block(&self, block: halo_ir::Block<'c>) -> RewriteResult<halo_ir::Block<'c>> {
        let failed = block.append_sibling().ok_or_else(|| no_match("the block is in no region"))?;
        self.code.b.set_to_end(failed);
        self.return_constant(1);
        Ok(failed)
    }

    fn return_constant(&self, status: i64) {
        let status = self.code.constant(self.status(), status);
        llvm::ReturnOp::build(&self.code.b).arg(status).insert();
    }

    fn status(&self) -> Type<'c> {
        integer_type(self.code.b.context(), 32)
    }

    /// Stack memory for a structure, allocated in the entry block, so that a call within a loop
    /// does not grow the stack.
    fn stack(&self, block: halo_ir::Block<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
        self.code.b.with_insertion_point(|b| {
            b.set_to_start(block);
            let one = self.code.constant(self.code.i64(), 1);
            Ok(llvm::alloca(b, one, ty, self.code.pointer()))
        })
    }

    /// Loads a function pointer of the context at an offset in bytes.
    fn context_function(&self, context: Value<'c>, offset: usize) -> Value<'c> {
        let byte = integer_type(self.code.b.context(), 8);
        let slot = self.code.element_address(context, byte, &[offset as i32]);
        llvm::load(&self.code.b, slot, self.code.pointer())
    }

    fn call_pointer(
        &self,
        function: Value<'c>,
        arguments: &[Value<'c>],
        result: Option<Type<'c>>,
    ) -> llvm::CallOp<'c> {
        let mut operands = vec![function];
        operands.extend(arguments);
        let call = llvm::CallOp::build(&self.code.b, &operands, &[], &[])
            .maybe(result, |call, ty| call.result_type(ty));
        call.insert()
    }

    /// The converted value; for a buffer, the pointer to its first element.
    fn converted(&self, value: Value<'c>) -> Value<'c> {
        let source = source_of(value);
        let pointer = self.code.pointer();
        if value.ty().is_memref() && source.ty() != pointer {
            return llvm::extractvalue(&self.code.b, source, &[1], pointer);
        }
        source
    }

    fn parallel_call(
        &self,
        entry_block: halo_ir::Block<'c>,
        context: Value<'c>,
        call: ParallelCallOp<'c>,
    ) -> RewriteResult {
        let (callee, code) = (call.callee(), &self.code);
        let (begin, end) = (self.converted(call.begin()), self.converted(call.end()));
        let captured = call.captures().into_iter();
        let captured: Vec<Value> = captured.map(|value| self.converted(value)).collect::<_>();
        let is_one = is_one_task(call);
        let task = self.tasks.get(callee);
        let Some(task) = task.filter(|task| task.is_kernel || !is_one) else {
            let operands = [&[begin, end], &captured[..]].concat();
            code.call_symbol(callee, &operands, None);
            code.b.erase(call.operation());
            return Ok(());
        };
        let captures = self.stack(entry_block, task.structure)?;
        for (index, value) in captured.iter().enumerate() {
            let address = code.element_address(captures, task.structure, &[0, index as i32]);
            llvm::store(&code.b, *value, address);
        }
        if is_one {
            code.call_symbol(&task.name, &[context, begin, end, captures], None);
            code.b.erase(call.operation());
            return Ok(());
        }
        let count = llvm::sub(&code.b, end, begin);
        let function = llvm::mlir_addressof(&code.b, &task.name, code.pointer());
        let grain = code.constant(code.i64(), call.grain());
        let parallel_for =
            self.context_function(context, std::mem::offset_of!(CallContext, parallel_for));
        let operands = [context, function, count, grain, captures];
        self.call_pointer(parallel_for, &operands, None);
        code.b.erase(call.operation());
        Ok(())
    }

    fn custom_call(
        &self,
        entry_block: halo_ir::Block<'c>,
        context: Value<'c>,
        call: CustomCallOp<'c>,
        site: i64,
        failed: halo_ir::Block<'c>,
    ) -> RewriteResult {
        let call = call.operation();
        let buffers = call.operands().into_iter().map(|buffer| self.converted(buffer));
        let buffers: Vec<Value> = buffers.collect::<_>();
        let pointer = self.code.pointer();
        let table = self.code.parse_type(&format!("!llvm.array<{} x ptr>", buffers.len()))?;
        let address = self.stack(entry_block, table)?;
        for (index, buffer) in buffers.iter().enumerate() {
            let slot = self.code.element_address(address, pointer, &[index as i32]);
            llvm::store(&self.code.b, *buffer, slot);
        }
        let site = self.code.constant(self.code.i64(), site);
        let function =
            self.context_function(context, std::mem::offset_of!(CallContext, custom_call));
        let called = self.call_pointer(function, &[context, site, address], Some(self.status()));
        let status = called.result().ok_or_else(|| no_match("the call has no result"))?;
        let zero = self.code.constant(self.status(), 0);
        let succeeded = llvm::icmp(&self.code.b, ICmpPredicate::Eq, status, zero);
        let block = call.block().ok_or_else(|| no_match("the call is in no block"))?;
        let rest = call.split_block_after().ok_or_else(|| no_match("the call is in no block"))?;
        self.code.b.erase(call);
        self.code.b.set_to_end(block);
        llvm::cond_br(&self.code.b, succeeded, &[], &[], rest, failed);
        Ok(())
    }
}

/// Prevents inlining of a kernel or of an outlined kernel function: each copy would be compiled
/// again, and its arguments would lose `noalias`.
fn seal<'c>(kernel: Operation<'c>, context: &'c Context) {
    if let Ok(internal) = linkage(context, "internal") {
        kernel.set_attribute("linkage", internal);
    }
    kernel.set_attribute("no_inline", halo_ir::unit_attribute(context));
    if kernel.has_attribute(VECTORIZED)
        && let Some(kernel) = kernel.cast::<llvm::LLVMFuncOp>()
    {
        kernel.set_passthrough(&[string_attribute(context, VECTORIZED_IN_LLVM)]);
        kernel.remove_attribute(VECTORIZED);
    }
}

/// Whether the range of a call is a single task, which needs no thread pool.
fn is_one_task(call: ParallelCallOp) -> bool {
    let [first, last] = [call.begin(), call.end()].map(|bound| constant_value(source_of(bound)));
    matches!((first, last), (Some(first), Some(last)) if last - first <= call.grain())
}

/// Erases the unused buffer casts of lowered calls. Views of views are chains of casts, which are
/// erased from the end.
fn erase_unused_casts<'c>(b: &Builder<'c>, function: Operation<'c>) {
    let casts = function.collect_nested(|op| op.isa::<builtin::UnrealizedConversionCastOp>());
    for cast in casts.into_iter().rev() {
        if cast.results().into_iter().all(Value::is_unused) {
            b.erase(cast);
        }
    }
}

/// The value before casts.
fn source_of(value: Value) -> Value {
    let mut source = value;
    while let Some(cast) = source.defined_by::<builtin::UnrealizedConversionCastOp>()
        && let [input] = cast.inputs()[..]
    {
        source = input;
    }
    source
}

/// The value of an integer constant of the LLVM dialect.
fn constant_value(value: Value) -> Option<i64> {
    value.defined_by::<llvm::ConstantOp>()?.value().integer_value()
}
