// RUN: halo-run --backend=interpreter %s

// Values: what a body hands out, in its order.

func.func @main() {
  %p0 = stablehlo.constant dense<true> : tensor<i1>
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y0 = stablehlo.constant dense<0.5> : tensor<f32>
  %r0, %s0 = "stablehlo.if"(%p0) ({
    stablehlo.return %y0, %x0 : tensor<f32>, tensor<2xi32>
  }, {
    stablehlo.return %y0, %x0 : tensor<f32>, tensor<2xi32>
  }) : (tensor<i1>) -> (tensor<f32>, tensor<2xi32>)
  check.expect_eq_const %r0, dense<0.5> : tensor<f32>
  check.expect_eq_const %s0, dense<[1, 2]> : tensor<2xi32>

  // Nothing to hand out.
  %p1 = stablehlo.constant dense<true> : tensor<i1>
  %x1 = stablehlo.constant dense<3> : tensor<i8>
  "stablehlo.if"(%p1) ({
    check.expect_eq_const %x1, dense<3> : tensor<i8>
    stablehlo.return
  }, {
    check.expect_eq_const %x1, dense<4> : tensor<i8>
    stablehlo.return
  }) : (tensor<i1>) -> ()
  func.return
}
