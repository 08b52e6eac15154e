// RUN: halo-opt %s --stablehlo-legalize-composite-to-call --inline --chlo-legalize-to-stablehlo --halo-partition=partitions=4 | FileCheck %s
// RUN: halo-opt %s --stablehlo-legalize-composite-to-call --inline --chlo-legalize-to-stablehlo --halo-partition=partitions=4 | FileCheck %s --check-prefix=OTHER

// A perceptron divided as Megatron does: one all_reduce. JAX 0.10 made this (export.py).
// CHECK-COUNT-1: "stablehlo.all_reduce"
// CHECK-NOT: stablehlo.all_reduce
// OTHER: func.func public @main
// OTHER-NOT: stablehlo.{{all_gather|all_to_all|reduce_scatter|collective_}}

module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["t"=4]> {stablehlo.mesh = {axes = [{name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, %arg2: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}) -> (tensor<4x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<4x16xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<4x16xf32>
    %5 = stablehlo.add %0, %4 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<4x16xf32>
    %8 = stablehlo.tanh %7 : tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %10 = stablehlo.add %9, %8 : tensor<4x16xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<4x16xf32>
    %13 = stablehlo.multiply %0, %12 : tensor<4x16xf32>
    %14 = stablehlo.dot_general %13, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %15 = stablehlo.add %arg0, %14 : tensor<4x8xf32>
    return %15 : tensor<4x8xf32>
  }
}
