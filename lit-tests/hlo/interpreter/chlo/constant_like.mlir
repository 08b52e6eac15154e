// RUN: halo-run --backend=interpreter %s

// Values: numpy.full_like.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %r0 = "chlo.constant_like"(%x0) {value = 3.5 : f32} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %r0, dense<[[3.5, 3.5]]> : tensor<1x2xf32>

  %x1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r1 = "chlo.constant_like"(%x1) {value = -7 : i32} : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r1, dense<[-7, -7, -7]> : tensor<3xi32>

  %x2 = stablehlo.constant dense<[false]> : tensor<1xi1>
  %r2 = "chlo.constant_like"(%x2) {value = true} : (tensor<1xi1>) -> tensor<1xi1>
  check.expect_eq_const %r2, dense<[true]> : tensor<1xi1>

  %x3 = stablehlo.constant dense<2.0> : tensor<f64>
  %r3 = "chlo.constant_like"(%x3) {value = 1.0 : f64} : (tensor<f64>) -> tensor<f64>
  check.expect_eq_const %r3, dense<1.0> : tensor<f64>

  %x4 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %r4 = "chlo.constant_like"(%x4) {value = #complex.number<:f32 1.0, 2.0> : complex<f32>} : (tensor<2xi8>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r4, dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  func.return
}
