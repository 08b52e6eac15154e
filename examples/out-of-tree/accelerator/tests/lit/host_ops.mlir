// Ops and types that the accelerator lacks, on the accelerator and on the interpreter.
//
// RUN: tile-run %s --backend=tiles --random-inputs --output=@%t.tiles.npy
// RUN: tile-run %s --backend=interpreter --random-inputs --expect=@%t.tiles.npy --rtol=1e-5 --atol=1e-5
// RUN: tile-run %s --backend=tiles --compile-to=asm | FileCheck %s

// The second function has a region, which uses a value from outside.
//
// CHECK: host 0 {{.*}}stablehlo.dot_general
// CHECK-NEXT: host 1 {{.*}}stablehlo.convert{{.*}}stablehlo.while
// CHECK: call 0
// CHECK: add t0, t0, t1
// CHECK: call 1
// CHECK: tanh t0, t0
func.func @main(%x: tensor<2x3x4xf32>, %n: tensor<3xi8>, %k: tensor<i32>) -> tensor<3xf32> {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
  %1 = stablehlo.add %0, %0 : tensor<2x3x3xf32>
  %2 = stablehlo.slice %1 [0:1, 0:1, 0:3] : (tensor<2x3x3xf32>) -> tensor<1x1x3xf32>
  %3 = stablehlo.convert %n : (tensor<3xi8>) -> tensor<3xf64>
  %4 = stablehlo.sine %3 : tensor<3xf64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %count = stablehlo.and %k, %three : tensor<i32>
  %5:2 = stablehlo.while(%i = %zero, %s = %4) : tensor<i32>, tensor<3xf64> cond {
    %9 = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  } do {
    %9 = stablehlo.add %s, %4 : tensor<3xf64>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<3xf64>
  }
  %6 = stablehlo.convert %5#1 : (tensor<3xf64>) -> tensor<3xf32>
  %7 = stablehlo.reshape %2 : (tensor<1x1x3xf32>) -> tensor<3xf32>
  %8 = stablehlo.add %6, %7 : tensor<3xf32>
  %11 = stablehlo.tanh %8 : tensor<3xf32>
  return %11 : tensor<3xf32>
}
