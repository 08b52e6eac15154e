// Conditionals.

// The last branch is taken for an index out of range.
func.func @chooses_a_branch() {
  %i = stablehlo.constant {input} dense<0> : tensor<i32>
  %j = stablehlo.constant {input} dense<1> : tensor<i32>
  %k = stablehlo.constant {input} dense<2> : tensor<i32>
  %l = stablehlo.constant {input} dense<-1> : tensor<i32>
  %0 = call @one_or_two(%i) : (tensor<i32>) -> tensor<i32>
  %1 = call @one_or_two(%j) : (tensor<i32>) -> tensor<i32>
  %2 = call @one_or_two(%k) : (tensor<i32>) -> tensor<i32>
  %3 = call @one_or_two(%l) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  check.expect_eq_const %2, dense<2> : tensor<i32>
  check.expect_eq_const %3, dense<2> : tensor<i32>
  return
}

func.func private @one_or_two(%i: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Both branches return a matrix and a number.
func.func @multiplies_in_a_branch() {
  %i = stablehlo.constant {input} dense<0> : tensor<i32>
  %a = stablehlo.constant {input} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0:2 = "stablehlo.case"(%i) ({
    %1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1, %2 : tensor<2x2xf32>, tensor<f32>
  }, {
    %1 = stablehlo.constant dense<2.0> : tensor<f32>
    stablehlo.return %a, %1 : tensor<2x2xf32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<2x2xf32>, tensor<f32>)
  check.expect_eq_const %0#0, dense<[[7.0, 10.0], [15.0, 22.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<1.0> : tensor<f32>
  return
}

// `c if p else x[1:3]`: a constant and a part of an argument have other offsets.
func.func @a_branch_returns_a_constant() {
  %p = stablehlo.constant {input} dense<true> : tensor<i1>
  %x = stablehlo.constant {input} dense<[1.0, -2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %0 = call @constant_or_view(%p, %x) : (tensor<i1>, tensor<6xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[8.0, 9.0]> : tensor<2xf32>
  return
}

func.func @a_branch_returns_a_view() {
  %p = stablehlo.constant {input} dense<false> : tensor<i1>
  %x = stablehlo.constant {input} dense<[1.0, -2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %0 = call @constant_or_view(%p, %x) : (tensor<i1>, tensor<6xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[2.0, 3.0]> : tensor<2xf32>
  return
}

func.func private @constant_or_view(%p: tensor<i1>, %x: tensor<6xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<[8.0, 9.0]> : tensor<2xf32>
  %part = stablehlo.slice %x [1:3] : (tensor<6xf32>) -> tensor<2xf32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %c : tensor<2xf32>
  }, {
    stablehlo.return %part : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %1 = stablehlo.abs %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Tokens go through a loop and a conditional.
func.func @tokens_in_control_flow() {
  %n = stablehlo.constant {input} dense<4> : tensor<i32>
  %k = stablehlo.create_token : !stablehlo.token
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%t = %k, %i = %n, %s = %zero) : !stablehlo.token, tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %u = "stablehlo.outfeed"(%i, %t) {outfeed_config = ""} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %r = stablehlo.add %s, %i : tensor<i32>
    stablehlo.return %u, %j, %r : !stablehlo.token, tensor<i32>, tensor<i32>
  }
  %c = stablehlo.compare EQ, %0#1, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1:2 = "stablehlo.if"(%c) ({
    stablehlo.return %0#2, %0#0 : tensor<i32>, !stablehlo.token
  }, {
    stablehlo.return %zero, %k : tensor<i32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<i32>, !stablehlo.token)
  check.expect_eq_const %1#0, dense<10> : tensor<i32>
  return
}
