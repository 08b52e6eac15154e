//! `--halo-lower-to-runtime-abi`: the calls between generated code and the
//! runtime, in the LLVM dialect.
//!
//! The runtime calls a program through one C function, and generated code calls
//! the runtime through the functions of the call's context (see
//! `halo_runtime::host::abi`):
//!
//! - each entry function gets a wrapper `<name>__entry(context, buffers)` that
//!   takes its buffers from a table;
//! - `halo.parallel_call` becomes a call of the context's `parallel_for`, the
//!   kernel's arguments packed into a structure;
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
//! %task = llvm.mlir.addressof @main_kernel_0__task : !llvm.ptr
//! llvm.call %parallel_for(%context, %task, %count, %grain, %captures)
//!   : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> ()
//! ```

use super::{
    llvm_code::{LlvmCode, linkage, skip_optimization},
    sme::STREAMING,
};
use halo_ir::diagnostics::file_line_column;
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    Attribute, Operation, RewriteError, Type, Value, array_attribute, attributes_of,
    collect_operations, dictionary_attribute, integer_attribute_value, integer_type, is_memref,
    no_match,
    ops::{
        OPERAND_SEGMENT_SIZES, Op, OperationExt, ValueExt, builtin,
        halo::{
            CALL_SITES, CustomCallOp, ENTRY, KERNEL, ParallelCallOp, VECTORIZED, VECTORIZED_IN_LLVM,
        },
        llvm::{self, ICmpPredicate},
    },
    string_attribute, string_value, type_attribute, with_builder,
};
use halo_runtime::host::abi::CallContext;
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

/// The suffix of the wrapper of an entry function.
pub const ENTRY_SUFFIX: &str = "__entry";
/// The suffix of the function that the runtime calls for a range of a kernel.
pub const TASK_SUFFIX: &str = "__task";

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
    let context = halo_ir::context_of(module);
    let functions = collect_operations(module, |op| {
        op.isa::<llvm::LLVMFuncOp>() && op.has_attribute(ENTRY)
    });
    for kernel in collect_operations(module, |op| {
        op.isa::<llvm::LLVMFuncOp>() && (op.has_attribute(KERNEL) || op.has_attribute(STREAMING))
    }) {
        seal(kernel, context);
    }
    let mut sites = Vec::new();
    for function in functions {
        skip_optimization(function);
        let lowered = with_builder(function, |b| {
            LlvmCode { b: *b, module }.lower(function, &mut sites)
        });
        lowered.map_err(|error| {
            emit_error(function.location(), &error.to_string());
            PassFailure
        })?;
    }
    if !sites.is_empty() {
        halo_ir::set_attribute(module, CALL_SITES, array_attribute(context, &sites));
    }
    Ok(())
}

/// The attributes of a custom call, and its location.
pub fn call_site<'c>(call: CustomCallOp<'c>) -> Attribute<'c> {
    let operation = call.operation();
    let context = halo_ir::context_of(operation);
    let mut entries = attributes_of(operation);
    entries.retain(|(name, _)| *name != OPERAND_SEGMENT_SIZES && !name.contains('.'));
    let location = file_line_column(operation.location()).unwrap_or_default();
    entries.push(("location", string_attribute(context, &location)));
    dictionary_attribute(context, &entries)
}

impl<'c> LlvmCode<'c> {
    fn lower(
        &self,
        function: Operation<'c>,
        sites: &mut Vec<Attribute<'c>>,
    ) -> Result<(), RewriteError> {
        let entry_block =
            halo_ir::body_of(function, 0).ok_or_else(|| no_match("a region is empty"))?;
        let context = *halo_ir::arguments_of(entry_block)
            .first()
            .ok_or_else(|| RewriteError::Invalid("an entry function takes no context".into()))?;
        let mut failed = None;
        for call in collect_operations(function, |op| {
            op.isa::<ParallelCallOp>() || op.isa::<CustomCallOp>()
        }) {
            let lowering = Self {
                b: self.b.at(call.location()),
                module: self.module,
            };
            lowering.b.set_before(call);
            if let Some(call) = call.cast::<ParallelCallOp>() {
                lowering.parallel_call(entry_block, context, call)?;
            } else if let Some(call) = call.cast::<CustomCallOp>() {
                let failed = match failed {
                    Some(failed) => failed,
                    None => *failed.insert(self.return_status(function)?),
                };
                lowering.b.set_before(call.operation());
                let site = call_site(call);
                lowering.custom_call(entry_block, context, call, sites.len() as i64, failed)?;
                sites.push(site);
            }
        }
        self.wrapper(function, failed.is_some())
    }

    /// Makes a function return a status, 0 so far. Returns the block that
    /// returns 1.
    fn return_status(&self, function: Operation<'c>) -> Result<halo_ir::Block<'c>, RewriteError> {
        let block = halo_ir::body_of(function, 0).ok_or_else(|| no_match("a region is empty"))?;
        let arguments = halo_ir::arguments_of(block);
        let arguments: Vec<Type> = arguments.iter().map(|value| value.r#type()).collect();
        let r#type = melior::dialect::llvm::r#type::function(self.status(), &arguments, false);
        halo_ir::set_attribute(function, "function_type", type_attribute(r#type));
        for end in collect_operations(function, |op| op.isa::<llvm::ReturnOp>()) {
            self.b.set_before(end);
            self.return_constant(0)?;
            self.b.erase(end)?;
        }
        let failed = halo_ir::add_block_behind(block)
            .ok_or_else(|| no_match("the block is in no region"))?;
        self.b.set_to_end(failed);
        self.return_constant(1)?;
        Ok(failed)
    }

    fn return_constant(&self, status: i64) -> Result<(), RewriteError> {
        let status = self.constant(self.status(), status)?;
        llvm::ReturnOp::build(&self.b).arg(status).insert()?;
        Ok(())
    }

    fn status(&self) -> Type<'c> {
        integer_type(self.b.context(), 32)
    }

    /// Memory on the stack for a structure, in the entry block, so that a call
    /// within a loop does not grow the stack.
    fn stack(
        &self,
        block: halo_ir::Block<'c>,
        r#type: Type<'c>,
    ) -> Result<Value<'c>, RewriteError> {
        self.b.with_insertion_point(|b| {
            b.set_to_start(block);
            let one = self.constant(self.i64(), 1)?;
            Ok(llvm::alloca(b, one, r#type, self.pointer())?)
        })
    }

    /// A function of the context, from its offset in bytes.
    fn context_function(
        &self,
        context: Value<'c>,
        offset: usize,
    ) -> Result<Value<'c>, RewriteError> {
        let byte = integer_type(self.b.context(), 8);
        let slot = self.element_address(context, byte, &[offset as i32])?;
        Ok(llvm::load(&self.b, slot, self.pointer())?)
    }

    fn call_pointer(
        &self,
        function: Value<'c>,
        arguments: &[Value<'c>],
        result: Option<Type<'c>>,
    ) -> Result<llvm::CallOp<'c>, RewriteError> {
        let mut operands = vec![function];
        operands.extend(arguments);
        let call = llvm::CallOp::build(&self.b, &operands, &[], &[])
            .maybe(result, |call, r#type| call.result_type(r#type));
        Ok(call.insert()?)
    }

    /// The converted value; for a buffer the pointer to its first element.
    fn converted(&self, value: Value<'c>) -> Result<Value<'c>, RewriteError> {
        let mut source = value;
        while let Some(cast) = source.defined_by::<builtin::UnrealizedConversionCastOp>()
            && let [input] = cast.inputs()[..]
        {
            source = input;
        }
        let pointer = self.pointer();
        if is_memref(value.r#type()) && source.r#type() != pointer {
            return Ok(llvm::extractvalue(&self.b, source, &[1], pointer)?);
        }
        Ok(source)
    }

    fn parallel_call(
        &self,
        entry_block: halo_ir::Block<'c>,
        context: Value<'c>,
        call: ParallelCallOp<'c>,
    ) -> Result<(), RewriteError> {
        let (callee, grain) = (call.callee(), call.grain());
        let (begin, end) = (self.converted(call.begin())?, self.converted(call.end())?);
        let captured = call.captures().into_iter();
        let captured: Vec<Value> = captured
            .map(|value| self.converted(value))
            .collect::<Result<_, _>>()?;
        // A single task needs no thread pool.
        if let (Some(first), Some(last)) = (constant_value(begin), constant_value(end))
            && last - first <= grain
        {
            let operands = [&[begin, end], &captured[..]].concat();
            self.call_symbol(callee, &operands, None)?;
            self.b.erase(call.operation())?;
            return Ok(());
        }
        let count = llvm::sub(&self.b, end, begin)?;
        let types: Vec<Type> = captured.iter().map(|value| value.r#type()).collect();
        let structure = melior::dialect::llvm::r#type::r#struct(self.b.context(), &types, false);
        let captures = self.stack(entry_block, structure)?;
        for (index, value) in captured.iter().enumerate() {
            let address = self.element_address(captures, structure, &[0, index as i32])?;
            llvm::store(&self.b, *value, address)?;
        }
        let task = self.task(callee, structure, &captured)?;
        let task = llvm::mlir_addressof(&self.b, &task, self.pointer())?;
        let grain = self.constant(self.i64(), grain)?;
        let parallel_for =
            self.context_function(context, std::mem::offset_of!(CallContext, parallel_for))?;
        self.call_pointer(parallel_for, &[context, task, count, grain, captures], None)?;
        self.b.erase(call.operation())?;
        Ok(())
    }

    /// The function that `parallel_for` calls: it unpacks the captures and calls
    /// the kernel. There is one for each kernel.
    fn task(
        &self,
        kernel: &str,
        structure: Type<'c>,
        captured: &[Value<'c>],
    ) -> Result<String, RewriteError> {
        let name = format!("{kernel}{TASK_SUFFIX}");
        // Functions are at the top level; a walk would visit every op of each.
        let symbols = halo_ir::body_of(self.module, 0).map(halo_ir::operations_of);
        if symbols
            .unwrap_or_default()
            .iter()
            .any(|op| op.attribute("sym_name").ok().and_then(string_value) == Some(&name))
        {
            return Ok(name);
        }
        let pointer = self.pointer();
        let parameters = [pointer, self.i64(), self.i64(), pointer];
        self.function(
            &name,
            "!llvm.func<void (ptr, i64, i64, ptr)>",
            &parameters,
            true,
            |abi, arguments| {
                let [_, begin, end, captures] = arguments else {
                    return Err(no_match("a kernel takes four arguments"));
                };
                let mut operands = vec![*begin, *end];
                for (index, value) in captured.iter().enumerate() {
                    let address = abi.element_address(*captures, structure, &[0, index as i32])?;
                    operands.push(llvm::load(&abi.b, address, value.r#type())?);
                }
                abi.call_symbol(kernel, &operands, None)?;
                llvm::return_(&abi.b)?;
                Ok(())
            },
        )?;
        Ok(name)
    }

    fn custom_call(
        &self,
        entry_block: halo_ir::Block<'c>,
        context: Value<'c>,
        call: CustomCallOp<'c>,
        site: i64,
        failed: halo_ir::Block<'c>,
    ) -> Result<(), RewriteError> {
        let call = call.operation();
        let buffers = call.operands().map(|buffer| self.converted(buffer));
        let buffers: Vec<Value> = buffers.collect::<Result<_, _>>()?;
        let pointer = self.pointer();
        let table = self.parse_type(&format!("!llvm.array<{} x ptr>", buffers.len()))?;
        let address = self.stack(entry_block, table)?;
        for (index, buffer) in buffers.iter().enumerate() {
            let slot = self.element_address(address, pointer, &[index as i32])?;
            llvm::store(&self.b, *buffer, slot)?;
        }
        let site = self.constant(self.i64(), site)?;
        let function =
            self.context_function(context, std::mem::offset_of!(CallContext, custom_call))?;
        let called = self.call_pointer(function, &[context, site, address], Some(self.status()))?;
        let status = called
            .result()
            .ok_or_else(|| no_match("the call has no result"))?;
        let zero = self.constant(self.status(), 0)?;
        let succeeded = llvm::icmp(&self.b, ICmpPredicate::Eq, status, zero)?;
        let block =
            halo_ir::parent_block(call).ok_or_else(|| no_match("the call is in no block"))?;
        let rest = halo_ir::split_after(call).ok_or_else(|| no_match("the call is in no block"))?;
        self.b.erase(call)?;
        self.b.set_to_end(block);
        llvm::cond_br(&self.b, succeeded, &[], &[], rest, failed)?;
        Ok(())
    }

    /// `<name>__entry(context, buffers)`: takes the buffers from the table.
    fn wrapper(&self, function: Operation<'c>, has_status: bool) -> Result<(), RewriteError> {
        let name = function
            .attribute("sym_name")
            .ok()
            .and_then(string_value)
            .ok_or_else(|| no_match("it has no name"))?;
        let block = halo_ir::body_of(function, 0).ok_or_else(|| no_match("a region is empty"))?;
        let buffers = halo_ir::arguments_of(block).len().saturating_sub(1);
        let pointer = self.pointer();
        self.function(
            &format!("{name}{ENTRY_SUFFIX}"),
            "!llvm.func<i32 (ptr, ptr)>",
            &[pointer, pointer],
            false,
            |abi, arguments| {
                let [context, table] = arguments else {
                    return Err(no_match("an entry takes two arguments"));
                };
                let mut operands = vec![*context];
                for index in 0..buffers {
                    let slot = abi.element_address(*table, pointer, &[index as i32])?;
                    operands.push(llvm::load(&abi.b, slot, pointer)?);
                }
                let status = has_status.then(|| abi.status());
                let call = abi.call_symbol(name, &operands, status)?;
                match call.result() {
                    Some(status) => {
                        llvm::ReturnOp::build(&abi.b).arg(status).insert()?;
                        Ok(())
                    }
                    None => abi.return_constant(0),
                }
            },
        )?;
        // Nothing outside calls the function itself.
        let internal = linkage(self.b.context(), "internal")?;
        halo_ir::set_attribute(function, "linkage", internal);
        Ok(())
    }
}

/// Prevents inlining of a kernel or of a part of one: each copy would be compiled again, and its
/// arguments would lose `noalias`.
fn seal<'c>(kernel: Operation<'c>, context: &'c Context) {
    if let Ok(internal) = linkage(context, "internal") {
        halo_ir::set_attribute(kernel, "linkage", internal);
    }
    halo_ir::set_attribute(kernel, "no_inline", halo_ir::unit_attribute(context));
    if kernel.has_attribute(VECTORIZED)
        && let Some(kernel) = kernel.cast::<llvm::LLVMFuncOp>()
    {
        kernel.set_passthrough(&[string_attribute(context, VECTORIZED_IN_LLVM)]);
        halo_ir::remove_attribute(kernel.operation(), VECTORIZED);
    }
}

/// The value of an integer constant of the LLVM dialect.
fn constant_value(value: Value) -> Option<i64> {
    integer_attribute_value(value.defined_by::<llvm::ConstantOp>()?.value())
}
