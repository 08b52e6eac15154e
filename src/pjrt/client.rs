//! The client: devices, and the compiler.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use halo_backend::CompilationCache;
use halo_drivers::numerics::{Kinds, NumericsArguments};
use halo_drivers::{CacheArguments, TuningArguments};
use halo_runtime::CustomCallRegistry;

use crate::c_api::{self, ErrorCode};
use crate::callbacks;
use crate::cores::Cores;
use crate::device::Device;
use crate::handle::{self, Handle, set_slice, set_text};
use crate::memory::Memory;
use crate::named_value::{self, Value};
use crate::platform::{self, Platform};
use crate::processes::{self, KeyValueStore, Processes};
use crate::settings;
use crate::status::{Result, Status};
use crate::topology::Topology;

/// State that executables and buffers share.
pub struct Client {
    pub platform: Arc<Platform>,
    /// The threads of each program, if the caller or the environment specifies them.
    pub threads: Option<NonZeroUsize>,
    pub custom_calls: Arc<CustomCallRegistry>,
    /// The cache of compiled code, if the environment specifies one, as for Halo's tools.
    pub cache: Option<Arc<CompilationCache>>,
    /// The time for measuring plans of products, if the environment specifies it.
    pub tuning: Option<Duration>,
    /// The kinds of numbers that end a run, if the environment specifies them.
    pub numerics: Option<Kinds>,
    platform_version: String,
    // Declared after the devices, which point to it and are dropped first.
    devices: Box<[Device]>,
    topology: Box<Topology>,
    // Declared after the devices, whose last runs communicate.
    pub processes: Processes,
    raw_devices: Vec<*mut c_api::Device>,
    raw_memories: Vec<*mut c_api::Memory>,
    launches: Mutex<()>,
}

// SAFETY: the pointers are to immutable data that the client owns.
unsafe impl Send for Client {}
// SAFETY: as above.
unsafe impl Sync for Client {}

/// C's client is one of the owners: buffers and executables may outlive it.
impl Handle for Arc<Client> {
    type Opaque = c_api::Client;
}

impl Client {
    /// # Errors
    /// Returns an error of the platform if it has no device; an internal error if the devices'
    /// threads cannot be started; an invalid-argument error if an option or a variable of the
    /// environment is invalid.
    pub fn new(
        platform: &Arc<Platform>,
        processes: Processes,
        options: &[(String, Value)],
    ) -> Result<Self> {
        let own = processes.own_devices();
        let mut cores = match settings::device_cores(options)? {
            Some(each) => Cores::divide(own.len(), each)?.into_iter().map(Some).collect(),
            None => vec![None; own.len()],
        };
        let cache = CacheArguments {
            cache_dir: platform::cache_dir(options)?,
            ..CacheArguments::default()
        };
        let topology = Box::new(Topology::new(platform, &processes.device_counts));
        let devices = (0..processes.device_count()).map(|id| {
            let local_id = own.clone().position(|own| own == id);
            let cores = local_id.and_then(|local_id| cores[local_id].take());
            Device::new(id, local_id, &topology, cores)
        });
        let mut devices: Box<[Device]> = devices.collect::<Result<_>>()?;
        devices.iter_mut().for_each(Device::settle);
        Ok(Self {
            platform: Arc::clone(platform),
            threads: settings::threads(options)?,
            processes,
            custom_calls: callbacks::registry(),
            cache: cache.cache()?,
            tuning: TuningArguments::default().budget()?,
            numerics: NumericsArguments::default().kinds()?,
            platform_version: platform::version(),
            raw_devices: devices.iter().map(|device| device.as_raw()).collect(),
            raw_memories: devices
                .iter()
                .flat_map(|device| device.raw_memories().iter().copied())
                .collect(),
            devices,
            topology,
            launches: Mutex::default(),
        })
    }

    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The device of this number.
    ///
    /// # Errors
    /// Returns an invalid-argument error if there is none.
    pub fn device(&self, id: i64) -> Result<&Device> {
        let device = usize::try_from(id).ok().and_then(|id| self.devices.get(id));
        device.ok_or_else(|| {
            let count = self.devices.len();
            Status::invalid(format!("there is no device {id}: there are {count}"))
        })
    }

    pub fn raw_devices(&self) -> &[*mut c_api::Device] {
        &self.raw_devices
    }

    /// Held while a program is enqueued on several devices.
    pub fn launch_order(&self) -> MutexGuard<'_, ()> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The device and the kind of memory for a buffer: a memory takes precedence over a device,
    /// which means its default memory.
    ///
    /// # Errors
    /// Returns an invalid-argument error if both are null, or are of another client.
    ///
    /// # Safety
    /// The pointers must be null, or a valid device and a valid memory.
    pub unsafe fn place(
        &self,
        device: *mut c_api::Device,
        memory: *mut c_api::Memory,
    ) -> Result<(usize, usize)> {
        if !memory.is_null() {
            if !self.raw_memories.contains(&memory) {
                return Err(Status::invalid("the memory is of another client"));
            }
            // SAFETY: by the requirement above.
            let memory: &Memory = unsafe { handle::borrow(memory) }?;
            return Ok((memory.device, memory.kind));
        }
        match self.raw_devices.iter().position(|own| *own == device) {
            Some(device) => self.devices[device].check_is_own().map(|()| (device, 0)),
            None if device.is_null() => Err(Status::invalid("no device and no memory is given")),
            None => Err(Status::invalid("the device is of another client")),
        }
    }
}

/// The client in C's hands.
///
/// # Safety
/// As [`handle::borrow`].
pub unsafe fn borrow<'a>(raw: *mut c_api::Client) -> Result<&'a Arc<Client>> {
    // SAFETY: by the requirement above.
    unsafe { handle::borrow::<Arc<Client>>(raw) }
}

pub unsafe fn create(arguments: &mut c_api::ClientCreateArgs) -> Result<()> {
    // SAFETY: the caller passes valid options.
    let options = unsafe { named_value::read(arguments.create_options, arguments.num_options) }?;
    let platform = Platform::of(&options)?;
    let count = platform::device_count(&options, platform.backend.platform.device_count())?;
    // SAFETY: the caller passes callbacks that satisfy the interface.
    let store = unsafe { KeyValueStore::new(arguments) };
    let processes = Processes::start(&options, count, store.as_ref())?;
    let client = Client::new(&platform, processes, &options)?;
    arguments.client = handle::into_raw(Arc::new(client));
    Ok(())
}

pub unsafe fn destroy(arguments: &mut c_api::ClientDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client, or null.
    unsafe { handle::destroy::<Arc<Client>>(arguments.client) };
    Ok(())
}

pub unsafe fn platform_name(arguments: &mut c_api::ClientPlatformNameArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    let (text, size) = (
        &mut arguments.platform_name,
        &mut arguments.platform_name_size,
    );
    set_text(&client.platform.name, text, size);
    Ok(())
}

pub unsafe fn platform_version(arguments: &mut c_api::ClientPlatformVersionArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    let text = &mut arguments.platform_version;
    set_text(
        &client.platform_version,
        text,
        &mut arguments.platform_version_size,
    );
    Ok(())
}

pub unsafe fn process_index(arguments: &mut c_api::ClientProcessIndexArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    arguments.process_index = client.processes.index as i32;
    Ok(())
}

/// Does nothing: memory of the host is the memory of the devices, or is copied.
pub unsafe fn dma_map(arguments: &mut c_api::ClientDmaMapArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    unsafe { borrow(arguments.client) }.map(drop)
}

/// The same.
pub unsafe fn dma_unmap(arguments: &mut c_api::ClientDmaUnmapArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    unsafe { borrow(arguments.client) }.map(drop)
}

pub unsafe fn update_global_process_info(
    arguments: &mut c_api::ClientUpdateGlobalProcessInfoArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client, and valid information.
    unsafe {
        let client = borrow(arguments.client)?;
        processes::update(&client.processes, arguments)
    }
}

pub unsafe fn topology_description(
    arguments: &mut c_api::ClientTopologyDescriptionArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    arguments.topology = std::ptr::from_ref(&*client.topology).cast_mut().cast();
    Ok(())
}

pub unsafe fn devices(arguments: &mut c_api::ClientDevicesArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    set_slice(
        &client.raw_devices,
        &mut arguments.devices,
        &mut arguments.num_devices,
    );
    Ok(())
}

pub unsafe fn addressable_devices(
    arguments: &mut c_api::ClientAddressableDevicesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    let devices = &mut arguments.addressable_devices;
    set_slice(
        &client.raw_devices[client.processes.own_devices()],
        devices,
        &mut arguments.num_addressable_devices,
    );
    Ok(())
}

pub unsafe fn addressable_memories(
    arguments: &mut c_api::ClientAddressableMemoriesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    let memories = &mut arguments.addressable_memories;
    set_slice(
        &client.raw_memories,
        memories,
        &mut arguments.num_addressable_memories,
    );
    Ok(())
}

pub unsafe fn lookup_device(arguments: &mut c_api::ClientLookupDeviceArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    arguments.device = client.device(arguments.id.into())?.as_raw();
    Ok(())
}

pub unsafe fn lookup_addressable_device(
    arguments: &mut c_api::ClientLookupAddressableDeviceArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    let local = usize::try_from(arguments.local_hardware_id).ok();
    let device = local.and_then(|local| client.processes.own_devices().nth(local));
    let device = device.ok_or_else(|| {
        let message = format!("there is no local device {}", arguments.local_hardware_id);
        Status::invalid(message)
    })?;
    arguments.addressable_device = client.raw_devices[device];
    Ok(())
}

pub unsafe fn default_device_assignment(
    arguments: &mut c_api::ClientDefaultDeviceAssignmentArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client.
    let client = unsafe { borrow(arguments.client) }?;
    let sizes = [arguments.num_replicas, arguments.num_partitions];
    let [replicas, partitions] = sizes.map(|size| usize::try_from(size).unwrap_or(0));
    let count = replicas.saturating_mul(partitions);
    if count == 0 || count > client.devices.len() {
        let available = client.devices.len();
        return Err(Status::invalid(format!(
            "{} replicas of {} partitions need another number of devices than {available}",
            sizes[0], sizes[1]
        )));
    }
    if arguments.default_assignment_size < count || arguments.default_assignment.is_null() {
        return Err(Status::new(
            ErrorCode::FAILED_PRECONDITION,
            format!("the assignment needs room for {count} numbers"),
        ));
    }
    // The devices of this process, if they are enough.
    let own = client.processes.own_devices();
    let first = if count <= own.len() { own.start } else { 0 };
    for number in 0..count {
        let device = (first + number) as i32;
        // SAFETY: the caller passes room for `default_assignment_size` numbers.
        unsafe { arguments.default_assignment.add(number).write(device) };
    }
    Ok(())
}
