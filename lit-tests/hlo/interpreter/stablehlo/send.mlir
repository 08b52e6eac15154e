// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: what the other process sent, in its order.

func.func @parallel() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %s, %r = "interpreter.run_parallel"(%x) {
    programs = [[@sender], [@receiver]]
  } : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func private @sender(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %u = "stablehlo.send"(%x, %t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true
  } : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  func.return %x : tensor<2xi32>
}

func.func private @receiver() -> tensor<2xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %r, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  func.return %r : tensor<2xi32>
}
