// RUN: halo-run --backend=interpreter %s

// A token has no value: the ops that it orders do.

func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %t = stablehlo.after_all : !stablehlo.token
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  %r, %w = stablehlo.optimization_barrier %x, %u : tensor<2xi32>, !stablehlo.token
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}
