// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Every type of element.

func.func @main() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %y0 = stablehlo.optimization_barrier %x0 : tensor<2xi1>
  check.expect_eq_const %y0, dense<[true, false]> : tensor<2xi1>

  %x1 = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %y1 = stablehlo.optimization_barrier %x1 : tensor<2xi8>
  check.expect_eq_const %y1, dense<[-128, 127]> : tensor<2xi8>

  %x2 = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %y2 = stablehlo.optimization_barrier %x2 : tensor<1xui64>
  check.expect_eq_const %y2, dense<[18446744073709551615]> : tensor<1xui64>

  %x3 = stablehlo.constant dense<[6.55e4, 0x7C00]> : tensor<2xf16>
  %y3 = stablehlo.optimization_barrier %x3 : tensor<2xf16>
  check.expect_eq_const %y3, dense<[6.55e4, 0x7C00]> : tensor<2xf16>

  %x4 = stablehlo.constant dense<[0x7FC0, 1.0]> : tensor<2xbf16>
  %y4 = stablehlo.optimization_barrier %x4 : tensor<2xbf16>
  check.expect_eq_const %y4, dense<[0x7FC0, 1.0]> : tensor<2xbf16>

  %x5 = stablehlo.constant dense<[1.0e308, 5.0e-324]> : tensor<2xf64>
  %y5 = stablehlo.optimization_barrier %x5 : tensor<2xf64>
  check.expect_eq_const %y5, dense<[1.0e308, 5.0e-324]> : tensor<2xf64>

  %x6 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %y6 = stablehlo.optimization_barrier %x6 : tensor<2xcomplex<f32>>
  check.expect_eq_const %y6, dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %y0 = stablehlo.optimization_barrier %x0 : tensor<2xi4>
  check.expect_eq_const %y0, dense<[-8, 7]> : tensor<2xi4>

  %x1 = stablehlo.constant dense<[3, 0]> : tensor<2xui2>
  %y1 = stablehlo.optimization_barrier %x1 : tensor<2xui2>
  check.expect_eq_const %y1, dense<[3, 0]> : tensor<2xui2>

  %x2 = stablehlo.constant dense<[448.0, 0x7F]> : tensor<2xf8E4M3FN>
  %y2 = stablehlo.optimization_barrier %x2 : tensor<2xf8E4M3FN>
  check.expect_eq_const %y2, dense<[448.0, 0x7F]> : tensor<2xf8E4M3FN>

  %x3 = stablehlo.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
  %y3 = stablehlo.optimization_barrier %x3 : tensor<2xf4E2M1FN>
  check.expect_eq_const %y3, dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
  func.return
}
