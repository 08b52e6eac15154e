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
  // Two under way, ended in the other order.
  %xa = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %rau, %rav, %rbu, %rbv = "interpreter.run_parallel"(%xa, %xb) {
    programs = [[@two], [@two]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %rau, dense<[10, 20]> : tensor<2xi32>
  check.expect_eq_const %rav, dense<[11, 22]> : tensor<2xi32>
  check.expect_eq_const %rbu, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %rbv, dense<[11, 22]> : tensor<2xi32>
  func.return
}

func.func private @two(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %s = "stablehlo.collective_permute"(%y) {
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
    } : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %g = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %s = "stablehlo.all_reduce"(%y) ({
    ^bb1(%p: tensor<i32>, %q: tensor<i32>):
      %t = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %s = "stablehlo.async_done"(%g) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  func.return %r, %s : tensor<2xi32>, tensor<2xi32>
}
