// RUN: halo-run %s --backend=interpreter --input='dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>' --input='dense<2> : tensor<i64>' | FileCheck %s
// RUN: halo-run %s --backend=cpu --input='dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>' --input='dense<2> : tensor<i64>' | FileCheck %s

// Sizes that torch-mlir computes by ops of arith and tensor: numpy.ones((2, 4)) + x,
// x.reshape(2, 2) and numpy.arange(k).

// CHECK: dense<{{\[\[}}2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<1x4xf32>
// CHECK-NEXT: dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: dense<[0, 1]> : tensor<2xi64>
func.func @main(%x: tensor<?x4xf32>, %k: tensor<i64>) -> (tensor<?x4xf32>, tensor<2x2xf32>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %size = tensor.dim %x, %c0 : tensor<?x4xf32>
  %0 = arith.index_cast %size : index to i64
  %1 = tensor.from_elements %0, %c4 : tensor<2xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %one, %1, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x4xf32>
  %3 = stablehlo.add %x, %2 : tensor<?x4xf32>
  %4 = arith.muli %0, %c2 : i64
  %5 = tensor.from_elements %4, %c2 : tensor<2xi64>
  %6 = stablehlo.dynamic_reshape %x, %5 : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  %7 = tensor.cast %6 : tensor<?x2xf32> to tensor<2x2xf32>
  %8 = tensor.extract %k[] : tensor<i64>
  %9 = tensor.from_elements %8 : tensor<1xi64>
  %10 = stablehlo.dynamic_iota %9, dim = 0 : (tensor<1xi64>) -> tensor<?xi64>
  return %3, %7, %10 : tensor<?x4xf32>, tensor<2x2xf32>, tensor<?xi64>
}
