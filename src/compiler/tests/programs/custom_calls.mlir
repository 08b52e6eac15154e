// Custom calls that the runtime knows.

// Integers are compared exactly, floats within 1e-4.
func.func @check_eq_is_a_value() {
  %a = stablehlo.constant {input} dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant {input} dense<[1, 3]> : tensor<2xi32>
  %c = stablehlo.constant {input} dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.custom_call @check.eq(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>
  %1 = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>
  %2 = stablehlo.constant dense<[1.00005, 2.0]> : tensor<2xf32>
  %3 = stablehlo.custom_call @check.eq(%c, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  %4 = stablehlo.not %1 : tensor<i1>
  check.expect_eq_const %0, dense<true> : tensor<i1>
  check.expect_eq_const %1, dense<false> : tensor<i1>
  check.expect_eq_const %3, dense<true> : tensor<i1>
  check.expect_eq_const %4, dense<true> : tensor<i1>
  return
}

func.func @annotations_are_the_identity() {
  %a = stablehlo.constant {input} dense<[7, 200]> : tensor<2xui8>
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = ""}
    : (tensor<2xui8>) -> tensor<2xui8>
  %1 = stablehlo.custom_call @LayoutConstraint(%0) : (tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %1, dense<[7, 200]> : tensor<2xui8>
  return
}
