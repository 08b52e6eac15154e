//! Values that are not row-major.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::common::{Buffer, Client, call, outcome, wait};
use halo_pjrt::c_api::*;

const BY_COLUMNS: [i64; 2] = [0, 1];

/// A program that reads and writes column-major matrices, and adds a row-major value.
const PROGRAM: &str =
    "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}, %y: tensor<3x2xf32>)
    -> (tensor<3x2xf32>, tensor<3x2xf32> {mhlo.layout_mode = \"{0,1}\"}) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.add %0, %y : tensor<3x2xf32>
  return %1, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}";

fn tiled(order: &[i64]) -> BufferMemoryLayout {
    let tiled = BufferMemoryLayoutTiled {
        struct_size: size_of::<BufferMemoryLayoutTiled>(),
        extension_start: null_mut(),
        minor_to_major: order.as_ptr(),
        minor_to_major_size: order.len(),
        tile_dims: null(),
        tile_dim_sizes: null(),
        num_tiles: 0,
    };
    BufferMemoryLayout {
        struct_size: size_of::<BufferMemoryLayout>(),
        extension_start: null_mut(),
        contents: BufferMemoryLayoutContents { tiled },
        type_: BufferMemoryLayoutType::TILED,
    }
}

/// A buffer of elements that are passed in row-major order, with another order on the device.
fn buffer(client: &Client, dims: &[i64], elements: &[f32], order: &[i64]) -> Buffer {
    let mut layout = tiled(order);
    let made = call!(
        client_buffer_from_host_buffer,
        ClientBufferFromHostBufferArgs,
        |arguments| {
            arguments.client = client.0;
            arguments.data = elements.as_ptr().cast();
            arguments.type_ = BufferType::F32;
            arguments.dims = dims.as_ptr();
            arguments.num_dims = dims.len();
            arguments.device = client.device(0);
            arguments.device_layout = &raw mut layout;
        }
    );
    wait(made.done_with_host_buffer).unwrap();
    Buffer(made.buffer)
}

/// The elements in the order of the device's memory.
fn in_memory(buffer: &Buffer) -> [f32; 6] {
    buffer.read().unwrap();
    let found = call!(
        buffer_unsafe_pointer,
        BufferUnsafePointerArgs,
        |arguments| arguments.buffer = buffer.0
    );
    // SAFETY: the buffer has six elements.
    unsafe { (found.buffer_pointer as *const [f32; 6]).read() }
}

fn order(buffer: &Buffer) -> Vec<i64> {
    let found = call!(
        buffer_get_memory_layout,
        BufferGetMemoryLayoutArgs,
        |arguments| arguments.buffer = buffer.0
    );
    // SAFETY: the layouts are tiled layouts, with the order of their dimensions.
    unsafe {
        let tiled = found.layout.contents.tiled;
        std::slice::from_raw_parts(tiled.minor_to_major, tiled.minor_to_major_size).to_vec()
    }
}

#[test]
fn a_buffer_keeps_the_order_that_it_is_made_with() {
    let client = Client::new(2);
    let elements = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let made = buffer(&client, &[2, 3], &elements, &BY_COLUMNS);
    assert_eq!(order(&made), BY_COLUMNS);
    assert_eq!(made.read().unwrap(), elements);
    assert_eq!(in_memory(&made), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let copy = call!(buffer_copy_to_device, BufferCopyToDeviceArgs, |arguments| {
        arguments.buffer = made.0;
        arguments.dst_device = client.device(1);
    });
    let copy = Buffer(copy.dst_buffer);
    assert_eq!(order(&copy), BY_COLUMNS);
    assert_eq!(copy.read().unwrap(), elements);
    // The host may request any order, too.
    let (mut by_columns, mut layout) = ([0.0f32; 6], tiled(&BY_COLUMNS));
    let copied = call!(buffer_to_host_buffer, BufferToHostBufferArgs, |arguments| {
        arguments.src = made.0;
        arguments.host_layout = &raw mut layout;
        arguments.dst = by_columns.as_mut_ptr().cast::<c_void>();
        arguments.dst_size = 24;
    });
    wait(copied.event).unwrap();
    assert_eq!(by_columns, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

#[test]
fn programs_read_and_write_by_columns() {
    let client = Client::new(1);
    let executable = client.compile(PROGRAM).unwrap();
    let (x, y) = (
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        [10.0, 20.0, 30.0, 40.0, 50.0, 60.0],
    );
    let y = client.buffer(&[3, 2], &y);
    let by_columns = buffer(&client, &[2, 3], &x, &BY_COLUMNS);
    let results = executable.run(&[&by_columns, &y], 2).unwrap();
    let expected = [10.0, 23.0, 31.0, 44.0, 52.0, 65.0];
    for (result, own) in results.iter().zip([[1, 0], BY_COLUMNS]) {
        assert_eq!(result.read().unwrap(), expected);
        assert_eq!(order(result), own);
    }
    assert_eq!(in_memory(&results[1]), [10.0, 31.0, 52.0, 23.0, 44.0, 65.0]);
    // Reading by columns would result in another matrix.
    let (code, message) = executable.run(&[&client.buffer(&[2, 3], &x), &y], 2).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert_eq!(
        message,
        "argument 0 has the layout {1,0}, but the program is for {0,1}"
    );
}

#[test]
fn what_is_no_layout_is_an_error() {
    let client = Client::new(1);
    let program = |mode: &str| PROGRAM.replacen("{0,1}", mode, 1);
    for (mode, part) in [
        ("{0,1,2}", "cannot have the layout {0,1,2}"),
        ("{0,0}", "'mhlo.layout_mode'"),
        ("{0,1:T(8,128)}", "has tiles"),
    ] {
        let (code, message) = client.compile(&program(mode)).err().unwrap();
        assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
        assert!(message.contains(part), "{message}");
    }
    let mut layout = tiled(&[0, 2]);
    let failed = outcome!(
        client_create_uninitialized_buffer,
        ClientCreateUninitializedBufferArgs,
        |arguments| {
            arguments.client = client.0;
            arguments.shape_element_type = BufferType::F32;
            arguments.shape_dims = [2i64, 3].as_ptr();
            arguments.shape_num_dims = 2;
            arguments.shape_layout = &raw mut layout;
            arguments.device = client.device(0);
        }
    );
    let message = failed.err().unwrap().1;
    assert_eq!(message, "the layout is not one of tensor<2x3xf32>");
}
