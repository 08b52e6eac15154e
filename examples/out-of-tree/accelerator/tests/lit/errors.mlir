// RUN: not tile-run %s --backend=tiles --compile-to=asm 2>&1 | FileCheck %s

// CHECK: errors.mlir:[[@LINE+2]]:8: error: the accelerator has memory for 268435456 words
func.func @main(%x: tensor<8x32xf32>) -> tensor<f32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1048576xf32>
  %1 = stablehlo.slice %0 [0:1, 0:1, 0:1] : (tensor<8x32x1048576xf32>) -> tensor<1x1x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x1x1xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
