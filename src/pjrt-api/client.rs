//! A client of a PJRT plug-in: compiles programs and runs them on its first device.
//!
//! `unsafe` is needed to call the functions of the plug-in. A client keeps its objects as long as
//! they are used, so that safe code cannot use one that is destroyed.

use std::path::Path;
use std::ptr;
use std::sync::Arc;

use halo_core::{Literal, Shape};
use halo_runtime::{Error, Result};

use crate::c_api::{
    self, Api, BufferDestroyArgs, BufferDimensionsArgs, BufferElementTypeArgs, BufferMemoryLayout,
    BufferMemoryLayoutContents, BufferMemoryLayoutTiled, BufferMemoryLayoutType,
    BufferToHostBufferArgs, ClientAddressableDevicesArgs, ClientBufferFromHostBufferArgs,
    ClientCompileArgs, ClientCreateArgs, ClientDestroyArgs, ClientPlatformNameArgs, Device,
    ExecutableDestroyArgs, ExecutableNumOutputsArgs, ExecuteOptions, LoadedExecutable,
    LoadedExecutableDestroyArgs, LoadedExecutableExecuteArgs, LoadedExecutableGetExecutableArgs,
    NamedValueType, PluginAttributesArgs, PluginInitializeArgs, Program,
};
use crate::call::{arguments, call, copy, items, load, text, wait};
use crate::element_type::{from_buffer_type, to_buffer_type};

/// `xla.CompileOptionsProto` with `executable_build_options` (3) of `num_replicas` (4) and
/// `num_partitions` (5), both 1.
const COMPILE_OPTIONS: [u8; 6] = [0x1a, 4, 0x20, 1, 0x28, 1];

/// The format of programs: MLIR text, bytecode, or a portable artifact of StableHLO.
const FORMAT: &str = "mlir";

/// A client of a plug-in.
///
/// ```no_run
/// use halo_core::Literal;
/// use halo_pjrt_api::Client;
///
/// # fn main() -> halo_runtime::Result<()> {
/// // SAFETY: the file is a PJRT plug-in.
/// let client = unsafe { Client::load("libhalo_pjrt.so".as_ref()) }?;
/// let executable = client.compile(
///     b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
///         %0 = stablehlo.add %x, %x : tensor<2xf32>
///         return %0 : tensor<2xf32>
///     }",
/// )?;
/// let x = client.buffer(&Literal::from_slice(&[2], &[1.0f32, 2.0])?)?;
/// let results = executable.execute(&[&x])?;
/// assert_eq!(results[0].to_literal()?.as_slice::<f32>()?, [2.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    api: &'static Api,
    client: *mut c_api::Client,
    device: *mut Device,
}

// SAFETY: all functions of the interface may be called from any thread.
unsafe impl Send for Inner {}
// SAFETY: the same.
unsafe impl Sync for Inner {}

impl Client {
    /// Loads a plug-in and makes a client with its default options. The plug-in stays loaded until
    /// the process ends.
    ///
    /// # Errors
    /// Returns an invalid-input error if the file is not a plug-in; the plug-in's error if it makes
    /// no client.
    ///
    /// # Safety
    /// The file must be a PJRT plug-in that implements the interface: its code runs in this process.
    pub unsafe fn load(path: &Path) -> Result<Self> {
        // SAFETY: by the requirement above.
        Self::new(unsafe { load(path) }?)
    }

    /// Makes a client of a plug-in in this process.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    ///
    /// # Safety
    /// The table must be of a PJRT plug-in that implements the interface, and stay valid.
    pub unsafe fn of_table(table: *const Api) -> Result<Self> {
        // SAFETY: by the requirement above.
        Self::new(unsafe { copy(table) }?)
    }

    fn new(api: &'static Api) -> Result<Self> {
        if api.plugin_initialize.is_some() {
            // SAFETY: the arguments are empty.
            unsafe {
                call(
                    api,
                    api.plugin_initialize,
                    arguments::<PluginInitializeArgs>(),
                )
            }?;
        }
        // SAFETY: without options, the arguments are empty.
        let created = unsafe { call(api, api.client_create, arguments::<ClientCreateArgs>()) }?;
        let mut inner = Inner {
            api,
            client: created.client,
            device: ptr::null_mut(),
        };
        let mut devices = arguments::<ClientAddressableDevicesArgs>();
        devices.client = inner.client;
        // SAFETY: the client exists.
        let devices = unsafe { call(api, api.client_addressable_devices, devices) }?;
        let (first, count) = (devices.addressable_devices, devices.num_addressable_devices);
        // SAFETY: the list belongs to the client.
        let first = unsafe { items(first, count) }.first();
        inner.device = *first.ok_or_else(|| Error::execution("the PJRT plug-in has no device"))?;
        Ok(Self(Arc::new(inner)))
    }

    /// The name of the platform, such as `cuda`.
    ///
    /// # Errors
    /// Returns the plug-in's error.
    pub fn platform_name(&self) -> Result<String> {
        let mut name = arguments::<ClientPlatformNameArgs>();
        name.client = self.0.client;
        // SAFETY: the client exists.
        let name = unsafe { call(self.0.api, self.0.api.client_platform_name, name) }?;
        // SAFETY: the text belongs to the client.
        Ok(unsafe { text(name.platform_name, name.platform_name_size) })
    }

    /// The version of StableHLO that the plug-in reads, if it reports one.
    pub fn stablehlo_version(&self) -> Option<[i64; 3]> {
        let api = self.0.api;
        // SAFETY: the arguments are empty.
        let call = unsafe {
            call(
                api,
                api.plugin_attributes,
                arguments::<PluginAttributesArgs>(),
            )
        };
        let attributes = call.ok()?;
        // SAFETY: attributes belong to the plug-in.
        let attributes = unsafe { items(attributes.attributes, attributes.num_attributes) };
        attributes.iter().find_map(|attribute| {
            // SAFETY: the same.
            let name = unsafe { text(attribute.name, attribute.name_size) };
            if name != "stablehlo_current_version" || attribute.type_ != NamedValueType::INT64_LIST
            {
                return None;
            }
            // SAFETY: the type is a list of integers.
            let values =
                unsafe { items(attribute.contents.int64_array_value, attribute.value_size) };
            values.try_into().ok()
        })
    }

    /// Compiles a program of StableHLO for the first device: MLIR text, bytecode, or a portable
    /// artifact, which all versions read.
    ///
    /// # Errors
    /// Returns the plug-in's error.
    pub fn compile(&self, code: &[u8]) -> Result<Executable> {
        let api = self.0.api;
        let mut program = arguments::<Program>();
        program.code = code.as_ptr().cast_mut().cast();
        program.code_size = code.len();
        program.format = FORMAT.as_ptr().cast();
        program.format_size = FORMAT.len();
        let mut compile = arguments::<ClientCompileArgs>();
        compile.client = self.0.client;
        compile.program = &raw const program;
        compile.compile_options = COMPILE_OPTIONS.as_ptr().cast();
        compile.compile_options_size = COMPILE_OPTIONS.len();
        // SAFETY: program and options live until the call returns, and are not written to.
        let compiled = unsafe { call(api, api.client_compile, compile) }?;
        let mut executable = Executable {
            client: self.clone(),
            executable: compiled.executable,
            results: 0,
        };
        let mut metadata = arguments::<LoadedExecutableGetExecutableArgs>();
        metadata.loaded_executable = executable.executable;
        // SAFETY: the executable exists.
        let metadata = unsafe { call(api, api.loaded_executable_get_executable, metadata) }?;
        let mut outputs = arguments::<ExecutableNumOutputsArgs>();
        outputs.executable = metadata.executable;
        // SAFETY: the same.
        let outputs = unsafe { call(api, api.executable_num_outputs, outputs) };
        let mut destroy = arguments::<ExecutableDestroyArgs>();
        destroy.executable = metadata.executable;
        // SAFETY: the description is not used again.
        unsafe { call(api, api.executable_destroy, destroy) }?;
        executable.results = outputs?.num_outputs;
        Ok(executable)
    }

    /// Copies a value to the first device.
    ///
    /// # Errors
    /// Returns the plug-in's error.
    pub fn buffer(&self, value: &Literal) -> Result<Buffer> {
        let api = self.0.api;
        let dims: Vec<i64> = value.dims().iter().map(|size| *size as i64).collect();
        let mut copy = arguments::<ClientBufferFromHostBufferArgs>();
        copy.client = self.0.client;
        copy.data = value.bytes().as_ptr().cast();
        copy.type_ = to_buffer_type(value.element_type());
        copy.dims = dims.as_ptr();
        copy.num_dims = dims.len();
        copy.device = self.0.device;
        // SAFETY: the value is copied during the call, by the semantics of zero.
        let copied = unsafe { call(api, api.client_buffer_from_host_buffer, copy) }?;
        let buffer = Buffer {
            client: self.clone(),
            buffer: copied.buffer,
        };
        // SAFETY: the event is this call's.
        unsafe { wait(api, copied.done_with_host_buffer) }?;
        Ok(buffer)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let mut destroy = arguments::<ClientDestroyArgs>();
        destroy.client = self.client;
        // SAFETY: no object of the client exists any more. Errors cannot be reported.
        let _ = unsafe { call(self.api, self.api.client_destroy, destroy) };
    }
}

/// A compiled program.
pub struct Executable {
    client: Client,
    executable: *mut LoadedExecutable,
    results: usize,
}

// SAFETY: all functions of the interface may be called from any thread.
unsafe impl Send for Executable {}
// SAFETY: the same.
unsafe impl Sync for Executable {}

impl Executable {
    /// The number of results.
    pub fn result_count(&self) -> usize {
        self.results
    }

    /// Runs the program, whose results may not be ready yet. Inputs that the program donates cannot
    /// be used again.
    ///
    /// # Errors
    /// Returns the plug-in's error; an invalid-input error for a buffer of another client.
    pub fn execute(&self, inputs: &[&Buffer]) -> Result<Vec<Buffer>> {
        let api = self.client.0.api;
        if inputs.iter().any(|input| !Arc::ptr_eq(&input.client.0, &self.client.0)) {
            return Err(Error::invalid(
                "an input is a buffer of another PJRT client",
            ));
        }
        let inputs: Vec<*mut c_api::Buffer> = inputs.iter().map(|input| input.buffer).collect();
        let mut outputs = vec![ptr::null_mut(); self.results];
        let (input_lists, output_lists) = ([inputs.as_ptr()], [outputs.as_mut_ptr()]);
        let mut options = arguments::<ExecuteOptions>();
        let mut execute = arguments::<LoadedExecutableExecuteArgs>();
        execute.executable = self.executable;
        execute.options = &raw mut options;
        execute.argument_lists = input_lists.as_ptr();
        execute.num_devices = 1;
        execute.num_args = inputs.len();
        execute.output_lists = output_lists.as_ptr();
        // SAFETY: the lists live until the call returns, and outputs have the program's number.
        unsafe { call(api, api.loaded_executable_execute, execute) }?;
        let buffers = outputs.into_iter().map(|buffer| Buffer {
            client: self.client.clone(),
            buffer,
        });
        Ok(buffers.collect())
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        let api = self.client.0.api;
        let mut destroy = arguments::<LoadedExecutableDestroyArgs>();
        destroy.executable = self.executable;
        // SAFETY: it is not used again. Errors cannot be reported.
        let _ = unsafe { call(api, api.loaded_executable_destroy, destroy) };
    }
}

/// A value on the device.
pub struct Buffer {
    client: Client,
    buffer: *mut c_api::Buffer,
}

// SAFETY: all functions of the interface may be called from any thread.
unsafe impl Send for Buffer {}
// SAFETY: the same.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// The shape.
    ///
    /// # Errors
    /// Returns the plug-in's error; an invalid-input error if the value is not an array.
    pub fn shape(&self) -> Result<Shape> {
        let api = self.client.0.api;
        let mut ty = arguments::<BufferElementTypeArgs>();
        ty.buffer = self.buffer;
        // SAFETY: the buffer exists.
        let ty = unsafe { call(api, api.buffer_element_type, ty) }?.type_;
        let mut dims = arguments::<BufferDimensionsArgs>();
        dims.buffer = self.buffer;
        // SAFETY: the same.
        let dims = unsafe { call(api, api.buffer_dimensions, dims) }?;
        // SAFETY: the sizes belong to the buffer.
        let dims = unsafe { items(dims.dims, dims.num_dims) };
        let dims: Option<Vec<usize>> =
            dims.iter().map(|size| usize::try_from(*size).ok()).collect();
        match (from_buffer_type(ty), dims) {
            (Some(ty), Some(dims)) => Ok(Shape::new(ty, dims)?),
            _ => Err(Error::invalid(format!(
                "unsupported PJRT_Buffer_Type {}",
                ty.0
            ))),
        }
    }

    /// Waits for the value and copies it to the host.
    ///
    /// # Errors
    /// Returns the plug-in's error, such as the failure of the run that computes the value.
    pub fn to_literal(&self) -> Result<Literal> {
        let api = self.client.0.api;
        let mut literal = Literal::try_zeros(self.shape()?)?;
        let minor_to_major: Vec<i64> = (0..literal.dims().len() as i64).rev().collect();
        let mut tiled = arguments::<BufferMemoryLayoutTiled>();
        tiled.minor_to_major = minor_to_major.as_ptr();
        tiled.minor_to_major_size = minor_to_major.len();
        let mut layout = arguments::<BufferMemoryLayout>();
        layout.contents = BufferMemoryLayoutContents { tiled };
        layout.type_ = BufferMemoryLayoutType::TILED;
        let bytes = literal.bytes_mut();
        let mut copy = arguments::<BufferToHostBufferArgs>();
        copy.src = self.buffer;
        copy.host_layout = &raw mut layout;
        copy.dst = bytes.as_mut_ptr().cast();
        copy.dst_size = bytes.len();
        // SAFETY: the plug-in rejects a size that is too small, and memory and layout live until
        // the event is signalled.
        unsafe {
            let copied = call(api, api.buffer_to_host_buffer, copy)?;
            wait(api, copied.event)?;
        }
        Ok(literal)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let api = self.client.0.api;
        let mut destroy = arguments::<BufferDestroyArgs>();
        destroy.buffer = self.buffer;
        // SAFETY: it is not used again. Errors cannot be reported.
        let _ = unsafe { call(api, api.buffer_destroy, destroy) };
    }
}
