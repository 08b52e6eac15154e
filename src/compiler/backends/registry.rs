//! All backends of this build.

#[cfg(feature = "gpu-emulator")]
use super::emulator;
use super::{cpu, cuda, interpreter};
use halo_runtime::Registry;

/// Adds the backends; the first one is the default.
pub fn register(registry: &mut Registry) {
    registry.register(cpu::backend());
    registry.register(interpreter::backend());
    registry.register(cuda::backend());
    #[cfg(feature = "gpu-emulator")]
    registry.register(emulator::backend());
}

/// The emulator of GPUs with checks of races and bounds, which take their time:
/// for tests of kernels.
#[cfg(feature = "gpu-emulator")]
pub fn checked_emulator() -> halo_runtime::Backend {
    emulator::checked_backend()
}
