// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_gather_c1(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op operand 0 has rank 2, but 'offset_dims', 'collapsed_slice_dims' and 'operand_batching_dims' have 1 entries together}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<7x?xf32>
  return
}

// -----

func.func @dynamic_gather_c2(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op 'index_vector_dim' is 3, but operand 1 has rank 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<7x?xf32>
  return
}

// -----

func.func @dynamic_gather_c3(%a: tensor<8x3xf32>, %b: tensor<7x2xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op 'start_index_map' has 1 entries, but index vectors have 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x2xi32>, tensor<2xi32>) -> tensor<7x?xf32>
  return
}

// -----

func.func @dynamic_gather_c4(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op 'offset_dims' has 2 before 1, but must ascend}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<7x?x?xf32>
  return
}

// -----

func.func @dynamic_gather_c8(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op attribute 'collapsed_slice_dims' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<7x?xf32>
  return
}

// -----

func.func @dynamic_gather_c19(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op attribute 'start_index_map' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<7x?xf32>
  return
}

// -----

func.func @dynamic_gather_c20(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op operand 2 has shape 3, but the rank of operand 0 implies shape 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<3xi32>) -> tensor<7x?xf32>
  return
}

// -----

func.func @dynamic_gather_c22(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op result 0 has shape 6x?, but the operands and attributes of the op imply shape 7x?}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<6x?xf32>
  return
}

// -----

func.func @dynamic_gather_c23(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<2xi32>) -> tensor<7x?xf64>
  return
}
