//! A backend whose memory the host does not address, in a layout that differs from a literal's.

use std::any::Any;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::common::{Buffer, Client, call, outcome, text, wait};
use halo_backend::{Backend, CompileOptions, Compiler, CompilerDescription, Program, Registry};
use halo_core::{Literal, Shape};
use halo_pjrt::c_api;
use halo_pjrt::c_api::*;
use halo_runtime::host::HostPlatform;
use halo_runtime::memory::Allocation;
use halo_runtime::{
    Device, DeviceBuffer, DeviceDescription, DeviceMemory, Executable, ExecuteOptions, MemoryUsage,
    Platform, Result, Signature, Stream, StreamExecutor, TransferManager,
};

/// Memory of the device.
struct Remote(Mutex<Vec<u8>>);

impl Allocation for Remote {
    fn size(&self) -> usize {
        self.with(|bytes| bytes.len())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Remote {
    fn with<T>(&self, run: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        run(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One of two devices.
struct Remotes {
    ordinal: usize,
    description: DeviceDescription,
}

impl StreamExecutor for Remotes {
    fn platform(&self) -> &str {
        "remote"
    }

    fn ordinal(&self) -> usize {
        self.ordinal
    }

    fn description(&self) -> &DeviceDescription {
        &self.description
    }

    fn allocate(&self, size: usize) -> Result<DeviceMemory> {
        Ok(DeviceMemory::new(Remote(Mutex::new(vec![0; size]))))
    }

    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()> {
        target.slice(offset, source.len())?;
        let target: &Remote = target.downcast()?;
        target.with(|bytes| bytes[offset..][..source.len()].copy_from_slice(source));
        Ok(())
    }

    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()> {
        source.slice(offset, target.len())?;
        let source: &Remote = source.downcast()?;
        source.with(|bytes| target.copy_from_slice(&bytes[offset..][..target.len()]));
        Ok(())
    }

    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()> {
        let source: &Remote = source.downcast()?;
        let bytes = source.with(|bytes| bytes.clone());
        self.copy_to_device(&bytes, target, 0)
    }

    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()> {
        target.downcast::<Remote>()?.with(|bytes| bytes.fill(byte));
        Ok(())
    }

    fn create_stream(&self) -> Result<Box<dyn Stream>> {
        HostPlatform::device().executor.create_stream()
    }

    fn create_event(&self) -> Result<Arc<dyn halo_runtime::Event>> {
        HostPlatform::device().executor.create_event()
    }

    fn memory_usage(&self) -> MemoryUsage {
        MemoryUsage { in_use: 5, peak: 7 }
    }

    fn clear_memory_peak(&self) {}
}

struct RemotePlatform;

static EXECUTORS: LazyLock<[Arc<Remotes>; 2]> = LazyLock::new(|| {
    [0, 1].map(|ordinal| {
        let description = DeviceDescription {
            name: "remote device".to_owned(),
            architecture: Some("sm_90".to_owned()),
            core_count: 3,
            memory_size: Some(1 << 20),
            ..DeviceDescription::default()
        };
        Arc::new(Remotes {
            ordinal,
            description,
        })
    })
});

impl Platform for RemotePlatform {
    fn name(&self) -> &str {
        "remote"
    }

    fn device_count(&self) -> usize {
        EXECUTORS.len()
    }

    fn executor(&self, ordinal: usize) -> Result<Arc<dyn StreamExecutor>> {
        Ok(EXECUTORS[ordinal].clone())
    }
}

/// Bytes before a value.
const HEADER: usize = 8;

/// Values are after a header, with all bits inverted.
struct Inverted;

impl TransferManager for Inverted {
    fn byte_size(&self, shape: &Shape) -> usize {
        HEADER + shape.byte_size()
    }

    fn write(
        &self,
        executor: &dyn StreamExecutor,
        literal: &Literal,
        buffer: &DeviceBuffer,
    ) -> Result<()> {
        let bytes: Vec<u8> = literal.bytes().iter().map(|byte| !byte).collect();
        executor.copy_to_device(&bytes, buffer.memory(), HEADER)
    }

    fn to_host(&self, executor: &dyn StreamExecutor, buffer: &DeviceBuffer) -> Result<Literal> {
        let mut bytes = vec![0; buffer.shape().byte_size()];
        executor.copy_from_device(buffer.memory(), HEADER, &mut bytes)?;
        bytes.iter_mut().for_each(|byte| *byte = !*byte);
        Ok(Literal::from_bytes(buffer.shape().clone(), &bytes)?)
    }
}

/// Runs on streams begin while it is open.
struct Gate(Mutex<bool>, Condvar);

static GATE: Gate = Gate(Mutex::new(true), Condvar::new());

impl Gate {
    fn is_open(&self) -> MutexGuard<'_, bool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass(&self) {
        let closed = |open: &mut bool| !*open;
        drop(self.1.wait_while(self.is_open(), closed));
    }

    /// Closed until the result is dropped.
    fn closed() -> impl Drop {
        struct Opens;
        impl Drop for Opens {
            fn drop(&mut self) {
                *GATE.is_open() = true;
                GATE.1.notify_all();
            }
        }
        *GATE.is_open() = false;
        Opens
    }
}

/// The interpreter, with inputs and results on a device. Programs without custom calls are enqueued
/// as a whole.
#[derive(Clone)]
struct RemoteExecutable {
    interpreted: Arc<dyn Executable>,
    device: Device,
    is_enqueued_whole: bool,
}

impl RemoteExecutable {
    fn interpret(&self, inputs: &[DeviceBuffer], outputs: &[DeviceBuffer]) -> Result<()> {
        let device = &self.device;
        let inputs = inputs.iter().map(|input| device.to_host(input));
        let results = self.interpreted.run(&inputs.collect::<Result<Vec<_>>>()?)?;
        let pairs = results.iter().zip(outputs);
        let mut writes = pairs.map(|(result, output)| {
            device.transfer_manager.write(&*device.executor, result, output)
        });
        writes.try_for_each(|outcome| outcome)
    }
}

impl Executable for RemoteExecutable {
    fn signature(&self) -> &Signature {
        self.interpreted.signature()
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn execute_into(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        let Some(stream) = options.stream else {
            return self.interpret(inputs, outputs);
        };
        let (own, inputs, outputs) = (self.clone(), inputs.to_vec(), outputs.to_vec());
        stream.host_callback(Box::new(move || {
            GATE.pass();
            own.interpret(&inputs, &outputs)
        }))
    }

    fn on_device(&self, device: &Device) -> Result<Box<dyn Executable>> {
        let device = device.clone();
        Ok(Box::new(Self {
            device,
            ..self.clone()
        }))
    }

    fn is_enqueued_whole(&self) -> bool {
        self.is_enqueued_whole
    }
}

struct RemoteCompiler(Arc<dyn Compiler>);

impl Compiler for RemoteCompiler {
    fn description(&self) -> &CompilerDescription {
        self.0.description()
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        Ok(Box::new(RemoteExecutable {
            interpreted: Arc::from(self.0.compile(program, options)?),
            device: Device {
                executor: RemotePlatform.executor(0)?,
                transfer_manager: Arc::new(Inverted),
            },
            is_enqueued_whole: !String::from_utf8_lossy(&program.code).contains("custom_call"),
        }))
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        self.0.compile_to(program, phase, options)
    }
}

/// The backend `remote`.
pub fn backend() -> Backend {
    let mut registry = Registry::new();
    halo::compiler::backends::register(&mut registry);
    let interpreter = &registry.backend("interpreter").expect("it is registered").compiler;
    Backend {
        name: "remote",
        summary: "the interpreter, with memory that the host does not address",
        platform: Arc::new(RemotePlatform),
        compiler: Arc::new(RemoteCompiler(Arc::clone(interpreter))),
        transfer_manager: Arc::new(Inverted),
    }
}

fn client() -> Client {
    Client::of_backend("remote", 3).unwrap()
}

const TRANSPOSE: &str =
    "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}";

#[test]
fn programs_run_on_values_in_the_memory_of_the_device() {
    let client = client();
    let double = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }";
    let executable = client.compile(double).unwrap();
    let x = client.buffer(&[2], &[1.0, 2.0]);
    for _ in 0..3 {
        let results = executable.run(&[&x], 1).unwrap();
        assert_eq!(results[0].read().unwrap(), [2.0, 4.0]);
    }
}

#[test]
fn layouts_and_strides_are_converted_on_the_host() {
    let client = client();
    // The columns of a matrix with the rows [1, 2, 3] and [4, 5, 6].
    let columns = [1.0f32, 4.0, 2.0, 5.0, 3.0, 6.0];
    let mut layout = crate::common::arguments::<BufferMemoryLayout>();
    layout.type_ = BufferMemoryLayoutType::STRIDES;
    let strides = [4i64, 8];
    layout.contents.strides.byte_strides = strides.as_ptr();
    layout.contents.strides.num_byte_strides = strides.len();
    let made = call!(
        client_buffer_from_host_buffer,
        ClientBufferFromHostBufferArgs,
        |arguments| {
            arguments.client = client.0;
            arguments.data = columns.as_ptr().cast();
            arguments.type_ = BufferType::F32;
            arguments.dims = [2i64, 3].as_ptr();
            arguments.num_dims = 2;
            arguments.byte_strides = strides.as_ptr();
            arguments.num_byte_strides = 2;
            arguments.device_layout = &raw mut layout;
            arguments.device = client.device(0);
            arguments.host_buffer_semantics = HostBufferSemantics::IMMUTABLE_ZERO_COPY;
        }
    );
    wait(made.done_with_host_buffer).unwrap();
    let x = Buffer(made.buffer);
    assert_eq!(x.read().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let results = client.compile(TRANSPOSE).unwrap().run(&[&x], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), columns);
}

#[test]
fn values_are_copied_between_devices() {
    let client = client();
    let x = client.buffer(&[2], &[1.0, 2.0]);
    // The third device is the first one of the platform.
    for device in [1, 2] {
        let copied = call!(buffer_copy_to_device, BufferCopyToDeviceArgs, |arguments| {
            arguments.buffer = x.0;
            arguments.dst_device = client.device(device);
        });
        assert_eq!(Buffer(copied.dst_buffer).read().unwrap(), [1.0, 2.0]);
    }
}

#[test]
fn memory_of_the_device_has_no_address() {
    let client = client();
    let x = client.buffer(&[2], &[1.0, 2.0]);
    let is_on_cpu = |buffer: &Buffer| {
        let args = call!(buffer_is_on_cpu, BufferIsOnCpuArgs, |arguments| arguments
            .buffer =
            buffer.0);
        args.is_on_cpu
    };
    assert!(!is_on_cpu(&x));
    assert!(is_on_cpu(&Client::new(1).buffer(&[2], &[1.0, 2.0])));
    let address = outcome!(
        buffer_unsafe_pointer,
        BufferUnsafePointerArgs,
        |arguments| {
            arguments.buffer = x.0;
        }
    );
    let lent = [0.0f32; 2];
    let view = outcome!(
        client_create_view_of_device_buffer,
        ClientCreateViewOfDeviceBufferArgs,
        |arguments| {
            arguments.client = client.0;
            arguments.device_buffer_ptr = lent.as_ptr().cast_mut().cast();
            arguments.dims = [2i64].as_ptr();
            arguments.num_dims = 1;
            arguments.element_type = BufferType::F32;
            arguments.device = client.device(0);
        }
    );
    let (code, message) = address.err().unwrap();
    assert_eq!(code, ErrorCode::UNIMPLEMENTED);
    assert!(
        message.contains("memory of the platform 'remote'"),
        "{message}"
    );
    let (_, message) = view.err().unwrap();
    assert!(
        message.contains("takes no memory of other libraries"),
        "{message}"
    );
}

#[test]
fn devices_are_described_by_their_platform() {
    let client = client();
    let name = call!(client_platform_name, ClientPlatformNameArgs, |arguments| {
        arguments.client = client.0;
    });
    // SAFETY: the client has the text.
    let name = unsafe { text(name.platform_name, name.platform_name_size) };
    assert_eq!(name, "halo_remote");
    let device = client.device(1);
    let description = call!(
        device_get_description,
        DeviceGetDescriptionArgs,
        |arguments| {
            arguments.device = device;
        }
    );
    let kind = call!(
        device_description_kind,
        DeviceDescriptionKindArgs,
        |arguments| {
            arguments.device_description = description.device_description;
        }
    );
    // SAFETY: the description has the text.
    let kind = unsafe { text(kind.device_kind, kind.device_kind_size) };
    assert_eq!(kind, "remote device");
    let stats = call!(device_memory_stats, DeviceMemoryStatsArgs, |arguments| {
        arguments.device = device;
    });
    assert_eq!((stats.bytes_in_use, stats.bytes_limit), (5, 1 << 20));
    let attributes = call!(
        device_description_attributes,
        DeviceDescriptionAttributesArgs,
        |arguments| arguments.device_description = description.device_description
    );
    // SAFETY: the description has the attributes with their texts.
    let attributes: Vec<(String, i64)> = unsafe {
        let all = std::slice::from_raw_parts(attributes.attributes, attributes.num_attributes);
        let read = |value: &c_api::NamedValue| {
            let name = text(value.name, value.name_size);
            match value.type_ {
                NamedValueType::STRING => {
                    let string = text(value.contents.string_value, value.value_size);
                    (format!("{name}={string}"), 0)
                }
                _ => (name, value.contents.int64_value),
            }
        };
        all.iter().map(read).collect()
    };
    let expected = [("core_count", 3), ("compute_capability=9.0", 0)];
    assert_eq!(
        attributes,
        expected.map(|(name, value)| (name.to_owned(), value))
    );
}

const DOUBLE: &str = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}";

/// `device_ordinal: 1` of `executable_build_options`.
const ON_SECOND: &[u8] = &[0x1a, 2, 8, 1];

#[test]
fn programs_run_on_each_device_of_the_platform() {
    let client = client();
    let executable = client.compile_with(DOUBLE, ON_SECOND).unwrap();
    let x = client.buffer_on(1, &[2], &[1.0, 2.0]);
    let once = executable.run(&[&x], 1).unwrap();
    let twice = executable.run(&[&once[0]], 1).unwrap();
    assert_eq!(twice[0].read().unwrap(), [4.0, 8.0]);
}

fn is_ready(buffer: &Buffer) -> bool {
    let event = call!(buffer_ready_event, BufferReadyEventArgs, |arguments| {
        arguments.buffer = buffer.0;
    });
    let state = call!(event_is_ready, EventIsReadyArgs, |arguments| {
        arguments.event = event.event;
    });
    call!(event_destroy, EventDestroyArgs, |arguments| {
        arguments.event = event.event;
    });
    state.is_ready
}

#[test]
fn runs_on_streams_are_in_order_and_do_not_wait() {
    // Overwrites its argument, which earlier runs read.
    let donating = DOUBLE.replace("2xf32>)", "2xf32> {tf.aliasing_output = 0 : i32})");
    let client = client();
    let [double, donating] = [DOUBLE, &donating].map(|code| client.compile(code).unwrap());
    let x = client.buffer(&[2], &[1.0, 2.0]);
    let gate = Gate::closed();
    let once = double.run(&[&x], 1).unwrap().remove(0);
    let first = double.run(&[&once], 1).unwrap().remove(0);
    let donated = donating.run(&[&once], 1).unwrap().remove(0);
    let last = double.run(&[&donated], 1).unwrap().remove(0);
    assert!(once.is_deleted() && !is_ready(&first) && !is_ready(&last));
    drop((x, once));
    drop(gate);
    assert_eq!(first.read().unwrap(), [4.0, 8.0]);
    assert_eq!(donated.read().unwrap(), [4.0, 8.0]);
    assert_eq!(last.read().unwrap(), [8.0, 16.0]);
}

#[test]
fn an_unknown_backend_is_an_error_that_lists_them() {
    let (code, message) = Client::of_backend("tpu", 1).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert!(message.contains("unknown backend 'tpu'"), "{message}");
    assert!(message.contains("remote"), "{message}");
}

#[test]
fn an_error_on_a_stream_belongs_to_its_results() {
    let checking = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
      check.expect_eq %x, %0 : tensor<2xf32>
      return %x : tensor<2xf32>
    }";
    let client = client();
    let [checking, double] = [checking, DOUBLE].map(|code| client.compile(code).unwrap());
    let [good, bad] = [1.0, 2.0].map(|value| client.buffer(&[2], &[value; 2]));
    let gate = Gate::closed();
    let failed = checking.run(&[&bad], 1).unwrap().remove(0);
    let dependent = double.run(&[&failed], 1).unwrap().remove(0);
    let passed = checking.run(&[&good], 1).unwrap().remove(0);
    let other = double.run(&[&passed], 1).unwrap().remove(0);
    drop(gate);
    for buffer in [failed, dependent] {
        let (_, message) = buffer.read().unwrap_err();
        assert!(message.contains("expect_eq"), "{message}");
    }
    assert_eq!(other.read().unwrap(), [2.0, 2.0]);
}
