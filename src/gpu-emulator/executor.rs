//! The emulator as a platform: the host's memory and streams, and kernels.

use super::{
    NAME,
    module::{EmulatorModule, WaitingLaunch},
};
use halo_runtime::{
    Device, DeviceDescription, DeviceMemory, Error, Event, KernelModule, Launch, MemorySlice,
    MemoryUsage, Platform, Result, Stream, StreamExecutor,
    host::{HostPlatform, HostTransferManager},
    kernel::downcast_module,
    plan::{FillPattern, KernelDescription},
    stream::{Callback, Receiver},
};
use std::sync::{Arc, LazyLock};

/// The emulator as a platform with one device.
#[derive(Clone, Copy, Default)]
pub struct EmulatorPlatform;

static EXECUTOR: LazyLock<Arc<EmulatorExecutor>> =
    LazyLock::new(|| Arc::new(EmulatorExecutor::new()));

impl EmulatorPlatform {
    /// The emulator as a device to execute on.
    pub fn device() -> Device {
        Device {
            executor: EXECUTOR.clone(),
            transfer_manager: Arc::new(HostTransferManager),
        }
    }
}

impl Platform for EmulatorPlatform {
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
                "there is no device {ordinal}: one GPU is emulated"
            ))),
        }
    }
}

/// The emulated device.
pub struct EmulatorExecutor {
    host: Arc<dyn StreamExecutor>,
    description: DeviceDescription,
}

impl EmulatorExecutor {
    fn new() -> Self {
        let host = HostPlatform::device().executor;
        let description = DeviceDescription {
            name: format!("GPU emulated on {}", host.description().name),
            ..host.description().clone()
        };
        Self { host, description }
    }
}

impl StreamExecutor for EmulatorExecutor {
    fn platform(&self) -> &str {
        NAME
    }

    fn ordinal(&self) -> usize {
        0
    }

    fn description(&self) -> &DeviceDescription {
        &self.description
    }

    fn allocate(&self, size: usize) -> Result<DeviceMemory> {
        self.host.allocate(size)
    }

    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()> {
        self.host.copy_to_device(source, target, offset)
    }

    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()> {
        self.host.copy_from_device(source, offset, target)
    }

    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()> {
        self.host.copy(source, target)
    }

    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()> {
        self.host.fill(target, byte)
    }

    fn create_stream(&self) -> Result<Box<dyn Stream>> {
        Ok(Box::new(EmulatorStream(self.host.create_stream()?)))
    }

    fn create_event(&self) -> Result<Arc<dyn Event>> {
        self.host.create_event()
    }

    fn memory_usage(&self) -> MemoryUsage {
        self.host.memory_usage()
    }

    fn clear_memory_peak(&self) {
        self.host.clear_memory_peak();
    }

    /// Code is for the host's processor, whatever GPU the kernels target.
    fn check_architecture(&self, _architecture: &str) -> Result<()> {
        Ok(())
    }

    fn load_module(
        &self,
        code: &[u8],
        kernels: &[KernelDescription],
    ) -> Result<Arc<dyn KernelModule>> {
        Ok(Arc::new(EmulatorModule::load(code, kernels)?))
    }
}

/// A stream of the host that runs kernels among its entries.
struct EmulatorStream(Box<dyn Stream>);

impl Stream for EmulatorStream {
    fn copy_to_slice(&self, source: Vec<u8>, target: MemorySlice<'_>) -> Result<()> {
        self.0.copy_to_slice(source, target)
    }

    fn copy_from_slice(&self, source: MemorySlice<'_>, then: Receiver) -> Result<()> {
        self.0.copy_from_slice(source, then)
    }

    fn copy_slice(&self, source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()> {
        self.0.copy_slice(source, target)
    }

    fn fill_slice(&self, target: MemorySlice<'_>, pattern: FillPattern) -> Result<()> {
        self.0.fill_slice(target, pattern)
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let waiting = WaitingLaunch::new(downcast_module(launch.module)?, launch)?;
        let module = Arc::clone(launch.module);
        self.0.host_callback(Box::new(move || {
            let result = waiting.run();
            // The code is kept until it has run.
            drop(module);
            result
        }))
    }

    fn host_callback(&self, callback: Callback) -> Result<()> {
        self.0.host_callback(callback)
    }

    fn record(&self, event: &dyn Event) -> Result<()> {
        self.0.record(event)
    }

    fn wait(&self, event: &dyn Event) -> Result<()> {
        self.0.wait(event)
    }

    fn block_until_done(&self) -> Result<()> {
        self.0.block_until_done()
    }
}
