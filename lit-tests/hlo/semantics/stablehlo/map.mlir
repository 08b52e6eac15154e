// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @map_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.map' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.map"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c1_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @map_c3(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.map' op attribute 'dimensions' has 1 at position 0, but must name all dimensions in order}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @map_c3_count(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.map' op attribute 'dimensions' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @map_c4_arguments(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op region 0 has 2 arguments, but must have 1}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_argument_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op argument 0 of region 0 has element type i32, but operand 0 has element type f32}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @map_c4_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @map_c4_returns(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_result_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op requires one result}}
  %0:2 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @map_c4_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op argument 0 of region 0 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<1xf32>):
    stablehlo.return %x : tensor<1xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
