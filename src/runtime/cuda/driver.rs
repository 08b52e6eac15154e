//! The CUDA driver: whether it is installed, and the common parts of all calls.
//!
//! Calls the driver; see the [parent module](super).

use std::cell::Cell;
use std::sync::OnceLock;

use cudarc::driver::{result, sys};
use halo_core::panics;

use crate::{Error, Result};

/// The oldest supported version of the driver, which has all called functions: CUDA 12.4, which
/// introduced `cuFuncGetParamInfo`.
const OLDEST: i32 = 12_040;

/// An available driver.
pub(super) struct Driver {
    pub device_count: usize,
    /// The supported version of CUDA: `12.8`.
    pub version: String,
}

/// The driver of this machine.
///
/// # Errors
/// Returns an execution error if there is none, with the reason.
pub(super) fn driver() -> Result<&'static Driver> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    // The bindings panic if the driver lacks a function.
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

/// A failure of the driver during an operation.
pub(super) fn failed(what: &str, error: result::DriverError) -> Error {
    Error::execution(format!("{what}: {}", describe(&error)))
}

/// A device with its primary context, which is retained until the process ends.
pub(super) struct Context {
    pub ordinal: usize,
    pub device: sys::CUdevice,
    context: sys::CUcontext,
}

// SAFETY: the driver's functions may be called from any thread for any context, which each thread
// first makes current.
unsafe impl Send for Context {}
// SAFETY: as above; nothing here is changed.
unsafe impl Sync for Context {}

thread_local! {
    /// Whether this thread runs a callback of a stream, in which the driver must not be called.
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function that must not call the driver.
pub(super) fn without_driver<T>(run: impl FnOnce() -> T) -> T {
    let before = IN_HOST_FUNCTION.replace(true);
    let outcome = run();
    IN_HOST_FUNCTION.set(before);
    outcome
}

/// Returns true if this thread may call the driver.
pub(super) fn may_call() -> bool {
    !IN_HOST_FUNCTION.get()
}

impl Context {
    /// # Errors
    /// Returns an execution error if the device does not start.
    pub fn new(ordinal: usize) -> Result<Self> {
        let start = || {
            let device = result::device::get(i32::try_from(ordinal).unwrap_or(i32::MAX))?;
            // SAFETY: the device is valid. Its context is never released, so that resources created
            // in it may outlive this.
            let context = unsafe { result::primary_ctx::retain(device) }?;
            Ok(Self {
                ordinal,
                device,
                context,
            })
        };
        start().map_err(|error| failed(&format!("CUDA device {ordinal} does not start"), error))
    }

    /// Makes the context current on this thread, as all calls for the device require.
    ///
    /// # Errors
    /// Returns the error of the driver; not initialized inside of a host function.
    pub fn enter(&self) -> Result<(), result::DriverError> {
        if !may_call() {
            return Err(result::DriverError(sys::CUresult::CUDA_ERROR_NOT_PERMITTED));
        }
        // SAFETY: the context is retained for good.
        unsafe { result::ctx::set_current(self.context) }
    }

    /// A numeric attribute of the device; `None` if the driver does not report it.
    pub fn attribute(&self, attribute: sys::CUdevice_attribute) -> Option<u32> {
        // SAFETY: the device is valid.
        let value = unsafe { result::device::get_attribute(self.device, attribute) };
        value.ok().and_then(|value| u32::try_from(value).ok())
    }
}
