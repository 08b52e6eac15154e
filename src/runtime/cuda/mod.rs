//! NVIDIA GPUs as a platform, through the CUDA driver.
//!
//! The driver is loaded on first use, so a program that was built here starts on machines without
//! one; then no device is available, and the error of requesting one gives the reason. It runs
//! [plans](crate::plan) whose kernels are PTX, which the driver compiles for the device when they
//! are loaded.
//!
//! CUDA cannot recover from a failure on the device itself, such as a kernel that reads from an
//! invalid address: every later call of the process on that device fails as well.
//!
//! The modules below call the driver and its libraries, which are C, and only use `unsafe` for
//! that: they pass handles that live as long as the owning types here, and addresses of memory that
//! a stream keeps alive until it has executed the calls that use it.

mod architecture;
mod driver;
mod executor;
mod gemm;
mod host_function;
mod memory;
mod module;
mod retained;
mod staging;
mod stream;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use executor::CudaExecutor;
pub use memory::CudaAllocation;

use crate::{Device, Error, Platform, Result, StreamExecutor, TransferManager};

/// The name of the platform.
pub const NAME: &str = "cuda";

/// The GPUs of this machine; every instance has the same devices.
#[derive(Clone, Copy, Default)]
pub struct CudaPlatform;

static EXECUTORS: Mutex<BTreeMap<usize, Arc<CudaExecutor>>> = Mutex::new(BTreeMap::new());

impl CudaPlatform {
    pub fn new() -> Self {
        Self
    }

    /// A GPU as an execution device.
    ///
    /// # Errors
    /// Returns the errors of [`Platform::executor`].
    pub fn device(ordinal: usize) -> Result<Device> {
        Ok(Device {
            executor: Self.executor(ordinal)?,
            transfer_manager: Arc::new(CudaTransferManager),
        })
    }
}

impl Platform for CudaPlatform {
    fn name(&self) -> &str {
        NAME
    }

    /// Zero without a driver.
    fn device_count(&self) -> usize {
        driver::driver().map_or(0, |driver| driver.device_count)
    }

    fn executor(&self, ordinal: usize) -> Result<Arc<dyn StreamExecutor>> {
        let driver = driver::driver()?;
        if ordinal >= driver.device_count {
            let count = driver.device_count;
            let are = if count == 1 { "is" } else { "are" };
            return Err(Error::invalid(format!(
                "there is no CUDA device {ordinal}: there {are} {count}"
            )));
        }
        let mut executors = EXECUTORS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(executor) = executors.get(&ordinal) {
            return Ok(executor.clone());
        }
        let executor = Arc::new(CudaExecutor::new(driver, ordinal)?);
        executors.insert(ordinal, Arc::clone(&executor));
        Ok(executor)
    }
}

/// Values have the same layout in the memory of a GPU as in a literal. They are transferred through
/// pinned memory, in chunks, so that the host copies one while the device transfers the previous
/// one.
#[derive(Clone, Copy, Default)]
pub struct CudaTransferManager;

impl TransferManager for CudaTransferManager {}

#[cfg(test)]
mod tests;
