// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_pad_c1(%a: tensor<4xf32>, %b: tensor<f64>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c1_result(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  return
}

// -----

func.func @dynamic_pad_c2(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op operand 2 has shape 2, but the rank of operand 0 implies shape 1}}
  %0 = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<f32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c2_interior(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op operand 4 has shape 2, but the rank of operand 0 implies shape 1}}
  %0 = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c4_rank(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op result 0 has shape ?x?, but the operands and attributes of the op imply shape ?}}
  %0 = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_pad_padding_value(%a: tensor<4xf32>, %b: tensor<1xf32>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op operand #1 must be 0D tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<1xf32>'}}
  %0 = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<1xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c3(%a: tensor<4xf32>, %f: tensor<f32>, %z: tensor<1xi64>) {
  %n = stablehlo.constant dense<-1> : tensor<1xi64>
  // expected-error @+1 {{'stablehlo.dynamic_pad' op attribute 'operand 4' has -1 for dimension 0, but must be at least 0}}
  %0 = stablehlo.dynamic_pad %a, %f, %z, %z, %n : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c4(%a: tensor<4xf32>, %f: tensor<f32>) {
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  // expected-error @+1 {{'stablehlo.dynamic_pad' op result 0 has shape 8, but the operands and attributes of the op imply shape 9}}
  %0 = stablehlo.dynamic_pad %a, %f, %n, %n, %n : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  return
}
