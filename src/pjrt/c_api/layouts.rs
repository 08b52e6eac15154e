//! The extension for layouts.

use super::*;

arguments! {
    LayoutsMemoryLayoutDestroyArgs = "PJRT_Layouts_MemoryLayout_Destroy_Args" {
        layout: *mut LayoutsMemoryLayout,
    }
    LayoutsMemoryLayoutSerializeArgs = "PJRT_Layouts_MemoryLayout_Serialize_Args" {
        layout: *mut LayoutsMemoryLayout,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_layout: *mut LayoutsSerializedLayout,
        serialized_layout_deleter: Option<unsafe extern "C" fn(*mut LayoutsSerializedLayout)>,
    }
    LayoutsPJRTBufferMemoryLayoutArgs = "PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args" {
        buffer: *mut Buffer,
        layout: *mut LayoutsMemoryLayout,
    }
    LayoutsPJRTClientGetDefaultLayoutArgs = "PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args" {
        client: *mut Client,
        type_: BufferType,
        dims: *const i64,
        num_dims: usize,
        layout: *mut LayoutsMemoryLayout,
    }
    LayoutsPJRTTopologyGetDefaultLayoutArgs = "PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args" {
        topology_description: *mut TopologyDescription,
        type_: BufferType,
        dims: *const i64,
        num_dims: usize,
        layout: *mut LayoutsMemoryLayout,
    }
    LayoutsPJRTExecutableGetOutputLayoutsArgs = "PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args" {
        executable: *mut Executable,
        num_outputs: usize,
        layouts: *mut *mut LayoutsMemoryLayout,
    }
    LayoutsPJRTExecutableGetParameterLayoutsArgs = "PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args" {
        executable: *mut Executable,
        num_parameters: usize,
        layouts: *mut *mut LayoutsMemoryLayout,
    }
}
