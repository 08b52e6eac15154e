// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_in_dim_c1(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op result 0 has element type i64, but operand 0 has element type i32}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3x4xi64>
  return
}

// -----

func.func @broadcast_in_dim_c1_scale(%a: tensor<3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op result 0 has element type !quant.uniform<i8:f32, 2.500000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>, which has other scales or zero points}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @broadcast_in_dim_c2(%a: tensor<3x1xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op attribute 'broadcast_dimensions' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<3x1xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op attribute 'broadcast_dimensions' has dimension 2, but result 0 has rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 2>} : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3_negative(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op attribute 'broadcast_dimensions' has dimension -1, but result 0 has rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: -1>} : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%a: tensor<3x3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op attribute 'broadcast_dimensions' has 1 twice}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op dimension 0 of operand 0 has size 3, but dimension 1 of result 0 has size 4}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c6(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op result 0 is quantized along dimension 0, but the quantized dimension of operand 0 becomes dimension 1}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @broadcast_in_dim_c6_scales(%a: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op result 0 has element type !quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>, but operand 0 has element type !quant.uniform<i8:f32:0, {5.000000e-01}>, which has other scales or zero points}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @broadcast_in_dim_dynamic(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op result #0 must be statically shaped or single bounded dimension tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values, but got 'tensor<3x?xi32>'}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3x?xi32>
  return
}
