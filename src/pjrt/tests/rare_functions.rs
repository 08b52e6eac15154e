//! Functions of the interface that few frameworks call.

use std::ffi::c_char;
use std::ptr::null_mut;

use crate::common::{Buffer, Client, arguments, call, outcome, wait};
use halo_pjrt::c_api::*;

fn is_ready(event: *mut Event) -> bool {
    let args = call!(event_is_ready, EventIsReadyArgs, |arguments| arguments
        .event =
        event);
    args.is_ready
}

#[test]
fn a_bitcast_shares_memory() {
    let client = Client::new(1);
    let x = client.buffer(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let bitcast = |element_type, dims: &[i64]| {
        let args = outcome!(buffer_bitcast, BufferBitcastArgs, |arguments| {
            arguments.buffer = x.0;
            arguments.element_type = element_type;
            arguments.dims = dims.as_ptr();
            arguments.num_dims = dims.len();
        })?;
        Ok::<_, (ErrorCode, String)>(Buffer(args.out_buffer))
    };
    let flat = bitcast(BufferType::F32, &[4]).unwrap();
    assert_eq!(flat.read().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    let address = |buffer: &Buffer| {
        let args = call!(
            buffer_unsafe_pointer,
            BufferUnsafePointerArgs,
            |arguments| arguments.buffer = buffer.0
        );
        args.buffer_pointer
    };
    assert_eq!(address(&x), address(&flat));
    let words = bitcast(BufferType::U32, &[4]).unwrap();
    let kind = call!(buffer_element_type, BufferElementTypeArgs, |arguments| {
        arguments.buffer = words.0
    });
    assert_eq!(kind.type_, BufferType::U32);
    let (code, message) = bitcast(BufferType::F32, &[3]).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert_eq!(
        message,
        "tensor<2x2xf32> cannot be read as tensor<3xf32>, which has another size in bytes"
    );
    // A program that the buffer is donated to leaves the other one as it is.
    let negate = "func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32})
          -> tensor<4xf32> {
          %0 = stablehlo.negate %x : tensor<4xf32>
          return %0 : tensor<4xf32>
        }";
    let executable = client.compile(negate).unwrap();
    let results = executable.run(&[&flat], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [-1.0, -2.0, -3.0, -4.0]);
    assert!(flat.is_deleted());
    assert_eq!(x.read().unwrap(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn a_donated_buffer_waits_for_a_dependency() {
    let client = Client::new(1);
    let donate = |code, message: &'static str| {
        let x = client.buffer(&[2], &[1.0, 2.0]);
        let args = call!(
            buffer_donate_with_control_dependency,
            BufferDonateWithControlDependencyArgs,
            |arguments| arguments.buffer = x.0
        );
        assert!(x.is_deleted());
        let other = Buffer(args.out_buffer);
        let ready = call!(buffer_ready_event, BufferReadyEventArgs, |arguments| {
            arguments.buffer = other.0
        });
        assert!(!is_ready(ready.event));
        let mut dependency = BufferDonateWithControlDependencyCallbackArgs {
            struct_size: size_of::<BufferDonateWithControlDependencyCallbackArgs>(),
            callback_data: args.callback_data,
            error_code: code,
            error_message: message.as_ptr().cast(),
            error_message_size: message.len(),
        };
        // SAFETY: the function is called once, with its data.
        unsafe { args.dependency_ready_callback.unwrap()(&raw mut dependency) };
        (other, wait(ready.event))
    };
    let (other, outcome) = donate(ErrorCode::OK, "");
    assert_eq!(outcome, Ok(()));
    assert_eq!(other.read().unwrap(), [1.0, 2.0]);
    let (_, outcome) = donate(ErrorCode::ABORTED, "never");
    assert_eq!(outcome, Err((ErrorCode::ABORTED, "never".to_owned())));
}

#[test]
fn bytes_are_copied_to_a_place_that_is_known_later() {
    let client = Client::new(1);
    let x = client.buffer(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let mut place = [0.0f32; 2];
    let mut copy = |code, message: &'static str| {
        let args = call!(
            buffer_copy_raw_to_host_future,
            BufferCopyRawToHostFutureArgs,
            |arguments| {
                arguments.buffer = x.0;
                arguments.offset = 4;
                arguments.transfer_size = 8;
            }
        );
        assert!(!is_ready(args.event));
        let mut target = BufferCopyRawToHostFutureCallbackArgs {
            struct_size: size_of::<BufferCopyRawToHostFutureCallbackArgs>(),
            callback_data: args.callback_data,
            error_code: code,
            error_message: message.as_ptr().cast(),
            error_message_size: message.len(),
            dst: place.as_mut_ptr().cast(),
        };
        // SAFETY: the function is called once, with its data.
        unsafe { args.future_ready_callback.unwrap()(&raw mut target) };
        wait(args.event)
    };
    assert_eq!(
        copy(ErrorCode::CANCELLED, "no place"),
        Err((ErrorCode::CANCELLED, "no place".to_owned()))
    );
    assert_eq!(copy(ErrorCode::OK, ""), Ok(()));
    assert_eq!(place, [2.0, 3.0]);
    let outside = outcome!(
        buffer_copy_raw_to_host_future,
        BufferCopyRawToHostFutureArgs,
        |arguments| {
            arguments.buffer = x.0;
            arguments.offset = 12;
            arguments.transfer_size = 8;
        }
    );
    let (_, message) = outside.err().unwrap();
    assert_eq!(message, "8 bytes at 12 are not in a buffer of 16 bytes");
}

#[test]
fn devices_have_more_functions() {
    let client = Client::new(1);
    let device = client.device(0);
    call!(
        device_clear_memory_stats,
        DeviceClearMemoryStatsArgs,
        |arguments| arguments.device = device
    );
    let message = "stop";
    let poisoned = call!(
        device_poison_execution,
        DevicePoisonExecutionArgs,
        |arguments| {
            arguments.device = device;
            arguments.launch_id = 3;
            arguments.error_code = ErrorCode::ABORTED;
            arguments.error_message = message.as_ptr().cast();
            arguments.error_message_size = message.len();
        }
    );
    assert!(!poisoned.poisoned);
    let event = call!(
        device_create_async_tracking_event,
        DeviceCreateAsyncTrackingEventArgs,
        |arguments| arguments.device = device
    );
    call!(
        async_tracking_event_destroy,
        AsyncTrackingEventDestroyArgs,
        |arguments| arguments.event = event.event
    );
    call!(client_dma_map, ClientDmaMapArgs, |arguments| arguments
        .client =
        client.0);
    call!(client_dma_unmap, ClientDmaUnmapArgs, |arguments| {
        arguments.client = client.0
    });
}

#[test]
fn the_results_of_a_poisoned_run_have_its_error() {
    let client = Client::new(1);
    let device = client.device(0);
    let negate = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = stablehlo.negate %x : tensor<2xf32>
          return %0 : tensor<2xf32>
        }";
    let executable = client.compile(negate).unwrap();
    // The run waits for its input.
    let manager = client.transfer_manager(0, &[2]);
    let input = call!(
        async_host_to_device_transfer_manager_retrieve_buffer,
        AsyncHostToDeviceTransferManagerRetrieveBufferArgs,
        |arguments| arguments.transfer_manager = manager
    );
    let input = Buffer(input.buffer_out);
    let run = |launch| {
        let inputs = [input.0];
        let (lists, mut output) = ([inputs.as_ptr()], null_mut());
        let outputs = [&raw mut output];
        let (mut options, mut done) = (arguments::<ExecuteOptions>(), null_mut());
        options.launch_id = launch;
        call!(
            loaded_executable_execute,
            LoadedExecutableExecuteArgs,
            |arguments| {
                arguments.executable = executable.0;
                arguments.options = &raw mut options;
                arguments.argument_lists = lists.as_ptr();
                arguments.num_devices = 1;
                arguments.num_args = 1;
                arguments.output_lists = outputs.as_ptr();
                arguments.device_complete_events = &raw mut done;
            }
        );
        (Buffer(output), done)
    };
    let poison = |launch| {
        let message = "stopped by its caller";
        let args = call!(
            device_poison_execution,
            DevicePoisonExecutionArgs,
            |arguments| {
                arguments.device = device;
                arguments.launch_id = launch;
                arguments.error_code = ErrorCode::ABORTED;
                arguments.error_message = message.as_ptr().cast();
                arguments.error_message_size = message.len();
            }
        );
        args.poisoned
    };
    let (stopped, stopped_done) = run(7);
    let (other, other_done) = run(8);
    assert!(!is_ready(stopped_done) && !poison(6));
    assert!(poison(7));
    // Once is enough, and does not wait for the input.
    assert!(is_ready(stopped_done) && !poison(7));
    let expected = (ErrorCode::ABORTED, "stopped by its caller".to_owned());
    assert_eq!(wait(stopped_done), Err(expected.clone()));
    assert_eq!(stopped.read(), Err(expected.clone()));
    let pieces = [1.0f32, 2.0];
    let sent = call!(
        async_host_to_device_transfer_manager_transfer_data,
        AsyncHostToDeviceTransferManagerTransferDataArgs,
        |arguments| {
            arguments.transfer_manager = manager;
            arguments.data = pieces.as_ptr().cast();
            arguments.transfer_size = 8;
            arguments.is_last_transfer = true;
        }
    );
    wait(sent.done_with_h2d_transfer).unwrap();
    wait(other_done).unwrap();
    assert_eq!(other.read().unwrap(), [-1.0, -2.0]);
    // The end of the run does not replace the error, and a run that is done stays so.
    assert_eq!(stopped.read(), Err(expected));
    assert!(!poison(8));
    call!(
        async_host_to_device_transfer_manager_destroy,
        AsyncHostToDeviceTransferManagerDestroyArgs,
        |arguments| arguments.transfer_manager = manager
    );
}

#[test]
fn shapes_are_messages_of_xla() {
    let client = Client::new(1);
    let topology = call!(
        client_topology_description,
        ClientTopologyDescriptionArgs,
        |arguments| arguments.client = client.0
    );
    let make = |kind| {
        outcome!(
            topology_description_make_canonical_shape_for_memory_space,
            TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs,
            |arguments| {
                arguments.topology = topology.topology;
                arguments.memory_space_kind_id = kind;
                arguments.dims = [2i64, 3].as_ptr();
                arguments.num_dims = 2;
                arguments.element_type = BufferType::BF16;
            }
        )
    };
    let shape = make(0).unwrap();
    let (data, size): (*const c_char, _) = (shape.serialized_shape, shape.serialized_shape_size);
    // SAFETY: the bytes are freed after their last use.
    let bytes = unsafe {
        let bytes = std::slice::from_raw_parts(data.cast::<u8>(), size).to_vec();
        shape.serialized_shape_deleter.unwrap()(data);
        bytes
    };
    // The type 16, the sizes, the layout [1, 0], and no dynamic dimensions.
    let expected = [
        0x10, 16, 0x1a, 2, 2, 3, 0x2a, 4, 0x0a, 2, 1, 0, 0x32, 2, 0, 0,
    ];
    assert_eq!(bytes, expected);
    let (_, message) = make(7).err().unwrap();
    assert_eq!(message, "7 is no kind of memory");
}

#[test]
fn unsupported_functions_say_why() {
    let stream = outcome!(
        copy_to_device_stream_total_bytes,
        CopyToDeviceStreamTotalBytesArgs,
        |arguments| arguments.stream = null_mut()
    );
    let (code, message) = stream.err().unwrap();
    assert_eq!(code, ErrorCode::UNIMPLEMENTED);
    assert!(message.contains("no callback gets a stream"), "{message}");
    let alias = outcome!(
        client_create_alias_buffer,
        ClientCreateAliasBufferArgs,
        |arguments| arguments.client = null_mut()
    );
    let (code, message) = alias.err().unwrap();
    assert_eq!(code, ErrorCode::UNIMPLEMENTED);
    assert!(message.contains("block the queue"), "{message}");
    call!(
        copy_to_device_stream_destroy,
        CopyToDeviceStreamDestroyArgs,
        |arguments| arguments.stream = null_mut()
    );
}
