//! Handwritten kernels, compared with results computed here. Numbers of the matrix products come
//! from NumPy.

use super::{Checks, kernel_object_of_text};
use half::{bf16, f16};
use halo_gpu_emulator::{EmulatorPlatform, NAME};
use halo_runtime::{
    DeviceMemory, KernelModule, Launch, LaunchArgument, Platform, StreamExecutor,
    plan::{BufferReference, KernelDescription, Slice, Swizzle, TensorMap, TensorMapDimension},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A kernel that is loaded.
struct Kernel {
    executor: Arc<dyn StreamExecutor>,
    module: Arc<dyn KernelModule>,
}

fn kernel(text: &str, name: &str) -> Kernel {
    kernel_with(text, name, Checks::Rules)
}

fn checked(text: &str, name: &str) -> Kernel {
    kernel_with(text, name, Checks::Accesses)
}

fn kernel_with(text: &str, name: &str, checks: Checks) -> Kernel {
    let object = kernel_object_of_text(text, "kernels.mlir", checks).unwrap();
    let executor = EmulatorPlatform.executor(0).unwrap();
    let description = KernelDescription {
        name: name.to_owned(),
        static_shared_memory: 0,
    };
    let module = executor.load_module(&object, &[description]).unwrap();
    Kernel { executor, module }
}

impl Kernel {
    fn memory<T: bytemuck::Pod>(&self, values: &[T]) -> DeviceMemory {
        let bytes = bytemuck::cast_slice(values);
        let memory = self.executor.allocate(bytes.len()).unwrap();
        self.executor.copy_to_device(bytes, &memory, 0).unwrap();
        memory
    }

    fn values<T: bytemuck::Pod>(&self, memory: &DeviceMemory) -> Vec<T> {
        let mut bytes = vec![0; memory.size()];
        self.executor.copy_from_device(memory, 0, &mut bytes).unwrap();
        bytemuck::pod_collect_to_vec(&bytes)
    }

    fn launch(&self, grid: [u32; 3], block: [u32; 3], memory: &[&DeviceMemory]) -> Duration {
        let arguments: Vec<_> =
            memory.iter().map(|memory| LaunchArgument::Memory(memory.whole())).collect();
        self.launch_with(grid, block, &arguments)
    }

    fn launch_with(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[LaunchArgument<'_>],
    ) -> Duration {
        let start = Instant::now();
        self.run(grid, block, arguments).unwrap();
        start.elapsed()
    }

    /// The error of a launch as text.
    fn try_launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        memory: &[&DeviceMemory],
    ) -> Result<(), String> {
        let arguments: Vec<_> =
            memory.iter().map(|memory| LaunchArgument::Memory(memory.whole())).collect();
        self.run(grid, block, &arguments).map_err(|error| error.to_string())
    }

    fn run(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[LaunchArgument<'_>],
    ) -> halo_runtime::Result<()> {
        let stream = self.executor.create_stream()?;
        stream.launch(&Launch {
            module: &self.module,
            kernel: 0,
            grid,
            block,
            dynamic_shared_memory: 0,
            arguments,
        })?;
        stream.block_until_done()
    }
}

#[test]
fn shuffles_and_shared_memory_sum_rows() {
    let kernel = kernel(include_str!("kernels/row_sums.mlir"), "row_sums");
    let rows: Vec<f32> = (0..5 * 256).map(|i| (i * i % 97) as f32).collect();
    let (input, output) = (kernel.memory(&rows), kernel.memory(&[0f32; 5]));
    kernel.launch([5, 1, 1], [128, 1, 1], &[&input, &output]);
    let expected: Vec<f32> = rows.chunks(256).map(|row| row.iter().sum()).collect();
    assert_eq!(kernel.values::<f32>(&output), expected);
}

#[test]
fn tiles_in_shared_memory_transpose() {
    let kernel = kernel(include_str!("kernels/transpose.mlir"), "transpose");
    let values: Vec<i32> = (0..64 * 96).collect();
    let (input, output) = (kernel.memory(&values), kernel.memory(&[0; 64 * 96]));
    kernel.launch([3, 2, 1], [32, 8, 1], &[&input, &output]);
    let expected: Vec<i32> = (0..64 * 96).map(|i| i % 64 * 96 + i / 64).collect();
    assert_eq!(kernel.values::<i32>(&output), expected);
}

#[test]
fn barriers_in_loops_multiply_tiles() {
    let kernel = kernel(include_str!("kernels/matmul.mlir"), "matmul");
    let a: Vec<f32> = (0..32 * 64).map(|i| (i * 7 % 13) as f32 - 6.0).collect();
    let b: Vec<f32> = (0..64 * 48).map(|i| (i * 5 % 11) as f32 - 5.0).collect();
    let (left, right) = (kernel.memory(&a), kernel.memory(&b));
    let output = kernel.memory(&[0f32; 32 * 48]);
    kernel.launch([3, 2, 1], [16, 16, 1], &[&left, &right, &output]);
    assert_eq!(kernel.values::<f32>(&output), product(&a, &b, 32, 48, 64));
}

fn product(a: &[f32], b: &[f32], m: usize, n: usize, k: usize) -> Vec<f32> {
    let element = |row: usize, column: usize| {
        (0..k).map(|inner| a[row * k + inner] * b[inner * n + column]).sum()
    };
    (0..m * n).map(|i| element(i / n, i % n)).collect()
}

fn matrix(rows: i32, columns: i32, element: impl Fn(i32, i32) -> f32) -> Vec<f32> {
    let indices = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    indices.map(|(row, column)| element(row, column)).collect()
}

fn left(i: i32, k: i32) -> f32 {
    ((7 * i + 3 * k) % 11 - 5) as f32 / 4.0
}

fn right(k: i32, n: i32) -> f32 {
    ((5 * k + 2 * n) % 9 - 4) as f32 / 2.0
}

fn addend(i: i32, n: i32) -> f32 {
    (i - n) as f32 / 2.0
}

/// Rows 0 and 9 of `left @ right + addend` with 16 columns of `left`.
const ROW_0: [f32; 8] = [9.25, -1.75, -7.125, -3.5, 2.375, 0.375, -7.25, -7.0];
const ROW_9: [f32; 8] = [1.5, 2.375, 12.25, 3.0, -0.625, -3.125, 4.5, 4.25];

const WARP_PRODUCTS: &str = include_str!("kernels/warp_products.mlir");

fn warp_product<T: bytemuck::Pod, S: bytemuck::Pod>(
    name: &str,
    element: impl Fn(f32) -> T,
    sum: impl Fn(f32) -> S,
    back: impl Fn(S) -> f32,
) {
    let kernel = kernel(WARP_PRODUCTS, name);
    let (a, b, c) = (
        matrix(16, 16, left),
        matrix(16, 8, right),
        matrix(16, 8, addend),
    );
    let store = |values: &[f32]| {
        kernel.memory(&values.iter().map(|value| element(*value)).collect::<Vec<_>>())
    };
    let sums: Vec<S> = c.iter().map(|value| sum(*value)).collect();
    let (a_memory, b_memory) = (store(&a), store(&b));
    let (c_memory, output) = (kernel.memory(&sums), kernel.memory(&sums));
    let memory = [&a_memory, &b_memory, &c_memory, &output];
    kernel.launch([1, 1, 1], [32, 1, 1], &memory);
    let result: Vec<f32> = kernel.values(&output).into_iter().map(back).collect();
    let products = product(&a, &b, 16, 8, 16);
    let expected: Vec<f32> = products.iter().zip(&c).map(|(d, c)| d + c).collect();
    assert_eq!(result, expected);
    assert_eq!(result[..8], ROW_0);
    assert_eq!(result[72..80], ROW_9);
}

/// Each product is half of the last place of the number that it is added to,
/// and all of them are eight of it.
#[test]
fn a_warp_rounds_the_sum_of_its_products_once() {
    let kernel = kernel(WARP_PRODUCTS, "f16");
    let small = f16::from_f32(2.0_f32.powi(-12));
    let ones = [1.0_f32; 16 * 8];
    let (a, b) = (
        kernel.memory(&[small; 16 * 16]),
        kernel.memory(&[small; 16 * 8]),
    );
    let (c, output) = (kernel.memory(&ones), kernel.memory(&ones));
    kernel.launch([1, 1, 1], [32, 1, 1], &[&a, &b, &c, &output]);
    let expected = 1.0 + 16.0 * 2.0_f32.powi(-24);
    assert_eq!(kernel.values::<f32>(&output), [expected; 16 * 8]);
}

#[test]
fn warps_multiply_f16() {
    warp_product("f16", f16::from_f32, |sum| sum, |sum| sum);
    warp_product("f16_sums", f16::from_f32, f16::from_f32, f16::to_f32);
}

#[test]
fn warps_multiply_bf16() {
    warp_product("bf16", bf16::from_f32, |sum| sum, |sum| sum);
}

/// Fraction bits of operands beyond TF32 are ignored.
#[test]
fn warps_multiply_tf32() {
    let kernel = kernel(WARP_PRODUCTS, "tf32");
    let a = matrix(16, 8, |i, k| left(i, k) + 1.0 / 4096.0);
    let b = matrix(8, 8, |k, n| right(k, n) * (1.0 + 3.0 / 2048.0));
    let c = matrix(16, 8, addend);
    let memory = [a, b, c.clone(), c].map(|values| kernel.memory(&values));
    kernel.launch([1, 1, 1], [32, 1, 1], &memory.each_ref());
    let result: Vec<f32> = kernel.values(&memory[3]);
    let row_0 = [
        5.753_049_5,
        0.749_144_43,
        -2.001_343,
        -4.750_974,
        -1.872_802,
        -2.375_001_7,
        -6.253_174,
        -4.500_243,
    ];
    let row_9 = [
        1.998_292_1,
        3.249_391,
        6.750_608,
        6.877_318_3,
        3.625_732_3,
        -3.003_049_6,
        -0.625_609_64,
        4.002_806,
    ];
    for (result, expected) in [(&result[..8], row_0), (&result[72..80], row_9)] {
        for (value, expected) in result.iter().zip(expected) {
            assert!(
                (value - expected).abs() < 2e-6,
                "{value} in place of {expected}"
            );
        }
    }
}

#[test]
fn matrices_are_loaded_from_shared_memory() {
    let kernel = kernel(include_str!("kernels/load_matrix.mlir"), "load_matrix");
    let a = matrix(32, 64, |i, k| ((3 * i + 5 * k) % 13 - 6) as f32 / 4.0);
    let b = matrix(64, 8, right);
    let halves = |values: &[f32]| {
        kernel.memory(&values.iter().map(|v| f16::from_f32(*v)).collect::<Vec<_>>())
    };
    let (left, right) = (halves(&a), halves(&b));
    let output = kernel.memory(&[0f32; 32 * 8]);
    kernel.launch([1, 1, 1], [32, 2, 1], &[&left, &right, &output]);
    let result: Vec<f32> = kernel.values(&output);
    assert_eq!(result, product(&a, &b, 32, 8, 64));
    let row_17 = [-1.625, -4.125, 1.25, 7.75, 7.5, 1.625, -4.25, -5.625];
    assert_eq!(result[17 * 8..18 * 8], row_17);
}

#[test]
fn barriers_in_while_loops_scan() {
    let kernel = kernel(include_str!("kernels/scan.mlir"), "scan");
    let values: Vec<i32> = (0..192).map(|i| i * 31 % 17 - 8).collect();
    let (input, output) = (kernel.memory(&values), kernel.memory(&[0; 192]));
    kernel.launch([3, 1, 1], [64, 1, 1], &[&input, &output]);
    let mut expected = Vec::new();
    for block in values.chunks(64) {
        expected.extend(block.iter().scan(0, |sum, value| {
            *sum += value;
            Some(*sum)
        }));
    }
    assert_eq!(kernel.values::<i32>(&output), expected);
}

#[test]
fn atomics_count() {
    let kernel = kernel(include_str!("kernels/histogram.mlir"), "histogram");
    let keys: Vec<i32> = (0..4096).map(|i| i * i % 15).collect();
    let (input, counts) = (kernel.memory(&keys), kernel.memory(&[0i32; 16]));
    let (sum, largest) = (kernel.memory(&[0.5f32]), kernel.memory(&[-1i32]));
    let totals = kernel.memory(&[3f32, 1.5]);
    let memory = [&input, &counts, &sum, &largest, &totals];
    kernel.launch([16, 1, 1], [256, 1, 1], &memory);
    let count = |bin| keys.iter().filter(|key| **key == bin).count() as i32;
    let expected: Vec<i32> = (0..16).map(count).collect();
    assert_eq!(kernel.values::<i32>(&counts), expected);
    let total: i32 = keys.iter().sum();
    assert_eq!(kernel.values::<f32>(&sum), [total as f32 + 0.5]);
    assert_eq!(kernel.values::<i32>(&largest), [10]);
    assert_eq!(kernel.values::<f32>(&totals), [3.0, 4096.0 + 1.5]);
}

/// A lane beyond the warp, or beyond the block in an incomplete warp, is not
/// valid, and the thread keeps its value.
#[test]
fn shuffles_read_other_lanes() {
    let kernel = kernel(include_str!("kernels/shuffles.mlir"), "shuffles");
    let values: Vec<i32> = (0..48).map(|i| 100 + i).collect();
    let input = kernel.memory(&values);
    let (output, valid) = (
        kernel.memory(&[0i32; 4 * 48]),
        kernel.memory(&[7u8; 4 * 48]),
    );
    kernel.launch([1, 1, 1], [48, 1, 1], &[&input, &output, &valid]);
    let (output, valid) = (kernel.values::<i32>(&output), kernel.values::<u8>(&valid));
    for thread in 0..48 {
        let lane = thread % 32;
        for (mode, source) in [lane ^ 5, lane - 5, lane + 5, 5].into_iter().enumerate() {
            let other = thread - lane + source;
            let exists = (0..32).contains(&source) && other < 48;
            let index = mode * 48 + thread as usize;
            let expected = if exists { 100 + other } else { 100 + thread };
            assert_eq!(output[index], expected, "mode {mode}, thread {thread}");
            assert_eq!(
                valid[index],
                u8::from(exists),
                "mode {mode}, thread {thread}"
            );
        }
    }
}

#[test]
fn threads_keep_values_over_barriers() {
    let kernel = kernel(include_str!("kernels/phases.mlir"), "phases");
    let values: Vec<i32> = (0..128).map(|i| i * 37 % 101).collect();
    let input = kernel.memory(&values);
    for flag in [false, true] {
        let flag_memory = kernel.memory(&[u8::from(flag)]);
        let output = kernel.memory(&[0i32; 5 * 128]);
        kernel.launch([2, 1, 1], [64, 1, 1], &[&input, &output, &flag_memory]);
        let output: Vec<i32> = kernel.values(&output);
        for i in 0..128 {
            let (own, other) = (values[i], values[i / 64 * 64 + 63 - i % 64]);
            let warp: i32 = values[i / 32 * 32..][..32].iter().sum();
            let most = *values[i / 64 * 64..][..64].iter().max().unwrap();
            let chosen = if flag { own } else { other };
            let expected = [2 * own + 2 * other, other, chosen, warp, most];
            let result: Vec<i32> = (0..5).map(|row| output[row * 128 + i]).collect();
            assert_eq!(result, expected, "thread {i}");
        }
    }
}

#[test]
fn copies_are_filled_up_with_zeros() {
    let kernel = kernel(include_str!("kernels/copies.mlir"), "copies");
    let input = kernel.memory(&[1f32, 2., 3., 4., 5., 6., 7., 8., 9., 10.]);
    let output = kernel.memory(&[-1f32; 12]);
    kernel.launch([1, 1, 1], [3, 1, 1], &[&input, &output]);
    let expected = [1f32, 2., 3., 4., 5., 6., 7., 8., 9., 10., 0., 0.];
    assert_eq!(kernel.values::<f32>(&output), expected);
}

#[test]
fn numbers_are_passed_and_loops_are_fast() {
    let kernel = kernel(include_str!("kernels/elementwise.mlir"), "elementwise");
    let count = 4_000_037;
    let x: Vec<f32> = (0..count).map(|i| (i % 1000) as f32).collect();
    let (x_memory, y_memory) = (kernel.memory(&x), kernel.memory(&vec![1f32; count]));
    let factor = 0.5f32.to_le_bytes();
    let arguments = [
        LaunchArgument::Memory(x_memory.whole()),
        LaunchArgument::Memory(y_memory.whole()),
        LaunchArgument::Scalar(&factor),
    ];
    let grid = [(count as u32).div_ceil(256), 1, 1];
    let time = kernel.launch_with(grid, [256, 1, 1], &arguments);
    let result: Vec<f32> = kernel.values(&y_memory);
    assert!(result.iter().zip(&x).all(|(result, x)| *result == 0.5 * x + 1.0));
    eprintln!("{count} elements in {time:?}");
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[test]
fn the_platform_names_itself_and_what_it_lacks() {
    assert_eq!(EmulatorPlatform.name(), NAME);
    assert!(EmulatorPlatform.executor(1).is_err());
    let executor = EmulatorPlatform.executor(0).unwrap();
    assert!(executor.load_module(b"no object", &[]).is_err());
    let text = include_str!("kernels/copies.mlir");
    let object = kernel_object_of_text(text, "copies.mlir", Checks::Rules).unwrap();
    let missing = KernelDescription {
        name: "missing".to_owned(),
        static_shared_memory: 0,
    };
    let error = executor.load_module(&object, &[missing]).err().unwrap();
    assert!(error.to_string().starts_with("there is no kernel 'missing'"));
}

#[test]
fn a_barrier_that_not_all_threads_come_by_is_an_error() {
    let text = "gpu.module @kernels {
  gpu.func @wrong() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      gpu.barrier
    }
    gpu.return
  }
}";
    let error = kernel_object_of_text(text, "wrong.mlir", Checks::Rules).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("wrong.mlir:7:7: error: 'gpu.barrier' op is in"),
        "{text}"
    );
}

/// Kernels that are right pass the checks too.
#[test]
fn checks_find_nothing_in_correct_kernels() {
    let kernel = checked(include_str!("kernels/row_sums.mlir"), "row_sums");
    let rows = vec![1f32; 5 * 256];
    let (input, output) = (kernel.memory(&rows), kernel.memory(&[0f32; 5]));
    let result = kernel.try_launch([5, 1, 1], [128, 1, 1], &[&input, &output]);
    assert_eq!(result, Ok(()));
    assert_eq!(kernel.values::<f32>(&output), [256.0; 5]);
    let kernel = checked(include_str!("kernels/load_matrix.mlir"), "load_matrix");
    let (left, right) = (kernel.memory(&[0u16; 2048]), kernel.memory(&[0u16; 512]));
    let output = kernel.memory(&[1f32; 256]);
    let result = kernel.try_launch([1, 1, 1], [32, 2, 1], &[&left, &right, &output]);
    assert_eq!(result, Ok(()));
    assert_eq!(kernel.values::<f32>(&output), [0.0; 256]);
}

#[test]
fn a_missing_barrier_is_found() {
    let text = include_str!("kernels/scan.mlir");
    // The second of the two barriers in the loop.
    let end = text.rfind("gpu.barrier").unwrap();
    let text = format!("{}{}", &text[..end], &text[end + "gpu.barrier".len()..]);
    let kernel = checked(&text, "scan");
    let (input, output) = (kernel.memory(&[1i32; 192]), kernel.memory(&[0i32; 192]));
    let error = kernel.try_launch([3, 1, 1], [64, 1, 1], &[&input, &output]).unwrap_err();
    assert!(
        error.contains("22:14: thread 2 reads shared memory that thread 0 has written at line 29"),
        "{error}"
    );
}

#[test]
fn an_access_outside_of_a_buffer_is_found() {
    let text = "gpu.module @kernels {
  gpu.func @beyond(%a: memref<60xf32>, %b: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<60xf32>
    memref.store %v, %b[%t] : memref<64xf32>
    gpu.return
  }
}";
    let kernel = checked(text, "beyond");
    let (input, output) = (kernel.memory(&[1f32; 64]), kernel.memory(&[0f32; 64]));
    let error = kernel.try_launch([1, 1, 1], [64, 1, 1], &[&input, &output]).unwrap_err();
    assert!(
        error.contains("4:10: thread 60 reaches byte 240 of a buffer of 240 bytes"),
        "{error}"
    );
}

#[test]
fn races_of_blocks_are_found() {
    let text = "gpu.module @kernels {
  gpu.func @shared_by_blocks(%a: memref<4xf32>, %b: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %i = gpu.block_id x
    %v = memref.load %a[%i] : memref<4xf32>
    memref.store %v, %b[%c0] : memref<1xf32>
    gpu.return
  }
}";
    let kernel = checked(text, "shared_by_blocks");
    let (input, output) = (kernel.memory(&[1f32; 4]), kernel.memory(&[0f32; 1]));
    let one_block = kernel.try_launch([1, 1, 1], [1, 1, 1], &[&input, &output]);
    assert_eq!(one_block, Ok(()));
    let error = kernel.try_launch([4, 1, 1], [1, 1, 1], &[&input, &output]).unwrap_err();
    assert!(
        error.contains("6:5: block ")
            && error.contains(" writes global memory that block ")
            && error.contains(" has written at line 6, and blocks have no order"),
        "{error}"
    );
    // Neither may one block read what another one writes.
    let text = text.replace("%b[%c0] : memref<1xf32>", "%a[%c0] : memref<4xf32>");
    let kernel = checked(&text, "shared_by_blocks");
    let error = kernel.try_launch([2, 1, 1], [1, 1, 1], &[&input, &output]).unwrap_err();
    assert!(error.contains("blocks have no order"), "{error}");
}

const WARPGROUPS: &str = include_str!("kernels/warpgroups.mlir");

/// The first two tiles of a product by warpgroups, by the kernel of a text, and the expected ones.
fn warpgroup_product(text: &str) -> Result<(Vec<f32>, Vec<f32>), String> {
    const K: usize = 512;
    const COLUMNS: usize = 1152;
    let kernel = kernel(text, "product");
    let numbers = |count: usize, factor: usize| -> Vec<bf16> {
        (0..count).map(|i| bf16::from_f32((i * factor % 13) as f32 - 6.0)).collect()
    };
    let (lhs, rhs) = (numbers(128 * K, 7), numbers(K * 64, 5));
    let (left, right) = (kernel.memory(&lhs), kernel.memory(&rhs));
    let output = kernel.memory(&vec![0.0_f32; 1024 * COLUMNS]);
    let map = |memory: &DeviceMemory, [rows, columns]: [u64; 2]| TensorMap {
        slice: Slice {
            buffer: BufferReference::Input(0),
            offset: 0,
            size: memory.size() as u64,
        },
        element_type: halo_core::ElementType::BF16,
        dimensions: [(columns, 2), (rows, 2 * columns)]
            .map(|(size, stride)| TensorMapDimension {
                size,
                stride,
                box_size: 64,
            })
            .to_vec(),
        swizzle: Swizzle::Bytes128,
    };
    let (left_map, right_map) = (map(&left, [128, 512]), map(&right, [512, 64]));
    let arguments = [
        LaunchArgument::Memory(output.whole()),
        LaunchArgument::TensorMap {
            memory: left.whole(),
            map: &left_map,
        },
        LaunchArgument::TensorMap {
            memory: right.whole(),
            map: &right_map,
        },
    ];
    let run = kernel.run([2, 1, 1], [256, 1, 1], &arguments);
    run.map_err(|error| error.to_string())?;
    let computed = kernel.values::<f32>(&output);
    let rows = computed.chunks(COLUMNS).take(128);
    let tiles = rows.flat_map(|row| row[..64].to_vec()).collect();
    let wide = |values: &[bf16]| values.iter().map(|value| value.to_f32()).collect::<Vec<_>>();
    Ok((tiles, product(&wide(&lhs), &wide(&rhs), 128, 64, K)))
}

#[test]
fn warpgroups_multiply_tiles() {
    let (tiles, expected) = warpgroup_product(WARPGROUPS).unwrap();
    assert_eq!(tiles, expected);
}

/// A slot is released, and overwritten, before the products that read it are complete.
#[test]
fn early_release_of_a_slot_changes_the_product() {
    let wait = "nvvm.wgmma.wait.group.sync.aligned 1";
    let early = "nvvm.wgmma.wait.group.sync.aligned 4";
    assert_eq!(WARPGROUPS.matches(wait).count(), 1);
    let (tiles, expected) = warpgroup_product(&WARPGROUPS.replace(wait, early)).unwrap();
    assert_ne!(tiles, expected);
}

/// Accumulators are read before their products are complete.
#[test]
fn missing_wait_for_products_changes_the_product() {
    let wait = "nvvm.wgmma.wait.group.sync.aligned 0";
    assert_eq!(WARPGROUPS.matches(wait).count(), 1);
    let (tiles, expected) = warpgroup_product(&WARPGROUPS.replace(wait, "")).unwrap();
    assert_ne!(tiles, expected);
}

/// A barrier waits for more bytes than are copied.
#[test]
fn deadlock_names_the_barrier() {
    let bytes = "arith.constant 16384 : i32";
    assert_eq!(WARPGROUPS.matches(bytes).count(), 1);
    let more = WARPGROUPS.replace(bytes, "arith.constant 16400 : i32");
    let message = warpgroup_product(&more).unwrap_err();
    assert!(
        message.contains(
            "warpgroup 0 waits for phase 0 of the barrier at byte 66432 of shared memory, which \
             lacks 0 arrivals and 16 bytes"
        ),
        "{message}"
    );
}
