//! Transfers to buffers that exist before their contents.

use super::*;

arguments! {
    AsyncHostToDeviceTransferManagerDestroyArgs = "PJRT_AsyncHostToDeviceTransferManager_Destroy_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
    }
    AsyncHostToDeviceTransferManagerTransferDataArgs = "PJRT_AsyncHostToDeviceTransferManager_TransferData_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        data: *const c_void,
        offset: i64,
        transfer_size: i64,
        is_last_transfer: bool,
        done_with_h2d_transfer: *mut Event,
    }
    AsyncHostToDeviceTransferManagerRetrieveBufferArgs = "PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        buffer_out: *mut Buffer,
    }
    AsyncHostToDeviceTransferManagerDeviceArgs = "PJRT_AsyncHostToDeviceTransferManager_Device_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        device_out: *mut Device,
    }
    AsyncHostToDeviceTransferManagerBufferCountArgs = "PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        buffer_count: usize,
    }
    AsyncHostToDeviceTransferManagerBufferSizeArgs = "PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        buffer_size: usize,
    }
    AsyncHostToDeviceTransferManagerSetBufferErrorArgs = "PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        error_code: ErrorCode,
        error_message: *const c_char,
        error_message_size: usize,
    }
    AsyncHostToDeviceTransferManagerAddMetadataArgs = "PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        transfer_metadata: *const NamedValue,
        num_metadata: usize,
    }
    AsyncHostToDeviceTransferManagerTransferLiteralArgs = "PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args" {
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
        buffer_index: c_int,
        data: *const c_void,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: BufferType,
        shape_layout: *mut BufferMemoryLayout,
        done_with_h2d_transfer: *mut Event,
    }
    ClientCreateBuffersForAsyncHostToDeviceArgs = "PJRT_Client_CreateBuffersForAsyncHostToDevice_Args" {
        client: *mut Client,
        shape_specs: *mut ShapeSpec,
        num_shape_specs: usize,
        device_layouts: *mut *mut BufferMemoryLayout,
        num_device_layouts: usize,
        memory: *mut Memory,
        transfer_manager: *mut AsyncHostToDeviceTransferManager,
    }
}
