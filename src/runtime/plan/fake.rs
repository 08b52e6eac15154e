//! A device for tests: host memory, and kernels that are functions of this module, found by the
//! names in the code.

use std::any::Any;
use std::sync::Arc;

use super::{FillPattern, KernelDescription};
use crate::host::{HostPlatform, HostTransferManager};
use crate::kernel::downcast_module;
use crate::stream::{Callback, Receiver};
use crate::{
    Device, DeviceDescription, DeviceMemory, Error, Event, GemmCall, KernelModule, Launch,
    LaunchArgument, MemorySlice, MemoryUsage, Result, Stream, StreamExecutor,
};

pub fn device() -> Device {
    Device {
        executor: Arc::new(FakeExecutor(HostPlatform::device().executor)),
        transfer_manager: Arc::new(HostTransferManager),
    }
}

pub struct FakeExecutor(Arc<dyn StreamExecutor>);

/// A kernel gets the floats, or the number, of each argument, and returns the new contents of the
/// last memory argument.
type Kernel = fn(&Launch<'_>, &[Vec<f32>], &[i64]) -> Vec<f32>;

const KERNELS: [(&str, Kernel); 4] = [
    ("add", |_, memory, _| {
        let pairs = memory[0].iter().zip(&memory[1]);
        pairs.map(|(left, right)| left + right).collect()
    }),
    ("scale", |_, memory, numbers| {
        let factor = numbers[0] as f32;
        memory[0].iter().map(|element| element * factor).collect()
    }),
    // Adds the number to the first, and the number of threads to the second.
    ("count", |launch, memory, numbers| {
        let mut result = memory[0].clone();
        result[0] += numbers[0] as f32;
        result[1] += (launch.grid[0] * launch.block[0]) as f32;
        result
    }),
    ("fail", |_, _, _| panic!("expected by the test")),
];

struct FakeModule(Vec<KernelDescription>);

impl KernelModule for FakeModule {
    fn kernels(&self) -> &[KernelDescription] {
        &self.0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct FakeStream {
    host: Box<dyn Stream>,
    executor: Arc<dyn StreamExecutor>,
}

impl StreamExecutor for FakeExecutor {
    fn platform(&self) -> &str {
        "fake"
    }

    fn ordinal(&self) -> usize {
        0
    }

    fn description(&self) -> &DeviceDescription {
        self.0.description()
    }

    fn allocate(&self, size: usize) -> Result<DeviceMemory> {
        // Enough for a test, and small enough for a test of exhaustion.
        match size {
            0..0x1000_0000 => self.0.allocate(size),
            _ => Err(Error::execution("out of memory")),
        }
    }

    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()> {
        self.0.copy_to_device(source, target, offset)
    }

    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()> {
        self.0.copy_from_device(source, offset, target)
    }

    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()> {
        self.0.copy(source, target)
    }

    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()> {
        self.0.fill(target, byte)
    }

    fn create_stream(&self) -> Result<Box<dyn Stream>> {
        Ok(Box::new(FakeStream {
            host: self.0.create_stream()?,
            executor: Arc::clone(&self.0),
        }))
    }

    fn create_event(&self) -> Result<Arc<dyn Event>> {
        self.0.create_event()
    }

    fn memory_usage(&self) -> MemoryUsage {
        self.0.memory_usage()
    }

    fn clear_memory_peak(&self) {
        self.0.clear_memory_peak();
    }

    fn check_architecture(&self, architecture: &str) -> Result<()> {
        match architecture {
            "fake_1" | "fake_2" => Ok(()),
            _ => Err(Error::invalid(format!(
                "the code is for {architecture}, and the device is fake_2"
            ))),
        }
    }

    fn load_module(
        &self,
        code: &[u8],
        kernels: &[KernelDescription],
    ) -> Result<Arc<dyn KernelModule>> {
        let code = String::from_utf8_lossy(code);
        let missing =
            |kernel: &&KernelDescription| !code.split(' ').any(|name| name == kernel.name);
        match kernels.iter().find(missing) {
            Some(kernel) => Err(Error::invalid(format!("no kernel '{}'", kernel.name))),
            None => Ok(Arc::new(FakeModule(kernels.to_vec()))),
        }
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.as_chunks().0.iter();
    words.map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|float| float.to_le_bytes()).collect()
}

/// A slice that waits in the queue.
#[derive(Clone)]
struct OwnedSlice(DeviceMemory, usize, usize);

impl OwnedSlice {
    fn of(slice: &MemorySlice<'_>) -> Self {
        Self(slice.memory().clone(), slice.offset(), slice.size())
    }

    fn load(&self, executor: &dyn StreamExecutor) -> Result<Vec<f32>> {
        let mut bytes = vec![0; self.2];
        executor.copy_from_device(&self.0, self.1, &mut bytes)?;
        Ok(floats(&bytes))
    }

    fn store(&self, executor: &dyn StreamExecutor, floats: &[f32]) -> Result<()> {
        executor.copy_to_device(&bytes(floats), &self.0, self.1)
    }
}

impl Stream for FakeStream {
    fn copy_to_slice(&self, source: Vec<u8>, target: MemorySlice<'_>) -> Result<()> {
        self.host.copy_to_slice(source, target)
    }

    fn copy_from_slice(&self, source: MemorySlice<'_>, then: Receiver) -> Result<()> {
        self.host.copy_from_slice(source, then)
    }

    fn copy_slice(&self, source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()> {
        self.host.copy_slice(source, target)
    }

    fn fill_slice(&self, target: MemorySlice<'_>, pattern: FillPattern) -> Result<()> {
        self.host.fill_slice(target, pattern)
    }

    fn host_callback(&self, callback: Callback) -> Result<()> {
        self.host.host_callback(callback)
    }

    fn record(&self, event: &dyn Event) -> Result<()> {
        self.host.record(event)
    }

    fn wait(&self, event: &dyn Event) -> Result<()> {
        self.host.wait(event)
    }

    fn block_until_done(&self) -> Result<()> {
        self.host.block_until_done()
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let module: &FakeModule = downcast_module(launch.module)?;
        let name = module.0[launch.kernel].name.clone();
        let (_, kernel) = *KERNELS.iter().find(|kernel| kernel.0 == name).unwrap();
        let (mut slices, mut numbers) = (Vec::new(), Vec::new());
        for argument in launch.arguments {
            match argument {
                LaunchArgument::TensorMap { memory: slice, .. } | LaunchArgument::Memory(slice) => {
                    slices.push(OwnedSlice::of(slice))
                }
                LaunchArgument::Scalar(bytes) => {
                    let mut wide = [0; 8];
                    wide[..bytes.len()].copy_from_slice(bytes);
                    numbers.push(i64::from_le_bytes(wide));
                }
            }
        }
        let executor = Arc::clone(&self.executor);
        let module = Arc::clone(launch.module);
        let (kernel_index, grid, block) = (launch.kernel, launch.grid, launch.block);
        self.host.host_callback(Box::new(move || {
            let memory: Vec<Vec<f32>> =
                slices.iter().map(|slice| slice.load(&*executor)).collect::<Result<_>>()?;
            let launch = Launch {
                module: &module,
                kernel: kernel_index,
                grid,
                block,
                dynamic_shared_memory: 0,
                arguments: &[],
            };
            let result = kernel(&launch, &memory, &numbers);
            slices.last().unwrap().store(&*executor, &result)
        }))
    }

    fn gemm(&self, call: &GemmCall<'_>) -> Result<()> {
        let gemm = *call.gemm;
        let (a, b, c) = (
            OwnedSlice::of(&call.a),
            OwnedSlice::of(&call.b),
            OwnedSlice::of(&call.c),
        );
        let executor = Arc::clone(&self.executor);
        self.host.host_callback(Box::new(move || {
            let (left, right) = (a.load(&*executor)?, b.load(&*executor)?);
            let (m, n, k) = (gemm.m as usize, gemm.n as usize, gemm.k as usize);
            let element = |values: &[f32], transposed: bool, row: usize, column: usize, width| {
                if transposed {
                    values[column * width + row]
                } else {
                    values[row * width + column]
                }
            };
            let mut result = vec![0.0; m * n];
            for (position, result) in result.iter_mut().enumerate() {
                let (row, column) = (position / n, position % n);
                for inner in 0..k {
                    let width = gemm.a.leading_dimension as usize;
                    let factor = element(&left, gemm.a.transposed, row, inner, width);
                    let width = gemm.b.leading_dimension as usize;
                    *result += factor * element(&right, gemm.b.transposed, inner, column, width);
                }
            }
            c.store(&*executor, &result)
        }))
    }
}
