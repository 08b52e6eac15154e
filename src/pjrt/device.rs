//! Devices of a client.
//!
//! A device is one of the backend's platform. More devices than that has share them, with their
//! memory, as all devices of the host do; each has a separate queue, so that programs for several
//! devices run concurrently.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use halo_core::Shape;
use halo_runtime::DeviceBuffer;
use halo_runtime::host::ThreadPool;

use crate::c_api::{self, ErrorCode};
use crate::cores::Cores;
use crate::event::Event;
use crate::handle::{self, Handle, set_slice};
use crate::memory::{KINDS, Memory};
use crate::memory_access;
use crate::named_value::NamedValues;
use crate::queue::Queue;
use crate::status::{Result, Status};
use crate::streams::Streams;
use crate::topology::{Topology, attributes_of};

/// Unfinished runs, with the number of their launch.
type Launches = Mutex<Vec<(i32, Event)>>;

/// The maximum number of unfinished runs on streams, which have memory for their results.
const MAX_UNFINISHED: usize = 32;

/// One device of a job.
pub struct Device {
    pub id: usize,
    /// The index among the devices of this process; `None` for a device of another process, which
    /// has no memories.
    local_id: Option<usize>,
    pub queue: Queue,
    /// The streams of runs, created for the first one.
    streams: OnceLock<Result<Arc<Streams>>>,
    /// The completions of the latest runs on streams.
    latest: Mutex<VecDeque<Event>>,
    /// Copies to and from memory that is not of the host.
    pub transfers: Option<Arc<Queue>>,
    /// The memory and the copies to and from it.
    pub runtime: halo_runtime::Device,
    /// Whether the memory is memory of the host, which is accessed in place.
    pub has_host_memory: bool,
    /// The threads of its programs, if it has separate cores.
    pub threads: Option<ThreadPool>,
    description: *mut c_api::DeviceDescription,
    // Boxed, since C has pointers to them.
    memories: Box<[Memory]>,
    raw_memories: Vec<*mut c_api::Memory>,
    attributes: NamedValues,
    launches: Launches,
}

// SAFETY: the pointers are to immutable data that the device and its topology own.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Handle for Device {
    type Opaque = c_api::Device;
}

impl Device {
    /// A device of a topology, which must not move. Without cores, it runs on all cores.
    ///
    /// # Errors
    /// Returns an error of the platform if it lacks the device; an internal error if its threads
    /// cannot be started.
    pub fn new(
        id: usize,
        local_id: Option<usize>,
        topology: &Topology,
        cores: Option<Cores>,
    ) -> Result<Self> {
        let kinds = 0..local_id.map_or(0, |_| KINDS.len());
        let memories = kinds.map(|kind| Memory::new(id, kind));
        let memories: Box<[Memory]> = memories.collect();
        let raw = |memory: &Memory| std::ptr::from_ref(memory).cast_mut().cast();
        let runtime = topology.platform.device(local_id.unwrap_or_default())?;
        let has_host_memory = memory_access::is_of_host(&runtime.executor.allocate(0)?);
        let transfers = match local_id {
            Some(_) if !has_host_memory => {
                Some(Arc::new(Queue::new(format!("halo-copies-{id}"), || ())?))
            }
            _ => None,
        };
        Ok(Self {
            id,
            local_id,
            threads: cores.as_ref().map(Cores::threads).transpose()?,
            queue: match local_id {
                Some(_) => {
                    let enter = move || cores.iter().for_each(Cores::enter);
                    Queue::new(format!("halo-device-{id}"), enter)?
                }
                None => Queue::closed(),
            },
            streams: OnceLock::new(),
            latest: Mutex::default(),
            transfers,
            has_host_memory,
            description: topology.description(id),
            raw_memories: memories.iter().map(raw).collect(),
            memories,
            attributes: attributes_of(Some(runtime.executor.description())),
            runtime,
            launches: Mutex::default(),
        })
    }

    /// Links the memories to the device, whose address must not change from now on.
    pub fn settle(&mut self) {
        let raw = self.as_raw();
        for memory in &mut self.memories {
            memory.attach(raw);
        }
    }

    /// The C pointer to the device.
    pub fn as_raw(&self) -> *mut c_api::Device {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// The C pointer to the memory of a kind.
    pub fn raw_memory(&self, kind: usize) -> *mut c_api::Memory {
        self.raw_memories[kind]
    }

    pub fn raw_memories(&self) -> &[*mut c_api::Memory] {
        &self.raw_memories
    }

    /// # Errors
    /// Returns an invalid-argument error for a device of another process.
    pub fn check_is_own(&self) -> Result<()> {
        self.local_id.map(drop).ok_or_else(|| {
            let message = format!("device {} belongs to another process", self.id);
            Status::invalid(message)
        })
    }

    /// The streams of runs.
    ///
    /// # Errors
    /// Returns an internal error if their thread cannot be started.
    pub fn streams(&self) -> Result<&Arc<Streams>> {
        let start = || Streams::new(self.id, &self.runtime.executor).map(Arc::new);
        self.streams.get_or_init(start).as_ref().map_err(Status::clone)
    }

    /// The streams of runs, if there was one.
    pub fn used_streams(&self) -> Option<&Arc<Streams>> {
        self.streams.get().and_then(|streams| streams.as_ref().ok())
    }

    /// Returns true if no run is enqueued or unfinished.
    pub fn is_idle(&self) -> bool {
        self.queue.is_idle() && self.used_streams().is_none_or(|streams| streams.are_idle())
    }

    /// Adds a run on a stream. Waits for an earlier one if too many are unfinished.
    pub fn add_run(&self, done: &Event) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.push_back(done.clone());
        let first = if latest.len() > MAX_UNFINISHED {
            latest.pop_front()
        } else {
            None
        };
        drop(latest);
        // An error is the one of its results.
        let _ = first.map(|first| first.wait());
    }

    /// Memory of a kind for a value.
    ///
    /// # Errors
    /// Returns a resource-exhausted error if there is not enough.
    pub fn allocate(&self, shape: &Shape, kind: usize) -> Result<DeviceBuffer> {
        let size = shape.byte_size();
        if kind != 0
            && let Some(memory) = self.runtime.executor.allocate_pinned(size)?
        {
            return Ok(DeviceBuffer::new(shape.clone(), memory, size)?);
        }
        self.allocating(|| Ok(self.runtime.allocate(shape)?))
    }

    /// Allocates memory, if necessary once the runs on streams have released theirs.
    ///
    /// # Errors
    /// Returns the errors of the function.
    pub fn allocating<T>(&self, allocate: impl Fn() -> Result<T>) -> Result<T> {
        allocate().or_else(|error| {
            let latest = {
                let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
                std::mem::take(&mut *latest)
            };
            if error.code != ErrorCode::RESOURCE_EXHAUSTED || latest.is_empty() {
                return Err(error);
            }
            for done in latest {
                // An error is the one of its results.
                let _ = done.wait();
            }
            allocate()
        })
    }

    /// Adds a run of a launch, so that it can be poisoned until it is done.
    pub fn add_launch(&self, launch: i32, done: &Event) {
        let mut launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        launches.retain(|(_, done)| done.outcome().is_none());
        launches.push((launch, done.clone()));
    }
}

pub unsafe fn get_description(arguments: &mut c_api::DeviceGetDescriptionArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    arguments.device_description = device.description;
    Ok(())
}

pub unsafe fn is_addressable(arguments: &mut c_api::DeviceIsAddressableArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    arguments.is_addressable = device.local_id.is_some();
    Ok(())
}

pub unsafe fn local_hardware_id(arguments: &mut c_api::DeviceLocalHardwareIdArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    arguments.local_hardware_id = device.local_id.map_or(-1, |id| id as i32);
    Ok(())
}

pub unsafe fn addressable_memories(
    arguments: &mut c_api::DeviceAddressableMemoriesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    let (memories, count) = (&mut arguments.memories, &mut arguments.num_memories);
    set_slice(&device.raw_memories, memories, count);
    Ok(())
}

pub unsafe fn default_memory(arguments: &mut c_api::DeviceDefaultMemoryArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    device.check_is_own()?;
    arguments.memory = device.raw_memory(0);
    Ok(())
}

/// The numbers describe the machine: devices share its memory.
pub unsafe fn memory_stats(arguments: &mut c_api::DeviceMemoryStatsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    device.check_is_own()?;
    let executor = &device.runtime.executor;
    let usage = executor.memory_usage();
    // The caller does not clear unset fields.
    *arguments = c_api::DeviceMemoryStatsArgs {
        struct_size: arguments.struct_size,
        extension_start: arguments.extension_start,
        device: arguments.device,
        // SAFETY: all bytes zero are a value of the arguments.
        ..unsafe { std::mem::zeroed() }
    };
    arguments.bytes_in_use = usage.in_use as i64;
    arguments.peak_bytes_in_use = usage.peak as i64;
    arguments.peak_bytes_in_use_is_set = true;
    if let Some(limit) = executor.description().memory_size {
        arguments.bytes_limit = limit as i64;
        arguments.bytes_limit_is_set = true;
        arguments.bytes_reservable_limit = limit as i64;
        arguments.bytes_reservable_limit_is_set = true;
    }
    Ok(())
}

/// The peak becomes the memory that is in use.
pub unsafe fn clear_memory_stats(arguments: &mut c_api::DeviceClearMemoryStatsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    device.runtime.executor.clear_memory_peak();
    Ok(())
}

/// Gives the results of a run an error. The run itself continues.
pub unsafe fn poison_execution(arguments: &mut c_api::DevicePoisonExecutionArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device, and the text of its error.
    let (device, outcome) = unsafe {
        let (text, size) = (arguments.error_message, arguments.error_message_size);
        let outcome = Status::outcome(arguments.error_code, text, size);
        (handle::borrow::<Device>(arguments.device)?, outcome)
    };
    if outcome.is_ok() {
        return Err(Status::invalid("an execution is poisoned with an error"));
    }
    let found = {
        let launches = device.launches.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(launch, done): &&(i32, Event)| {
            *launch == arguments.launch_id && done.outcome().is_none()
        };
        launches.iter().find(is_it).map(|(_, done)| done.clone())
    };
    arguments.poisoned = found.is_some_and(|done| done.set_first(outcome));
    Ok(())
}

/// Returns null, which is a valid event: nothing observes such events on CPUs.
pub unsafe fn create_tracking_event(
    arguments: &mut c_api::DeviceCreateAsyncTrackingEventArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    unsafe { handle::borrow::<Device>(arguments.device) }?;
    arguments.event = std::ptr::null_mut();
    Ok(())
}

pub unsafe fn destroy_tracking_event(
    arguments: &mut c_api::AsyncTrackingEventDestroyArgs,
) -> Result<()> {
    if arguments.event.is_null() {
        Ok(())
    } else {
        Err(Status::invalid("the tracking event is not one of Halo"))
    }
}

/// Attributes live as long as their device.
unsafe extern "C" fn delete_nothing(_: *mut c_api::DeviceAttributes) {}

pub unsafe fn get_attributes(arguments: &mut c_api::DeviceGetAttributesArgs) -> Result<()> {
    // SAFETY: the caller passes a valid device.
    let device: &Device = unsafe { handle::borrow(arguments.device) }?;
    let (values, count) = (&mut arguments.attributes, &mut arguments.num_attributes);
    set_slice(device.attributes.as_raw(), values, count);
    arguments.attributes_deleter = Some(delete_nothing);
    Ok(())
}
