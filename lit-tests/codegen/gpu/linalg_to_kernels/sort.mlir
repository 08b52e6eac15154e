// RUN: halo-run %s --random-inputs --backend=interpreter --output=@%t.0.npy --output=@%t.1.npy --output=@%t.2.npy --output=@%t.3.npy --output=@%t.4.npy --output=@%t.5.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --backend-option=checks=accesses --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy --expect=@%t.3.npy --expect=@%t.4.npy --expect=@%t.5.npy
// RUN: halo-run %s --backend=cuda --compile-to=kernels | FileCheck %s

// A block sorts a tile in shared memory. Rows of one tile have one kernel. Longer rows are merged:
// each pass compares at two distances, and the last one within tiles.

// CHECK-LABEL: func.func private @main
// CHECK: gpu.launch_func @kernels::@main_group_0 blocks in (%c3,
// CHECK: gpu.launch_func @kernels::@main_group_1 blocks in (%c2,
// CHECK: gpu.launch_func @kernels::@main_group_2 blocks in (%c6,
// CHECK: scf.for
// CHECK: gpu.launch_func @kernels::@main_parallel_loop_3
// CHECK: gpu.launch_func @kernels::@main_group_4 blocks in (%c6,
// CHECK: gpu.launch_func @kernels::@main_group_5 blocks in (%c4,
// CHECK: gpu.launch_func @kernels::@main_parallel_loop_6
// CHECK: gpu.launch_func @kernels::@main_group_7 blocks in (%c4,

// CHECK: gpu.func @main_group_0({{.*}} workgroup(%{{.*}} : memref<128xi32, #gpu.address_space<workgroup>>, %{{.*}} : memref<128xi32, #gpu.address_space<workgroup>>)
func.func @main(%x: tensor<3x100xi32>, %y: tensor<77xf32>, %k: tensor<2x4500xi32>, %v: tensor<2x4500xf64>)
    -> (tensor<3x100xi32>, tensor<77xf32>, tensor<2x4500xi32>, tensor<2x4500xi32>, tensor<2x4500xf64>, tensor<2x4500xi32>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x100xi32>) -> tensor<3x100xi32>
  %1 = "stablehlo.sort"(%y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<77xf32>) -> tensor<77xf32>
  %numbers = stablehlo.iota dim = 1 : tensor<2x4500xi32>
  // Equal keys stay in order; their positions are an operand.
  %2:3 = "stablehlo.sort"(%k, %numbers, %v) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>, %p: tensor<f64>, %q: tensor<f64>):
    %c = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x4500xi32>, tensor<2x4500xi32>, tensor<2x4500xf64>) -> (tensor<2x4500xi32>, tensor<2x4500xi32>, tensor<2x4500xf64>)
  // A comparator that is no order gives a permutation, which sorts to the same elements.
  %3 = "stablehlo.sort"(%k) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare NE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x4500xi32>) -> tensor<2x4500xi32>
  %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2x4500xi32>) -> tensor<2x4500xi32>
  return %0, %1, %2#0, %2#1, %2#2, %4 : tensor<3x100xi32>, tensor<77xf32>, tensor<2x4500xi32>, tensor<2x4500xi32>, tensor<2x4500xf64>, tensor<2x4500xi32>
}
