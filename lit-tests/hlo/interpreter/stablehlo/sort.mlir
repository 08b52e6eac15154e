// RUN: halo-run --backend=interpreter %s

// Values: numpy.sort and numpy.argsort(kind="stable"); TOTALORDER puts NaN last.

func.func @main() {
  %x0 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %r0 = "stablehlo.sort"(%x0) ({
    ^bb0(%p0: tensor<i32>, %q0: tensor<i32>):
      %s0 = stablehlo.compare LT, %p0, %q0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %s0 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r0, dense<[1, 2, 3]> : tensor<3xi32>

  %x1 = stablehlo.constant dense<[[3, 1, 2], [-1, 7, 0]]> : tensor<2x3xi64>
  %r1 = "stablehlo.sort"(%x1) ({
    ^bb0(%p1: tensor<i64>, %q1: tensor<i64>):
      %s1 = stablehlo.compare GT, %p1, %q1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %s1 : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %r1, dense<[[3, 2, 1], [7, 0, -1]]> : tensor<2x3xi64>

  %x2 = stablehlo.constant dense<[[3, 1], [2, 5]]> : tensor<2x2xui8>
  %r2 = "stablehlo.sort"(%x2) ({
    ^bb0(%p2: tensor<ui8>, %q2: tensor<ui8>):
      %s2 = stablehlo.compare LT, %p2, %q2, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %s2 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x2xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %r2, dense<[[2, 1], [3, 5]]> : tensor<2x2xui8>

  %x3 = stablehlo.constant dense<[0x7FC00000, 1.0, 0xFF800000, 0.0, -0.0, 0x7F800000]> : tensor<6xf32>
  %r3 = "stablehlo.sort"(%x3) ({
    ^bb0(%p3: tensor<f32>, %q3: tensor<f32>):
      %s3 = stablehlo.compare LT, %p3, %q3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s3 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_eq_const %r3, dense<[0xFF800000, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>

  %x4 = stablehlo.constant dense<> : tensor<0xf64>
  %r4 = "stablehlo.sort"(%x4) ({
    ^bb0(%p4: tensor<f64>, %q4: tensor<f64>):
      %s4 = stablehlo.compare LT, %p4, %q4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %s4 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<0xf64>) -> tensor<0xf64>
  check.expect_eq_const %r4, dense<> : tensor<0xf64>

  // Keys with values; equal keys stay in order.
  %k5 = stablehlo.constant dense<[2, 1, 2, 1]> : tensor<4xi32>
  %v5 = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %r5, %s5 = "stablehlo.sort"(%k5, %v5) ({
    ^bb0(%p5: tensor<i32>, %q5: tensor<i32>, %u5: tensor<f32>, %w5: tensor<f32>):
      %c5 = stablehlo.compare LT, %p5, %q5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c5 : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true}
      : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
  check.expect_eq_const %r5, dense<[1, 1, 2, 2]> : tensor<4xi32>
  check.expect_eq_const %s5, dense<[20.0, 40.0, 10.0, 30.0]> : tensor<4xf32>

  // In total order a negative NaN comes first.
  %nans = stablehlo.constant dense<[2.0, 0x7E00, 0xFE00, -1.0]> : tensor<4xf16>
  %ordered = "stablehlo.sort"(%nans) ({
    ^bb0(%a: tensor<f16>, %b: tensor<f16>):
      %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  %bits = stablehlo.bitcast_convert %ordered : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[65024, 48128, 16384, 32256]> : tensor<4xui16>
  func.return
}
