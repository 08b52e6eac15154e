//! A client of the interface, like a framework. The plug-in is in the executable of the tests.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use halo_pjrt::c_api::*;
unsafe extern "C" {
    safe fn GetPjrtApi() -> *const Api;
}

/// The table of functions.
pub fn api() -> &'static Api {
    // SAFETY: the plug-in's table lives as long as the process.
    unsafe { &*GetPjrtApi() }
}

/// Arguments whose fields except the size are zero.
pub fn arguments<T: Struct>() -> T {
    let mut arguments = MaybeUninit::<T>::zeroed();
    // SAFETY: zeros are a value of arguments, which begin with their size.
    unsafe {
        arguments.as_mut_ptr().cast::<usize>().write(size_of::<T>());
        arguments.assume_init()
    }
}

/// A text of C.
///
/// # Safety
/// The pointer must have `size` bytes of UTF-8.
pub unsafe fn text(data: *const c_char, size: usize) -> String {
    // SAFETY: by the requirement above.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Code and message of an error, which is destroyed.
pub fn take_error(error: *mut Error) -> Option<(ErrorCode, String)> {
    if error.is_null() {
        return None;
    }
    let mut code = arguments::<ErrorGetCodeArgs>();
    code.error = error;
    let mut message = arguments::<ErrorMessageArgs>();
    message.error = error;
    let mut destroy = arguments::<ErrorDestroyArgs>();
    destroy.error = error;
    // SAFETY: the error is the plug-in's, and is destroyed last.
    unsafe {
        assert!(api().error_get_code.unwrap()(&mut code).is_null());
        api().error_message.unwrap()(&mut message);
        let text = text(message.message, message.message_size);
        api().error_destroy.unwrap()(&mut destroy);
        Some((code.code, text))
    }
}

/// Calls a function that must succeed, with arguments that the closure sets.
macro_rules! call {
    ($function:ident, $type:ty, |$arguments:ident| $set:expr) => {{
        match $crate::common::outcome!($function, $type, |$arguments| $set) {
            Ok(arguments) => arguments,
            Err((code, message)) => {
                panic!("{}: {code:?}: {message}", stringify!($function))
            }
        }
    }};
}

/// Calls a function, and returns the arguments after the call, or the error.
macro_rules! outcome {
    ($function:ident, $type:ty, |$arguments:ident| $set:expr) => {{
        let mut $arguments = $crate::common::arguments::<$type>();
        $set;
        let function = $crate::common::api().$function.expect("the table is full");
        // SAFETY: the tests pass valid arguments, or arguments that must be rejected.
        let error = unsafe { function(&mut $arguments) };
        match $crate::common::take_error(error) {
            None => Ok($arguments),
            Some(error) => Err(error),
        }
    }};
}
pub(crate) use {call, outcome};

/// A client, which is destroyed in the end.
pub struct Client(pub *mut halo_pjrt::c_api::Client);

/// An option of a client.
fn option(
    name: &str,
    type_: NamedValueType,
    contents: NamedValueContents,
    value_size: usize,
) -> NamedValue {
    NamedValue {
        struct_size: size_of::<NamedValue>(),
        extension_start: std::ptr::null_mut(),
        name: name.as_ptr().cast(),
        name_size: name.len(),
        type_,
        contents,
        value_size,
    }
}

impl Client {
    /// A client with `devices` devices.
    pub fn new(devices: i64) -> Self {
        Self::of_backend("cpu", devices).unwrap()
    }

    /// The same of a backend.
    pub fn of_backend(backend: &str, devices: i64) -> Result<Self, (ErrorCode, String)> {
        let string_value = backend.as_ptr().cast();
        let int64_value = devices;
        let options = [
            option(
                "backend",
                NamedValueType::STRING,
                NamedValueContents { string_value },
                backend.len(),
            ),
            option(
                "device_count",
                NamedValueType::INT64,
                NamedValueContents { int64_value },
                1,
            ),
        ];
        let created = outcome!(client_create, ClientCreateArgs, |arguments| {
            arguments.create_options = options.as_ptr();
            arguments.num_options = options.len();
        })?;
        Ok(Self(created.client))
    }

    pub fn device(&self, id: i32) -> *mut Device {
        let found = call!(client_lookup_device, ClientLookupDeviceArgs, |arguments| {
            arguments.client = self.0;
            arguments.id = id;
        });
        found.device
    }

    /// A manager that fills one buffer of f32 in the default memory of a device.
    pub fn transfer_manager(
        &self,
        device: i32,
        dims: &[i64],
    ) -> *mut AsyncHostToDeviceTransferManager {
        let device = self.device(device);
        let memory = call!(
            device_default_memory,
            DeviceDefaultMemoryArgs,
            |arguments| arguments.device = device
        );
        let mut spec = arguments::<ShapeSpec>();
        spec.dims = dims.as_ptr();
        spec.num_dims = dims.len();
        spec.element_type = BufferType::F32;
        let created = call!(
            client_create_buffers_for_async_host_to_device,
            ClientCreateBuffersForAsyncHostToDeviceArgs,
            |arguments| {
                arguments.client = self.0;
                arguments.shape_specs = &raw mut spec;
                arguments.num_shape_specs = 1;
                arguments.memory = memory.memory;
            }
        );
        created.transfer_manager
    }

    /// Compiles a program of MLIR for the first device.
    pub fn compile(&self, code: &str) -> Result<Executable, (ErrorCode, String)> {
        self.compile_with(code, &[])
    }

    /// The same with options, a `CompileOptionsProto`.
    pub fn compile_with(
        &self,
        code: &str,
        options: &[u8],
    ) -> Result<Executable, (ErrorCode, String)> {
        let format = "mlir";
        let mut program = arguments::<Program>();
        program.code = code.as_ptr().cast_mut().cast();
        program.code_size = code.len();
        program.format = format.as_ptr().cast();
        program.format_size = format.len();
        let compiled = outcome!(client_compile, ClientCompileArgs, |arguments| {
            arguments.client = self.0;
            arguments.program = &raw const program;
            arguments.compile_options = options.as_ptr().cast();
            arguments.compile_options_size = options.len();
        })?;
        Ok(Executable(compiled.executable))
    }

    /// A buffer of f32 on the first device.
    pub fn buffer(&self, dims: &[i64], elements: &[f32]) -> Buffer {
        self.buffer_on(0, dims, elements)
    }

    pub fn buffer_on(&self, device: i32, dims: &[i64], elements: &[f32]) -> Buffer {
        let made = call!(
            client_buffer_from_host_buffer,
            ClientBufferFromHostBufferArgs,
            |arguments| {
                arguments.client = self.0;
                arguments.data = elements.as_ptr().cast();
                arguments.type_ = BufferType::F32;
                arguments.dims = dims.as_ptr();
                arguments.num_dims = dims.len();
                arguments.device = self.device(device);
            }
        );
        wait(made.done_with_host_buffer).unwrap();
        Buffer(made.buffer)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        call!(client_destroy, ClientDestroyArgs, |arguments| arguments
            .client =
            self.0);
    }
}

/// Waits for an event and destroys it.
pub fn wait(event: *mut Event) -> Result<(), (ErrorCode, String)> {
    let outcome = outcome!(event_await, EventAwaitArgs, |arguments| arguments.event =
        event);
    call!(event_destroy, EventDestroyArgs, |arguments| arguments
        .event =
        event);
    outcome.map(drop)
}

/// A buffer, which is destroyed in the end.
pub struct Buffer(pub *mut halo_pjrt::c_api::Buffer);

impl Buffer {
    /// Returns the elements, once ready.
    pub fn read(&self) -> Result<Vec<f32>, (ErrorCode, String)> {
        let size = outcome!(buffer_to_host_buffer, BufferToHostBufferArgs, |arguments| {
            arguments.src = self.0;
        })?;
        let mut elements = vec![0.0f32; size.dst_size / 4];
        let copied = outcome!(buffer_to_host_buffer, BufferToHostBufferArgs, |arguments| {
            arguments.src = self.0;
            arguments.dst = elements.as_mut_ptr().cast::<c_void>();
            arguments.dst_size = size.dst_size;
        })?;
        wait(copied.event)?;
        Ok(elements)
    }

    pub fn is_deleted(&self) -> bool {
        let args = call!(buffer_is_deleted, BufferIsDeletedArgs, |arguments| {
            arguments.buffer = self.0;
        });
        args.is_deleted
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        call!(buffer_destroy, BufferDestroyArgs, |arguments| arguments
            .buffer =
            self.0);
    }
}

/// A loaded executable, which is destroyed in the end.
pub struct Executable(pub *mut LoadedExecutable);

impl Executable {
    /// Runs on one device, with the given number of results.
    pub fn run(
        &self,
        inputs: &[&Buffer],
        results: usize,
    ) -> Result<Vec<Buffer>, (ErrorCode, String)> {
        let inputs: Vec<_> = inputs.iter().map(|input| input.0).collect();
        let lists = [inputs.as_ptr()];
        let mut outputs = vec![std::ptr::null_mut(); results];
        let output_lists = [outputs.as_mut_ptr()];
        let mut options = arguments::<ExecuteOptions>();
        outcome!(
            loaded_executable_execute,
            LoadedExecutableExecuteArgs,
            |arguments| {
                arguments.executable = self.0;
                arguments.options = &raw mut options;
                arguments.argument_lists = lists.as_ptr();
                arguments.num_devices = 1;
                arguments.num_args = inputs.len();
                arguments.output_lists = output_lists.as_ptr();
            }
        )?;
        Ok(outputs.into_iter().map(Buffer).collect())
    }

    /// Runs on one device per input, with one result each.
    pub fn run_on_each(&self, inputs: &[Buffer]) -> Result<Vec<Buffer>, (ErrorCode, String)> {
        let inputs: Vec<_> = inputs.iter().map(|input| input.0).collect();
        let lists: Vec<_> = inputs.iter().map(std::ptr::from_ref).collect();
        let mut outputs = vec![std::ptr::null_mut(); inputs.len()];
        let output_lists: Vec<_> = outputs.iter_mut().map(std::ptr::from_mut).collect();
        let mut events = vec![std::ptr::null_mut(); inputs.len()];
        outcome!(
            loaded_executable_execute,
            LoadedExecutableExecuteArgs,
            |arguments| {
                arguments.executable = self.0;
                arguments.argument_lists = lists.as_ptr();
                arguments.num_devices = inputs.len();
                arguments.num_args = 1;
                arguments.output_lists = output_lists.as_ptr();
                arguments.device_complete_events = events.as_mut_ptr();
            }
        )?;
        events.into_iter().try_for_each(wait)?;
        Ok(outputs.into_iter().map(Buffer).collect())
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        call!(
            loaded_executable_destroy,
            LoadedExecutableDestroyArgs,
            |arguments| {
                arguments.executable = self.0;
            }
        );
    }
}

// SAFETY: the interface may be used from all threads.
unsafe impl Sync for Client {}
// SAFETY: as above.
unsafe impl Sync for Executable {}
