// RUN: halo-opt %s --hlo-test-infer --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @elementwise
// CHECK: %[[R:.*]] = stablehlo.add
// CHECK: "hlo_test_infer.return_types"(%[[R]]) {types0 = tensor<2x3xf32>} : (tensor<?x?xf32>) -> tensor<2xindex>
func.func @elementwise(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>) -> tensor<2xindex> {
  %0 = stablehlo.add %a, %b : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// CHECK-LABEL: func.func @bounded
// CHECK: types0 = tensor<?xi1, #stablehlo.bounds<4>>
func.func @bounded(%a: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1> {
  %0 = stablehlo.is_finite %a : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1>
  return %1 : tensor<?xi1>
}

// CHECK-LABEL: func.func @several
// CHECK: types0 = tensor<2x3xf32>, types1 = tensor<3xf32>, types2 = tensor<3xf32>
func.func @several(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) {epsilon = 0.1 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1 = "hlo_test_infer.get_return_types"(%0#0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// The result of a call of unknown meaning is the program's to choose.
// CHECK-LABEL: func.func @unknown
// CHECK: "hlo_test_infer.get_return_types"
func.func @unknown(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @f(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
