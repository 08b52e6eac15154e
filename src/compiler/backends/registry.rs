//! All backends of this build.

use super::{cpu, emulator, interpreter, nvptx};
use halo_runtime::{Backend, Registry};

/// Adds the backends; the first one is the default.
pub fn register(registry: &mut Registry) {
    registry.register(cpu::backend());
    registry.register(interpreter::backend());
    registry.register(nvptx::backend());
    registry.register(emulator::backend());
}

/// The emulator of GPUs with checks of races and bounds, which take their time:
/// for tests of kernels.
pub fn checked_emulator() -> Backend {
    emulator::checked_backend()
}
