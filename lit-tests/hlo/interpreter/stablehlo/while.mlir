// RUN: halo-run --backend=interpreter %s

// Values: the example of the specification, and Python.

func.func @main() {
  %zero0 = stablehlo.constant dense<0> : tensor<i64>
  %one0 = stablehlo.constant dense<1> : tensor<i64>
  %ten0 = stablehlo.constant dense<10> : tensor<i64>
  %n0, %r0 = stablehlo.while(%i0 = %zero0, %s0 = %zero0) : tensor<i64>, tensor<i64>
  cond {
    %c0 = stablehlo.compare LT, %i0, %ten0 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c0 : tensor<i1>
  } do {
    %t0 = stablehlo.add %s0, %one0 : tensor<i64>
    %j0 = stablehlo.add %i0, %one0 : tensor<i64>
    stablehlo.return %j0, %t0 : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %n0, dense<10> : tensor<i64>
  check.expect_eq_const %r0, dense<10> : tensor<i64>

  // Numbers of Fibonacci and Lucas.
  %zero1 = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %one1 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %five1 = stablehlo.constant dense<5> : tensor<i32>
  %none1 = stablehlo.constant dense<0> : tensor<i32>
  %step1 = stablehlo.constant dense<1> : tensor<i32>
  %u1, %w1, %n1 = stablehlo.while(%a1 = %zero1, %b1 = %one1, %i1 = %five1) : tensor<2xf32>, tensor<2xf32>, tensor<i32>
  cond {
    %c1 = stablehlo.compare GT, %i1, %none1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c1 : tensor<i1>
  } do {
    %s1 = stablehlo.add %a1, %b1 : tensor<2xf32>
    %j1 = stablehlo.subtract %i1, %step1 : tensor<i32>
    stablehlo.return %b1, %s1, %j1 : tensor<2xf32>, tensor<2xf32>, tensor<i32>
  }
  check.expect_eq_const %u1, dense<[5.0, 11.0]> : tensor<2xf32>
  check.expect_eq_const %w1, dense<[8.0, 18.0]> : tensor<2xf32>
  check.expect_eq_const %n1, dense<0> : tensor<i32>

  // No turn.
  %x2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %never2 = stablehlo.constant dense<false> : tensor<i1>
  %r2 = stablehlo.while(%a2 = %x2) : tensor<2xi32>
  cond {
    stablehlo.return %never2 : tensor<i1>
  } do {
    %s2 = stablehlo.negate %a2 : tensor<2xi32>
    stablehlo.return %s2 : tensor<2xi32>
  }
  check.expect_eq_const %r2, dense<[1, 2]> : tensor<2xi32>
  func.return
}
