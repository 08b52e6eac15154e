// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_broadcast_in_dim_c1(%a: tensor<3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op result 0 has element type i32, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c2(%a: tensor<?xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'broadcast_dimensions' has 2 entries, but operand 0 has rank 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x7xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c3(%a: tensor<?xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'broadcast_dimensions' has dimension 2, but result 0 has rank 2}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 2>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x7xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c4(%a: tensor<3x3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'broadcast_dimensions' has 1 twice}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<3x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5(%a: tensor<3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op dimension 0 of operand 0 has size 3, but dimension 1 of result 0 has size 4}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c7(%a: tensor<?xf32>, %b: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op result 0 has shape ?x7, but the operands and attributes of the op imply shape ?x?x?}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x7xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c8(%a: tensor<3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'known_nonexpanding_dimensions' has 0 twice}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c8_unique(%a: tensor<3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'known_expanding_dimensions' has 0 twice}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0, 0>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c9(%a: tensor<3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'known_expanding_dimensions' has dimension 1, but operand 0 has rank 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c10(%a: tensor<3xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op attribute 'known_nonexpanding_dimensions' has dimension -1, but operand 0 has rank 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: -1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_output_dimensions(%a: tensor<3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op operand #1 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_dynamic_rank(%a: tensor<3xf32>, %b: tensor<?xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op operand #1 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<?xi32>'}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<?xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_axis(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %s: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op result 0 is quantized along dimension 0, but the quantized dimension of operand 0 becomes dimension 1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
