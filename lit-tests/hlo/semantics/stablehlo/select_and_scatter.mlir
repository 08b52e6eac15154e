// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @select_and_scatter_c1(%a: tensor<4xf32>, %b: tensor<2xf64>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf64>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c2(%a: tensor<4xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op operand 1 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c3(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f64>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op operand 2 has element type f64, which is not promotable to element type f32 of value 0 returned by region 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c4(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op attribute 'window_dimensions' has 2 entries, but operand 0 has rank 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c5(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op attribute 'window_dimensions' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 0>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c6(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op attribute 'window_strides' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c7(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op attribute 'window_strides' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 0>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c8(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op attribute 'padding' has shape 2x2, but the window needs shape 1x2}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c9(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op value 0 returned by region 0 has type tensor<f32>, but must have type tensor<i1>}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c9_arguments(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %a : tensor<4xf32>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c10(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op region 1 has 1 arguments, but must have 2}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c10_returns(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op region 1 returns 0 values, but must return 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c11(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @select_and_scatter_c12(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// -----

func.func @select_and_scatter_init_value_rank(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op operand 2 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}
