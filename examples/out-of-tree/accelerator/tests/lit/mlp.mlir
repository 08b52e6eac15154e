// RUN: tile-run %s --backend=tiles --input='dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>' \
// RUN:   --expect='dense<[[7.0, 0.0]]> : tensor<1x2xf32>'
// RUN: tile-run %s --backend=tiles --compile-to=asm | FileCheck %s
// RUN: tile-run --list-backends | FileCheck %s --check-prefix=LIST

// One layer: a product, a bias in each row, and the positive part.
//
// CHECK: ; {{[0-9]+}} words of memory
// CHECK: clear t0
// CHECK-NEXT: load t1, [0] 1x3 by 3, 1
// CHECK-NEXT: load t2, [{{[0-9]+}}] 3x2 by 2, 1
// CHECK-NEXT: mma t0, t1, t2
// CHECK-NEXT: store [{{[0-9]+}}] 1x2 by 2, 1, t0
// CHECK: add t0, t0, t1
// CHECK: maximum t0, t0, t1
func.func @main(%x: tensor<1x3xf32>) -> tensor<1x2xf32> {
  %w = stablehlo.constant dense<[[1.0, -1.0], [1.0, -1.0], [1.0, 0.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1x2xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<1x2xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<1x2xf32>
  return %3 : tensor<1x2xf32>
}

// LIST: tiles: an accelerator of 16x16 tiles, in simulation
// LIST-NEXT: input
// LIST-NEXT: hlo
// LIST-NEXT: asm
