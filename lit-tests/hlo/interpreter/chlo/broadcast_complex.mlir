// RUN: halo-run --backend=interpreter %s

// Values: pairs, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %b0 = stablehlo.constant dense<2.0> : tensor<f32>
  %r0 = chlo.broadcast_complex %a0, %b0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r0, dense<[(1.0, 2.0), (3.0, 2.0)]> : tensor<2xcomplex<f32>>

  %a1 = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xf64>
  %b1 = stablehlo.constant dense<[0.5, -4.0]> : tensor<2xf64>
  %r1 = chlo.broadcast_complex %a1, %b1
      : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %r1, dense<[[(1.0, 0.5), (1.0, -4.0)], [(3.0, 0.5), (3.0, -4.0)]]> : tensor<2x2xcomplex<f64>>
  func.return
}
