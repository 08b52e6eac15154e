// RUN: halo-run %s --random-inputs --backend=interpreter --output=@%t.0.npy --output=@%t.1.npy --output=@%t.2.npy --output=@%t.3.npy --output=@%t.4.npy --output=@%t.5.npy --output=@%t.6.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --backend-option=checks=accesses --rtol=1e-4 --atol=1e-4 --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy --expect=@%t.3.npy --expect=@%t.4.npy --expect=@%t.5.npy --expect=@%t.6.npy
// RUN: halo-run %s --backend=cuda --compile-to=kernels | FileCheck %s

// Windows of padded images compute what the interpreter does: pools and convolutions with
// strides, dilation, and padding that is asymmetric or negative. Each has one kernel, and so has
// what makes the last image.

// CHECK-LABEL: func.func private @main
// CHECK-COUNT-8: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.module
func.func @main(%x: tensor<2x17x15x32xf32>, %d: tensor<3x3x1x32xf32>, %f: tensor<3x3x32x48xf32>, %b: tensor<48xf32>)
    -> (tensor<2x8x9x32xf32>, tensor<2x15x16x32xf32>, tensor<2x8x7x32xf32>, tensor<2x15x14x48xf32>, tensor<2x9x8x48xf32>, tensor<2x20x14x32xf32>, tensor<2x17x15x48xf32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // A maximum with a stride and asymmetric padding.
  %0 = "stablehlo.reduce_window"(%x, %least) ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %m = stablehlo.maximum %a, %c : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>,
      padding = dense<[[0, 0], [0, 1], [2, 3], [0, 0]]> : tensor<4x2xi64>}
    : (tensor<2x17x15x32xf32>, tensor<f32>) -> tensor<2x8x9x32xf32>
  // A sum over dilated windows, whose padding is negative at one end, and an activation.
  %s = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %m = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3, 2, 1>, window_dilations = array<i64: 1, 2, 1, 1>,
      padding = dense<[[0, 0], [3, -1], [1, 1], [0, 0]]> : tensor<4x2xi64>}
    : (tensor<2x17x15x32xf32>, tensor<f32>) -> tensor<2x15x16x32xf32>
  %1 = stablehlo.tanh %s : tensor<2x15x16x32xf32>
  // A convolution by channel with a stride.
  %2 = stablehlo.convolution(%x, %d) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 0], [0, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 32 : i64}
    : (tensor<2x17x15x32xf32>, tensor<3x3x1x32xf32>) -> tensor<2x8x7x32xf32>
  // Convolutions with a bias: asymmetric padding, then a stride and dilation.
  %3 = stablehlo.convolution(%x, %f) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[2, -2], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x17x15x32xf32>, tensor<3x3x32x48xf32>) -> tensor<2x15x14x48xf32>
  %4 = stablehlo.convolution(%x, %f) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[2, 2], [2, 3]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x17x15x32xf32>, tensor<3x3x32x48xf32>) -> tensor<2x9x8x48xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<48xf32>) -> tensor<2x9x8x48xf32>
  %biased = stablehlo.add %4, %bias : tensor<2x9x8x48xf32>
  // Padding by itself, negative in one dimension.
  %5 = stablehlo.pad %x, %zero, low = [0, 1, -2, 0], high = [0, 2, 1, 0], interior = [0, 0, 0, 0]
    : (tensor<2x17x15x32xf32>, tensor<f32>) -> tensor<2x20x14x32xf32>
  // Infinities, of which tensor cores make sums that are computed again.
  %most = stablehlo.constant dense<0.997> : tensor<2x17x15x32xf32>
  %infinity = stablehlo.constant dense<0x7F800000> : tensor<2x17x15x32xf32>
  %large = stablehlo.compare GT, %x, %most : (tensor<2x17x15x32xf32>, tensor<2x17x15x32xf32>) -> tensor<2x17x15x32xi1>
  %infinities = stablehlo.select %large, %infinity, %x : tensor<2x17x15x32xi1>, tensor<2x17x15x32xf32>
  %6 = stablehlo.convolution(%infinities, %f) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x17x15x32xf32>, tensor<3x3x32x48xf32>) -> tensor<2x17x15x48xf32>
  return %0, %1, %2, %3, %biased, %5, %6 : tensor<2x8x9x32xf32>, tensor<2x15x16x32xf32>, tensor<2x8x7x32xf32>, tensor<2x15x14x48xf32>, tensor<2x9x8x48xf32>, tensor<2x20x14x32xf32>, tensor<2x17x15x48xf32>
}
