// RUN: not tile-run %s --backend=tiles --entry=tan 2>&1 | FileCheck %s --check-prefix=TAN
// RUN: not tile-run %s --backend=tiles --entry=batches 2>&1 | FileCheck %s --check-prefix=BATCHES
// RUN: not tile-run %s --backend=tiles --entry=doubles 2>&1 | FileCheck %s --check-prefix=DOUBLES

// TAN: errors.mlir:[[@LINE+2]]:8: error: the accelerator has no 'stablehlo.tan'
func.func @tan(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// BATCHES: errors.mlir:[[@LINE+2]]:8: error: the accelerator has no products of batches
func.func @batches(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// DOUBLES: errors.mlir:[[@LINE+1]]:1: error: the accelerator computes f32, not tensor<2xf64>
func.func @doubles(%x: tensor<2xf64>) -> tensor<2xf64> {
  return %x : tensor<2xf64>
}
