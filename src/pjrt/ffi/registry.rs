//! The handlers that frameworks register, by name and platform.
//!
//! Programs find the handlers for their platform, then Halo's own custom calls, then the handlers
//! for CPUs: operands and results are in CPU memory, or are copied to it, and most users of
//! frameworks register handlers for CPUs only. Before all of these, a handler for the platform of
//! the devices, such as `CUDA`, works on their memory. Halo's own custom calls take precedence over handlers
//! for CPUs, which would otherwise replace them, as JAX's handlers of LAPACK would.
//!
//! Frameworks register all handlers that they have, of which a program needs few. A handler that
//! cannot be called is therefore remembered, and an error of the programs that call it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use halo_runtime::CustomCallRegistry;

use super::call;
use super::stages::{Bundle, Stages};
use crate::c_api::ErrorCode;
use crate::status::{Result, Status};

/// The platform of handlers for CPUs, and XLA's other name of it.
const CPU: &str = "cpu";
const HOST: &str = "host";

/// The name of a platform, of several that it may have.
fn platform_named(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    if name == HOST { CPU.to_owned() } else { name }
}

/// The stages of each handler, by platform and name, or the error of its registration.
type Handlers = BTreeMap<(String, String), Result<Stages>>;

static HANDLERS: Mutex<Handlers> = Mutex::new(BTreeMap::new());

fn handlers() -> MutexGuard<'static, Handlers> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a handler for the programs that are compiled from now on. Registration is idempotent.
///
/// # Errors
/// Returns the errors of [`Stages::new`]; an invalid-argument error for no name; an already-exists
/// error if another handler has the name.
///
/// # Safety
/// The functions must follow the interface, on any thread, as long as the process runs programs.
pub unsafe fn register(name: &str, platform: &str, bundle: &Bundle) -> Result<()> {
    if name.is_empty() {
        return Err(Status::invalid("an FFI handler has no name"));
    }
    let key = (platform_named(platform), name.to_owned());
    // SAFETY: by the requirement above.
    let stages = unsafe { Stages::new(bundle) };
    let mut handlers = handlers();
    match (handlers.get(&key), &stages) {
        (Some(Ok(known)), Ok(stages)) if !known.is_same(stages) => Err(Status::new(
            ErrorCode::ALREADY_EXISTS,
            format!("another FFI handler @{name} is registered for the platform '{platform}'"),
        )),
        (Some(Ok(_)), _) => stages.map(|_| ()),
        _ => {
            handlers.insert(key, stages.clone());
            stages.map(|_| ())
        }
    }
    .map_err(|status| match status.code {
        ErrorCode::ALREADY_EXISTS => status,
        code => {
            let message = format!("the FFI handler @{name} is not registered: {status}");
            Status::new(code, message)
        }
    })
}

/// A registry with the handlers for the programs of a platform in addition to its own custom calls.
/// Handlers that are registered for the backend's platform of devices enqueue their work on streams.
pub fn extended(
    own: &Arc<CustomCallRegistry>,
    platform: &str,
    devices: &str,
) -> Arc<CustomCallRegistry> {
    let handlers = handlers();
    if handlers.is_empty() {
        return Arc::clone(own);
    }
    let mut registry = CustomCallRegistry::clone(own);
    let platform = platform_named(platform);
    let own = handlers.iter().filter(|((of, _), _)| *of == platform);
    let of_cpus = handlers.iter().filter(|((of, _), _)| of == CPU);
    let usable: Vec<_> = own.chain(of_cpus).collect();
    for ((of, name), stages) in handlers.iter().filter(|((of, _), _)| of == devices) {
        if let Ok(stages) = *stages
            && of != CPU
        {
            let bind = move |site: &_| call::bind_on_stream(site, stages);
            registry.register_stream_factory(name, bind);
        }
    }
    for ((of, name), stages) in &usable {
        // Handlers for the platform come first.
        if *of != platform && registry.contains(name) {
            continue;
        }
        if let Ok(stages) = **stages {
            registry.register_factory(name, move |site| call::bind(site, stages));
        }
    }
    for ((_, name), stages) in usable {
        if let Err(status) = stages
            && !registry.contains(name)
        {
            let message = format!("its FFI handler cannot be called: {status}");
            registry.register_factory(name, move |_| Err(message.clone()));
        }
    }
    Arc::new(registry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c_api::xla_ffi::{CallFrame, Error, Handler, MetadataExtension};
    use halo_runtime::CustomCallSite;
    use std::ffi::c_int;
    use std::ptr;

    /// Reports a version, and does nothing.
    unsafe extern "C" fn answer<const MAJOR: c_int, const MINOR: c_int>(
        frame: *mut CallFrame,
    ) -> *mut Error {
        // SAFETY: the frame has the extension, or none.
        unsafe {
            if let Some(extension) = (*frame).extension_start.cast::<MetadataExtension>().as_mut() {
                let version = &mut (*extension.metadata).api_version;
                (version.major_version, version.minor_version) = (MAJOR, MINOR);
            }
        }
        ptr::null_mut()
    }

    unsafe extern "C" fn silent(_: *mut CallFrame) -> *mut Error {
        ptr::null_mut()
    }

    fn try_register(name: &str, platform: &str, execute: Handler) -> Result<()> {
        let bundle = Bundle {
            instantiate: None,
            prepare: None,
            initialize: None,
            execute,
        };
        // SAFETY: the functions satisfy the interface.
        unsafe { register(name, platform, &bundle) }
    }

    #[test]
    fn a_name_is_registered_once_for_a_platform() {
        let (first, second): (Handler, Handler) = (Some(answer::<0, 3>), Some(answer::<0, 1>));
        assert_eq!(try_register("registry.f", "cpu", first), Ok(()));
        assert_eq!(try_register("registry.f", "Host", first), Ok(()));
        assert_eq!(try_register("registry.f", "halo", second), Ok(()));
        let error = try_register("registry.f", "cpu", second).unwrap_err();
        assert_eq!(error.code, ErrorCode::ALREADY_EXISTS);
        assert!(error.message.contains("@registry.f"), "{error}");
    }

    #[test]
    fn what_cannot_be_called_is_not_registered() {
        let message = |name, platform, execute| {
            let error = try_register(name, platform, execute).unwrap_err();
            assert_eq!(error.code, ErrorCode::INVALID_ARGUMENT);
            error.to_string()
        };
        let good: Handler = Some(answer::<0, 3>);
        assert!(message("", "cpu", good).contains("no name"));
        assert!(message("registry.g", "cpu", None).contains("'execute'"));
        assert!(message("registry.g", "cpu", Some(silent)).contains("version"));
        let other: Handler = Some(answer::<1, 0>);
        assert!(message("registry.g", "cpu", other).contains("1.0"));
        // A program that calls it reports why.
        let own = Arc::new(CustomCallRegistry::default());
        let bind = || {
            let site = CustomCallSite::new("registry.g", Vec::new(), Vec::new());
            extended(&own, "halo", "cpu")
                .bind(&site)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        let error = bind().unwrap_err();
        assert!(error.contains("version 1.0"), "{error}");
        // Minor versions differ in the lengths of structs only, which handlers check.
        let newer: Handler = Some(answer::<0, 99>);
        assert_eq!(try_register("registry.g", "cpu", newer), Ok(()));
        assert_eq!(bind(), Ok(()));
        assert!(message("registry.g", "cpu", Some(silent)).contains("version"));
        assert_eq!(bind(), Ok(()));
    }

    #[test]
    fn handlers_are_of_a_platform() {
        let good: Handler = Some(answer::<0, 3>);
        let own = Arc::new(CustomCallRegistry::default());
        try_register("registry.of_gpus", "CUDA", good).unwrap();
        for (devices, is_known) in [("cpu", false), ("host", false), ("cuda", true)] {
            let extended = extended(&own, "halo", devices);
            assert_eq!(extended.contains("registry.of_gpus"), is_known, "{devices}");
        }
    }

    #[test]
    fn own_custom_calls_are_before_handlers_for_cpus() {
        let good: Handler = Some(answer::<0, 3>);
        let own = Arc::new(CustomCallRegistry::default());
        try_register("lapack_sgetrf_ffi", "cpu", good).unwrap();
        try_register("registry.new", "cpu", good).unwrap();
        let extended = extended(&own, "halo", "cpu");
        assert!(extended.contains("registry.new") && !own.contains("registry.new"));
        // Halo's own call requires a matrix; the handler accepts anything.
        let bind = |name: &str| extended.bind(&CustomCallSite::new(name, Vec::new(), Vec::new()));
        assert!(bind("registry.new").is_ok() && bind("lapack_sgetrf_ffi").is_err());
    }
}
