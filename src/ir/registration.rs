//! Adding Halo's dialects to an MLIR context.

use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;

unsafe extern "C" {
    fn haloRegisterDialects(registry: MlirDialectRegistry);
}

/// Adds `stablehlo`, `chlo`, `check`, `interpreter`, `mhlo` and `sdy` to `registry`, and `quant`,
/// whose types they use.
///
/// The dialects are available in a context once the registry is appended to it; it loads each one
/// on first use.
pub fn register_dialects(registry: &DialectRegistry) {
    // SAFETY: the registry is alive, and the function only adds to it.
    unsafe { haloRegisterDialects(registry.to_raw()) }
}
