//! All backends of this build.

use super::{cpu, emulator, interpreter, nvptx};
use halo_runtime::Registry;

/// Adds the backends; the first one is the default.
pub fn register(registry: &mut Registry) {
    registry.register(cpu::backend());
    registry.register(interpreter::backend());
    registry.register(nvptx::backend());
    registry.register(emulator::backend());
}
