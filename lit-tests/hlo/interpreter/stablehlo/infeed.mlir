// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: what the functions named as infeed return, in order.

func.func @parallel() {
  %rau, %rav = "interpreter.run_parallel"() {
    infeed = [@first, @second], programs = [[@reader]]
  } : () -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %rau, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %rav, dense<[10, 20]> : tensor<2xi32>
  func.return
}

func.func private @reader() -> (tensor<2xi32>, tensor<2xi32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %r, %u = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %s, %w = "stablehlo.infeed"(%u) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  func.return %r, %s : tensor<2xi32>, tensor<2xi32>
}

func.func private @first() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  func.return %x : tensor<2xi32>
}

func.func private @second() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  func.return %x : tensor<2xi32>
}
