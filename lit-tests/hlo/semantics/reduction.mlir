// RUN: halo-opt %s --split-input-file --verify-diagnostics

// The body may compute in a wider type than its inputs have.
func.func @valid(%a: tensor<4x?xbf16>, %i: tensor<bf16>, %b: tensor<4x6xf32>, %j: tensor<f32>) {
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x?xbf16>, tensor<bf16>) -> tensor<4xf32>
  %1 = "stablehlo.reduce_window"(%b, %j) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reduce_c1(%a: tensor<4xf32>, %b: tensor<5xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{operand 1 has shape 5, but operand 0 has shape 4}}
  %0:2 = "stablehlo.reduce"(%a, %b, %i, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c8(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @reduce_c4(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{attribute 'dimensions' has dimension 1, but operand 0 has rank 1}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c5(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{attribute 'dimensions' has 0 twice}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_arguments(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_element(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{argument 0 of region 0 has element type f32, but value 0 returned by region 0 has element type f64}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.convert %x : (tensor<f32>) -> tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @reduce_c6_promotable(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{operand 0 has element type f32, which is not promotable to element type f16 of value 0 returned by region 0}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f16>
  return
}

// -----

func.func @reduce_c7(%a: tensor<4x5x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{result 0 has shape 5x4, but the operands and attributes of the op imply shape 4x5}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @reduce_window_c5(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{attribute 'window_dimensions' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_window_c6(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{attribute 'window_strides' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c12(%a: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{attribute 'padding' has shape 1x3, but the window needs shape 1x2}}
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<0> : tensor<1x3xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_window_c15(%a: tensor<9xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{result 0 has shape 4, but the operands and attributes of the op imply shape 3}}
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, window_dilations = array<i64: 2>} : (tensor<9xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c3(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{attribute 'dimensions' has 1 at position 0, but must name all dimensions in order}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @map_c4(%a: tensor<4xf32>) {
  // expected-error @+1 {{argument 0 of region 0 has element type i32, but operand 0 has element type f32}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @sort_c4(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{attribute 'dimension' is -3, but operand 0 has rank 2}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = -3 : i64} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @sort_c5(%a: tensor<4xf32>) {
  // expected-error @+1 {{value 0 returned by region 0 has type tensor<f32>, but must have type tensor<i1>}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c2(%a: tensor<4xf32>, %s: tensor<3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{operand 1 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
