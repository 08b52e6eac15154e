// RUN: halo-run --backend=interpreter %s

// NaN is equal to NaN, of any bits.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.5, 0x7FC00000, -0.0]> : tensor<3xf32>
  %y0 = stablehlo.constant dense<[1.5, 0x7FC00000, -0.0]> : tensor<3xf32>
  check.expect_eq %x0, %y0 : tensor<3xf32>

  %x1 = stablehlo.constant dense<> : tensor<0xi8>
  check.expect_eq %x1, %x1 : tensor<0xi8>
  func.return
}
