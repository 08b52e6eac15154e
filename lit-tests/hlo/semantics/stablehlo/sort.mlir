// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @sort_c1() {
  // expected-error @+1 {{'stablehlo.sort' op has no operands to sort}}
  %0 = "stablehlo.sort"() ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : () -> tensor<4xf32>
  return
}

// -----

func.func @sort_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @sort_c3(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @sort_c3_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sort_c4(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op attribute 'dimension' is -3, but operand 0 has rank 2}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = -3 : i64} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @sort_c4_positive(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op attribute 'dimension' is 2, but operand 0 has rank 2}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 2 : i64} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @sort_c5(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op value 0 returned by region 0 has type tensor<f32>, but must have type tensor<i1>}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c5_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c5_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op argument 0 of region 0 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<1xf32>, %y: tensor<1xf32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    stablehlo.return %1 : tensor<1xi1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_result_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has 1 results, but the operands and attributes imply 2}}
  %0 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c5_arguments(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op region 0 has 4 arguments, but must have 2}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c5_argument_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op argument 0 of region 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
