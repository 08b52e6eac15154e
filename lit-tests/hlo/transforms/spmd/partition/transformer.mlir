// RUN: halo-opt %s --stablehlo-legalize-composite-to-call --inline --chlo-legalize-to-stablehlo --halo-partition=partitions=8 | FileCheck %s
// RUN: halo-opt %s --stablehlo-legalize-composite-to-call --inline --chlo-legalize-to-stablehlo --halo-partition=partitions=8 | FileCheck %s --check-prefix=OTHER

// A block of a transformer, batches along "d" and heads along "t": one all_reduce for attention
// and one for the perceptron. JAX 0.10 made this (export.py).
// CHECK-COUNT-2: "stablehlo.all_reduce"
// CHECK-NOT: stablehlo.all_reduce
// OTHER: func.func public @main
// OTHER-NOT: stablehlo.{{all_gather|all_to_all|reduce_scatter|collective_}}

module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=2, "t"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 2 : i64}, {name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}, {}]>}, %arg1: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, %arg2: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, %arg3: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, %arg4: tensor<4x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}, {}]>}, %arg5: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, %arg6: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}) -> (tensor<2x4x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<8x4x4xf32>) -> tensor<2x4x4x4xf32>
    %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<8x4x4xf32>) -> tensor<2x4x4x4xf32>
    %2 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<8x4x4xf32>) -> tensor<2x4x4x4xf32>
    %3 = stablehlo.dot_general %0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4x4xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x4x4x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x4xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x4x4xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x4xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x4x4xf32>
    %17 = stablehlo.dot_general %2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
    %18 = stablehlo.dot_general %17, %arg4, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x4xf32>, tensor<4x4x8xf32>) -> tensor<2x4x8xf32>
    %19 = stablehlo.add %arg0, %18 : tensor<2x4x8xf32>
    %20 = stablehlo.dot_general %19, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<8x16xf32>) -> tensor<2x4x16xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<2x4x16xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<2x4x16xf32>
    %cst_3 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<2x4x16xf32>
    %25 = stablehlo.add %20, %24 : tensor<2x4x16xf32>
    %cst_4 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<2x4x16xf32>
    %28 = stablehlo.tanh %27 : tensor<2x4x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %30 = stablehlo.add %29, %28 : tensor<2x4x16xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<2x4x16xf32>
    %33 = stablehlo.multiply %20, %32 : tensor<2x4x16xf32>
    %34 = stablehlo.dot_general %33, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16xf32>, tensor<16x8xf32>) -> tensor<2x4x8xf32>
    %35 = stablehlo.add %19, %34 : tensor<2x4x8xf32>
    return %35 : tensor<2x4x8xf32>
  }
}
