//! Topologies: which devices there are, with or without a client.

use crate::c_api::{self, ErrorCode};
use crate::handle::{self, Handle, SerializedFields, set_slice, set_text};
use crate::memory::KINDS;
use crate::named_value::{self, NamedValues};
use crate::platform;
use crate::status::{Result, Status};

/// Describes a device.
pub struct DeviceDescription {
    pub id: usize,
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
    fn new(id: usize, kind: &str) -> Self {
        Self {
            id,
            kind: kind.to_owned(),
            debug_string: format!("{}:{id}", platform::name()),
            name: format!("HaloDevice(id={id})"),
            attributes: NamedValues::new(Vec::new()),
        }
    }
}

/// The devices of a process.
pub struct Topology {
    // Boxed, since C has pointers to them.
    descriptions: Box<[DeviceDescription]>,
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
    /// A topology of `devices` devices of one kind.
    pub fn new(devices: usize) -> Self {
        let kind = platform::device_kind();
        let describe = |id| DeviceDescription::new(id, &kind);
        let descriptions: Box<[DeviceDescription]> = (0..devices).map(describe).collect();
        let raw = |own: &DeviceDescription| std::ptr::from_ref(own).cast_mut().cast();
        Self {
            raw: descriptions.iter().map(raw).collect(),
            descriptions,
            attributes: NamedValues::new(Vec::new()),
            platform_version: platform::version(),
        }
    }

    pub fn device_count(&self) -> usize {
        self.descriptions.len()
    }

    /// The C pointer to the description of a device.
    pub fn description(&self, device: usize) -> *mut c_api::DeviceDescription {
        self.raw[device]
    }

    /// The bytes that [`deserialize`](Self::deserialize) reads: version and number of devices.
    pub fn serialize(&self) -> String {
        format!("{}\n{}", self.platform_version, self.device_count())
    }

    /// # Errors
    /// Returns an invalid-argument error for other bytes; a failed-precondition error for bytes of
    /// another version.
    pub fn deserialize(bytes: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).ok();
        let parts = text.and_then(|text| text.rsplit_once('\n'));
        let (version, count) =
            parts.ok_or_else(|| Status::invalid("the topology is not one of Halo"))?;
        if version != platform::version() {
            let message = format!("the topology is of '{version}'");
            return Err(Status::new(ErrorCode::FAILED_PRECONDITION, message));
        }
        Ok(Self::new(platform::parse_device_count(count)?))
    }
}

pub unsafe fn description_id(arguments: &mut c_api::DeviceDescriptionIdArgs) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &DeviceDescription = unsafe { handle::borrow(arguments.device_description) }?;
    arguments.id = own.id as i32;
    Ok(())
}

/// There is a single process.
pub unsafe fn description_process_index(
    arguments: &mut c_api::DeviceDescriptionProcessIndexArgs,
) -> Result<()> {
    arguments.process_index = 0;
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
    let count = platform::device_count(&options)?;
    arguments.topology = handle::into_raw(Topology::new(count));
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
    let (text, size) = (
        &mut arguments.platform_name,
        &mut arguments.platform_name_size,
    );
    set_text(platform::name(), text, size);
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
    use crate::named_value::Value;

    #[test]
    fn a_topology_survives_serialization() {
        let bytes = Topology::new(4).serialize();
        let read = Topology::deserialize(bytes.as_bytes()).unwrap();
        assert_eq!(read.device_count(), 4);
        let message = |bytes: &[u8]| match Topology::deserialize(bytes) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(message(b"\xff"), "the topology is not one of Halo");
        assert_eq!(message(b"halo 0\n4"), "the topology is of 'halo 0'");
        let none = bytes.replace('4', "0");
        assert_ne!(message(none.as_bytes()), "ok");
    }

    #[test]
    fn an_option_says_how_many_devices_there_are() {
        let option = |value| platform::device_count(&[("device_count".to_owned(), value)]);
        assert_eq!(option(Value::Integer(3)), Ok(3));
        assert_eq!(option(Value::Text("2".to_owned())), Ok(2));
        assert!(option(Value::Integer(0)).is_err());
        assert!(option(Value::Boolean(true)).is_err());
    }
}
