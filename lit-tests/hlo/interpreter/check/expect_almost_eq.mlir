// RUN: halo-run --backend=interpreter %s

// Within 1e-3, or the tolerance that is given.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %y0 = stablehlo.constant dense<[1.0005, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  check.expect_almost_eq %x0, %y0 : tensor<3xf32>

  %x1 = stablehlo.constant dense<[(1.0, 1.0)]> : tensor<1xcomplex<f64>>
  %y1 = stablehlo.constant dense<[(1.25, 0.75)]> : tensor<1xcomplex<f64>>
  check.expect_almost_eq %x1, %y1 {tolerance = 5.0e-1 : f64} : tensor<1xcomplex<f64>>
  func.return
}
