//! Buffers.

use super::*;

enumeration! {
    /// `PJRT_Buffer_Type`: the type of the elements.
    BufferType {
        INVALID = 0,
        PRED = 1,
        S8 = 2,
        S16 = 3,
        S32 = 4,
        S64 = 5,
        U8 = 6,
        U16 = 7,
        U32 = 8,
        U64 = 9,
        F16 = 10,
        F32 = 11,
        F64 = 12,
        BF16 = 13,
        C64 = 14,
        C128 = 15,
        F8E5M2 = 16,
        F8E4M3FN = 17,
        F8E4M3B11FNUZ = 18,
        F8E5M2FNUZ = 19,
        F8E4M3FNUZ = 20,
        S4 = 21,
        U4 = 22,
        TOKEN = 23,
        S2 = 24,
        U2 = 25,
        F8E4M3 = 26,
        F8E3M4 = 27,
        F8E8M0FNU = 28,
        F4E2M1FN = 29,
        S1 = 30,
        U1 = 31,
        F6E2M3FN = 32,
        F6E3M2FN = 33,
    }
}

enumeration! {
    /// `PJRT_HostBufferSemantics`: how long the caller keeps its memory.
    HostBufferSemantics {
        IMMUTABLE_ONLY_DURING_CALL = 0,
        IMMUTABLE_UNTIL_TRANSFER_COMPLETES = 1,
        IMMUTABLE_ZERO_COPY = 2,
        MUTABLE_ZERO_COPY = 3,
    }
}

enumeration! {
    /// `PJRT_Buffer_MemoryLayout_Type`.
    BufferMemoryLayoutType {
        TILED = 0,
        STRIDES = 1,
    }
}

/// The contents of a [`BufferMemoryLayout`], of the kind that its type says.
#[repr(C)]
#[derive(Clone, Copy)]
pub union BufferMemoryLayoutContents {
    pub tiled: BufferMemoryLayoutTiled,
    pub strides: BufferMemoryLayoutStrides,
}

/// `PJRT_Buffer_MemoryLayout`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BufferMemoryLayout {
    pub struct_size: usize,
    pub extension_start: *mut ExtensionBase,
    pub contents: BufferMemoryLayoutContents,
    pub type_: BufferMemoryLayoutType,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct BufferCopyRawToHostFutureCallbackArgs {
    pub struct_size: usize,
    pub callback_data: *mut c_void,
    pub error_code: ErrorCode,
    pub error_message: *const c_char,
    pub error_message_size: usize,
    pub dst: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct BufferDonateWithControlDependencyCallbackArgs {
    pub struct_size: usize,
    pub callback_data: *mut c_void,
    pub error_code: ErrorCode,
    pub error_message: *const c_char,
    pub error_message_size: usize,
}

arguments! {
    BufferMemoryLayoutTiled = "PJRT_Buffer_MemoryLayout_Tiled" {
        minor_to_major: *const i64,
        minor_to_major_size: usize,
        tile_dims: *const i64,
        tile_dim_sizes: *const usize,
        num_tiles: usize,
    }
    BufferMemoryLayoutStrides = "PJRT_Buffer_MemoryLayout_Strides" {
        byte_strides: *const i64,
        num_byte_strides: usize,
    }
    BufferDestroyArgs = "PJRT_Buffer_Destroy_Args" {
        buffer: *mut Buffer,
    }
    BufferElementTypeArgs = "PJRT_Buffer_ElementType_Args" {
        buffer: *mut Buffer,
        type_: BufferType,
    }
    BufferDimensionsArgs = "PJRT_Buffer_Dimensions_Args" {
        buffer: *mut Buffer,
        dims: *const i64,
        num_dims: usize,
    }
    BufferUnpaddedDimensionsArgs = "PJRT_Buffer_UnpaddedDimensions_Args" {
        buffer: *mut Buffer,
        unpadded_dims: *const i64,
        num_dims: usize,
    }
    BufferDynamicDimensionIndicesArgs = "PJRT_Buffer_DynamicDimensionIndices_Args" {
        buffer: *mut Buffer,
        dynamic_dim_indices: *const usize,
        num_dynamic_dims: usize,
    }
    BufferGetMemoryLayoutArgs = "PJRT_Buffer_GetMemoryLayout_Args" {
        buffer: *mut Buffer,
        layout: BufferMemoryLayout,
    }
    BufferToHostBufferArgs = "PJRT_Buffer_ToHostBuffer_Args" {
        src: *mut Buffer,
        host_layout: *mut BufferMemoryLayout,
        dst: *mut c_void,
        dst_size: usize,
        event: *mut Event,
    }
    BufferOnDeviceSizeInBytesArgs = "PJRT_Buffer_OnDeviceSizeInBytes_Args" {
        buffer: *mut Buffer,
        on_device_size_in_bytes: usize,
    }
    BufferDeleteArgs = "PJRT_Buffer_Delete_Args" {
        buffer: *mut Buffer,
    }
    BufferIsDeletedArgs = "PJRT_Buffer_IsDeleted_Args" {
        buffer: *mut Buffer,
        is_deleted: bool,
    }
    BufferCopyRawToHostArgs = "PJRT_Buffer_CopyRawToHost_Args" {
        buffer: *mut Buffer,
        dst: *mut c_void,
        offset: i64,
        transfer_size: i64,
        event: *mut Event,
    }
    BufferCopyRawToHostFutureArgs = "PJRT_Buffer_CopyRawToHostFuture_Args" {
        buffer: *mut Buffer,
        offset: i64,
        transfer_size: i64,
        event: *mut Event,
        callback_data: *mut c_void,
        future_ready_callback: Option<unsafe extern "C" fn(*mut BufferCopyRawToHostFutureCallbackArgs)>,
    }
    BufferCopyToDeviceArgs = "PJRT_Buffer_CopyToDevice_Args" {
        buffer: *mut Buffer,
        dst_device: *mut Device,
        dst_buffer: *mut Buffer,
    }
    BufferCopyToMemoryArgs = "PJRT_Buffer_CopyToMemory_Args" {
        buffer: *mut Buffer,
        dst_memory: *mut Memory,
        dst_buffer: *mut Buffer,
    }
    BufferBitcastArgs = "PJRT_Buffer_Bitcast_Args" {
        buffer: *mut Buffer,
        element_type: BufferType,
        dims: *const i64,
        num_dims: usize,
        device_layout: *mut BufferMemoryLayout,
        out_buffer: *mut Buffer,
    }
    BufferIsOnCpuArgs = "PJRT_Buffer_IsOnCpu_Args" {
        buffer: *mut Buffer,
        is_on_cpu: bool,
    }
    BufferDeviceArgs = "PJRT_Buffer_Device_Args" {
        buffer: *mut Buffer,
        device: *mut Device,
    }
    BufferMemoryArgs = "PJRT_Buffer_Memory_Args" {
        buffer: *mut Buffer,
        memory: *mut Memory,
    }
    BufferReadyEventArgs = "PJRT_Buffer_ReadyEvent_Args" {
        buffer: *mut Buffer,
        event: *mut Event,
    }
    BufferUnsafePointerArgs = "PJRT_Buffer_UnsafePointer_Args" {
        buffer: *mut Buffer,
        buffer_pointer: usize,
    }
    BufferIncreaseExternalReferenceCountArgs = "PJRT_Buffer_IncreaseExternalReferenceCount_Args" {
        buffer: *mut Buffer,
    }
    BufferDecreaseExternalReferenceCountArgs = "PJRT_Buffer_DecreaseExternalReferenceCount_Args" {
        buffer: *mut Buffer,
    }
    BufferOpaqueDeviceMemoryDataPointerArgs = "PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args" {
        buffer: *mut Buffer,
        device_memory_ptr: *mut c_void,
    }
    BufferDonateWithControlDependencyArgs = "PJRT_Buffer_DonateWithControlDependency_Args" {
        buffer: *mut Buffer,
        callback_data: *mut c_void,
        dependency_ready_callback: Option<unsafe extern "C" fn(*mut BufferDonateWithControlDependencyCallbackArgs)>,
        out_buffer: *mut Buffer,
    }
    CopyToDeviceStreamDestroyArgs = "PJRT_CopyToDeviceStream_Destroy_Args" {
        stream: *mut CopyToDeviceStream,
    }
    CopyToDeviceStreamAddChunkArgs = "PJRT_CopyToDeviceStream_AddChunk_Args" {
        stream: *mut CopyToDeviceStream,
        chunk: *mut Chunk,
        transfer_complete: *mut Event,
    }
    CopyToDeviceStreamTotalBytesArgs = "PJRT_CopyToDeviceStream_TotalBytes_Args" {
        stream: *mut CopyToDeviceStream,
        total_bytes: i64,
    }
    CopyToDeviceStreamGranuleSizeArgs = "PJRT_CopyToDeviceStream_GranuleSize_Args" {
        stream: *mut CopyToDeviceStream,
        granule_size_in_bytes: i64,
    }
    CopyToDeviceStreamCurrentBytesArgs = "PJRT_CopyToDeviceStream_CurrentBytes_Args" {
        stream: *mut CopyToDeviceStream,
        current_bytes: i64,
    }
}
