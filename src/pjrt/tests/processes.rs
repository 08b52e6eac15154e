//! Clients of several processes, which are threads of this one.

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_void};
use std::sync::{Condvar, Mutex};

use crate::common::{Client, Executable, arguments, call, outcome, text};
use halo_pjrt::c_api::*;

/// A key-value store of a framework.
#[derive(Default)]
struct Store {
    texts: Mutex<HashMap<String, String>>,
    changed: Condvar,
    /// Whether keys of other processes are missing.
    is_broken: bool,
}

unsafe extern "C" fn put(arguments: *mut KeyValuePutCallbackArgs) -> *mut Error {
    // SAFETY: the plug-in passes valid arguments, with the store.
    unsafe {
        let arguments = &*arguments;
        let store = &*arguments.user_arg.cast::<Store>();
        let key = text(arguments.key, arguments.key_size);
        let value = text(arguments.value, arguments.value_size);
        store.texts.lock().unwrap().insert(key, value);
        store.changed.notify_all();
    }
    std::ptr::null_mut()
}

unsafe extern "C" fn get(arguments: *mut KeyValueGetCallbackArgs) -> *mut Error {
    // SAFETY: the plug-in passes valid arguments, with the store.
    unsafe {
        let arguments = &mut *arguments;
        let store = &*arguments.user_arg.cast::<Store>();
        let key = text(arguments.key, arguments.key_size);
        if store.is_broken {
            let message = format!("no key {key}");
            let error = (*arguments.callback_error).unwrap();
            return error(ErrorCode::NOT_FOUND, message.as_ptr().cast(), message.len());
        }
        let texts = store.texts.lock().unwrap();
        let texts = store.changed.wait_while(texts, |texts| !texts.contains_key(&key)).unwrap();
        // With a zero at the end, as the text of C that the deleter frees.
        let value = CString::new(texts[&key].as_str()).unwrap();
        arguments.value_size = value.as_bytes().len();
        arguments.value = value.into_raw();
        arguments.value_deleter_callback = Some(delete);
    }
    std::ptr::null_mut()
}

unsafe extern "C" fn delete(value: *mut c_char) {
    // SAFETY: the value is the text of `get`.
    drop(unsafe { CString::from_raw(value) });
}

/// The client of one of two processes with two devices each.
fn client(store: &Store, index: i64) -> Result<Client, (ErrorCode, String)> {
    let option = |name: &'static str, value| NamedValue {
        struct_size: size_of::<NamedValue>(),
        extension_start: std::ptr::null_mut(),
        name: name.as_ptr().cast(),
        name_size: name.len(),
        type_: NamedValueType::INT64,
        contents: NamedValueContents { int64_value: value },
        value_size: 1,
    };
    let options = [
        option("device_count", 2),
        option("node_id", index),
        option("num_nodes", 2),
    ];
    let store = std::ptr::from_ref(store).cast_mut().cast::<c_void>();
    let created = outcome!(client_create, ClientCreateArgs, |arguments| {
        arguments.create_options = options.as_ptr();
        arguments.num_options = options.len();
        arguments.kv_get_callback = Some(get);
        arguments.kv_get_user_arg = store;
        arguments.kv_put_callback = Some(put);
        arguments.kv_put_user_arg = store;
    })?;
    Ok(Client(created.client))
}

/// Sums over the four devices.
fn sum(client: &Client) -> Executable {
    let program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = \"stablehlo.all_reduce\"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}
        : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }";
    // CompileOptionsProto: executable_build_options { num_replicas: 4 num_partitions: 1 }.
    client.compile_with(program, &[0x1a, 0x04, 0x20, 0x04, 0x28, 0x01]).unwrap()
}

/// The devices of a client, each with the index of its process.
fn devices(client: &Client) -> Vec<(*mut Device, i32)> {
    let all = call!(client_devices, ClientDevicesArgs, |arguments| arguments
        .client =
        client.0);
    // SAFETY: the client has this number of devices.
    let all = unsafe { std::slice::from_raw_parts(all.devices, all.num_devices) };
    let process = |device: &*mut Device| {
        let own = call!(
            device_get_description,
            DeviceGetDescriptionArgs,
            |arguments| {
                arguments.device = *device;
            }
        );
        let process = call!(
            device_description_process_index,
            DeviceDescriptionProcessIndexArgs,
            |arguments| arguments.device_description = own.device_description
        );
        (*device, process.process_index)
    };
    all.iter().map(process).collect()
}

/// The local ids of the devices of a process.
fn local_ids(devices: &[(*mut Device, i32)]) -> Vec<(bool, i32)> {
    let local = |(device, _): &(*mut Device, i32)| {
        let addressable = call!(
            device_is_addressable,
            DeviceIsAddressableArgs,
            |arguments| {
                arguments.device = *device;
            }
        );
        let id = call!(
            device_local_hardware_id,
            DeviceLocalHardwareIdArgs,
            |arguments| {
                arguments.device = *device;
            }
        );
        (addressable.is_addressable, id.local_hardware_id)
    };
    devices.iter().map(local).collect()
}

#[test]
fn processes_have_the_devices_of_all_and_run_on_their_own() {
    let store = Store::default();
    let run = |index: i32| {
        let client = client(&store, index.into()).unwrap();
        let all = devices(&client);
        let processes: Vec<i32> = all.iter().map(|(_, process)| *process).collect();
        assert_eq!(processes, [0, 0, 1, 1]);
        let (own, other) = ([(true, 0), (true, 1)], [(false, -1); 2]);
        let expected = if index == 0 {
            [own, other]
        } else {
            [other, own]
        };
        assert_eq!(local_ids(&all), expected.concat());
        let remote = 2 - 2 * index;
        let memory = outcome!(
            device_default_memory,
            DeviceDefaultMemoryArgs,
            |arguments| {
                arguments.device = client.device(remote);
            }
        );
        let message = memory.err().unwrap().1;
        assert_eq!(
            message,
            format!("device {remote} belongs to another process")
        );
        let executable = sum(&client);
        for round in [1.0, 5.0] {
            let inputs = [0, 1].map(|local| {
                let device = 2 * index + local;
                client.buffer_on(device, &[2], &[round * device as f32, 1.0])
            });
            for result in executable.run_on_each(&inputs).unwrap() {
                assert_eq!(result.read().unwrap(), [6.0 * round, 4.0]);
            }
        }
        (client, executable)
    };
    // Both clients live until the end of the test.
    let barrier = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        let (run, barrier) = (&run, &barrier);
        scope.spawn(move || {
            let kept = run(1);
            barrier.wait();
            drop(kept);
        });
        let (client, executable) = run(0);
        let message = "the test";
        let mut info = arguments::<ProcessInfo>();
        info.task_id = 1;
        info.state = ProcessState::ERROR;
        info.error_message = message.as_ptr().cast();
        info.error_message_size = message.len();
        call!(
            client_update_global_process_info,
            ClientUpdateGlobalProcessInfoArgs,
            |arguments| {
                arguments.client = client.0;
                arguments.process_infos = &raw mut info;
                arguments.num_process_infos = 1;
            }
        );
        let inputs = [0, 1].map(|device| client.buffer_on(device, &[2], &[1.0; 2]));
        let message = executable.run_on_each(&inputs).err().unwrap().1;
        let expected = "waits for rank 1, whose connection has failed: the test";
        assert!(message.contains(expected), "{message}");
        barrier.wait();
    });
}

#[test]
fn a_store_without_the_other_process() {
    let store = Store {
        is_broken: true,
        ..Store::default()
    };
    let (code, message) = client(&store, 0).err().unwrap();
    assert_eq!(code, ErrorCode::UNAVAILABLE);
    assert!(message.contains("no key halo/rank/0"), "{message}");
}
