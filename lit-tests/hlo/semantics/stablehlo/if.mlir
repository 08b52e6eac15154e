// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @if_predicate_rank(%a: tensor<1xi1>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op operand 0 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<1xi1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_predicate_type(%a: tensor<i32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op operand #0 must be ranked tensor of bool values, but got 'tensor<i32>'}}
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c1(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op region 0 has 1 arguments, but must have 0}}
  %0 = "stablehlo.if"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c2(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op region 1 returns 2 values, but region 0 returns 1}}
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b, %c : tensor<4xf32>, tensor<5xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c2_type(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op value 0 returned by region 1 has element type i32, but value 0 returned by region 0 has element type f32}}
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %d : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c3(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op result 0 has shape 5, but value 0 returned by region 0 has shape 4}}
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<5xf32>
  return
}

// -----

func.func @if_c3_count(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.if' op has 0 results, but the operands and attributes imply 1}}
  "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @if_empty_branch(%p: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.if' op region #1 ('false_branch') failed to verify constraint: region with 1 blocks}}
  "stablehlo.if"(%p) ({ stablehlo.return }, {}) : (tensor<i1>) -> ()
  return
}
