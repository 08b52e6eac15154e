// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @case_c1(%a: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.case' op has no branches}}
  "stablehlo.case"(%a) : (tensor<i32>) -> ()
  return
}

// -----

func.func @case_c2(%a: tensor<i32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.case' op region 1 has 1 arguments, but must have 0}}
  %0 = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @case_c3(%a: tensor<i32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.case' op value 0 returned by region 2 has element type i32, but value 0 returned by region 0 has element type f32}}
  %0 = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %d : tensor<4xi32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @case_c3_count(%a: tensor<i32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.case' op region 1 returns 2 values, but region 0 returns 1}}
  %0 = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b, %c : tensor<4xf32>, tensor<5xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @case_c4(%a: tensor<i32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.case' op result 0 has element type i32, but value 0 returned by region 0 has element type f32}}
  %0 = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xi32>
  return
}

// -----

func.func @case_index_type(%a: tensor<i64>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.case' op operand #0 must be ranked tensor of 32-bit signless integer values, but got 'tensor<i64>'}}
  %0 = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @case_index_rank(%a: tensor<1xi32>, %b: tensor<4xf32>, %c: tensor<5xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.case' op operand 0 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<1xi32>) -> tensor<4xf32>
  return
}
