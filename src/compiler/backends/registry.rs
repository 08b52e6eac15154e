//! All backends of this build.

#[cfg(feature = "gpu-emulator")]
use super::emulator;
#[cfg(feature = "rocm")]
use super::rocm;
use super::{c, cpu, cuda, interpreter, pjrt};
use halo_backend::{Backend, Registry};

/// Adds the backends; the first one is the default. Replaces backends of the same names.
pub fn register(registry: &mut Registry) {
    let backends: &[fn() -> Backend] = &[
        cpu::backend,
        interpreter::backend,
        cuda::backend,
        c::backend,
        #[cfg(feature = "rocm")]
        rocm::backend,
        #[cfg(feature = "gpu-emulator")]
        emulator::backend,
    ];
    for backend in backends {
        let replaced = registry.replace(backend());
        debug_assert!(replaced.is_ok(), "{replaced:?}");
    }
    registry.register_family("pjrt", pjrt::backend);
    #[cfg(not(feature = "rocm"))]
    registry.lacks(
        "rocm",
        "to have it: cargo build --release --features rocm --target-dir target/rocm",
    );
}

#[cfg(all(test, not(feature = "rocm")))]
mod tests {
    use super::*;

    #[test]
    fn errors_tell_how_to_build_with_rocm() {
        let mut registry = Registry::new();
        register(&mut registry);
        let error = registry.backend("rocm").err().unwrap().to_string();
        assert!(error.contains("lacks the backend 'rocm'"), "{error}");
        assert!(error.contains("--features rocm"), "{error}");
    }
}
