// RUN: halo-run --backend=interpreter %s

// mpmath: with a = (|z + 1| + |z - 1|) / 2, the parts are sqrt(a^2 - x^2) and
// log(a + sqrt(a^2 - 1)).
func.func @main() {
  %z = stablehlo.constant dense<[(0.5, 0.25), (2.0, 1.0), (0.0, 1.5), (0.25, 0.0)]> : tensor<4xcomplex<f64>>
  %k = chlo._asin_acos_kernel %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %e = stablehlo.constant dense<[(0.911754327326162244, 0.281396056245292769), (1.11178594050284234, 1.46935174436818527), (1.80277563773199465, 1.1947632172871093), (0.968245836551854221, 0.0)]> : tensor<4xcomplex<f64>>
  check.expect_close %k, %e, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}
