// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<2x?xf32>, %b: tensor<1x3xi32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %1 = stablehlo.reshape %a : (tensor<2x?xf32>) -> tensor<12xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [2, 0] : (tensor<1x3xi32>) -> tensor<3x5x9xi32>
  %3 = stablehlo.bitcast_convert %b : (tensor<1x3xi32>) -> tensor<1x3x4xui8>
  %4 = stablehlo.constant() {value = dense<7> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %5 = "stablehlo.broadcast"(%b) {broadcast_sizes = array<i64: 4>} : (tensor<1x3xi32>) -> tensor<4x1x3xi32>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{attribute 'value' has type tensor<3xi32>, but result 0 has type tensor<4xi32>}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi32>} : () -> tensor<4xi32>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{attribute 'iota_dimension' has dimension 2, but result 0 has rank 2}}
  %0 = stablehlo.iota dim = 2 : tensor<4x5xi32>
  return
}

// -----

func.func @broadcast(%a: tensor<3xi32>) {
  // expected-error @+1 {{result 0 has shape 3x4, but the operands and attributes of the op imply shape 4x3}}
  %0 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 4>} : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c1(%a: tensor<3xi32>) {
  // expected-error @+1 {{result 0 has element type i64, but operand 0 has element type i32}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xi32>) -> tensor<3x4xi64>
  return
}

// -----

func.func @broadcast_in_dim_c2(%a: tensor<3x1xi32>) {
  // expected-error @+1 {{attribute 'broadcast_dimensions' has 1 entries, but operand 0 has rank 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3x1xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%a: tensor<3xi32>) {
  // expected-error @+1 {{attribute 'broadcast_dimensions' has dimension 2, but result 0 has rank 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%a: tensor<3x3xi32>) {
  // expected-error @+1 {{attribute 'broadcast_dimensions' has 1 twice}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 1] : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%a: tensor<3xi32>) {
  // expected-error @+1 {{dimension 0 of operand 0 has size 3, but dimension 1 of result 0 has size 4}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @reshape_c1(%a: tensor<6xi32>) {
  // expected-error @+1 {{result 0 has element type f32, but operand 0 has element type i32}}
  %0 = stablehlo.reshape %a : (tensor<6xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_c2(%a: tensor<6xi32>) {
  // expected-error @+1 {{result 0 has 8 elements, but operand 0 has 6 elements}}
  %0 = stablehlo.reshape %a : (tensor<6xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @reshape_quantized(%a: tensor<6x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{which has other scales or zero points}}
  %0 = stablehlo.reshape %a : (tensor<6x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @transpose_c1(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{result 0 has element type f32, but the operands and attributes of the op imply i32}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_c2(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{attribute 'permutation' has 0 twice}}
  %0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @transpose_c3(%a: tensor<2x3x4xi32>) {
  // expected-error @+1 {{result 0 has shape 4x3x2, but the operands and attributes of the op imply shape 4x2x3}}
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xi32>) -> tensor<4x3x2xi32>
  return
}

// -----

func.func @transpose_c4(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{result 0 is quantized along dimension 0, but the quantized dimension of operand 0 becomes dimension 1}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @reverse_c2(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{attribute 'dimensions' has 1 twice}}
  %0 = stablehlo.reverse %a, dims = [1, 1] : tensor<2x3xi32>
  return
}

// -----

func.func @reverse_c3(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{attribute 'dimensions' has dimension 2, but operand 0 has rank 2}}
  %0 = stablehlo.reverse %a, dims = [2] : tensor<2x3xi32>
  return
}

// -----

func.func @bitcast_convert_c1(%a: tensor<3xf64>) {
  // expected-error @+1 {{result 0 has shape 3x4, but the operands and attributes of the op imply shape 3x2}}
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf64>) -> tensor<3x4xi32>
  return
}

// -----

func.func @bitcast_convert_c1_wider(%a: tensor<3x4xi8>) {
  // expected-error @+1 {{operand 0 has shape 3x4, but the bits of result 0 make shape 3x2}}
  %0 = stablehlo.bitcast_convert %a : (tensor<3x4xi8>) -> tensor<3xi16>
  return
}

// -----

func.func @bitcast_convert_c2(%a: tensor<3xf64>) {
  // expected-error @+1 {{bits do not convert between real and complex types}}
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}
