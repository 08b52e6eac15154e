// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @top_k_k(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op attribute 'k' is 6, but the last dimension of operand 0 has size 5}}
  %0:2 = "chlo.top_k"(%a) {k = 6 : i64} : (tensor<5xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  return
}

// -----

func.func @top_k_negative(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op attribute 'k' is -1, but the last dimension of operand 0 has size 5}}
  %0:2 = "chlo.top_k"(%a) {k = -1 : i64} : (tensor<5xf32>) -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_rank(%a: tensor<f32>) {
  // expected-error @+1 {{'chlo.top_k' op operand 0 has rank 0, but must have at least one dimension}}
  %0:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<f32>) -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @top_k_values(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op result 0 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<5xf32>) -> (tensor<3xf32>, tensor<2xi32>)
  return
}

// -----

func.func @top_k_values_type(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<5xf32>) -> (tensor<2xf64>, tensor<2xi32>)
  return
}

// -----

func.func @top_k_indices(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op result 1 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<3xi32>)
  return
}

// -----

func.func @top_k_indices_type(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op result 1 has element type i64, but the operands and attributes of the op imply i32}}
  %0:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return
}

// -----

func.func @top_k_attribute(%a: tensor<5xf32>) {
  // expected-error @+1 {{'chlo.top_k' op requires attribute 'k'}}
  %0:2 = "chlo.top_k"(%a) : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return
}
