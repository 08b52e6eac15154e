// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_window_c2(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @reduce_window_c3(%a: tensor<4xf32>, %b: tensor<f64>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op operand 1 has element type f64, which is not promotable to element type f32 of value 0 returned by region 0}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f64>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c4(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'window_dimensions' has 2 entries, but operand 0 has rank 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c5(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'window_dimensions' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_window_c6(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'window_strides' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c7(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'window_strides' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c8(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'base_dilations' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 1, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c9(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'base_dilations' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c10(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'window_dilations' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_dilations = array<i64: 1, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c11(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'window_dilations' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_dilations = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c12(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'padding' has shape 1x3, but the window needs shape 1x2}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<0> : tensor<1x3xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c13(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c13_returns(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c1_results(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op has 2 results, but the operands and attributes imply 1}}
  %0:2 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @reduce_window_c12_rank(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op attribute 'padding' has shape 2, but the window needs shape 1x2}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<0> : tensor<2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c13_argument_type(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op operand 0 has element type f32, which is not promotable to element type i32 of value 0 returned by region 0}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c14(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op result 1 has shape 4, but the operands and attributes of the op imply shape 3}}
  %0:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @reduce_window_c15_padding(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op result 0 has shape 3, but the operands and attributes of the op imply shape 5}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c15_dilation(%a: tensor<9xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op result 0 has shape 7, but the operands and attributes of the op imply shape 5}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_dilations = array<i64: 2>} : (tensor<9xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @reduce_window_c15(%a: tensor<9xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op result 0 has shape 3, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<9xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c16(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf64>
  return
}

// -----

func.func @reduce_window_c1_odd(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op has 3 operands, but needs as many inputs as initial values}}
  %0 = "stablehlo.reduce_window"(%a, %b, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return
}
