// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: what the other process sent, in its order.

func.func @parallel() {
  // There and back on two channels.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r, %s = "interpreter.run_parallel"(%x) {
    programs = [[@first], [@second]]
  } : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r, dense<[-1, -2]> : tensor<2xi32>
  check.expect_eq_const %s, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func private @first(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %ts = "stablehlo.send"(%x, %t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true
  } : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %r, %tr = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  func.return %r : tensor<2xi32>
}

func.func private @second() -> tensor<2xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %y, %tr = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %z = stablehlo.negate %y : tensor<2xi32>
  %ts = "stablehlo.send"(%z, %t) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true
  } : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  func.return %y : tensor<2xi32>
}
