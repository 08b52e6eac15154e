// RUN: halo-run --backend=interpreter %s

// Values: the example of the specification, and 64 bits.

func.func @main() {
  %a0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %b0 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %r0 = stablehlo.complex %a0, %b0 : tensor<2xcomplex<f32>>
  check.expect_eq_const %r0, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>

  %a1 = stablehlo.constant dense<[0.1, -0.0]> : tensor<2xf64>
  %b1 = stablehlo.constant dense<[-0.0, 5.0]> : tensor<2xf64>
  %r1 = stablehlo.complex %a1, %b1 : tensor<2xcomplex<f64>>
  check.expect_eq_const %r1, dense<[(0.1, -0.0), (-0.0, 5.0)]> : tensor<2xcomplex<f64>>

  %a2 = stablehlo.constant dense<> : tensor<0xf32>
  %b2 = stablehlo.constant dense<> : tensor<0xf32>
  %r2 = stablehlo.complex %a2, %b2 : tensor<0xcomplex<f32>>
  check.expect_eq_const %r2, dense<> : tensor<0xcomplex<f32>>
  func.return
}
