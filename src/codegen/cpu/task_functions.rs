//! Functions that the runtime calls for a range of a kernel, with a structure of its captures.
//!
//! Each additional function takes LLVM 0.5 ms, so a kernel itself has this signature where
//! possible. It loads its captures, so its buffers lose `noalias`, which matters little for
//! vectorized loops: scalar loads from read-only buffers are marked, so that LLVM can hoist them. A
//! kernel with loops for LLVM's vectorizer must keep the attributes of its arguments, and gets a
//! wrapper.
//!
//! ```mlir
//! llvm.func @kernel(%begin: i64, %end: i64, %x: !llvm.ptr {llvm.noalias})
//!     attributes {halo.kernel, halo.vectorized} { ... }
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @kernel(%context: !llvm.ptr, %begin: i64, %end: i64, %captures: !llvm.ptr)
//!     attributes {halo.kernel, halo.vectorized} {
//!   %slot = llvm.getelementptr %captures[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr)>
//!   %x = llvm.load %slot : !llvm.ptr -> !llvm.ptr
//!   ...
//! }
//! ```

use super::llvm_code::LlvmCode;
use crate::loops::captures::overlap_free_arguments;
use halo_ir::{
    ops::{
        halo::VECTORIZED,
        llvm::{self, LLVMFuncOp},
    },
    prelude::*,
    type_attribute,
};

use std::collections::HashMap;

/// The suffix of the wrapper of a kernel.
pub const TASK_SUFFIX: &str = "__task";

/// The parameters of the function that the runtime calls: the call's context, the begin and the
/// end of the range, and the captures.
const PARAMETERS: &str = "!llvm.func<void (ptr, i64, i64, ptr)>";

/// The kernels of a module that the runtime calls.
pub struct TaskFunctions<'c> {
    code: LlvmCode<'c>,
    functions: HashMap<String, LLVMFuncOp<'c>>,
    tasks: HashMap<String, Task<'c>>,
}

/// The function that the runtime calls for a kernel.
pub struct Task<'c> {
    /// The name of the function.
    pub name: String,
    /// The structure of the captures.
    pub structure: Type<'c>,
    /// Whether the function is the kernel itself.
    pub is_kernel: bool,
}

impl<'c> TaskFunctions<'c> {
    pub fn new(code: LlvmCode<'c>) -> Self {
        let symbols = code.module.body(0).map(Block::operations);
        let functions = symbols.unwrap_or_default().into_iter();
        let functions = functions.filter_map(|op| op.cast::<LLVMFuncOp>());
        let functions = functions.map(|function| (function.sym_name().to_owned(), function));
        Self {
            functions: functions.collect(),
            tasks: HashMap::new(),
            code,
        }
    }

    /// The task function of a kernel, if [`add`](Self::add) was called.
    pub fn get(&self, kernel: &str) -> Option<&Task<'c>> {
        self.tasks.get(kernel)
    }

    /// Adds the task function of a kernel.
    pub fn add(&mut self, kernel: &str) -> RewriteResult {
        if self.tasks.contains_key(kernel) {
            return Ok(());
        }
        let function = self.functions.get(kernel);
        let function = *function.ok_or_else(|| no_match("a call of no kernel"))?;
        let body = function.operation().body(0);
        let arguments = body.map(Block::arguments).unwrap_or_default();
        let [_, _, captures @ ..] = &arguments[..] else {
            return Err(no_match("a kernel takes a range"));
        };
        let types = captures.types();
        let context = function.context();
        let structure = melior::dialect::llvm::r#type::r#struct(context, &types, false);
        let is_kernel = function.has_attribute(VECTORIZED);
        let name = if is_kernel {
            self.take_structure(function, structure, &types)?;
            kernel.to_owned()
        } else {
            self.wrapper(kernel, structure, &types)?
        };
        let task = Task {
            name,
            structure,
            is_kernel,
        };
        self.tasks.insert(kernel.to_owned(), task);
        Ok(())
    }

    /// Changes the signature of a kernel to take its captures as a structure.
    fn take_structure(
        &self,
        kernel: LLVMFuncOp<'c>,
        structure: Type<'c>,
        types: &[Type<'c>],
    ) -> RewriteResult {
        let operation = kernel.operation();
        let block = operation.body(0).ok_or_else(|| no_match("a kernel has no body"))?;
        let old = block.arguments();
        let are_apart = overlap_free_arguments(operation);
        operation.remove_attribute("arg_attrs");
        let (pointer, index) = (self.code.pointer(), self.code.i64());
        let [_, begin, end, captures] =
            [pointer, index, index, pointer].map(|ty| block.add_argument(ty, operation.location()));
        with_builder(operation, |b| {
            b.set_to_start(block);
            let code = self.code.at(*b);
            let mut new = vec![begin, end];
            new.extend(code.fields(captures, structure, types)?);
            for ((old, new), is_apart) in old.iter().zip(&new).zip(&are_apart) {
                b.replace_uses(*old, *new);
                if *is_apart {
                    mark_elements(*new);
                }
            }
            Ok::<_, RewriteError>(())
        })?;
        for index in (0..old.len()).rev() {
            block.erase_argument(index);
        }
        let ty = type_attribute(self.code.parse_type(PARAMETERS)?);
        operation.set_attribute("function_type", ty);
        Ok(())
    }

    /// Adds a wrapper of a kernel.
    fn wrapper(
        &self,
        kernel: &str,
        structure: Type<'c>,
        captured: &[Type<'c>],
    ) -> RewriteResult<String> {
        let name = format!("{kernel}{TASK_SUFFIX}");
        let (pointer, index) = (self.code.pointer(), self.code.i64());
        let parameters = [pointer, index, index, pointer];
        self.code.function(&name, PARAMETERS, &parameters, true, |code, arguments| {
            let [_, begin, end, captures] = arguments else {
                return Err(no_match("a task takes four arguments"));
            };
            let mut operands = vec![*begin, *end];
            operands.extend(code.fields(*captures, structure, captured)?);
            code.call_symbol(kernel, &operands, None);
            llvm::return_(&code.b);
            Ok(())
        })?;
        Ok(name)
    }
}

/// Marks scalar loads from a buffer that the function does not write as invariant.
fn mark_elements(buffer: Value) {
    let mut loads = Vec::new();
    if !collect_loads(buffer, &mut loads) {
        return;
    }
    for load in loads {
        let is_element = |value: Value| !value.ty().is_vector();
        if load.results().into_iter().all(is_element) {
            load.set_attribute("invariant", unit_attribute(load.context()));
        }
    }
}

/// Collects the loads from an address or from addresses computed from it. Returns whether the
/// address has no other uses.
fn collect_loads<'c>(address: Value<'c>, loads: &mut Vec<Operation<'c>>) -> bool {
    address.uses().into_iter().all(|(user, _)| {
        if user.isa::<llvm::LoadOp>() {
            loads.push(user);
            return true;
        }
        let mut results = user.results().into_iter();
        user.isa::<llvm::GEPOp>() && results.all(|result| collect_loads(result, loads))
    })
}
