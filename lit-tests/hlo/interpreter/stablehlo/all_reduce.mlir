// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: numpy.sum, numpy.max of the processes.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  // Two replicas.
  %xa0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb0 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra0, %rb0 = "interpreter.run_parallel"(%xa0, %xb0) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra0, dense<[11, 22]> : tensor<2xi32>
  check.expect_eq_const %rb0, dense<[11, 22]> : tensor<2xi32>

  // Two groups of replicas.
  %xa1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %xc1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %xd1 = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %ra1, %rb1, %rc1, %rd1 = "interpreter.run_parallel"(%xa1, %xb1, %xc1, %xd1) {
    programs = [[@groups], [@groups], [@groups], [@groups]]
  }
      : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra1, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %rb1, dense<[30, 40]> : tensor<2xi32>
  check.expect_eq_const %rc1, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %rd1, dense<[30, 40]> : tensor<2xi32>

  // Two replicas of two partitions.
  %xa2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb2 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %xc2 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %xd2 = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %ra2, %rb2, %rc2, %rd2 = "interpreter.run_parallel"(%xa2, %xb2, %xc2, %xd2) {
    programs = [[@both, @both], [@both, @both]]
  }
      : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra2, dense<[44, 66]> : tensor<2xi32>
  check.expect_eq_const %rb2, dense<[44, 66]> : tensor<2xi32>
  check.expect_eq_const %rc2, dense<[44, 66]> : tensor<2xi32>
  check.expect_eq_const %rd2, dense<[44, 66]> : tensor<2xi32>

  // Two operands.
  %xau3 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xav3 = stablehlo.constant dense<5> : tensor<i32>
  %xbu3 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %xbv3 = stablehlo.constant dense<6> : tensor<i32>
  %rau3, %rav3, %rbu3, %rbv3 = "interpreter.run_parallel"(%xau3, %xav3, %xbu3, %xbv3) {
    programs = [[@pairs], [@pairs]]
  }
      : (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %rau3, dense<[11, 22]> : tensor<2xi32>
  check.expect_eq_const %rav3, dense<11> : tensor<i32>
  check.expect_eq_const %rbu3, dense<[11, 22]> : tensor<2xi32>
  check.expect_eq_const %rbv3, dense<11> : tensor<i32>
  func.return
}

func.func private @replicas(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}

func.func private @groups(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.maximum %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}

func.func private @both(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}

func.func private @pairs(%x: tensor<2xi32>, %y: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
  %r, %s = "stablehlo.all_reduce"(%x, %y) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
  func.return %r, %s : tensor<2xi32>, tensor<i32>
}
