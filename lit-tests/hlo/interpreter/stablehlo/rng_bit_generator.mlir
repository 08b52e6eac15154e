// RUN: halo-run --backend=interpreter %s

// Values: jax.lax.rng_bit_generator.

func.func @main() {
  %state0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %next0, %r0 = stablehlo.rng_bit_generator %state0, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %next0, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %r0, dense<[43444564, 2150618427, 3979645651, 3745730563]> : tensor<4xui32>

  %state1 = stablehlo.constant dense<[5, 18446744073709551615]> : tensor<2xui64>
  %next1, %r1 = stablehlo.rng_bit_generator %state1, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>)
  check.expect_eq_const %next1, dense<[5, 1]> : tensor<2xui64>
  check.expect_eq_const %r1, dense<[5699853503226913561, 1356859863320810339]> : tensor<2xui64>

  %state2 = stablehlo.constant dense<[3, 7]> : tensor<2xui64>
  %next2, %r2 = stablehlo.rng_bit_generator %state2, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  check.expect_eq_const %next2, dense<[3, 13]> : tensor<2xui64>
  check.expect_eq_const %r2, dense<[[849634428, 4095841382, 2263954335],
                                    [1054234490, 1951865270, 1016631374],
                                    [167328752, 446042894, 114450230]]> : tensor<3x3xui32>

  %state3 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %next3, %r3 = stablehlo.rng_bit_generator %state3, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %next3, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %r3, dense<[2100602697, 2847456232, 2074354647, 800269529]> : tensor<4xui32>

  %state4 = stablehlo.constant dense<[9, 8]> : tensor<2xui64>
  %next4, %r4 = stablehlo.rng_bit_generator %state4, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>)
  check.expect_eq_const %next4, dense<[9, 9]> : tensor<2xui64>
  check.expect_eq_const %r4, dense<[8530826222830278821, 1243978187504827843]> : tensor<2xui64>

  %state5 = stablehlo.constant dense<[9, 8]> : tensor<2xui64>
  %next5, %r5 = stablehlo.rng_bit_generator %state5, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq_const %next5, dense<[9, 9]> : tensor<2xui64>
  check.expect_eq_const %r5, dense<[1549981861, 1986237760, 378486211]> : tensor<3xui32>
  func.return
}
