// RUN: halo-run --backend=interpreter %s

// The neighbours of 1 are one ULP away; the distance goes through zero.

func.func @main() {
  // 3 ULP at most, unless it says otherwise.
  %x0 = stablehlo.constant dense<[1.0000004, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
  %y0 = stablehlo.constant dense<[1.0, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
  check.expect_close %x0, %y0 : tensor<3xf32>, tensor<3xf32>

  %x1 = stablehlo.constant dense<[1.0000001, 0.99999994]> : tensor<2xf32>
  %y1 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  check.expect_close %x1, %y1, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>

  %x2 = stablehlo.constant dense<[5.0e-324]> : tensor<1xf64>
  %y2 = stablehlo.constant dense<[-5.0e-324]> : tensor<1xf64>
  check.expect_close %x2, %y2, max_ulp_difference = 4, min_ulp_difference = 2
      : tensor<1xf64>, tensor<1xf64>
  func.return
}
