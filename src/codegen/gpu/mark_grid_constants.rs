//! `--halo-mark-grid-constants`: passes tensor maps to kernels by value.
//!
//! The parameter of a tensor map has 128 bytes at a multiple of 64, and is constant: LLVM would copy
//! another parameter to private memory, where the tensor memory accelerator cannot read it.
//! `convert-gpu-to-nvvm` drops `llvm.byval`, and upstream's verifier accepts `nvvm.grid_constant`
//! only on its result:
//!
//! ```mlir
//! llvm.func @kernel(%map: !llvm.ptr {llvm.dereferenceable = 128 : i64}) attributes {gpu.kernel, nvvm.kernel}
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @kernel(%map: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>,
//!     nvvm.grid_constant}) attributes {gpu.kernel, nvvm.kernel}
//! ```

use halo_ir::{ops::llvm, prelude::*};

/// The attribute of a parameter that is a tensor map. Buffers do not have it.
pub const TENSOR_MAP: &str = "llvm.dereferenceable";
/// The bytes of a tensor map, its value.
pub const TENSOR_MAP_BYTES: i64 = 128;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-mark-grid-constants",
    "Pass tensor maps to kernels by value",
    run,
)
.on::<gpu::GPUModuleOp>()
.dependent_dialects(&["llvm", "nvvm"]);

/// The attributes of the parameter of a kernel.
const BY_VALUE: &str =
    "{llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}";

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for kernel in pass.operation().collect_nested(|op| op.isa::<llvm::LLVMFuncOp>()) {
        let context = kernel.context();
        let (Some(attributes), Some(by_value)) = (
            kernel.attribute("arg_attrs"),
            Attribute::parse(context, BY_VALUE),
        ) else {
            continue;
        };
        let is_map = |own: &Attribute| own.dictionary_entry(TENSOR_MAP).is_some();
        let attributes = attributes.array_elements().into_iter();
        let marked: Vec<Attribute> =
            attributes.map(|own| if is_map(&own) { by_value } else { own }).collect();
        kernel.set_attribute("arg_attrs", array_attribute(context, &marked));
    }
    Ok(())
}
