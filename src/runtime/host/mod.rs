//! The host platform: the processor of this process, and its memory.
//!
//! It has one device. Its memory is ordinary memory, aligned for vector loads; its streams are
//! threads that process a queue; it executes native code with the interface in [`abi`].

pub mod abi;
mod arena;
mod executable;
mod executor;
mod function;
mod memory;
pub mod object_calls;
mod pages;
mod recording;
mod sizes;
mod stream;
mod subnormals;
pub(crate) mod thread_pool;

use std::sync::{Arc, LazyLock};

pub use executable::{HostCode, HostExecutable};
pub use executor::HostExecutor;
pub use function::HostFunctionExecutable;
pub use memory::{HostAllocation, HostBytes, with_addresses};
pub use sizes::{PlannedSizes, SizeElement};
pub use subnormals::{CAN_FLUSH, SubnormalMode};
pub use thread_pool::ThreadPool;

use crate::{Device, Error, Platform, Result, StreamExecutor, TransferManager};

/// The name of the platform.
const NAME: &str = "host";

/// The host; every instance has the same device.
#[derive(Clone, Copy, Default)]
pub struct HostPlatform;

static EXECUTOR: LazyLock<Arc<HostExecutor>> = LazyLock::new(|| Arc::new(HostExecutor::new()));

impl HostPlatform {
    pub fn new() -> Self {
        Self
    }

    /// The host as an execution device.
    pub fn device() -> Device {
        Device {
            executor: EXECUTOR.clone(),
            transfer_manager: Arc::new(HostTransferManager),
        }
    }
}

impl Platform for HostPlatform {
    fn name(&self) -> &str {
        NAME
    }

    fn device_count(&self) -> usize {
        1
    }

    fn executor(&self, ordinal: usize) -> Result<Arc<dyn StreamExecutor>> {
        match ordinal {
            0 => Ok(EXECUTOR.clone()),
            _ => Err(Error::invalid(format!(
                "there is no device {ordinal}: the host is one device"
            ))),
        }
    }
}

/// Values are in host memory as in a literal.
#[derive(Clone, Copy, Default)]
pub struct HostTransferManager;

impl TransferManager for HostTransferManager {}
