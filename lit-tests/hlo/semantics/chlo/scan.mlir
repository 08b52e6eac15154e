// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @scan_dimension(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op attribute 'dimension' has dimension 2, but operand 0 has rank 2}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_size(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op dimension 0 of operand 0 has size 5, but the scan is over 4}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 4 : i64} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_sizes(%a: tensor<5xf32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op dimension 0 of operand 1 has size 4, but the scan is over 5}}
  %0:2 = "chlo.scan"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_arguments(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op region 0 has 1 arguments, but must have 2}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>):
    stablehlo.return %x, %x : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_input_slice(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op argument 0 of region 0 has shape 5, but a slice of the input has shape 3}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<5xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<5xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_carry(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op argument 1 of region 0 has shape 4, but operand 1 has shape 3}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<4xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<4xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_returns(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op region 0 returns 0 values, but 1 are carried}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_output(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op result 0 has shape 4x3, but the operands and attributes of the op imply shape 5x3}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_carry_result(%a: tensor<5x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.scan' op result 1 has shape 4, but value 1 returned by region 0 has shape 3}}
  %0:2 = "chlo.scan"(%a, %b) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @scan_results(%a: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{custom op 'chlo.scan' expected a result for each of the 1 initial values, but got 0 results}}
  chlo.scan(%a) inits (%z) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> ()
  return
}
