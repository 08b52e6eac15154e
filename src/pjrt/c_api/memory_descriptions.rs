//! The extension that describes the memories of a device.

use super::*;

arguments! {
    DeviceDescriptionMemoryDescriptionsArgs = "PJRT_DeviceDescription_MemoryDescriptions_Args" {
        device_description: *mut DeviceDescription,
        memory_descriptions: *const *const MemoryDescription,
        num_memory_descriptions: usize,
        default_memory_index: usize,
    }
    MemoryDescriptionKindArgs = "PJRT_MemoryDescription_Kind_Args" {
        memory_description: *const MemoryDescription,
        kind: *const c_char,
        kind_size: usize,
        kind_id: c_int,
    }
}
