//! The stages of a handler, and the frames that they are called with.

use std::ffi::c_int;
use std::ptr;

use super::{api, error};
use crate::c_api::Struct;
use crate::c_api::xla_ffi::{
    self, API_MAJOR, API_MINOR, ApiVersion, Args, Attrs, CallFrame, ExecutionStage, Handler,
    InternalExtension, InternalExtensionType, Metadata, MetadataExtension, Rets, TypeId,
};
use crate::status::{Result, Status};

/// A function of a handler.
pub type Function = unsafe extern "C" fn(*mut CallFrame) -> *mut xla_ffi::Error;

/// The first fields of `XLA_FFI_Handler_Bundle`, which are the same in all versions. A later field,
/// stage `record`, is for command buffers of GPUs.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Bundle {
    pub instantiate: Handler,
    pub prepare: Handler,
    pub initialize: Handler,
    pub execute: Handler,
}

/// The functions of a handler's stages.
#[derive(Clone, Copy)]
pub struct Stages {
    pub instantiate: Handler,
    pub prepare: Handler,
    pub initialize: Handler,
    pub execute: Function,
}

impl Stages {
    /// # Errors
    /// Returns an invalid-argument error if a handler has no function for the last stage, or one
    /// was made for another major version of the interface; the handler's own.
    ///
    /// # Safety
    /// The functions must keep to the interface.
    pub unsafe fn new(bundle: &Bundle) -> Result<Self> {
        let all = [
            (ExecutionStage::INSTANTIATE, bundle.instantiate),
            (ExecutionStage::PREPARE, bundle.prepare),
            (ExecutionStage::INITIALIZE, bundle.initialize),
            (ExecutionStage::EXECUTE, bundle.execute),
        ];
        for (stage, function) in all {
            if let Some(function) = function {
                // SAFETY: by the requirement above.
                unsafe { check_version(function, stage) }?;
            }
        }
        let execute = bundle.execute;
        let execute = execute.ok_or_else(|| Status::invalid("it has no stage 'execute'"))?;
        Ok(Self {
            instantiate: bundle.instantiate,
            prepare: bundle.prepare,
            initialize: bundle.initialize,
            execute,
        })
    }

    /// Returns true if they are the same functions.
    pub fn is_same(&self, other: &Self) -> bool {
        let addresses = |stages: &Self| {
            let optional = [stages.instantiate, stages.prepare, stages.initialize];
            let address = |function: Function| function as *const () as usize;
            (
                optional.map(|one| one.map(address)),
                address(stages.execute),
            )
        };
        addresses(self) == addresses(other)
    }
}

/// Queries the version of the interface that a handler was compiled for.
///
/// # Safety
/// The function must keep to the interface.
unsafe fn check_version(function: Function, stage: ExecutionStage) -> Result<()> {
    let mut metadata = Metadata {
        struct_size: Metadata::SIZE,
        api_version: ApiVersion {
            struct_size: ApiVersion::SIZE,
            extension_start: ptr::null_mut(),
            major_version: c_int::MIN,
            minor_version: c_int::MIN,
        },
        traits: 0,
        state_type_id: TypeId { type_id: 0 },
    };
    let mut extension = MetadataExtension {
        extension_base: InternalExtension {
            struct_size: size_of::<MetadataExtension>(),
            type_: InternalExtensionType::METADATA,
            next: ptr::null_mut(),
        },
        metadata: &raw mut metadata,
    };
    let mut frame = CallFrame {
        extension_start: (&raw mut extension).cast(),
        ..frame(stage)
    };
    // SAFETY: by the requirement above; the frame satisfies the interface.
    unsafe { error::from_raw(function(&raw mut frame)) }?;
    let ApiVersion {
        major_version: major,
        minor_version: minor,
        ..
    } = metadata.api_version;
    match (major, minor) {
        (c_int::MIN, _) => Err(Status::invalid("it does not tell its version, as all do")),
        // The handler has accepted the sizes of the structs, whatever its minor version.
        (API_MAJOR, _) => Ok(()),
        _ => Err(Status::invalid(format!(
            "it is made for version {major}.{minor} of XLA's FFI, and Halo has \
             {API_MAJOR}.{API_MINOR}"
        ))),
    }
}

/// A frame without arguments.
pub fn frame(stage: ExecutionStage) -> CallFrame {
    CallFrame {
        struct_size: CallFrame::SIZE,
        extension_start: ptr::null_mut(),
        api: api::table(),
        ctx: ptr::null_mut(),
        stage,
        args: Args {
            struct_size: Args::SIZE,
            extension_start: ptr::null_mut(),
            size: 0,
            types: ptr::null_mut(),
            args: ptr::null_mut(),
        },
        rets: Rets {
            struct_size: Rets::SIZE,
            extension_start: ptr::null_mut(),
            size: 0,
            types: ptr::null_mut(),
            rets: ptr::null_mut(),
        },
        attrs: Attrs {
            struct_size: Attrs::SIZE,
            extension_start: ptr::null_mut(),
            size: 0,
            types: ptr::null_mut(),
            names: ptr::null_mut(),
            attrs: ptr::null_mut(),
        },
        future: ptr::null_mut(),
    }
}
