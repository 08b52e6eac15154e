//! The dialects and passes of upstream that a program supports.
//!
//! The default is the set that the compiler uses: the dialects that programs are lowered through,
//! from `linalg` to `llvm` and `nvvm`, with the passes on them. An opt-like tool calls
//! [`know_everything`], which links it with all of MLIR; without it, a tool is half as large.

use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;
use std::sync::{Once, OnceLock};

unsafe extern "C" {
    fn haloRegisterCompilerDialects(registry: MlirDialectRegistry);
    fn haloRegisterCompilerPasses();
    fn haloRegisterAllDialects(registry: MlirDialectRegistry);
    fn haloRegisterAllPasses();
}

/// Adds all dialects, in a program that calls [`know_everything`].
static ALL_DIALECTS: OnceLock<unsafe extern "C" fn(MlirDialectRegistry)> = OnceLock::new();

/// Registers every dialect, extension, pass and pipeline of upstream. Contexts that were made
/// before are not affected.
pub fn know_everything() {
    ALL_DIALECTS.get_or_init(|| {
        // SAFETY: Registration has no precondition but to be done once.
        unsafe { haloRegisterAllPasses() };
        haloRegisterAllDialects
    });
}

/// Adds the supported dialects of upstream, with their extensions and their translations to LLVM
/// IR, and Halo's dialects.
pub fn register_dialects(registry: &DialectRegistry) {
    let register = ALL_DIALECTS.get().copied();
    let register = register.unwrap_or(haloRegisterCompilerDialects);
    // SAFETY: The registry is valid.
    unsafe { register(registry.to_raw()) }
}

/// Adds the passes of upstream that the compiler uses to the process-wide registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    // SAFETY: Registration has no precondition but to be done once.
    ONCE.call_once(|| unsafe { haloRegisterCompilerPasses() });
}
