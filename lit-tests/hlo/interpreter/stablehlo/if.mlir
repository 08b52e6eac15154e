// RUN: halo-run --backend=interpreter %s

// Values: by hand.

func.func @main() {
  %p0 = stablehlo.constant dense<true> : tensor<i1>
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r0 = "stablehlo.if"(%p0) ({
    %s0 = stablehlo.add %x0, %x0 : tensor<2xi32>
    stablehlo.return %s0 : tensor<2xi32>
  }, {
    stablehlo.return %x0 : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  check.expect_eq_const %r0, dense<[2, 4]> : tensor<2xi32>

  %p1 = stablehlo.constant dense<false> : tensor<i1>
  %x1 = stablehlo.constant dense<[1.5, 0x7FC00000]> : tensor<2xf32>
  %r1 = "stablehlo.if"(%p1) ({
    %s1 = stablehlo.add %x1, %x1 : tensor<2xf32>
    stablehlo.return %s1 : tensor<2xf32>
  }, {
    stablehlo.return %x1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[1.5, 0x7FC00000]> : tensor<2xf32>

  // One within another, two results.
  %p2 = stablehlo.constant dense<true> : tensor<i1>
  %q2 = stablehlo.constant dense<false> : tensor<i1>
  %x2 = stablehlo.constant dense<1> : tensor<i64>
  %y2 = stablehlo.constant dense<2> : tensor<i64>
  %r2, %s2 = "stablehlo.if"(%p2) ({
    %t2 = "stablehlo.if"(%q2) ({
      stablehlo.return %x2 : tensor<i64>
    }, {
      stablehlo.return %y2 : tensor<i64>
    }) : (tensor<i1>) -> tensor<i64>
    stablehlo.return %t2, %x2 : tensor<i64>, tensor<i64>
  }, {
    stablehlo.return %x2, %y2 : tensor<i64>, tensor<i64>
  }) : (tensor<i1>) -> (tensor<i64>, tensor<i64>)
  check.expect_eq_const %r2, dense<2> : tensor<i64>
  check.expect_eq_const %s2, dense<1> : tensor<i64>
  func.return
}
