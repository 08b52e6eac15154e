// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: those of the collective inside, and of what is computed meanwhile.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %s = "stablehlo.all_gather"(%y) {
      all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>
    } : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %m = stablehlo.multiply %x, %x : tensor<2xi32>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %m, dense<[1, 4]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  // The product does not wait for the other replica.
  %xa = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %rau, %rav, %rbu, %rbv = "interpreter.run_parallel"(%xa, %xb) {
    programs = [[@gather], [@gather]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>)
  check.expect_eq_const %rau, dense<[10, 20, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %rav, dense<[1, 4]> : tensor<2xi32>
  check.expect_eq_const %rbu, dense<[10, 20, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %rbv, dense<[100, 400]> : tensor<2xi32>
  func.return
}

func.func private @gather(%x: tensor<2xi32>) -> (tensor<4xi32>, tensor<2xi32>) {
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %s = "stablehlo.all_gather"(%y) {
      all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    } : (tensor<2xi32>) -> tensor<4xi32>
    stablehlo.return %s : tensor<4xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<4xi32>>
  %m = stablehlo.multiply %x, %x : tensor<2xi32>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xi32>>) -> tensor<4xi32>
  func.return %r, %m : tensor<4xi32>, tensor<2xi32>
}
