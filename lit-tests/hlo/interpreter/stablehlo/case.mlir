// RUN: halo-run --backend=interpreter %s

// Values: by hand; an index out of bounds chooses the last branch.

func.func @main() {
  %i0 = stablehlo.constant dense<-1> : tensor<i32>
  %x0 = stablehlo.constant dense<10> : tensor<i64>
  %y0 = stablehlo.constant dense<20> : tensor<i64>
  %z0 = stablehlo.constant dense<30> : tensor<i64>
  %r0 = "stablehlo.case"(%i0) ({
    stablehlo.return %x0 : tensor<i64>
  }, {
    stablehlo.return %y0 : tensor<i64>
  }, {
    stablehlo.return %z0 : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %r0, dense<30> : tensor<i64>

  %i1 = stablehlo.constant dense<0> : tensor<i32>
  %x1 = stablehlo.constant dense<10> : tensor<i64>
  %y1 = stablehlo.constant dense<20> : tensor<i64>
  %z1 = stablehlo.constant dense<30> : tensor<i64>
  %r1 = "stablehlo.case"(%i1) ({
    stablehlo.return %x1 : tensor<i64>
  }, {
    stablehlo.return %y1 : tensor<i64>
  }, {
    stablehlo.return %z1 : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %r1, dense<10> : tensor<i64>

  %i2 = stablehlo.constant dense<1> : tensor<i32>
  %x2 = stablehlo.constant dense<10> : tensor<i64>
  %y2 = stablehlo.constant dense<20> : tensor<i64>
  %z2 = stablehlo.constant dense<30> : tensor<i64>
  %r2 = "stablehlo.case"(%i2) ({
    stablehlo.return %x2 : tensor<i64>
  }, {
    stablehlo.return %y2 : tensor<i64>
  }, {
    stablehlo.return %z2 : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %r2, dense<20> : tensor<i64>

  %i3 = stablehlo.constant dense<2> : tensor<i32>
  %x3 = stablehlo.constant dense<10> : tensor<i64>
  %y3 = stablehlo.constant dense<20> : tensor<i64>
  %z3 = stablehlo.constant dense<30> : tensor<i64>
  %r3 = "stablehlo.case"(%i3) ({
    stablehlo.return %x3 : tensor<i64>
  }, {
    stablehlo.return %y3 : tensor<i64>
  }, {
    stablehlo.return %z3 : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %r3, dense<30> : tensor<i64>

  %i4 = stablehlo.constant dense<9> : tensor<i32>
  %x4 = stablehlo.constant dense<10> : tensor<i64>
  %y4 = stablehlo.constant dense<20> : tensor<i64>
  %z4 = stablehlo.constant dense<30> : tensor<i64>
  %r4 = "stablehlo.case"(%i4) ({
    stablehlo.return %x4 : tensor<i64>
  }, {
    stablehlo.return %y4 : tensor<i64>
  }, {
    stablehlo.return %z4 : tensor<i64>
  }) : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %r4, dense<30> : tensor<i64>
  func.return
}
