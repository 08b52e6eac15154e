//! Code in a shared library that a linker makes and this process loads.

use std::sync::Arc;

use halo_runtime::host::{
    HostCode, PlannedSizes,
    abi::{EntryPoint, SizesPoint},
};
use halo_runtime::{Error, Result};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::linker::shared_library;
use super::{ObjectCode, entry_symbol, sizes_symbol};

/// Links code to a shared library, and loads it. `linker` is the command of a C compiler with its
/// arguments.
///
/// # Errors
/// Returns an execution error if the linker fails, or makes no library that this process can load.
///
/// # Safety
/// The code must keep to the interface of [`halo_runtime::host::abi`].
pub unsafe fn load(code: ObjectCode, linker: &[String]) -> Result<HostCode> {
    let linked = shared_library(&code, linker)?;
    let failed = |error: libloading::Error| {
        let name = linker.first().map(String::as_str).unwrap_or_default();
        let reason = reason(&error);
        Error::execution(format!("what '{name}' linked cannot be loaded: {reason}"))
    };
    // SAFETY: The library contains the program and no code that runs on loading.
    let library = unsafe { Library::open(Some(linked.path()), RTLD_NOW | RTLD_LOCAL) };
    let library = library.map_err(failed)?;
    let symbol = entry_symbol(&code.name);
    // SAFETY: The caller vouches for the type of the function.
    let entry = unsafe { library.get::<EntryPoint>(symbol.as_bytes()) };
    let entry = *entry.map_err(failed)?;
    let plan = |messages: Vec<String>| {
        // SAFETY: As above.
        let function = unsafe { library.get::<SizesPoint>(sizes_symbol(&symbol).as_bytes()) };
        Ok::<_, Error>(PlannedSizes {
            function: *function.map_err(failed)?,
            messages,
            elements: code.size_elements,
        })
    };
    let sizes = code.size_checks.map(plan).transpose()?;
    Ok(HostCode {
        entry,
        signature: code.signature,
        sizes,
        arena_size: code.arena_size,
        arena_largest: String::new(),
        flush_subnormals: false,
        custom_calls: code.custom_calls,
        // The file may be deleted before the library is unloaded.
        keep_alive: Arc::new(library),
    })
}

/// The system's reason for not loading a library.
pub fn reason(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}
