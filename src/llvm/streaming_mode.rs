//! Functions in SME's streaming mode, in LLVM's representation.
//!
//! With line tables, LLVM also records the vector length before a function changed the mode. On a
//! processor that has SVE in streaming mode only, it queries the length from a function of
//! compiler-rt with a special calling convention. Outside of the mode, the function returns 0
//! (Procedure Call Standard for the Arm 64-bit Architecture, "SME support routines"). Programs
//! contain the function, so that they link without the library.

use halo_runtime::{Error, Result};
use inkwell::{
    attributes::AttributeLoc,
    memory_buffer::MemoryBuffer,
    module::{Linkage, Module},
    values::FunctionValue,
};

/// The attribute of functions that enter and leave the mode.
const STREAMING: &str = "aarch64_pstate_sm_body";

const NAME: &str = "__arm_get_current_vg";
const FUNCTION: &str = r#"
define i64 @__arm_get_current_vg() naked nounwind {
  call void asm sideeffect "mov x0, xzr\0Aret", ""()
  unreachable
}
"#;

/// Returns true if a function is in streaming mode.
pub(crate) fn is_streaming(function: FunctionValue) -> bool {
    let attribute = function.get_string_attribute(AttributeLoc::Function, STREAMING);
    attribute.is_some()
}

/// Adds the function to a module with functions in streaming mode and line tables.
///
/// # Errors
/// Returns an internal error if LLVM does not read it.
pub(crate) fn add_length(module: &Module) -> Result<()> {
    let needs_length =
        |function: FunctionValue| is_streaming(function) && function.get_subprogram().is_some();
    if !module.get_functions().any(needs_length) {
        return Ok(());
    }
    let internal = |error: String| Error::internal(format!("LLVM: {error}"));
    let text = MemoryBuffer::create_from_memory_range_copy(FUNCTION.as_bytes(), NAME);
    let functions = module.get_context().create_module_from_ir(text);
    let functions = functions.map_err(|error| internal(error.to_string()))?;
    let linked = module.link_in_module(functions);
    linked.map_err(|error| internal(error.to_string()))?;
    if let Some(function) = module.get_function(NAME) {
        function.set_linkage(Linkage::Internal);
    }
    Ok(())
}
