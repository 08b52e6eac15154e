//! Loaded kernels, and one run of them.
//!
//! Uses `unsafe` to call generated code.

use super::{
    accesses,
    asynchronous::{self, EmulatedMap, WARPGROUP},
};
use halo_codegen::cpu::lower_to_runtime_abi::ENTRY_SUFFIX;
use halo_llvm::jit::LoadedObject;
use halo_runtime::{
    DeviceMemory, Error, KernelModule, Launch, LaunchArgument, Result,
    host::{ThreadPool, with_addresses},
    plan::{KernelDescription, TensorMap},
};
use std::{
    any::Any,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

/// The signature of an entry of `--halo-kernel-entries`: the range of blocks,
/// the extents of the grid and of a block, and the table of arguments.
type Entry = unsafe extern "C" fn(i64, i64, i64, i64, i64, i64, i64, i64, *const u64);

/// An object file with kernels, loaded into this process.
pub struct EmulatorModule {
    kernels: Vec<KernelDescription>,
    entries: Vec<Entry>,
    /// Owns the code.
    _object: LoadedObject,
}

impl EmulatorModule {
    /// Loads an object file that `kernel_object` made.
    pub fn load(code: &[u8], kernels: &[KernelDescription]) -> Result<Self> {
        let functions = [&accesses::functions()[..], &asynchronous::functions()].concat();
        let object = LoadedObject::load([code], &functions)?;
        let mut entries = Vec::with_capacity(kernels.len());
        for kernel in kernels {
            let name = format!("{}{ENTRY_SUFFIX}", kernel.name);
            let address = object.address(&name).map_err(|error| {
                Error::invalid(format!("there is no kernel '{}': {error}", kernel.name))
            })?;
            // SAFETY: The pass generates a function with this name and signature.
            entries.push(unsafe { std::mem::transmute::<usize, Entry>(address) });
        }
        Ok(Self {
            kernels: kernels.to_vec(),
            entries,
            _object: object,
        })
    }
}

impl KernelModule for EmulatorModule {
    fn kernels(&self) -> &[KernelDescription] {
        &self.kernels
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An argument of a pending launch.
enum Argument {
    /// An offset in bytes from the beginning of one of the memories.
    Memory {
        number: usize,
        offset: usize,
    },
    Scalar([u8; 8]),
    /// A tensor map for a tensor in one of the memories.
    TensorMap {
        number: usize,
        offset: usize,
        map: TensorMap,
    },
}

/// A pending launch.
pub struct WaitingLaunch {
    entry: Entry,
    grid: [i64; 3],
    block: [i64; 3],
    blocks: i64,
    memory: Vec<DeviceMemory>,
    arguments: Vec<Argument>,
}

impl WaitingLaunch {
    /// Copies a launch from its caller.
    pub fn new(module: &EmulatorModule, launch: &Launch<'_>) -> Result<Self> {
        let entry = *module.entries.get(launch.kernel).ok_or_else(|| {
            Error::invalid(format!("there is no kernel {} to launch", launch.kernel))
        })?;
        let (mut memory, mut arguments) = (Vec::new(), Vec::new());
        for argument in launch.arguments {
            arguments.push(match argument {
                LaunchArgument::Memory(slice) => {
                    memory.push(slice.memory().clone());
                    Argument::Memory {
                        number: memory.len() - 1,
                        offset: slice.offset(),
                    }
                }
                LaunchArgument::TensorMap { memory: slice, map } => {
                    memory.push(slice.memory().clone());
                    Argument::TensorMap {
                        number: memory.len() - 1,
                        offset: slice.offset(),
                        map: (*map).clone(),
                    }
                }
                LaunchArgument::Scalar(bytes) => {
                    let mut word = [0; 8];
                    let target = word.get_mut(..bytes.len()).ok_or_else(|| {
                        Error::invalid(format!("a number of {} bytes is too wide", bytes.len()))
                    })?;
                    target.copy_from_slice(bytes);
                    Argument::Scalar(word)
                }
            });
        }
        let grid = launch.grid.map(i64::from);
        let blocks = grid[0].checked_mul(grid[1]);
        let blocks = blocks.and_then(|blocks| blocks.checked_mul(grid[2]));
        Ok(Self {
            entry,
            grid,
            block: launch.block.map(i64::from),
            blocks: blocks.ok_or_else(|| Error::invalid("the grid has too many blocks"))?,
            memory,
            arguments,
        })
    }

    /// Runs all blocks, on all threads of the machine.
    pub fn run(&self) -> Result<()> {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let pool = ThreadPool::shared(threads)?;
        let (wrong, global) = (Mutex::new(None), Arc::default());
        let note = |found: Option<String>| {
            if let Some(message) = found {
                *wrong.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
            }
        };
        with_addresses(&self.memory, |addresses| {
            let mut maps: Vec<Box<EmulatedMap>> = Vec::new();
            let table: Vec<u64> = self
                .arguments
                .iter()
                .map(|argument| match argument {
                    Argument::Memory { number, offset } => {
                        addresses[*number].wrapping_add(*offset) as u64
                    }
                    Argument::Scalar(word) => u64::from_le_bytes(*word),
                    Argument::TensorMap {
                        number,
                        offset,
                        map,
                    } => {
                        let address = addresses[*number].addr().wrapping_add(*offset);
                        let map = map.clone();
                        maps.push(Box::new(EmulatedMap { map, address }));
                        maps.last().map_or(0, |map| std::ptr::from_ref(&**map) as u64)
                    }
                })
                .collect();
            let ([grid_x, grid_y, grid_z], [x, y, z]) = (self.grid, self.block);
            let run = |begin, end| {
                let found = accesses::check(&global, || {
                    // SAFETY: The entry takes a table with a slot for each of the
                    // kernel's arguments. Memory is locked for as long as this runs.
                    unsafe {
                        (self.entry)(begin, end, grid_x, grid_y, grid_z, x, y, z, table.as_ptr());
                    }
                });
                note(found);
            };
            let has_groups = asynchronous::has_groups(|| run(0, 0));
            pool.parallel_for(self.blocks, 1, &|begin, end| {
                if !has_groups {
                    return run(begin, end);
                }
                let groups = usize::try_from(x * y * z / WARPGROUP).unwrap_or(0);
                for block in begin..end {
                    note(asynchronous::run_groups(groups, &|| run(block, block + 1)));
                }
            });
        })?;
        match wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(message) => Err(Error::execution(message)),
        }
    }
}
