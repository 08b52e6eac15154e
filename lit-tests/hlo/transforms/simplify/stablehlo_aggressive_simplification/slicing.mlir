// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @concatenations
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<3xf32>, %[[E:.*]]: tensor<0xf32>
// CHECK-DAG: %[[FULL:.*]] = stablehlo.concatenate %[[X]], %[[Y]], dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
// CHECK-DAG: %[[FLAT:.*]] = stablehlo.concatenate %[[X]], %[[X]], %[[Y]], dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<7xf32>
// CHECK: return %[[X]], %[[FULL]], %[[FLAT]]
func.func @concatenations(%x: tensor<2xf32>, %y: tensor<3xf32>, %e: tensor<0xf32>) -> (tensor<2xf32>, tensor<5xf32>, tensor<7xf32>) {
  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.concatenate %e, %x, %e, %y, dim = 0 : (tensor<0xf32>, tensor<2xf32>, tensor<0xf32>, tensor<3xf32>) -> tensor<5xf32>
  %2 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %3 = stablehlo.concatenate %x, %2, dim = 0 : (tensor<2xf32>, tensor<5xf32>) -> tensor<7xf32>
  return %0, %1, %3 : tensor<2xf32>, tensor<5xf32>, tensor<7xf32>
}

// Along another dimension the inner one is something else.
// CHECK-LABEL: func.func @concatenation_across
// CHECK: %[[INNER:.*]] = stablehlo.concatenate %arg0, %arg0, dim = 1
// CHECK: stablehlo.concatenate %[[INNER]], %[[INNER]], dim = 0
func.func @concatenation_across(%x: tensor<2x1xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// Positions beyond an end are moved back: 9 to 4, and -3 to 0.
// CHECK-LABEL: func.func @dynamic_slices
// CHECK: stablehlo.slice %arg0 [4:7, 0:2] : (tensor<7x5xf32>) -> tensor<3x2xf32>
// CHECK: stablehlo.dynamic_slice %arg0, %arg1, %{{.*}}, sizes = [3, 2]
func.func @dynamic_slices(%x: tensor<7x5xf32>, %i: tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %9 = stablehlo.constant dense<9> : tensor<i32>
  %m3 = stablehlo.constant dense<-3> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %9, %m3, sizes = [3, 2] : (tensor<7x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %m3, sizes = [3, 2] : (tensor<7x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @dynamic_updates
// CHECK: return %arg0, %arg1
func.func @dynamic_updates(%x: tensor<4xf32>, %y: tensor<4xf32>, %e: tensor<0xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %e, %i : (tensor<4xf32>, tensor<0xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_update_slice %x, %y, %z : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @gather_of_one_slice
// CHECK: %[[SLICE:.*]] = stablehlo.slice %arg0 [2:3, 1:3] : (tensor<3x4xf32>) -> tensor<1x2xf32>
// CHECK: %[[RESHAPE:.*]] = stablehlo.reshape %[[SLICE]] : (tensor<1x2xf32>) -> tensor<2xf32>
// CHECK: return %[[RESHAPE]]
func.func @gather_of_one_slice(%x: tensor<3x4xf32>) -> tensor<2xf32> {
  %at = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  %0 = "stablehlo.gather"(%x, %at) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0],
                                          start_index_map = [1, 0], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 2>, indices_are_sorted = false
  }> : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @pads
// CHECK-DAG: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-DAG: %[[SHIFTED:.*]] = stablehlo.pad %arg0, %arg2, low = [1], high = [-1], interior = [0]
// CHECK: return %arg0, %[[WIDE]], %[[SHIFTED]]
func.func @pads(%x: tensor<4xf32>, %e: tensor<0xf32>, %p: tensor<f32>) -> (tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) {
  %0 = stablehlo.pad %x, %p, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.pad %e, %p, low = [1], high = [2], interior = [5] : (tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.pad %x, %p, low = [1], high = [-1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<3xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @scatter_of_nothing
// CHECK: return %arg0
func.func @scatter_of_nothing(%x: tensor<4xf32>, %at: tensor<0x1xi32>, %u: tensor<0xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%x, %at, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A slice reads only the inputs that it reaches.
// CHECK-LABEL: func.func @slices
// CHECK-SAME: %[[X:.*]]: tensor<2xi32>, %[[Y:.*]]: tensor<3xi32>, %[[Z:.*]]: tensor<4xi32>
// CHECK-DAG: %[[ONE:.*]] = stablehlo.slice %[[Y]] [1:3] : (tensor<3xi32>) -> tensor<2xi32>
// CHECK-DAG: %[[PART:.*]] = stablehlo.concatenate %[[Y]], %[[Z]], dim = 0 : (tensor<3xi32>, tensor<4xi32>) -> tensor<7xi32>
// CHECK-DAG: %[[TWO:.*]] = stablehlo.slice %[[PART]] [2:6:2] : (tensor<7xi32>) -> tensor<2xi32>
// CHECK: return %[[X]], %[[ONE]], %[[TWO]]
func.func @slices(%x: tensor<2xi32>, %y: tensor<3xi32>, %z: tensor<4xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %0 = stablehlo.slice %x [0:2] : (tensor<2xi32>) -> tensor<2xi32>
  %1 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xi32>, tensor<3xi32>) -> tensor<5xi32>
  %2 = stablehlo.slice %1 [3:5] : (tensor<5xi32>) -> tensor<2xi32>
  %3 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<2xi32>, tensor<3xi32>, tensor<4xi32>) -> tensor<9xi32>
  %4 = stablehlo.slice %3 [4:8:2] : (tensor<9xi32>) -> tensor<2xi32>
  return %0, %2, %4 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
