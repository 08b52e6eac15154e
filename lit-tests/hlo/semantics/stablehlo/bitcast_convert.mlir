// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @bitcast_convert_c1_narrower(%a: tensor<3xf64>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op result 0 has shape 3x4, but the operands and attributes of the op imply shape 3x2}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3xf64>) -> tensor<3x4xi32>
  return
}

// -----

func.func @bitcast_convert_c1_wider(%a: tensor<3x4xi8>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op operand 0 has shape 3x4, but the bits of result 0 make shape 3x2}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3x4xi8>) -> tensor<3xi16>
  return
}

// -----

func.func @bitcast_convert_c1_same(%a: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op result 0 has shape 4, but the operands and attributes of the op imply shape 3}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @bitcast_convert_c1_rank(%a: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op result 0 has shape 3x1, but the operands and attributes of the op imply shape 3}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3xf32>) -> tensor<3x1xi32>
  return
}

// -----

func.func @bitcast_convert_c2(%a: tensor<3xf64>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op result 0 has element type complex<f32>, but operand 0 has element type f64, and bits do not convert between real and complex types}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @bitcast_convert_c2_real(%a: tensor<3xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op result 0 has element type i64, but operand 0 has element type complex<f32>, and bits do not convert between real and complex types}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3xcomplex<f32>>) -> tensor<3xi64>
  return
}
