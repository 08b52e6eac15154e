// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_c1(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0:2 = "stablehlo.reduce"(%a, %b, %c, %d) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c8(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @reduce_c2(%a: tensor<4xf32>, %b: tensor<f64>) {
  // expected-error @+1 {{'stablehlo.reduce' op operand 1 has element type f64, which is not promotable to element type f32 of value 0 returned by region 0}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f64>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c4(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op attribute 'dimensions' has dimension 1, but operand 0 has rank 1}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c4_negative(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op attribute 'dimensions' has dimension -1, but operand 0 has rank 1}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: -1>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c5(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op attribute 'dimensions' has 0 twice}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_arguments(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_rank(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op value 0 returned by region 0 has shape 1, but must be a scalar}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<1xf32>, %y: tensor<1xf32>):
    stablehlo.return %x : tensor<1xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_returns(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op region 0 returns 2 values, but must return 1}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_promotable(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op operand 0 has element type f32, which is not promotable to element type f16 of value 0 returned by region 0}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f16>
  return
}

// -----

func.func @reduce_c7(%a: tensor<4x5x6xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op result 0 has shape 5x4, but the operands and attributes of the op imply shape 4x5}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @reduce_init_value_rank(%a: tensor<4xf32>, %b: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce' op operand 1 has shape 1, but value 0 returned by region 0 has shape of a scalar}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3_results(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op has 2 results, but the operands and attributes imply 1}}
  %0:2 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c3_inputs() {
  // expected-error @+1 {{'stablehlo.reduce' op has no operands to reduce}}
  "stablehlo.reduce"() ({
    stablehlo.return
  }) {dimensions = array<i64: 0>} : () -> ()
  return
}

// -----

func.func @reduce_c6_argument_type(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op operand 0 has element type f32, which is not promotable to element type i32 of value 0 returned by region 0}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_arguments_differ(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op argument 1 of region 0 has element type f64, but value 0 returned by region 0 has element type f32}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f64>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c7_rank(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op result 0 has shape 4x5, but the operands and attributes of the op imply shape 5}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @reduce_operand_type(%a: tensor<4xf32>, %b: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.reduce' op operand #1 must be variadic of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got '!stablehlo.token'}}
  %0 = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, !stablehlo.token) -> tensor<f32>
  return
}

// -----

func.func @reduce_op(%a: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.reduce' expected a commutative op of the stablehlo dialect, but got 'stablehlo.subtract'}}
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.subtract across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_unknown_op(%a: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.reduce' unknown op 'stablehlo.plus'}}
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.plus across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3_odd(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op has 3 operands, but needs as many inputs as initial values}}
  %0 = "stablehlo.reduce"(%a, %b, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
