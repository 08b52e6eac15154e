// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @set_dimension_size_dimension(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op attribute 'dimension' has dimension 1, but operand 0 has rank 1}}
  %0 = "stablehlo.set_dimension_size"(%a, %b) {dimension = 1 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @set_dimension_size_negative(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.set_dimension_size"(%a, %b) {dimension = -1 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @set_dimension_size_size_type(%a: tensor<4xf32>, %b: tensor<i64>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op operand #1 must be ranked tensor of 32-bit signless integer values, but got 'tensor<i64>'}}
  %0 = "stablehlo.set_dimension_size"(%a, %b) {dimension = 0 : i64} : (tensor<4xf32>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @set_dimension_size_size_rank(%a: tensor<4xf32>, %b: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op operand 1 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.set_dimension_size"(%a, %b) {dimension = 0 : i64} : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @set_dimension_size_element_type(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.set_dimension_size"(%a, %b) {dimension = 0 : i64} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf64>
  return
}

// -----

func.func @set_dimension_size_shape(%a: tensor<4x3xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op result 0 has shape ?x2, but the operands and attributes of the op imply shape ?(<=4)x3}}
  %0 = "stablehlo.set_dimension_size"(%a, %b) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<i32>) -> tensor<?x2xf32>
  return
}
