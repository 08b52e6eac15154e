//! Topologies.

use super::*;

arguments! {
    TopologyDescriptionCreateArgs = "PJRT_TopologyDescription_Create_Args" {
        topology_name: *const c_char,
        topology_name_size: usize,
        create_options: *const NamedValue,
        num_options: usize,
        topology: *mut TopologyDescription,
    }
    TopologyDescriptionDestroyArgs = "PJRT_TopologyDescription_Destroy_Args" {
        topology: *mut TopologyDescription,
    }
    TopologyDescriptionPlatformVersionArgs = "PJRT_TopologyDescription_PlatformVersion_Args" {
        topology: *mut TopologyDescription,
        platform_version: *const c_char,
        platform_version_size: usize,
    }
    TopologyDescriptionPlatformNameArgs = "PJRT_TopologyDescription_PlatformName_Args" {
        topology: *const TopologyDescription,
        platform_name: *const c_char,
        platform_name_size: usize,
    }
    TopologyDescriptionGetDeviceDescriptionsArgs = "PJRT_TopologyDescription_GetDeviceDescriptions_Args" {
        topology: *const TopologyDescription,
        descriptions: *const *mut DeviceDescription,
        num_descriptions: usize,
    }
    TopologyDescriptionSerializeArgs = "PJRT_TopologyDescription_Serialize_Args" {
        topology: *mut TopologyDescription,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_topology: *mut SerializedTopology,
        serialized_topology_deleter: Option<unsafe extern "C" fn(*mut SerializedTopology)>,
    }
    TopologyDescriptionDeserializeArgs = "PJRT_TopologyDescription_Deserialize_Args" {
        serialized_topology: *const c_char,
        serialized_topology_size: usize,
        topology: *mut TopologyDescription,
    }
    TopologyDescriptionAttributesArgs = "PJRT_TopologyDescription_Attributes_Args" {
        topology: *mut TopologyDescription,
        attributes: *const NamedValue,
        num_attributes: usize,
    }
    TopologyDescriptionFingerprintArgs = "PJRT_TopologyDescription_Fingerprint_Args" {
        topology: *const TopologyDescription,
        fingerprint: u64,
    }
    TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs = "PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args" {
        topology: *const TopologyDescription,
        memory_space_kind_id: c_int,
        dims: *const i64,
        num_dims: usize,
        element_type: BufferType,
        layout: *const BufferMemoryLayout,
        serialized_shape: *const c_char,
        serialized_shape_size: usize,
        serialized_shape_deleter: Option<unsafe extern "C" fn(*const c_char)>,
    }
    TopologyDescriptionGetMemorySpaceKindIdsArgs = "PJRT_TopologyDescription_GetMemorySpaceKindIds_Args" {
        topology: *const TopologyDescription,
        memory_space_kind_ids: *const c_int,
        num_memory_space_kind_ids: usize,
    }
}
