// RUN: halo-run %s --random-inputs --backend=interpreter --output=@%t.0.npy --output=@%t.1.npy --output=@%t.2.npy --output=@%t.3.npy --output=@%t.4.npy --output=@%t.5.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --backend-option=checks=accesses --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy --expect=@%t.3.npy --expect=@%t.4.npy --expect=@%t.5.npy
// RUN: halo-run %s --backend=cuda --compile-to=kernels | FileCheck %s

// A block finds the largest elements of a row, or several blocks do, if there are few rows. Long
// lists are sorted. Equal elements are in the order of their positions.

// CHECK-LABEL: func.func private @main
// CHECK: gpu.launch_func @kernels::@main_group_0 blocks in (%c3,
// CHECK: gpu.launch_func @kernels::@main_group_1 blocks in (%c6,
// CHECK: gpu.launch_func @kernels::@main_group_2 blocks in (%c2,
// CHECK: gpu.launch_func @kernels::@main_group_3 blocks in (%c2,
func.func @main(%x: tensor<3x100xf32>, %y: tensor<2x5000xi32>, %z: tensor<1x1500xi8>)
    -> (tensor<3x1xf32>, tensor<3x1xi32>, tensor<2x33xi32>, tensor<2x33xi32>, tensor<1x1100xi8>, tensor<1x1100xi32>) {
  %v0, %i0 = chlo.top_k(%x, k = 1) : tensor<3x100xf32> -> (tensor<3x1xf32>, tensor<3x1xi32>)
  %v1, %i1 = chlo.top_k(%y, k = 33) : tensor<2x5000xi32> -> (tensor<2x33xi32>, tensor<2x33xi32>)
  %v2, %i2 = chlo.top_k(%z, k = 1100) : tensor<1x1500xi8> -> (tensor<1x1100xi8>, tensor<1x1100xi32>)
  return %v0, %i0, %v1, %i1, %v2, %i2 : tensor<3x1xf32>, tensor<3x1xi32>, tensor<2x33xi32>, tensor<2x33xi32>, tensor<1x1100xi8>, tensor<1x1100xi32>
}
