//! From the LLVM dialect to an object file, by LLVM's own optimizer and code
//! generator.
//!
//! One of the few modules with `unsafe`: MLIR hands over a raw LLVM module,
//! which inkwell then owns.

use super::target::TargetDescription;
use halo_core::panics;
use halo_ir::{
    Operation, WalkOrder, WalkResult, context_of,
    diagnostics::{error, with_diagnostics},
    dialect, name_of, walk,
};
use halo_runtime::Error;
use inkwell::{
    attributes::AttributeLoc,
    context::Context,
    memory_buffer::MemoryBuffer,
    module::Module,
    passes::PassBuilderOptions,
    targets::{FileType, TargetMachine},
};

/// Translates a module of the LLVM dialect, or a `gpu.module`, to LLVM IR.
pub fn translate<'l>(module: Operation, context: &'l Context) -> Result<Module<'l>, Error> {
    // SAFETY: Both are valid; the result is null or a module that the caller
    // owns in the given context.
    unsafe {
        let (raw, errors) =
            with_diagnostics(context_of(module), || match first_declared_op(module) {
                Some(op) => {
                    let name = name_of(op);
                    let message = format!("'{name}' op has no lowering to the LLVM dialect");
                    drop(error(op, message));
                    std::ptr::null_mut()
                }
                None => {
                    mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw().cast())
                }
            });
        if raw.is_null() {
            let message = "the LLVM dialect could not be translated";
            return Err(match errors.is_empty() {
                true => Error::internal(message),
                false => Error::diagnosed(message, errors),
            });
        }
        Ok(Module::new(raw.cast()))
    }
}

/// An op of a dialect that is declared in Rust: MLIR translates none.
fn first_declared_op(module: Operation<'_>) -> Option<Operation<'_>> {
    let mut found = None;
    walk(module, WalkOrder::PreOrder, |op| {
        if dialect::declaration_of(name_of(op)).is_none() {
            return WalkResult::Advance;
        }
        found = Some(op);
        WalkResult::Interrupt
    });
    found
}

/// LLVM's passes. The input is in SSA form, inlined and canonical, and its
/// matrix products are unrolled, so half of the passes of level 3 have nothing
/// to do and take most of the time of compilation.
///
/// Loops are vectorized before any is unrolled: a short inner loop that is
/// unrolled first leaves the one around it to be vectorized, in strides. After
/// that only those are unrolled that ask for it.
const PIPELINE: &str = "ipsccp,function<eager-inv>(\
     early-cse<memssa>,simplifycfg,\
     instcombine<max-iterations=1;no-verify-fixpoint>,\
     loop-mssa(loop-rotate<header-duplication>,licm<allowspeculation>),\
     simplifycfg,loop(indvars,loop-idiom,loop-deletion),gvn<>,\
     loop-vectorize,loop-load-elim,\
     instcombine<max-iterations=1;no-verify-fixpoint>,vector-combine,\
     loop-unroll<O3;no-partial;no-peeling;no-runtime;no-upperbound;full-unroll-max=0>,\
     loop-mssa(licm<allowspeculation>),\
     simplifycfg<switch-range-to-icmp;switch-to-arithmetic;\
     sink-common-insts;hoist-common-insts>,\
     early-cse),globaldce";

/// Optimizes a module for a target.
pub fn optimize(
    module: &Module,
    machine: &TargetMachine,
    target: &TargetDescription,
) -> Result<(), Error> {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let context = module.get_context();
    let vector_bits = target.vector_bits().to_string();
    for function in module.get_functions() {
        if function.count_basic_blocks() == 0 {
            continue;
        }
        for (key, value) in [
            ("target-cpu", target.cpu.as_str()),
            ("target-features", target.features.as_str()),
            ("prefer-vector-width", vector_bits.as_str()),
        ] {
            let attribute = context.create_string_attribute(key, value);
            function.add_attribute(AttributeLoc::Function, attribute);
        }
    }
    module
        .run_passes(PIPELINE, machine, PassBuilderOptions::create())
        .map_err(|error| Error::internal(format!("LLVM: {}", error.to_string())))
}

/// The object file or the assembly of a module.
pub fn emit(
    module: &Module,
    machine: &TargetMachine,
    kind: FileType,
) -> Result<MemoryBuffer<'static>, Error> {
    let emitted = panics::catch(|| machine.write_to_memory_buffer(module, kind))
        .map_err(|panic| Error::internal(format!("LLVM: {panic}")))?;
    emitted.map_err(|error| Error::internal(format!("LLVM: {}", error.to_string())))
}
