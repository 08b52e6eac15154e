// RUN: halo-run --backend=interpreter %s

// A token has no value: the ops that it orders do.

func.func @main() {
  %x = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %t = stablehlo.create_token : !stablehlo.token
  %u = stablehlo.after_all %t : !stablehlo.token
  %w, %r = stablehlo.optimization_barrier %u, %x : !stablehlo.token, tensor<2xf32>
  check.expect_eq_const %r, dense<[1.5, -2.0]> : tensor<2xf32>
  func.return
}
