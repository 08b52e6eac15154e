// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<5x?xf32>, %i: tensor<i32>, %f: tensor<f32>) {
  %0 = stablehlo.slice %a [1:5:3, 0:2] : (tensor<5x?xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.dynamic_slice %a, %i, %i, sizes = [3, 2] : (tensor<5x?xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  %2 = stablehlo.dynamic_update_slice %a, %1, %i, %i : (tensor<5x?xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x?xf32>
  %3 = stablehlo.concatenate %a, %1, dim = 0 : (tensor<5x?xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
  %4 = stablehlo.pad %1, %f, low = [-1, 0], high = [0, 2], interior = [1, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @slice_c2(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{attribute 'strides' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<4x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c3_start(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'start_indices' has -2 for dimension 0, but must be at least 0}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: -2>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_c3_order(%a: tensor<4xf32>) {
  // expected-error @+1 {{dimension 0 starts at 3, but its limit is 2}}
  %0 = stablehlo.slice %a [3:2] : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @slice_c3_limit(%a: tensor<4xf32>) {
  // expected-error @+1 {{dimension 0 has limit 6, but operand 0 has size 4 there}}
  %0 = stablehlo.slice %a [3:6] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_c4(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'strides' has 0 for dimension 0, but must be at least 1}}
  %0 = stablehlo.slice %a [0:4:0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c5(%a: tensor<9xf32>) {
  // expected-error @+1 {{result 0 has shape 4, but the operands and attributes of the op imply shape 3}}
  %0 = stablehlo.slice %a [1:9:3] : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_slice_c2(%a: tensor<4x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has 1 start indices, but operand 0 has rank 2}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1, 1] : (tensor<4x4xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%a: tensor<4x4xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @+1 {{operand 2 has element type i64, but operand 1 has element type i32}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 1] : (tensor<4x4xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{attribute 'slice_sizes' has 5 for dimension 0, but operand 0 has size 4 there}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_c5(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{result 0 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1(%a: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{result 0 has shape 2, but operand 0 has shape 4}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%a: tensor<4xf32>, %u: tensor<2xf64>, %i: tensor<i32>) {
  // expected-error @+1 {{operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf64>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%a: tensor<4xf32>, %u: tensor<2x1xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{operand 1 has rank 2, but operand 0 has rank 1}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2x1xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4(%a: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has 2 start indices, but operand 0 has rank 1}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%a: tensor<4xf32>, %u: tensor<6xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{dimension 0 of operand 1 has size 6, but operand 0 has size 4 there}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<6xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_c2(%a: tensor<4x2xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{dimension 1 of operand 1 has size 3, but that of operand 0 has size 2}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @concatenate_c3() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_c4(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dimension' has dimension 1, but operand 0 has rank 1}}
  %0 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concatenate_c6(%a: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has shape 9, but the operands and attributes of the op imply shape 8}}
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @pad_c2(%a: tensor<4xf32>, %f: tensor<f32>) {
  // expected-error @+1 {{attribute 'edge_padding_high' has 2 entries, but operand 0 has rank 1}}
  %0 = stablehlo.pad %a, %f, low = [0], high = [0, 0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c3(%a: tensor<4xf32>, %f: tensor<f32>) {
  // expected-error @+1 {{attribute 'interior_padding' has -1 for dimension 0, but must be at least 0}}
  %0 = stablehlo.pad %a, %f, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_c4(%a: tensor<4xf32>, %f: tensor<f32>) {
  // expected-error @+1 {{result 0 has shape 9, but the operands and attributes of the op imply shape 10}}
  %0 = stablehlo.pad %a, %f, low = [1], high = [2], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  return
}

// -----

func.func @pad_c4_negative(%a: tensor<4xf32>, %f: tensor<f32>) {
  // expected-error @+1 {{padding makes dimension 0 of size -1}}
  %0 = stablehlo.pad %a, %f, low = [-5], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @get_dimension_size_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dimension' has dimension 1, but operand 0 has rank 1}}
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4xf32>) -> tensor<i32>
  return
}
