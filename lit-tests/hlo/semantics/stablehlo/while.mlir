// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @while_c1(%a: tensor<i32>, %b: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op value 0 returned by region 0 has type tensor<i32>, but must have type tensor<i1>}}
  %0:2 = "stablehlo.while"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x : tensor<i32>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x, %y : tensor<i32>, tensor<i1>
  }) : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i1>)
  return
}

// -----

func.func @while_c1_count(%a: tensor<i32>, %b: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op region 0 returns 2 values, but must return 1}}
  %0:2 = "stablehlo.while"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x, %y : tensor<i32>, tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x, %y : tensor<i32>, tensor<i1>
  }) : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i1>)
  return
}

// -----

func.func @while_c1_arguments(%a: tensor<i32>, %b: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op region 0 has 0 arguments, but must have 2}}
  %0:2 = "stablehlo.while"(%a, %b) ({
    stablehlo.return %b : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x, %y : tensor<i32>, tensor<i1>
  }) : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i1>)
  return
}

// -----

func.func @while_c1_argument_type(%a: tensor<i32>, %b: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op argument 0 of region 0 has element type f32, but operand 0 has element type i32}}
  %0:2 = "stablehlo.while"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i1>):
    stablehlo.return %y : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x, %y : tensor<i32>, tensor<i1>
  }) : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i1>)
  return
}

// -----

func.func @while_c2_count(%a: tensor<i32>, %b: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op region 1 returns 1 values, but the number of operands is 2}}
  %0:2 = "stablehlo.while"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %y : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i1>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i1>)
  return
}

// -----

func.func @while_c2_type(%a: tensor<i1>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.while' op value 1 returned by region 1 has element type i1, but operand 1 has element type i32}}
  %0:2 = "stablehlo.while"(%a, %b) ({
  ^bb0(%x: tensor<i1>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i1>
  }, {
  ^bb0(%x: tensor<i1>, %y: tensor<i32>):
    stablehlo.return %x, %x : tensor<i1>, tensor<i1>
  }) : (tensor<i1>, tensor<i32>) -> (tensor<i1>, tensor<i32>)
  return
}

// -----

func.func @while_c3(%a: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op result 0 has element type i64, but operand 0 has element type i1}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i1>):
    stablehlo.return %x : tensor<i1>
  }, {
  ^bb0(%x: tensor<i1>):
    stablehlo.return %x : tensor<i1>
  }) : (tensor<i1>) -> tensor<i64>
  return
}

// -----

func.func @while_c3_count(%a: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.while' op has 0 results, but the operands and attributes imply 1}}
  "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i1>):
    stablehlo.return %x : tensor<i1>
  }, {
  ^bb0(%x: tensor<i1>):
    stablehlo.return %x : tensor<i1>
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @while_types(%a: tensor<2xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.while' expected 1 types, but got 2}}
  %0 = stablehlo.while(%x = %a) : tensor<2xf32>, tensor<f32>
  cond {
    stablehlo.return
  } do {
    stablehlo.return
  }
  return
}
