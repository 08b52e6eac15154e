// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: none come back; the token orders what follows.

func.func @parallel() {
  %xa = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %ra = "interpreter.run_parallel"(%xa) {
    programs = [[@writer]]
  } : (tensor<2xi32>) -> (tensor<2xi32>)
  check.expect_eq_const %ra, dense<[-1, -2]> : tensor<2xi32>
  func.return
}

func.func private @writer(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %u = "stablehlo.outfeed"(%x, %x, %t) {outfeed_config = "queue"} : (tensor<2xi32>, tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %w = "stablehlo.outfeed"(%u) : (!stablehlo.token) -> !stablehlo.token
  %r = stablehlo.negate %x : tensor<2xi32>
  func.return %r : tensor<2xi32>
}
