//! From kernels in the NVVM dialect to PTX, by LLVM's own optimizer and code
//! generator.

use halo_ir::Operation;
use halo_llvm::target::TargetDescription;
use halo_runtime::{Error, Result};
use inkwell::{AddressSpace, module::Module, passes::PassBuilderOptions, targets::FileType};

/// The address space of memory that the threads of a block share.
const SHARED: u16 = 3;
/// The alignment of shared memory, so that it is accessed 128 bits at a time.
const SHARED_ALIGNMENT: u32 = 16;

/// The machine of an architecture, such as `sm_90`.
pub(super) fn target(architecture: &str, features: &str) -> TargetDescription {
    TargetDescription {
        triple: "nvptx64-nvidia-cuda".to_owned(),
        cpu: architecture.to_owned(),
        features: features.to_owned(),
    }
}

/// LLVM IR of a `gpu.module`, optimized.
pub(super) fn optimized<'l>(
    kernels: Operation,
    target: &TargetDescription,
    context: &'l inkwell::context::Context,
) -> Result<Module<'l>> {
    let module = halo_llvm::translate(kernels, context)?;
    let machine = target.machine()?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    for global in module.get_globals() {
        if global.as_pointer_value().get_type().get_address_space() == AddressSpace::from(SHARED) {
            global.set_alignment(global.get_alignment().max(SHARED_ALIGNMENT));
        }
    }
    module
        .run_passes("default<O2>", &machine, PassBuilderOptions::create())
        .map_err(|error| Error::internal(format!("LLVM: {}", error.to_string())))?;
    Ok(module)
}

/// PTX of a module.
pub(super) fn emit(module: &Module, target: &TargetDescription) -> Result<String> {
    let machine = target.machine()?;
    let ptx = halo_llvm::emit(module, &machine, FileType::Assembly)?;
    Ok(String::from_utf8_lossy(&ptx)
        .trim_end_matches('\0')
        .to_owned())
}
