// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @real_dynamic_slice_index_types(%a: tensor<4xf32>, %b: tensor<1xi32>, %c: tensor<1xi64>, %d: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op failed to verify that all of {start_indices, limit_indices, strides} have same type}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi64>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_index_count(%a: tensor<4xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op operand 1 has shape 2, but the rank of operand 0 implies shape 1}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_rank(%a: tensor<4xf32>, %b: tensor<1xi32>, %c: tensor<1xi32>, %d: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op result 0 has shape ?x?, but the operands and attributes of the op imply shape ?}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @real_dynamic_slice_element_type(%a: tensor<4xf32>, %b: tensor<1xi32>, %c: tensor<1xi32>, %d: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  return
}

// -----

func.func @real_dynamic_slice_index_element_type(%a: tensor<4xf32>, %b: tensor<1xf32>, %c: tensor<1xf32>, %d: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op operand #1 must be 1D tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<1xf32>'}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  return
}
