//! Compiles kernels in the LLVM dialect to GPU assembly, by LLVM's optimizer and code generator.

use super::planning;
use crate::lowering::Lowering;
use halo_backend::{BackendOption, CompileOptions};
use halo_codegen::gpu::{gpu_contractions::provider::F32Products, outline_scalar_code::KERNELS};
use halo_core::machine::{GPUS, Gpu, Vendor};
use halo_ir::{
    Operation,
    pass::{OptionKind, OptionType},
};
use halo_llvm::target::TargetDescription;
use halo_runtime::{Error, Result};
use inkwell::{
    AddressSpace, module::Module, passes::PassBuilderOptions, targets::FileType,
    types::AnyTypeEnum, values::GlobalValue,
};

/// The address space of memory that the threads of a block share.
const SHARED: u16 = 3;
/// The alignment of shared memory, so that it is accessed 128 bits at a time.
const SHARED_ALIGNMENT: u32 = 16;

/// The units that compute products of f32.
pub(super) const F32_PRODUCTS: BackendOption = BackendOption {
    name: "gpu-f32",
    summary: "How a GPU computes products of f32 whose precision is not HIGHEST",
    values: words(F32Products::KIND),
};

/// The value of [`F32_PRODUCTS`].
pub(super) fn f32_products(options: &CompileOptions) -> F32Products {
    F32Products::parse(options.backend.get(&F32_PRODUCTS)).unwrap_or(F32Products::Auto)
}

/// The values of an enumeration.
pub(super) const fn words(kind: OptionKind) -> &'static [&'static str] {
    match kind {
        OptionKind::Words(words) => words,
        _ => &[],
    }
}

/// The model of an architecture.
///
/// # Errors
/// Returns invalid input for unknown names, with the known ones.
pub(super) fn gpu_of(name: &str) -> Result<Gpu> {
    Gpu::parse(name).ok_or_else(|| unknown(name, GPUS))
}

/// The model of a vendor's architecture.
///
/// # Errors
/// Like [`gpu_of`].
pub(super) fn gpu_of_vendor(name: &str, vendor: Vendor) -> Result<Gpu> {
    let known: Vec<Gpu> = GPUS.iter().filter(|gpu| gpu.vendor == vendor).copied().collect();
    let found = known.iter().find(|gpu| gpu.name == name);
    found.copied().ok_or_else(|| unknown(name, &known))
}

fn unknown(name: &str, known: &[Gpu]) -> Error {
    let names: Vec<&str> = known.iter().map(|gpu| gpu.name).collect();
    Error::invalid(format!(
        "unknown GPU architecture '{name}'; there are: {}",
        names.join(", ")
    ))
}

/// The name of the shared memory that launches give kernels.
const DYNAMIC_MEMORY: &str = "dynamic_shared_memory";

/// LLVM IR of a `gpu.module`, optimized.
fn optimized<'l>(
    kernels: Operation,
    target: &TargetDescription,
    context: &'l inkwell::context::Context,
) -> Result<Module<'l>> {
    let module = halo_llvm::translate(kernels, context)?;
    let machine = target.machine()?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let shared = AddressSpace::from(SHARED);
    let globals: Vec<GlobalValue> = module
        .get_globals()
        .filter(|global| global.as_pointer_value().get_type().get_address_space() == shared)
        .collect();
    for global in globals {
        let alignment = global.get_alignment().max(SHARED_ALIGNMENT);
        global.set_alignment(alignment);
        // An array without elements is the memory that the launch gives a kernel. Upstream's
        // lowering defines it (convert-gpu-to-nvvm of LLVM 22); PTX has it as a declaration.
        if let AnyTypeEnum::ArrayType(array) = global.get_value_type()
            && array.is_empty()
        {
            let declared = module.add_global(array, Some(shared), DYNAMIC_MEMORY);
            declared.set_alignment(alignment);
            global.as_pointer_value().replace_all_uses_with(declared.as_pointer_value());
        }
    }
    module
        .run_passes("default<O2>", &machine, PassBuilderOptions::create())
        .map_err(|error| Error::internal(format!("LLVM: {}", error.to_string())))?;
    Ok(module)
}

/// PTX or assembly of a module.
fn emit(module: &Module, target: &TargetDescription) -> Result<String> {
    let machine = target.machine()?;
    let text = halo_llvm::emit(module, &machine, FileType::Assembly)?;
    Ok(String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned())
}

/// The artifact before the code.
pub(super) const LLVM_IR: &str = "llvm-ir";

/// The text of all kernels of a program after its phases: LLVM IR if that is the artifact, else the
/// target's code, with the given `name` and `extension`.
pub(super) fn text(
    lowering: &mut Lowering<'_>,
    target: &TargetDescription,
    artifact: &str,
    (name, extension): (&str, &str),
) -> Result<String> {
    let begun = lowering.session.begin(LLVM_IR);
    let context = inkwell::context::Context::create();
    let module = match planning::kernels_of(lowering.module()) {
        Some(kernels) => optimized(kernels, target, &context)?,
        // A program that the host's functions compute is text all the same.
        None => context.create_module(KERNELS),
    };
    lowering.session.report(LLVM_IR, begun.elapsed());
    let dumped = (LLVM_IR, "ll");
    lowering.session.dump(dumped, || module.print_to_string().to_string())?;
    if artifact == LLVM_IR {
        return Ok(module.print_to_string().to_string());
    }
    let start = lowering.session.begin(name);
    let text = emit(&module, target)?;
    lowering.session.report(name, start.elapsed());
    lowering
        .session
        .record(|record| record.times.machine_code = begun.elapsed().as_secs_f64());
    lowering.session.dump((name, extension), || text.clone())?;
    Ok(text)
}
