//! Tests through the plug-in's interface, as frameworks use it.

use std::ptr::null_mut;

use crate::common::{Client, api, arguments, call, outcome, text, wait};
use halo_pjrt::c_api::*;
use halo_runtime::host::SubnormalMode;

const ADD: &str = "func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}";

#[test]
fn a_program_is_compiled_and_run() {
    let client = Client::new(1);
    let executable = client.compile(ADD).unwrap();
    let x = client.buffer(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let y = client.buffer(&[2, 2], &[10.0, 20.0, 30.0, 40.0]);
    // The first run is on another thread, later short ones are on this thread.
    for _ in 0..3 {
        let results = executable.run(&[&x, &y], 1).unwrap();
        assert_eq!(results[0].read().unwrap(), [11.0, 22.0, 33.0, 44.0]);
    }
    // Results are inputs before they are ready.
    let sum = executable.run(&[&x, &y], 1).unwrap();
    let twice = executable.run(&[&sum[0], &sum[0]], 1).unwrap();
    assert_eq!(twice[0].read().unwrap(), [22.0, 44.0, 66.0, 88.0]);
}

#[test]
fn buffers_and_executables_outlive_their_client() {
    let client = Client::new(1);
    let executable = client.compile(ADD).unwrap();
    let x = client.buffer(&[2, 2], &[1.0; 4]);
    drop(client);
    let results = executable.run(&[&x, &x], 1).unwrap();
    drop((executable, x));
    assert_eq!(results[0].read().unwrap(), [2.0; 4]);
}

#[test]
fn a_donated_input_is_deleted_and_its_memory_used() {
    let client = Client::new(1);
    let step =
        "func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }";
    let executable = client.compile(step).unwrap();
    let x = client.buffer(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let address = |buffer: &crate::common::Buffer| {
        let args = call!(
            buffer_unsafe_pointer,
            BufferUnsafePointerArgs,
            |arguments| {
                arguments.buffer = buffer.0;
            }
        );
        args.buffer_pointer
    };
    let before = address(&x);
    let results = executable.run(&[&x], 1).unwrap();
    assert!(x.is_deleted());
    assert_eq!(address(&results[0]), before);
    assert_eq!(results[0].read().unwrap(), [-1.0, -2.0, -3.0, -4.0]);
    let (code, message) = x.read().unwrap_err();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert_eq!(message, "the buffer has been deleted or donated");
    let again = executable.run(&[&x], 1).err().unwrap();
    assert_eq!(again.1, message);
    // Memory that another library reads is not overwritten.
    let y = client.buffer(&[4], &[5.0; 4]);
    let increase = |buffer: &crate::common::Buffer| {
        call!(
            buffer_increase_external_reference_count,
            BufferIncreaseExternalReferenceCountArgs,
            |arguments| arguments.buffer = buffer.0
        );
    };
    increase(&y);
    let shared = address(&y) as *const f32;
    let results = executable.run(&[&y], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [-5.0; 4]);
    // SAFETY: the reference keeps the memory.
    assert_eq!(unsafe { shared.read() }, 5.0);
    call!(
        buffer_decrease_external_reference_count,
        BufferDecreaseExternalReferenceCountArgs,
        |arguments| arguments.buffer = y.0
    );
    let missing = outcome!(
        buffer_decrease_external_reference_count,
        BufferDecreaseExternalReferenceCountArgs,
        |arguments| arguments.buffer = y.0
    );
    let message = missing.err().unwrap().1;
    assert_eq!(message, "the buffer has no external references");
}

#[test]
fn strided_and_borrowed_host_memory() {
    #[repr(align(64))]
    struct Aligned([f32; 6]);
    let client = Client::new(1);
    let data = Box::new(Aligned([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    let make = |strides: &[i64], semantics| {
        let args = call!(
            client_buffer_from_host_buffer,
            ClientBufferFromHostBufferArgs,
            |arguments| {
                arguments.client = client.0;
                arguments.data = data.0.as_ptr().cast();
                arguments.type_ = BufferType::F32;
                arguments.dims = [3i64, 2].as_ptr();
                arguments.num_dims = 2;
                arguments.byte_strides = strides.as_ptr();
                arguments.num_byte_strides = strides.len();
                arguments.host_buffer_semantics = semantics;
                arguments.device = client.device(0);
            }
        );
        (
            crate::common::Buffer(args.buffer),
            args.done_with_host_buffer,
        )
    };
    let (transposed, done) = make(&[4, 12], HostBufferSemantics::IMMUTABLE_ONLY_DURING_CALL);
    wait(done).unwrap();
    assert_eq!(transposed.read().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let (borrowed, done) = make(&[8, 4], HostBufferSemantics::IMMUTABLE_ZERO_COPY);
    let is_ready = || {
        let args = call!(event_is_ready, EventIsReadyArgs, |arguments| arguments
            .event =
            done);
        args.is_ready
    };
    assert!(!is_ready());
    assert_eq!(borrowed.read().unwrap(), data.0);
    drop(borrowed);
    assert!(is_ready());
    wait(done).unwrap();
}

#[test]
fn errors_have_codes_and_messages() {
    let client = Client::new(1);
    let (code, message) = client.compile("func.func @main() {").err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert!(message.starts_with("program:1:"), "{message}");
    let executable = client.compile(ADD).unwrap();
    let x = client.buffer(&[3], &[1.0; 3]);
    let (code, message) = executable.run(&[&x, &x], 1).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    let expected = "input 0 of @main is tensor<2x2xf32>, but tensor<3xf32> was given";
    assert_eq!(message, expected);
    let (_, message) = executable.run(&[&x], 1).err().unwrap();
    assert_eq!(message, "@main has 2 inputs, but 1 were given");
    let missing = outcome!(client_lookup_device, ClientLookupDeviceArgs, |arguments| {
        arguments.client = client.0;
        arguments.id = 1;
    });
    assert_eq!(
        missing.err().unwrap().1,
        "there is no device 1: there are 1"
    );
    let none = outcome!(client_devices, ClientDevicesArgs, |arguments| arguments
        .client =
        null_mut());
    assert_eq!(none.err().unwrap().1, "PJRT_Client is null");
    call!(
        loaded_executable_delete,
        LoadedExecutableDeleteArgs,
        |arguments| {
            arguments.executable = executable.0;
        }
    );
    let (_, message) = executable.run(&[], 1).err().unwrap();
    assert_eq!(message, "the executable has been deleted");
}

/// A caller of an older version passes shorter arguments, and gets only their fields back.
#[test]
fn older_callers_have_shorter_arguments() {
    let client = Client::new(1);
    let mut known = arguments::<DeviceMemoryStatsArgs>();
    known.struct_size = std::mem::offset_of!(DeviceMemoryStatsArgs, peak_bytes_in_use);
    known.device = client.device(0);
    known.peak_bytes_in_use = -1;
    known.bytes_in_use = -1;
    // SAFETY: the arguments are valid, and longer than their size field.
    let error = unsafe { api().device_memory_stats.unwrap()(&mut known) };
    assert!(error.is_null());
    assert!(known.bytes_in_use >= 0);
    assert_eq!(
        (known.peak_bytes_in_use, known.bytes_limit_is_set),
        (-1, false)
    );
}

#[test]
fn an_executable_is_serialized_and_loaded() {
    let client = Client::new(1);
    let executable = client.compile(ADD).unwrap();
    let own = call!(
        loaded_executable_get_executable,
        LoadedExecutableGetExecutableArgs,
        |arguments| arguments.loaded_executable = executable.0
    );
    let saved = call!(executable_serialize, ExecutableSerializeArgs, |arguments| {
        arguments.executable = own.executable;
    });
    let load = |size: usize| {
        let args = outcome!(
            executable_deserialize_and_load,
            ExecutableDeserializeAndLoadArgs,
            |arguments| {
                arguments.client = client.0;
                arguments.serialized_executable = saved.serialized_bytes;
                arguments.serialized_executable_size = size;
            }
        )?;
        Ok::<_, (ErrorCode, String)>(crate::common::Executable(args.loaded_executable))
    };
    let loaded = load(saved.serialized_bytes_size).unwrap();
    let x = client.buffer(&[2, 2], &[1.5; 4]);
    let results = loaded.run(&[&x, &x], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [3.0; 4]);
    for size in 0..saved.serialized_bytes_size {
        assert!(load(size).is_err(), "{size}");
    }
    let name = call!(executable_name, ExecutableNameArgs, |arguments| {
        arguments.executable = own.executable;
    });
    // SAFETY: the name is text.
    let name = unsafe { text(name.executable_name, name.executable_name_size) };
    assert_eq!(name, "main");
    // SAFETY: the function is called once, for these bytes.
    unsafe { saved.serialized_executable_deleter.unwrap()(saved.serialized_executable) };
    call!(executable_destroy, ExecutableDestroyArgs, |arguments| {
        arguments.executable = own.executable;
    });
}

#[test]
fn pieces_are_transferred_to_a_buffer_that_is_there_before() {
    let client = Client::new(2);
    let manager = client.transfer_manager(1, &[4]);
    let retrieve = || {
        outcome!(
            async_host_to_device_transfer_manager_retrieve_buffer,
            AsyncHostToDeviceTransferManagerRetrieveBufferArgs,
            |arguments| arguments.transfer_manager = manager
        )
    };
    let buffer = crate::common::Buffer(retrieve().unwrap().buffer_out);
    assert_eq!(
        retrieve().err().unwrap().1,
        "the buffer has been retrieved already"
    );
    let pieces = [1.0f32, 2.0, 3.0, 4.0];
    for (number, piece) in pieces.chunks(2).enumerate() {
        let done = call!(
            async_host_to_device_transfer_manager_transfer_data,
            AsyncHostToDeviceTransferManagerTransferDataArgs,
            |arguments| {
                arguments.transfer_manager = manager;
                arguments.data = piece.as_ptr().cast();
                arguments.offset = 8 * number as i64;
                arguments.transfer_size = 8;
                arguments.is_last_transfer = number == 1;
            }
        );
        wait(done.done_with_h2d_transfer).unwrap();
    }
    assert_eq!(buffer.read().unwrap(), pieces);
    call!(
        async_host_to_device_transfer_manager_destroy,
        AsyncHostToDeviceTransferManagerDestroyArgs,
        |arguments| arguments.transfer_manager = manager
    );
    // From the second device to the first.
    let copy = call!(buffer_copy_to_device, BufferCopyToDeviceArgs, |arguments| {
        arguments.buffer = buffer.0;
        arguments.dst_device = client.device(0);
    });
    let copy = crate::common::Buffer(copy.dst_buffer);
    assert_eq!(copy.read().unwrap(), pieces);
}

#[test]
fn errors_of_inputs_are_errors_of_results() {
    let client = Client::new(1);
    let executable = client.compile(ADD).unwrap();
    let memory = call!(
        device_default_memory,
        DeviceDefaultMemoryArgs,
        |arguments| {
            arguments.device = client.device(0);
        }
    );
    let (dims, message) = ([2i64, 2], "no such value");
    let failed = call!(
        client_create_error_buffer,
        ClientCreateErrorBufferArgs,
        |arguments| {
            arguments.client = client.0;
            arguments.error_code = ErrorCode::ABORTED;
            arguments.error_message = message.as_ptr().cast();
            arguments.error_message_size = message.len();
            arguments.shape_dims = dims.as_ptr();
            arguments.shape_num_dims = 2;
            arguments.shape_element_type = BufferType::F32;
            arguments.memory = memory.memory;
        }
    );
    let failed = crate::common::Buffer(failed.buffer);
    let expected = (ErrorCode::ABORTED, message.to_owned());
    assert_eq!(failed.read().unwrap_err(), expected);
    let x = client.buffer(&[2, 2], &[1.0; 4]);
    assert_eq!(executable.run(&[&failed, &x], 1).err().unwrap(), expected);
}

/// XLA's threads do: the compiler scales by powers of two that it derives from the least number.
#[test]
fn a_caller_may_flush_subnormal_numbers() {
    let program = "func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
      %1 = stablehlo.sqrt %0 : tensor<2xcomplex<f32>>
      %2 = stablehlo.real %1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
      return %2 : tensor<2xf32>
    }";
    let client = Client::new(1);
    let flushing = SubnormalMode::flush();
    let executable = client.compile(program).unwrap();
    drop(flushing);
    let (x, y) = (
        client.buffer(&[2], &[3.0, -5.0]),
        client.buffer(&[2], &[4.0, 12.0]),
    );
    let results = executable.run(&[&x, &y], 1).unwrap();
    // (2 + i)^2 = 3 + 4i and (2 + 3i)^2 = -5 + 12i.
    assert_eq!(results[0].read().unwrap(), [2.0, 2.0]);
}

#[test]
fn replicas_run_on_a_device_each_and_communicate() {
    let client = Client::new(2);
    let program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = \"stablehlo.all_reduce\"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }";
    // CompileOptionsProto: executable_build_options { num_replicas: 2 num_partitions: 1 }.
    let options = [0x1a, 0x04, 0x20, 0x02, 0x28, 0x01];
    let executable = client.compile_with(program, &options).unwrap();
    let inputs = [
        client.buffer_on(0, &[2], &[1.0, 2.0]),
        client.buffer_on(1, &[2], &[10.0, 20.0]),
    ];
    for _ in 0..3 {
        let results = executable.run_on_each(&inputs).unwrap();
        for result in results {
            assert_eq!(result.read().unwrap(), [11.0, 22.0]);
        }
    }
    let (code, message) = executable.run(&[&inputs[0]], 1).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert_eq!(
        message,
        "arguments for 1 devices are given to a program for 2"
    );
}

/// Each device has its rows of the matrix according to the sharding, and returns its columns.
#[test]
fn partitions_have_their_parts_of_arguments_and_results() {
    let client = Client::new(2);
    let program = "module attributes {sdy.meshes = {mesh = #sdy.mesh<[\"x\"=2]>}} {
      func.func @main(%x: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>})
          -> (tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}) {
        %0 = stablehlo.negate %x : tensor<2x2xf32>
        return %0 : tensor<2x2xf32>
      }
    }";
    // CompileOptionsProto: executable_build_options { num_replicas: 1 num_partitions: 2 }.
    let options = [0x1a, 0x04, 0x20, 0x01, 0x28, 0x02];
    let executable = client.compile_with(program, &options).unwrap();
    let inputs = [
        client.buffer_on(0, &[1, 2], &[1.0, 2.0]),
        client.buffer_on(1, &[1, 2], &[3.0, 4.0]),
    ];
    let results = executable.run_on_each(&inputs).unwrap();
    let results: Vec<Vec<f32>> = results.iter().map(|one| one.read().unwrap()).collect();
    assert_eq!(results, [[-1.0, -3.0], [-2.0, -4.0]]);
    // A whole matrix is not a shard.
    let whole = [0, 1].map(|device| client.buffer_on(device, &[2, 2], &[0.0; 4]));
    let (code, message) = executable.run_on_each(&whole).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert!(message.contains("tensor<1x2xf32>"), "{message}");
    let other = program.replace("\"x\"=2", "\"x\"=4");
    let (code, message) = client.compile_with(&other, &options).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert!(
        message.contains("expected a mesh of 2 partitions"),
        "{message}"
    );
}

/// Frameworks pass tokens for the order of side effects, in and out.
#[test]
fn tokens_have_no_value() {
    let client = Client::new(1);
    let program = "func.func @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<2xf32>)
        -> (!stablehlo.token, tensor<2xf32>) {
      %0 = stablehlo.negate %x : tensor<2xf32>
      return %t, %0 : !stablehlo.token, tensor<2xf32>
    }";
    let executable = client.compile(program).unwrap();
    let (token, x) = (client.buffer(&[], &[0.0]), client.buffer(&[2], &[1.0, 2.0]));
    let results = executable.run(&[&token, &x], 2).unwrap();
    let kind = call!(buffer_element_type, BufferElementTypeArgs, |arguments| {
        arguments.buffer = results[0].0;
    });
    assert_eq!(kind.type_, BufferType::TOKEN);
    let again = executable.run(&[&results[0], &results[1]], 2).unwrap();
    assert_eq!(again[1].read().unwrap(), [1.0, 2.0]);
}

/// The memory of threads, buffers and executables is freed.
#[test]
fn many_executions_and_compilations_from_several_threads() {
    let client = Client::new(2);
    let executable = client.compile(ADD).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8u8 {
            let (client, executable) = (&client, &executable);
            scope.spawn(move || {
                let value = f32::from(thread);
                for _ in 0..50 {
                    let x = client.buffer(&[2, 2], &[value; 4]);
                    let sum = executable.run(&[&x, &x], 1).unwrap();
                    let sum = executable.run(&[&sum[0], &x], 1).unwrap();
                    assert_eq!(sum[0].read().unwrap(), [3.0 * value; 4]);
                }
                let own = client.compile(ADD).unwrap();
                let x = client.buffer(&[2, 2], &[value; 4]);
                let sum = own.run(&[&x, &x], 1).unwrap();
                assert_eq!(sum[0].read().unwrap(), [2.0 * value; 4]);
            });
        }
    });
}
