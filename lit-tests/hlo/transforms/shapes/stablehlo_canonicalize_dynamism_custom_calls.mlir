// RUN: halo-opt %s --stablehlo-canonicalize-dynamism | FileCheck %s
// RUN: halo-opt %s --stablehlo-refine-shapes | FileCheck %s --check-prefix=REFINED

// REFINED-LABEL: func.func @main
// REFINED-SAME:    -> (tensor<4xf32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2xui64>, tensor<3x2xui32>)
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4xf32>, %y: tensor<2x3xf32>, %state: tensor<2xui64>)
    -> (tensor<?xf32>, tensor<2x?xf32>, tensor<2x?xi32>, tensor<2xui64>, tensor<?x2xui32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<4> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %padding = stablehlo.constant dense<[[3, 0]]> : tensor<1x2xi32>
  // CHECK:      "stablehlo.reduce_window"(%arg0, %{{.*}}) <{
  // CHECK-SAME:   base_dilations = array<i64: 1>
  // CHECK-SAME:   padding = dense<{{\[}}[3, 0]]> : tensor<1x2xi64>
  // CHECK-SAME:   window_dilations = array<i64: 1>
  // CHECK-SAME:   window_dimensions = array<i64: 4>
  // CHECK-SAME:   window_strides = array<i64: 1>
  // CHECK:        stablehlo.add
  // CHECK:        stablehlo.return
  // CHECK:      (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %one, %one, %one, %padding)
      {called_computations = [@sum]}
      : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>)
      -> tensor<?xf32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: chlo.top_k(%arg1, k = 2) : tensor<2x3xf32> -> (tensor<2x?xf32>, tensor<2x?xi32>)
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%y, %k)
      : (tensor<2x3xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // A result of unknown shape has no form but the call.
  // CHECK: stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape)
      {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}
      : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x2xui32>)
  return %0, %1#0, %1#1, %2#0, %2#1
      : tensor<?xf32>, tensor<2x?xf32>, tensor<2x?xi32>, tensor<2xui64>, tensor<?x2xui32>
}

// CHECK-LABEL: func.func private @random
func.func private @random(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2xui32>) {
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // CHECK: stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape)
      {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}
      : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<3x2xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<3x2xui32>
}

// CHECK-LABEL: func.func private @approximate
func.func private @approximate(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  // CHECK:      %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %{{.*}}) <{dimension = 1 : i64, is_stable = true}>
  // CHECK:        stablehlo.compare GT
  // CHECK-DAG:  stablehlo.slice %[[SORTED]]#0 [0:2, 0:3]
  // CHECK-DAG:  stablehlo.slice %[[SORTED]]#1 [0:2, 0:3]
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %low, %none) {
      called_computations = [@greater],
      mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32,
        reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}}
      : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
