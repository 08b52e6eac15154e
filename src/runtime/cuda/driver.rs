//! The CUDA driver: whether it is installed, and the common parts of all calls.
//!
//! Calls the driver; see the [module above](super).

use std::cell::Cell;
use std::sync::OnceLock;

use cudarc::driver::{result, sys};
use halo_core::panics;

use crate::{Error, Result};

/// The oldest version of the driver that has all functions that are called:
/// CUDA 12.4, of which `cuFuncGetParamInfo` is.
const OLDEST: i32 = 12_040;

/// A driver that is there.
pub(super) struct Driver {
    pub device_count: usize,
    /// The version of CUDA that it has: `12.8`.
    pub version: String,
}

/// The driver of this machine.
///
/// # Errors
/// Execution if there is none, with the reason.
pub(super) fn driver() -> Result<&'static Driver> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    // Where a function is missing in the driver, the bindings panic.
    let find = || {
        let found = panics::catch(find);
        found.unwrap_or_else(|_| Err("the one that is there lacks functions".to_owned()))
    };
    DRIVER
        .get_or_init(find)
        .as_ref()
        .map_err(|reason| Error::execution(format!("no CUDA driver was found: {reason}")))
}

fn find() -> Result<Driver, String> {
    // SAFETY: loading the driver's library runs its initialization, which is
    // intended.
    if !unsafe { sys::is_culib_present() } {
        return Err("the library libcuda.so cannot be loaded".to_owned());
    }
    result::init().map_err(|error| describe(&error))?;
    let mut version = 0;
    // SAFETY: the function writes a number to the place given.
    let outcome = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    outcome.result().map_err(|error| describe(&error))?;
    let text = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
    if version < OLDEST {
        return Err(format!(
            "the one that is there has CUDA {}, and {} is needed",
            text(version),
            text(OLDEST)
        ));
    }
    let count = result::device::get_count().map_err(|error| describe(&error))?;
    match usize::try_from(count) {
        Ok(device_count @ 1..) => Ok(Driver {
            device_count,
            version: text(version),
        }),
        _ => Err("the one that is there has no device".to_owned()),
    }
}

/// The driver's description of an error: `out of memory
/// (CUDA_ERROR_OUT_OF_MEMORY)`.
pub(super) fn describe(error: &result::DriverError) -> String {
    let name = error.error_name().map(|name| name.to_string_lossy());
    let text = error.error_string().map(|text| text.to_string_lossy());
    match (name, text) {
        (Ok(name), Ok(text)) => format!("{text} ({name})"),
        _ => format!("error {}", error.0 as u32),
    }
}

/// A failure of the driver while it did something.
pub(super) fn failed(what: &str, error: result::DriverError) -> Error {
    Error::execution(format!("{what}: {}", describe(&error)))
}

/// A device with its primary context, which it keeps until the process ends.
pub(super) struct Context {
    pub ordinal: usize,
    pub device: sys::CUdevice,
    context: sys::CUcontext,
}

// SAFETY: the driver's functions may be called from any thread for any context,
// which each thread makes its current one before.
unsafe impl Send for Context {}
// SAFETY: as above; nothing here is changed.
unsafe impl Sync for Context {}

thread_local! {
    /// Whether this thread runs a function that a stream called, in which the
    /// driver must not be called.
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

/// Runs what must not call the driver.
pub(super) fn without_driver<T>(run: impl FnOnce() -> T) -> T {
    let before = IN_HOST_FUNCTION.replace(true);
    let outcome = run();
    IN_HOST_FUNCTION.set(before);
    outcome
}

/// Whether this thread may call the driver.
pub(super) fn may_call() -> bool {
    !IN_HOST_FUNCTION.get()
}

impl Context {
    /// # Errors
    /// Execution if the device does not start.
    pub fn new(ordinal: usize) -> Result<Self> {
        let start = || {
            let device = result::device::get(i32::try_from(ordinal).unwrap_or(i32::MAX))?;
            // SAFETY: the device is one of the driver's. Its context is never
            // released, so that whatever is made in it may outlive this.
            let context = unsafe { result::primary_ctx::retain(device) }?;
            Ok(Self {
                ordinal,
                device,
                context,
            })
        };
        start().map_err(|error| failed(&format!("CUDA device {ordinal} does not start"), error))
    }

    /// Makes the context the current one of this thread, as all calls for the
    /// device need it.
    ///
    /// # Errors
    /// What the driver says; not initialized inside of a host function.
    pub fn enter(&self) -> Result<(), result::DriverError> {
        if !may_call() {
            return Err(result::DriverError(sys::CUresult::CUDA_ERROR_NOT_PERMITTED));
        }
        // SAFETY: the context is retained for good.
        unsafe { result::ctx::set_current(self.context) }
    }

    /// A number that describes the device; `None` where it does not say.
    pub fn attribute(&self, attribute: sys::CUdevice_attribute) -> Option<u32> {
        // SAFETY: the device is one of the driver's.
        let value = unsafe { result::device::get_attribute(self.device, attribute) };
        value.ok().and_then(|value| u32::try_from(value).ok())
    }
}
