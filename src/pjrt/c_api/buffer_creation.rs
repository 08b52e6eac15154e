//! How buffers come to be.

use super::*;

arguments! {
    ClientCreateUninitializedBufferArgs = "PJRT_Client_CreateUninitializedBuffer_Args" {
        client: *mut Client,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: BufferType,
        shape_layout: *mut BufferMemoryLayout,
        device: *mut Device,
        memory: *mut Memory,
        buffer: *mut Buffer,
    }
    ClientCreateErrorBufferArgs = "PJRT_Client_CreateErrorBuffer_Args" {
        client: *mut Client,
        error_code: ErrorCode,
        error_message: *const c_char,
        error_message_size: usize,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: BufferType,
        shape_layout: *mut BufferMemoryLayout,
        memory: *mut Memory,
        buffer: *mut Buffer,
        payload: *const NamedValue,
        num_payload: usize,
    }
    ClientCreateAliasBufferArgs = "PJRT_Client_CreateAliasBuffer_Args" {
        client: *mut Client,
        memory: *mut Memory,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: BufferType,
        shape_layout: *mut BufferMemoryLayout,
        alias_buffer: *mut Buffer,
        fulfill_alias_buffer_cb: *mut FulfillAliasBufferCallback,
    }
    ClientFulfillAliasBufferArgs = "PJRT_Client_FulfillAliasBuffer_Args" {
        client: *mut Client,
        buffer: *mut Buffer,
        status_code: ErrorCode,
        error_message: *const c_char,
        error_message_size: usize,
        fulfill_alias_buffer_cb: *mut FulfillAliasBufferCallback,
    }
    ClientBufferFromHostBufferArgs = "PJRT_Client_BufferFromHostBuffer_Args" {
        client: *mut Client,
        data: *const c_void,
        type_: BufferType,
        dims: *const i64,
        num_dims: usize,
        byte_strides: *const i64,
        num_byte_strides: usize,
        host_buffer_semantics: HostBufferSemantics,
        device: *mut Device,
        memory: *mut Memory,
        device_layout: *mut BufferMemoryLayout,
        done_with_host_buffer: *mut Event,
        buffer: *mut Buffer,
    }
    ClientCreateViewOfDeviceBufferArgs = "PJRT_Client_CreateViewOfDeviceBuffer_Args" {
        client: *mut Client,
        device_buffer_ptr: *mut c_void,
        dims: *const i64,
        num_dims: usize,
        element_type: BufferType,
        layout: *mut BufferMemoryLayout,
        device: *mut Device,
        on_delete_callback: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
        on_delete_callback_arg: *mut c_void,
        stream: isize,
        buffer: *mut Buffer,
        memory: *mut Memory,
    }
    ShapeSpec = "PJRT_ShapeSpec" {
        dims: *const i64,
        num_dims: usize,
        element_type: BufferType,
    }
}
