// RUN: halo-run --backend=interpreter %s

// Values: annotations of sharding are the identity; an assertion that holds gives nothing.

func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r0 = stablehlo.custom_call @Sharding(%x0) {mhlo.sharding = "{replicated}"}
      : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r0, dense<[1, 2]> : tensor<2xi32>

  %x1 = stablehlo.constant dense<[0.5, 0x7FC00000]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%x1, %x1) {has_side_effect = true}
      : (tensor<2xf32>, tensor<2xf32>) -> ()
  func.return
}
