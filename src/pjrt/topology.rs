//! Topologies: which devices there are, with or without a client.

use std::sync::Arc;

use halo_runtime::DeviceDescription as Properties;

use crate::c_api::{self, ErrorCode};
use crate::handle::{self, Handle, SerializedFields, set_slice, set_text};
use crate::memory::KINDS;
use crate::named_value::{self, NamedValues, Value};
use crate::platform::{self, Platform};
use crate::status::{Result, Status};

/// Describes a device.
pub struct DeviceDescription {
    pub id: usize,
    /// The index of its process.
    process: usize,
    /// Kind of the device.
    kind: String,
    debug_string: String,
    name: String,
    attributes: NamedValues,
}

impl Handle for DeviceDescription {
    type Opaque = c_api::DeviceDescription;
}

impl DeviceDescription {
    fn new(id: usize, process: usize, platform: &Platform) -> Self {
        // A program can be compiled for a device that this machine lacks.
        let device = platform.device(id);
        let properties = device.as_ref().ok().map(|device| device.executor.description());
        let kind = properties.map_or(platform.backend.platform.name(), |known| &known.name);
        Self {
            id,
            process,
            kind: kind.to_owned(),
            debug_string: format!("{}:{id}", platform.name),
            name: format!("HaloDevice(id={id})"),
            attributes: attributes_of(properties),
        }
    }
}

/// The attributes of a device, by the names that XLA has for GPUs.
pub fn attributes_of(properties: Option<&Properties>) -> NamedValues {
    let mut attributes = Vec::new();
    if let Some(properties) = properties {
        attributes.push(("core_count", Value::Integer(properties.core_count as i64)));
        let capability = properties.architecture.as_deref().map(compute_capability);
        attributes.extend(capability.map(|text| ("compute_capability", Value::Text(text))));
    }
    NamedValues::new(attributes)
}

/// NVIDIA's number of an architecture, `9.0` for `sm_90`, or the name of another one.
fn compute_capability(architecture: &str) -> String {
    let number = architecture.strip_prefix("sm_").unwrap_or_default();
    let digits = number.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    match digits.len().checked_sub(1) {
        Some(last @ 1..) => format!("{}.{}", &digits[..last], &digits[last..]),
        _ => architecture.to_owned(),
    }
}

/// The devices of a job.
pub struct Topology {
    pub platform: Arc<Platform>,
    /// The number of devices of each process.
    device_counts: Vec<usize>,
    // Boxed, since C has pointers to them.
    _descriptions: Box<[DeviceDescription]>,
    raw: Vec<*mut c_api::DeviceDescription>,
    attributes: NamedValues,
    platform_version: String,
}

// SAFETY: the pointers are to immutable data that the topology owns.
unsafe impl Send for Topology {}
// SAFETY: as above.
unsafe impl Sync for Topology {}

impl Handle for Topology {
    type Opaque = c_api::TopologyDescription;
}

impl Topology {
    /// A topology of devices of a platform, with the number of devices of each process.
    pub fn new(platform: &Arc<Platform>, device_counts: &[usize]) -> Self {
        let processes = device_counts.iter().enumerate();
        let processes = processes.flat_map(|(process, count)| std::iter::repeat_n(process, *count));
        let describe = |(id, process)| DeviceDescription::new(id, process, platform);
        let descriptions: Box<[DeviceDescription]> = processes.enumerate().map(describe).collect();
        let raw = |own: &DeviceDescription| std::ptr::from_ref(own).cast_mut().cast();
        Self {
            device_counts: device_counts.to_vec(),
            raw: descriptions.iter().map(raw).collect(),
            _descriptions: descriptions,
            attributes: NamedValues::new(Vec::new()),
            platform: Arc::clone(platform),
            platform_version: platform::version(),
        }
    }

    /// The C pointer to the description of a device.
    pub fn description(&self, device: usize) -> *mut c_api::DeviceDescription {
        self.raw[device]
    }

    /// The bytes that [`deserialize`](Self::deserialize) reads: version, backend, name of the
    /// platform and number of devices of each process.
    pub fn serialize(&self) -> String {
        let Platform { name, backend } = &*self.platform;
        let counts: Vec<String> = self.device_counts.iter().map(ToString::to_string).collect();
        let (version, counts) = (&self.platform_version, counts.join(","));
        format!("{version}\n{}\n{name}\n{counts}", backend.name)
    }

    /// # Errors
    /// Returns an invalid-argument error for other bytes; a failed-precondition error for bytes of
    /// another version.
    pub fn deserialize(bytes: &[u8]) -> Result<Self> {
        let parts: Vec<&str> = str::from_utf8(bytes).unwrap_or_default().split('\n').collect();
        let [version, backend, name, counts] = parts[..] else {
            return Err(Status::invalid("the topology is not one of Halo"));
        };
        if version != platform::version() {
            let message = format!("the topology is of '{version}'");
            return Err(Status::new(ErrorCode::FAILED_PRECONDITION, message));
        }
        let platform = Platform::named(Some(backend), Some(name))?;
        let counts: Result<Vec<usize>> =
            counts.split(',').map(platform::parse_device_count).collect();
        Ok(Self::new(&platform, &counts?))
    }
}

pub unsafe fn description_id(arguments: &mut c_api::DeviceDescriptionIdArgs) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    arguments.id = own.id as i32;
    Ok(())
}

pub unsafe fn description_process_index(
    arguments: &mut c_api::DeviceDescriptionProcessIndexArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    arguments.process_index = own.process as i32;
    Ok(())
}

pub unsafe fn description_attributes(
    arguments: &mut c_api::DeviceDescriptionAttributesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    let (values, count) = (&mut arguments.attributes, &mut arguments.num_attributes);
    set_slice(own.attributes.as_raw(), values, count);
    Ok(())
}

pub unsafe fn description_kind(arguments: &mut c_api::DeviceDescriptionKindArgs) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    let (text, size) = (&mut arguments.device_kind, &mut arguments.device_kind_size);
    set_text(&own.kind, text, size);
    Ok(())
}

pub unsafe fn description_debug_string(
    arguments: &mut c_api::DeviceDescriptionDebugStringArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    let (text, size) = (
        &mut arguments.debug_string,
        &mut arguments.debug_string_size,
    );
    set_text(&own.debug_string, text, size);
    Ok(())
}

pub unsafe fn description_to_string(
    arguments: &mut c_api::DeviceDescriptionToStringArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    let (text, size) = (&mut arguments.to_string, &mut arguments.to_string_size);
    set_text(&own.name, text, size);
    Ok(())
}

pub unsafe fn create(arguments: &mut c_api::TopologyDescriptionCreateArgs) -> Result<()> {
    // SAFETY: the caller passes valid options.
    let options = unsafe { named_value::read(arguments.create_options, arguments.num_options) }?;
    let platform = Platform::of(&options)?;
    let count = platform::device_count(&options, platform.backend.platform.device_count())?;
    arguments.topology = handle::into_raw(Topology::new(&platform, &[count]));
    Ok(())
}

pub unsafe fn destroy(arguments: &mut c_api::TopologyDescriptionDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid topology, or null.
    unsafe { handle::destroy::<Topology>(arguments.topology) };
    Ok(())
}

pub unsafe fn platform_name(
    arguments: &mut c_api::TopologyDescriptionPlatformNameArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid topology.
    let own: &Topology = unsafe { handle::borrow(arguments.topology) }?;
    let (text, size) = (
        &mut arguments.platform_name,
        &mut arguments.platform_name_size,
    );
    set_text(&own.platform.name, text, size);
    Ok(())
}

pub unsafe fn platform_version(
    arguments: &mut c_api::TopologyDescriptionPlatformVersionArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid topology.
    let own: &Topology = unsafe { handle::borrow(arguments.topology) }?;
    let text = &mut arguments.platform_version;
    set_text(
        &own.platform_version,
        text,
        &mut arguments.platform_version_size,
    );
    Ok(())
}

pub unsafe fn device_descriptions(
    arguments: &mut c_api::TopologyDescriptionGetDeviceDescriptionsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid topology.
    let own: &Topology = unsafe { handle::borrow(arguments.topology) }?;
    set_slice(
        &own.raw,
        &mut arguments.descriptions,
        &mut arguments.num_descriptions,
    );
    Ok(())
}

pub unsafe fn attributes(arguments: &mut c_api::TopologyDescriptionAttributesArgs) -> Result<()> {
    // SAFETY: the caller passes a valid topology.
    let own: &Topology = unsafe { handle::borrow(arguments.topology) }?;
    let (values, count) = (&mut arguments.attributes, &mut arguments.num_attributes);
    set_slice(own.attributes.as_raw(), values, count);
    Ok(())
}

pub unsafe fn serialize(arguments: &mut c_api::TopologyDescriptionSerializeArgs) -> Result<()> {
    // SAFETY: the caller passes a valid topology.
    let own: &Topology = unsafe { handle::borrow(arguments.topology) }?;
    let fields = SerializedFields {
        data: &mut arguments.serialized_bytes,
        size: &mut arguments.serialized_bytes_size,
        owner: &mut arguments.serialized_topology,
        deleter: &mut arguments.serialized_topology_deleter,
    };
    handle::give_bytes(own.serialize().into_bytes(), fields);
    Ok(())
}

pub unsafe fn deserialize(arguments: &mut c_api::TopologyDescriptionDeserializeArgs) -> Result<()> {
    let (bytes, size) = (
        arguments.serialized_topology,
        arguments.serialized_topology_size,
    );
    // SAFETY: the caller passes a valid range of bytes.
    let bytes = unsafe { handle::slice(bytes.cast::<u8>(), size) }?;
    arguments.topology = handle::into_raw(Topology::deserialize(bytes)?);
    Ok(())
}

pub unsafe fn fingerprint(arguments: &mut c_api::TopologyDescriptionFingerprintArgs) -> Result<()> {
    // SAFETY: the caller passes a valid topology.
    let own: &Topology = unsafe { handle::borrow(arguments.topology) }?;
    let hash = blake3::hash(own.serialize().as_bytes());
    let first = hash.as_bytes().first_chunk();
    arguments.fingerprint = first.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    Ok(())
}

pub unsafe fn memory_space_kind_ids(
    arguments: &mut c_api::TopologyDescriptionGetMemorySpaceKindIdsArgs,
) -> Result<()> {
    static IDS: [i32; KINDS.len()] = [0, 1, 2];
    let (ids, count) = (
        &mut arguments.memory_space_kind_ids,
        &mut arguments.num_memory_space_kind_ids,
    );
    set_slice(&IDS, ids, count);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn a_topology_survives_serialization() {
        library::set(library::Plugin {
            platform: "halo",
            register: |registry| {
                halo::compiler::backends::register(registry);
                Ok(())
            },
        });
        let platform = Platform::named(Some("cpu"), Some("machine")).unwrap();
        let bytes = Topology::new(&platform, &[4, 2]).serialize();
        let read = Topology::deserialize(bytes.as_bytes()).unwrap();
        assert_eq!(read.device_counts, [4, 2]);
        assert_eq!(read.raw.len(), 6);
        assert_eq!(read.platform.name, "machine");
        let message = |bytes: &[u8]| match Topology::deserialize(bytes) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(message(b"\xff"), "the topology is not one of Halo");
        assert_eq!(
            message(b"halo 0\ncpu\nhalo\n4"),
            "the topology is of 'halo 0'"
        );
        let none = bytes.replace("4,2", "4,0");
        assert_ne!(message(none.as_bytes()), "ok");
    }

    #[test]
    fn architectures_are_compute_capabilities() {
        for (architecture, expected) in [
            ("sm_90", "9.0"),
            ("sm_103a", "10.3"),
            ("gfx942", "gfx942"),
            ("sm_", "sm_"),
        ] {
            assert_eq!(compute_capability(architecture), expected);
        }
    }
}
